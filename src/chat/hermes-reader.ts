import {
  type CallReader,
  type CallSink,
  type Fault,
  PATIENCE,
  type ReaderState,
  skipSpace,
  tagAt,
} from './call-reader.js'
import { coerceObject, hasRefusedCharacters } from './coerce.js'
import { decodeJson } from './json.js'
import { TextBuilder } from './text-builder.js'
import type { JsonObject, JsonValue } from './types.js'

const CALL_END = '</tool_call>'
const FORM =
  'Write <tool_call>, then {"name": NAME, "arguments": {…}} as valid JSON, then </tool_call>, each on its own line.'

/**
 * Reads one call of the Hermes format: a JSON object between `<tool_call>` and `</tool_call>`. The object ends where its
 * outermost brace closes, so tags inside strings end nothing. The call is announced when it is complete;
 * its argument event carries the whole object's text.
 */
export class HermesCallReader implements CallReader {
  fault: Fault | undefined
  at = 0
  private state: 'opened' | 'json' | 'close' = 'opened'
  private readonly json = new TextBuilder()
  private depth = 0
  private inString = false
  private escaped = false

  constructor(private readonly sink: CallSink) {}

  read(buffer: string, at: number): ReaderState {
    this.at = at
    if (this.state === 'opened') {
      const i = skipSpace(buffer, at)
      if (i === buffer.length) return i - at > PATIENCE ? 'text' : 'more'
      if (buffer[i] === '{') {
        this.state = 'json'
        this.at = i
      } else {
        const foreign = tagAt(buffer, i, '<function=')
        if (foreign === 'part') return 'more'
        if (foreign === 'no' && !buffer.slice(at, i).includes('\n')) return 'text'
        return this.fail(`The call is no JSON object. ${FORM}`)
      }
    }
    if (this.state === 'json' && !this.scan(buffer)) return 'more'
    return this.close(buffer)
  }

  /** Takes text up to the outermost closing brace; false when it did not come yet. */
  private scan(buffer: string): boolean {
    const from = this.at
    let i = from
    while (i < buffer.length) {
      if (this.inString) {
        i = this.skipString(buffer, i)
        continue
      }
      const code = buffer.charCodeAt(i)
      if (code === 0x22) this.inString = true
      else if (code === 0x7b || code === 0x5b) this.depth++
      else if ((code === 0x7d || code === 0x5d) && --this.depth === 0) {
        i++
        this.state = 'close'
        break
      } else if (code === 0x3c && buffer.startsWith(CALL_END, i)) {
        this.state = 'close'
        break
      }
      i++
    }
    // A closing tag cut in two: it is looked at again when the rest is there.
    if (this.state === 'json' && !this.inString) {
      const cut = buffer.lastIndexOf('<')
      if (cut >= from && tagAt(buffer, cut, CALL_END) === 'part') i = cut
    }
    this.json.append(buffer.slice(from, i))
    this.at = i
    return this.state === 'close'
  }

  /** From inside a string to behind its closing quote, or to the end of the text. */
  private skipString(buffer: string, at: number): number {
    let i = at
    if (this.escaped) {
      this.escaped = false
      i++
    }
    let end = buffer.indexOf('"', i)
    for (;;) {
      const slash = buffer.indexOf('\\', i)
      if (slash < 0 || (end >= 0 && slash > end)) break
      i = slash + 2
      if (i > buffer.length) {
        this.escaped = true
        return buffer.length
      }
      if (end >= 0 && end < i) end = buffer.indexOf('"', i)
    }
    if (end < 0) return buffer.length
    this.inString = false
    return end + 1
  }

  private close(buffer: string): ReaderState {
    const i = skipSpace(buffer, this.at)
    const tag = tagAt(buffer, i, CALL_END)
    if (tag === 'part' && i - this.at <= PATIENCE) return 'more'
    if (tag !== 'yes') return this.fail(`Something else than </tool_call> follows the JSON object. ${FORM}`)
    this.at = i + CALL_END.length
    this.decode()
    return 'done'
  }

  private decode(): void {
    const json = this.json.toString()
    const call = decodeHermesCall(json)
    if (!call.ok) {
      this.fault = call.fault
      return
    }
    const index = this.sink.start(call.name)
    this.sink.emit({ type: 'argument', index, key: '', text: json })
    this.sink.complete(index, call.name, coerceObject(call.arguments, this.sink.tools.get(call.name)))
  }

  private fail(message: string): 'skip' {
    this.fault = { kind: 'bad-call', message }
    return 'skip'
  }
}

/** What a Hermes call's JSON says, or what is wrong with it. `arguments` may be an object, JSON text of one, or missing. */
export function decodeHermesCall(
  json: string,
):
  | { readonly ok: true; readonly name: string; readonly arguments: JsonObject }
  | { readonly ok: false; readonly fault: Fault } {
  const bad = (message: string, kind: Fault['kind'] = 'bad-call') => ({
    ok: false as const,
    fault: { kind, message: `${message} ${FORM}` },
  })
  const decoded = decodeJson(json)
  if (!decoded.ok) {
    const twice = decoded.reason.includes('stands twice')
    return bad(`The call's JSON is not valid: ${decoded.reason}.`, twice ? 'duplicate-parameter' : 'bad-call')
  }
  const value = decoded.value
  if (!isObject(value)) return bad('The call is no JSON object.')
  const name = value.name
  if (typeof name !== 'string' || name === '') return bad('The call has no name.')
  let given: JsonValue = Object.hasOwn(value, 'arguments') ? value.arguments! : (value.parameters ?? {})
  if (typeof given === 'string') {
    const inner = decodeJson(given.trim() === '' ? '{}' : given)
    if (!inner.ok) return bad(`The arguments of ${name} are not valid JSON: ${inner.reason}.`)
    given = inner.value
  }
  if (given === null) given = {}
  if (!isObject(given)) return bad(`The arguments of ${name} are no JSON object.`)
  if (hasRefusedCharacters(given) || hasRefusedCharacters(name)) {
    return bad('The call holds characters that no text may hold.', 'refused-characters')
  }
  return { ok: true, name, arguments: given }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
