import { coerceObject, hasRefusedCharacters } from '../chat/coerce.js'
import type { ParserEvent } from '../chat/events.js'
import { decodeJson } from '../chat/json.js'
import { createParser } from '../chat/parser.js'
import { render, type ThinkState } from '../chat/render.js'
import { ChatTemplate } from '../chat/template.js'
import type { JsonObject, ToolSpec } from '../chat/types.js'
import type { ModelInfo, StopReason } from '../engine/contract.js'

/** A call as it was read; the host gives it an id. */
export interface ReadCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** What a reader found in the model's output. `recovered`: the calls stand in spite of what was wrong. */
export type ReadPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: ReadCall }
  | { readonly type: 'malformed'; readonly message: string; readonly text: string; readonly recovered: boolean }

/** Reads one turn of a model. */
export interface TurnReader {
  /** Text that the model wrote. */
  push(text: string): ReadPart[]
  /** Calls of an engine that parses by itself. */
  structured(calls: readonly { readonly name: string; readonly arguments: string }[]): ReadPart[]
  /** No more comes; says what was left unfinished. */
  end(stop: StopReason): ReadPart[]
}

const states = new Map<string, ThinkState>()

/** How the model's prompt leaves the think block; the same for every conversation of a template. */
function thinkStateOf(model: ModelInfo, think: boolean | number | undefined): ThinkState {
  if (model.chatTemplate === undefined) return 'absent'
  const key = `${think === undefined ? 'default' : think !== false && think !== 0} ${model.dialect} ${model.chatTemplate}`
  let state = states.get(key)
  if (!state) {
    const template = new ChatTemplate(model.chatTemplate, { dialect: model.dialect })
    state = render(template, { messages: [{ role: 'user', content: 'x' }], think }).thinkState
    states.set(key, state)
  }
  return state
}

/** A reader for a model's dialect, told how its prompt ended. Throws ChatError when the model's template is not Jinja. */
export function createReader(
  model: ModelInfo,
  specs: readonly ToolSpec[],
  think: boolean | number | undefined,
): TurnReader {
  const byName = new Map(specs.map((spec) => [spec.name, spec]))
  const parser = createParser(model.dialect, { tools: specs, thinkState: thinkStateOf(model, think) })
  return {
    push: (text) => parts(parser.push(text)),
    structured: (calls) => calls.map((call) => readStructured(call, byName)),
    end: (stop) => parts(parser.end(stop)),
  }
}

function parts(events: readonly ParserEvent[]): ReadPart[] {
  return events.flatMap((event): ReadPart[] => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return [{ type: event.type, text: event.text }]
      case 'call.end':
        return [{ type: 'call', call: { name: event.call.name, arguments: event.call.arguments } }]
      case 'malformed':
        return [{ type: 'malformed', message: event.message, text: event.raw, recovered: event.recovered }]
      default:
        return []
    }
  })
}

function readStructured(
  call: { readonly name: string; readonly arguments: string },
  byName: ReadonlyMap<string, ToolSpec>,
): ReadPart {
  const decoded = decodeJson(call.arguments.trim() === '' ? '{}' : call.arguments)
  const value = decoded.ok ? decoded.value : undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasRefusedCharacters(value)) {
    const message = `The arguments of ${call.name} are no JSON object; write the call again.`
    return { type: 'malformed', message, text: call.arguments.slice(0, 200), recovered: false }
  }
  return { type: 'call', call: { name: call.name, arguments: coerceObject(value, byName.get(call.name)) } }
}
