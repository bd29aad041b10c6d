import type { Message, ToolSpec } from '../../chat/types.js'
import { allContracts } from '../../domains/contracts.js'
import { toolSpec } from '../../tools/tool-spec.js'
import type { Conversation } from '../sft/conversation.js'
import type { ComposeInput } from './compose-input.js'
import type { Draw } from './draw.js'
import type { ShownTool, Task } from './exchange.js'
import { userTurn, wordsTurn } from './exchange.js'
import { renameTool } from './rename.js'
import { taskExchange } from './task-exchange.js'
import { messageTokens, specTokens } from './token-estimate.js'
import { DECLINES } from './words-only.js'

const specs = new Map<string, ToolSpec>(allContracts.map((contract) => [contract.name, toolSpec(contract)]))

/**
 * Packs tasks into training texts: each takes the shortlist of one request (so that distractors are hard) and fills up
 * with requests for the tools that are shown. Every task is used once.
 */
export function* compose(input: ComposeInput, draw: Draw): Generator<Conversation> {
  const queues = new Map(Object.entries(input.tasks).map(([tool, tasks]) => [tool, draw.shuffled(tasks)]))
  const words = new Cycle(input.words, draw)
  let left = [...queues.values()].reduce((sum, queue) => sum + queue.length, 0)
  const take = (tool: string): Task | undefined => {
    const task = queues.get(tool)?.pop()
    if (task) left--
    return task
  }
  while (left > 0) {
    const seedTool = draw.weighted([...queues].map(([tool, queue]) => [tool, queue.length] as const))
    const first = take(seedTool)
    if (!first) continue
    const names = chooseShown(first, input, queues, draw)
    const isForeign = draw.chance(input.mix.foreign)
    const shown = names.map((name) => ownTool(name, isForeign, draw))
    const strangers = isForeign ? input.foreign.draw(draw.integer(2, 4), draw) : []
    const all = draw.shuffled([...shown, ...strangers.map(({ tool }) => tool)])
    const unique = [...new Map(all.map((tool) => [tool.spec.name, tool])).values()]
    const byName = new Map(unique.map((tool) => [tool.original, tool]))
    const tools = unique.map(({ spec }) => spec)

    const room = input.budget - tools.reduce((sum, spec) => sum + specTokens(spec), 0) - 40
    const limit = draw.chance(input.mix.short) ? draw.integer(1, 3) : 40
    const exchanges: Message[][] = []
    let used = 0
    const pending: Task[] = [first]
    const next = (): Task | undefined => {
      const waiting = pending.pop()
      if (waiting) return waiting
      const options = names
        .filter((name) => byName.has(name))
        .map((name) => [name, (queues.get(name)?.length ?? 0) + 0.01] as const)
        .filter(([name]) => (queues.get(name)?.length ?? 0) > 0)
      return options.length > 0 ? take(draw.weighted(options)) : undefined
    }
    while (exchanges.length < limit && used < room) {
      let exchange: Message[] | undefined
      if (exchanges.length > 0 && draw.chance(input.mix.words)) {
        const item = words.next()
        exchange = [userTurn(item.text), wordsTurn(item.answer)]
      } else if (exchanges.length > 0 && draw.chance(input.mix.declines))
        exchange = declined(names, input, queues, draw)
      else if (strangers.length > 0 && draw.chance(0.45)) exchange = draw.pick(strangers).exchange(draw)
      else {
        const task = next()
        if (!task) break
        exchange = taskExchange(task, byName, next, input, draw)
      }
      if (!exchange) continue
      const cost = exchange.reduce((sum, message) => sum + messageTokens(message), 0)
      if (used + cost > room && exchanges.length > 0) break
      exchanges.push(numbered(exchange))
      used += cost
    }
    if (exchanges.length === 0) continue
    const system = systemText(draw)
    yield { tools, ...(system === '' ? {} : { system }), exchanges: draw.shuffled(exchanges) }
  }
}

/** Draws without end, each item once per round. */
class Cycle<T> {
  #queue: T[] = []
  constructor(
    private readonly items: readonly T[],
    private readonly draw: Draw,
  ) {}
  next(): T {
    if (this.#queue.length === 0) this.#queue = this.draw.shuffled(this.items)
    const item = this.#queue.pop()
    if (item === undefined) throw new RangeError('no items')
    return item
  }
}

function chooseShown(
  first: Task,
  input: ComposeInput,
  queues: ReadonlyMap<string, readonly Task[]>,
  draw: Draw,
): string[] {
  const size = draw.weighted([
    [8, 0.7],
    [6, 0.1],
    [4, 0.07],
    [10, 0.08],
    [2, 0.05],
  ])
  const ranked = input.ranking.rank(first.text).filter((name) => name !== first.tool)
  const hard = draw.chance(0.5)
    ? ranked.slice(0, size - 1)
    : draw.shuffled(ranked.slice(0, 14)).slice(0, Math.ceil(size * 0.6))
  const shown = new Set([first.tool, ...hard])
  const others = [...queues].map(([tool, queue]) => [tool, queue.length + 3] as const)
  while (shown.size < Math.min(size, specs.size)) shown.add(draw.weighted(others))
  return [...shown].slice(0, size)
}

function ownTool(name: string, isForeign: boolean, draw: Draw): ShownTool {
  const spec = specs.get(name)
  if (!spec) throw new RangeError(`no tool ${name}`)
  if (isForeign && draw.chance(0.8)) {
    const renamed = renameTool(spec, draw)
    return { original: name, spec: renamed.spec, parameters: renamed.parameters }
  }
  return { original: name, spec, parameters: {} }
}

function declined(
  names: readonly string[],
  input: ComposeInput,
  queues: ReadonlyMap<string, readonly Task[]>,
  draw: Draw,
): Message[] | undefined {
  for (let attempt = 0; attempt < 4; attempt++) {
    const tool = draw.pick([...queues.keys()])
    const queue = queues.get(tool) ?? []
    const task = queue[draw.integer(0, Math.max(0, queue.length - 1))]
    if (!task || names.includes(tool)) continue
    const near = input.ranking.rank(task.text).slice(0, 8)
    if (near[0] !== tool || names.some((name) => near.includes(name))) continue
    return [userTurn(task.text), wordsTurn(draw.pick(DECLINES))]
  }
  return undefined
}

function systemText(draw: Draw): string {
  if (draw.chance(0.25)) return ''
  const date = new Date(Date.UTC(2025, 0, 1) + draw.integer(0, 1500) * 86_400_000)
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date)
  const zone = draw.pick([
    'Europe/Budapest',
    'Europe/London',
    'America/New_York',
    'America/Los_Angeles',
    'Asia/Tokyo',
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Australia/Sydney',
    'America/Sao_Paulo',
  ])
  return `Today is ${day} (${zone}).`
}

function numbered(exchange: readonly Message[]): Message[] {
  const ids = new Map<string, string>()
  return exchange.map((message) => {
    if (message.role === 'assistant') {
      return {
        ...message,
        toolCalls: message.toolCalls.map((call) => {
          const id = `call_${ids.size}`
          ids.set(call.id, id)
          return { ...call, id }
        }),
      }
    }
    return message.role === 'tool' ? { ...message, callId: ids.get(message.callId) ?? message.callId } : message
  })
}
