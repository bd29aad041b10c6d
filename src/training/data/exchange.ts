import type { JsonObject, JsonSchema, JsonValue, Message, ToolSpec } from '../../chat/types.js'
import { bareRequest } from '../../evals/requests/mapping-rules.js'
import type { Draw } from './draw.js'
import type { Piece } from './grammar.js'
import { argumentsOf, textOf } from './grammar.js'
import type { SyntheticRequest } from './requests.js'

/** A request and the call it asks for, in terms of the original tool. */
export interface Task {
  readonly tool: string
  readonly text: string
  readonly arguments: JsonObject
}

/** Names of a tool's parameters as shown; identity where a tool is not renamed. */
export interface ShownTool {
  readonly original: string
  readonly spec: ToolSpec
  readonly parameters: { readonly [original: string]: string }
}

const OPENERS = [
  '',
  '',
  '',
  '',
  '',
  '',
  'please ',
  'olly ',
  'hey ',
  'can you ',
  'could you please ',
  'i want you to ',
  'hey botpsy ',
  'would you ',
  'ok ',
]
const CLOSERS = ['', '', '', '', '', '', '', ' please', ' thanks', ' for me', ' now']
const QUESTION =
  /^(?:what|who|when|where|how|is|are|do|does|did|can|will|which|why|am|if|the|i|we|it|a|an|my|no|and)\b/i

/** Frames a synthetic request: politeness, capitals, slips of the keyboard outside of values. */
export function frameRequest(request: SyntheticRequest, draw: Draw): Task {
  let pieces: Piece[] = [...request.pieces]
  const first = pieces[0]
  const verbFirst = first !== undefined && first.parameter === undefined && !QUESTION.test(first.text)
  if (verbFirst && draw.chance(0.35)) pieces.unshift({ text: draw.pick(OPENERS) })
  if (verbFirst && draw.chance(0.2)) pieces.push({ text: draw.pick(CLOSERS) })
  if (draw.chance(0.06)) pieces = pieces.map((piece) => (piece.parameter ? piece : { text: slip(piece.text, draw) }))
  if (draw.chance(0.22)) pieces = sentence(pieces, draw)
  const args: JsonObject = { ...request.fixed, ...argumentsOf(pieces) }
  const text = textOf(pieces).replace(/\s+/g, ' ').trim()
  if (request.tool === 'fact_find' && typeof args['question'] === 'string') args['question'] = bareRequest(text).value
  return { tool: request.tool, text, arguments: args }
}

function slip(text: string, draw: Draw): string {
  const words = text.split(' ')
  const index = draw.integer(0, words.length - 1)
  const word = words[index] ?? ''
  if (word.length < 4) return text
  const at = draw.integer(1, word.length - 2)
  const kind = draw.integer(0, 2)
  words[index] =
    kind === 0
      ? word.slice(0, at) + word.slice(at + 1)
      : kind === 1
        ? word.slice(0, at) + word[at] + word.slice(at)
        : word.slice(0, at) + (word[at + 1] ?? '') + word[at] + word.slice(at + 2)
  return words.join(' ')
}

function sentence(pieces: readonly Piece[], draw: Draw): Piece[] {
  const out = pieces.map((piece) => ({ ...piece }))
  const first = out[0]
  if (first?.text) out[0] = { ...first, text: first.text[0]?.toUpperCase() + first.text.slice(1) }
  const last = out.at(-1)
  if (last && draw.chance(0.7))
    out.push({ text: /^(?:what|who|when|where|how|is|are|do|does|can|will)\b/i.test(textOf(out)) ? '?' : '.' })
  return out
}

/** Decodes argument texts by a schema, as the parser of calls would; unknown types stay text. */
export function typed(args: JsonObject, properties: { readonly [parameter: string]: JsonSchema }): JsonObject {
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(args)) out[name] = decode(value, properties[name])
  return out
}

function decode(value: JsonValue, schema: JsonSchema | undefined): JsonValue {
  if (typeof value !== 'string' || !schema) return value
  if (schema.type === 'integer' || schema.type === 'number') {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  if (schema.type === 'array') {
    const items = value.split(/\s*,\s*|\s+and\s+/).filter(Boolean)
    return items.map((item) => decode(item, schema.items))
  }
  return value
}

let callNumber = 0

/** The assistant's turn that calls tools. */
export function callTurn(tasks: readonly { readonly shown: ShownTool; readonly arguments: JsonObject }[]): Message {
  return {
    role: 'assistant',
    content: '',
    toolCalls: tasks.map(({ shown, arguments: args }) => ({
      id: `call_${callNumber++}`,
      name: shown.spec.name,
      arguments: renamed(args, shown),
    })),
  }
}

function renamed(args: JsonObject, shown: ShownTool): JsonObject {
  const out: JsonObject = {}
  const names = Object.entries(args).map(([name, value]) => [shown.parameters[name] ?? name, value] as const)
  // Arguments follow the order of the schema, so that the model walks down what it reads.
  for (const name of Object.keys(shown.spec.parameters.properties ?? {})) {
    const found = names.find(([shownName]) => shownName === name)
    if (found) out[name] = found[1]
  }
  return out
}

/** What the owner says. */
export function userTurn(content: string): Message {
  return { role: 'user', content }
}

/** The assistant's words. */
export function wordsTurn(content: string): Message {
  return { role: 'assistant', content, toolCalls: [] }
}

/** Results of the calls of one assistant turn. */
export function resultTurns(
  call: Message,
  contents: readonly { readonly content: string; readonly isError?: boolean }[],
): Message[] {
  if (call.role !== 'assistant') return []
  return call.toolCalls.map((toolCall, index) => ({
    role: 'tool' as const,
    callId: toolCall.id,
    name: toolCall.name,
    content: contents[index]?.content ?? '',
    ...(contents[index]?.isError ? { isError: true } : {}),
  }))
}

/** Pools of our own values by slot of the corpora; some slots mean another thing in some intents and are left alone there. */
export const POOL_OF_SLOT: { readonly [slot: string]: string } = {
  time: 'time',
  date: 'date',
  person: 'person',
  place_name: 'place',
  event_name: 'event',
  list_name: 'list',
  food_type: 'food',
  house_place: 'room',
  color_type: 'color',
  currency_name: 'currency',
  definition_word: 'word',
  email_address: 'email',
  news_topic: 'topic',
  relation: 'relation',
  game_name: 'game',
  radio_name: 'station',
  podcast_name: 'podcast',
}
