import type { JsonObject, Message } from '../../chat/types.js'
import { allContracts } from '../../domains/contracts.js'
import type { ComposeInput } from './compose-input.js'
import type { Draw } from './draw.js'
import type { ShownTool, Task } from './exchange.js'
import { callTurn, resultTurns, typed, userTurn, wordsTurn } from './exchange.js'
import { renderTemplate, textOf } from './grammar.js'
import { drawResult, FAILURES } from './results.js'

const questions = new Map(allContracts.map((contract) => [contract.name, contract.asks ?? {}]))

/**
 * The messages of a task: its call alone, with another one beside it (`next` gives one), with result and answer, with an
 * error, or with a question about a missing value. Undefined when its tool is not shown.
 */
export function taskExchange(
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
  for (const [parameter, question] of Object.entries(questions.get(task.tool) ?? {})) {
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
