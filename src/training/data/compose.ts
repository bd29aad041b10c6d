import type { JsonObject, Message, ToolSpec } from '../../chat/types.js'
import { allContracts } from '../../domains/contracts.js'
import { toolSpec } from '../../tools/tool-spec.js'
import type { Conversation } from '../sft/conversation.js'
import type { Draw } from './draw.js'
import type { ShownTool, Task } from './exchange.js'
import { callTurn, resultTurns, typed, userTurn, wordsTurn } from './exchange.js'
import type { ForeignMaker } from './foreign-tasks.js'
import type { Pools } from './grammar.js'
import { renderTemplate, textOf } from './grammar.js'
import type { HeldOutRanking } from './ranking.js'
import { renameTool } from './rename.js'
import { drawResult, FAILURES } from './results.js'
import { DECLINES } from './words-only.js'

/** A request that is answered in words. */
export interface WordsOnly {
  readonly text: string
  readonly answer: string
}

/** Shares of what a training text holds; each from 0 to 1. */
export interface Mix {
  /** Texts whose tools have other names or are not ours. */
  readonly foreign: number
  /** Exchanges answered in words without any tool. */
  readonly words: number
  /** Exchanges whose request no shown tool serves. */
  readonly declines: number
  /** Calls that go on: result and answer. */
  readonly results: number
  /** Exchanges with two calls at once. */
  readonly parallel: number
  /** Exchanges in two steps, with an error, or with a question about a missing value. */
  readonly longer: number
  /** Texts of one to three exchanges only, as in use. */
  readonly short: number
}

/** The mix of the embedded model. */
export const NANO_MIX: Mix = {
  foreign: 0.18,
  words: 0.12,
  declines: 0.03,
  results: 0.1,
  parallel: 0.03,
  longer: 0.05,
  short: 0.12,
}

const contracts = new Map(allContracts.map((contract) => [contract.name, contract]))
const specs = new Map<string, ToolSpec>(allContracts.map((contract) => [contract.name, toolSpec(contract)]))

/** Estimated tokens of a text with the embedded model's vocabulary. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Everything that composing needs. */
export interface ComposeInput {
  readonly tasks: { readonly [tool: string]: readonly Task[] }
  readonly words: readonly WordsOnly[]
  readonly ranking: HeldOutRanking
  readonly pools: Pools
  readonly resultPools: Pools
  readonly foreign: ForeignMaker
  readonly mix: Mix
  /** Tokens of one text, as estimated. */
  readonly budget: number
}

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
  while (shown.size < Math.min(size, contracts.size)) shown.add(draw.weighted(others))
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

function taskExchange(
  task: Task,
  shown: ReadonlyMap<string, ShownTool>,
  next: () => Task | undefined,
  input: ComposeInput,
  draw: Draw,
): Message[] | undefined {
  const tool = shown.get(task.tool)
  if (!tool) return undefined
  const args = typed(task.arguments, {})
  if (draw.chance(input.mix.parallel) && task.text.length < 60) {
    const other = next()
    const second = other && shown.get(other.tool)
    if (other && second && other.text.length < 60 && /^[a-z]/i.test(other.text)) {
      const joint = draw.pick([' and ', ' and then ', ' and also ', ', ', ' then '])
      const text = task.text.replace(/[.?!]$/, '') + joint + lowerFirst(other.text)
      return [
        userTurn(text),
        callTurn([
          { shown: tool, arguments: args },
          { shown: second, arguments: other.arguments },
        ]),
      ]
    }
    if (other && second) return simple(other, second)
  }
  const asks = missingOf(task)
  if (asks && draw.chance(0.4)) return askedBack(task, tool, asks, input, draw)
  const value = Object.values(args).find((part) => typeof part === 'string' && part.length < 30)
  if (draw.chance(input.mix.longer) && typeof value === 'string') return failed(task, tool, value, input, draw)
  if (draw.chance(input.mix.results)) {
    const call = callTurn([{ shown: tool, arguments: args }])
    const result = drawResult(task.tool, args, input.resultPools, draw)
    return [userTurn(task.text), call, ...resultTurns(call, [result]), wordsTurn(result.answer)]
  }
  return simple(task, tool)
}

function simple(task: Task, tool: ShownTool): Message[] {
  return [userTurn(task.text), callTurn([{ shown: tool, arguments: task.arguments }])]
}

function lowerFirst(text: string): string {
  return /^I\b/.test(text) ? text : (text[0]?.toLowerCase() ?? '') + text.slice(1)
}

function missingOf(task: Task): { readonly parameter: string; readonly question: string } | undefined {
  for (const [parameter, question] of Object.entries(contracts.get(task.tool)?.asks ?? {})) {
    if (task.arguments[parameter] === undefined) return { parameter, question }
  }
  return undefined
}

/** Which pool answers the question about a missing parameter. */
const ANSWERS: { readonly [parameter: string]: string } = {
  when: 'clock',
  title: 'title',
  duration: 'duration',
  to: 'person',
  text: 'message',
  name: 'fullName',
  item: 'item',
  color: 'color',
  food: 'food',
  amount: 'money',
  word: 'word',
  temperature: 'temperature',
  path: 'path',
  query: 'query',
  problem: 'problem',
  hours: 'hours',
}

function askedBack(
  task: Task,
  tool: ShownTool,
  asks: { readonly parameter: string; readonly question: string },
  input: ComposeInput,
  draw: Draw,
): Message[] {
  const call = callTurn([{ shown: tool, arguments: task.arguments }])
  const asked = [
    userTurn(task.text),
    call,
    ...resultTurns(call, [{ content: asks.question, isError: true }]),
    wordsTurn(asks.question),
  ]
  const pool =
    task.tool === 'ticket_book'
      ? 'town'
      : /^(?:alarm_change|calendar_move)$/.test(task.tool) && asks.parameter === 'to'
        ? 'dateTime'
        : ANSWERS[asks.parameter]
  if (!pool) return asked
  const value = textOf(renderTemplate(`{:${pool}}`, input.pools, draw))
  const args: JsonObject = { ...task.arguments, [asks.parameter]: value }
  return [...asked, userTurn(value), callTurn([{ shown: tool, arguments: args }])]
}

function failed(task: Task, tool: ShownTool, value: string, input: ComposeInput, draw: Draw): Message[] {
  const call = callTurn([{ shown: tool, arguments: task.arguments }])
  const template = draw.pick(FAILURES).replace('$value', value.replace(/[()[\]{}|$]/g, ' '))
  const content = textOf(renderTemplate(template, input.resultPools, draw))
  return [userTurn(task.text), call, ...resultTurns(call, [{ content, isError: true }]), wordsTurn(content)]
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

function specTokens(spec: ToolSpec): number {
  return 5 + estimateTokens(spec.name + spec.description) + Object.keys(spec.parameters.properties ?? {}).length * 2
}

function messageTokens(message: Message): number {
  if (message.role === 'assistant') {
    const calls = message.toolCalls.reduce(
      (sum, call) =>
        sum + 7 + Object.values(call.arguments).reduce<number>((n, value) => n + 4 + estimateTokens(String(value)), 0),
      0,
    )
    return 4 + estimateTokens(message.content) + calls
  }
  return 4 + estimateTokens(message.content)
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
