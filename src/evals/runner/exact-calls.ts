import { coerceText, parameterSchema } from '../../chat/coerce.js'
import { createParser } from '../../chat/parser.js'
import type { ToolSpec } from '../../chat/types.js'
import type { ModelInfo } from '../../engine/contract.js'
import { PyError } from '../python/errors.js'
import { parsePythonJson } from '../python/json.js'
import { dumpPythonJson } from '../python/json-dump.js'
import { PyDict } from '../python/values.js'
import type { AskedTurn } from './ask.js'

/** A call whose arguments are JSON text, in which 5 and 5.0 stay different. */
export interface ExactCall {
  readonly name: string
  readonly json: string
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/**
 * The calls of a turn as scorers with Python's types need them. Where a dialect writes each argument as text, the text is
 * read by the schema as an inference server does: numbers keep their digits.
 */
export function exactCalls(model: ModelInfo, specs: readonly ToolSpec[], turn: AskedTurn): ExactCall[] {
  if (turn.structured.length > 0)
    return turn.structured.map(({ name, arguments: json }) => ({ name, json: json.trim() === '' ? '{}' : json }))
  const parser = createParser(model.dialect, { tools: specs })
  const texts = new Map<number, Map<string, string>>()
  const out: ExactCall[] = []
  for (const event of [...parser.push(turn.raw), ...parser.end('end')]) {
    if (event.type === 'argument') {
      const keys = texts.get(event.index) ?? new Map<string, string>()
      keys.set(event.key, (keys.get(event.key) ?? '') + event.text)
      texts.set(event.index, keys)
    } else if (event.type === 'call.end') {
      const { name, arguments: args } = event.call
      const keys = texts.get(event.index) ?? new Map<string, string>()
      const whole = keys.get('')
      const exact = whole === undefined ? undefined : argumentsOf(whole)
      if (exact !== undefined) out.push({ name, json: exact })
      else {
        const spec = specs.find((one) => one.name === name)
        const members = Object.entries(args).map(([key, value]) => {
          const text = keys.get(key)
          return `${JSON.stringify(key)}: ${text === undefined ? JSON.stringify(value) : memberJson(text, spec, key)}`
        })
        out.push({ name, json: `{${members.join(', ')}}` })
      }
    }
  }
  return out
}

/** The arguments in the JSON text of a whole call, with Python's numbers. */
function argumentsOf(call: string): string | undefined {
  try {
    const read = parsePythonJson(call)
    const args = read instanceof PyDict ? read.get('arguments') : undefined
    return args instanceof PyDict ? dumpPythonJson(args) : undefined
  } catch (error) {
    if (error instanceof PyError) return undefined
    throw error
  }
}

function memberJson(text: string, spec: ToolSpec | undefined, key: string): string {
  const value = coerceText(text, parameterSchema(spec, key))
  const trimmed = text.trim()
  if (typeof value === 'number') return NUMBER.test(trimmed) ? trimmed : JSON.stringify(value)
  if (typeof value === 'object' && value !== null) {
    try {
      JSON.parse(trimmed)
      return trimmed
    } catch {
      return JSON.stringify(value)
    }
  }
  return JSON.stringify(value)
}
