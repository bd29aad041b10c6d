import { exactNumber } from './json.js'
import type { JsonObject, JsonValue } from './types.js'

/** A call as Python source: `name(key=value, …)`. */
export interface PythonCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** What was read, or why it could not be. `duplicate` tells a keyword given twice from other faults. */
export type PythonRead<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly duplicate?: boolean }

const DEEPEST = 64

/** Reads one Python literal (strings, numbers, True, False, None, lists, tuples, dictionaries with string keys). */
export function readPythonLiteral(text: string): PythonRead<JsonValue> {
  return attempt(text, (reader) => reader.value())
}

/** Reads a list of calls with keyword arguments, `[f(a=1), g()]`, or one call without the brackets. */
export function readPythonCalls(text: string): PythonRead<PythonCall[]> {
  return attempt(text, (reader) => reader.calls())
}

function attempt<T>(text: string, read: (reader: PythonReader) => T): PythonRead<T> {
  const reader = new PythonReader(text)
  try {
    const value = read(reader)
    reader.finish()
    return { ok: true, value }
  } catch (error) {
    if (!(error instanceof PythonFault)) throw error
    return { ok: false, reason: error.message, duplicate: error.duplicate }
  }
}

class PythonReader {
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {}

  finish(): void {
    this.space()
    if (this.at < this.text.length) throw new PythonFault(`something follows at ${this.at}`)
  }

  calls(): PythonCall[] {
    this.space()
    if (!this.take('[')) return [this.call()]
    const calls: PythonCall[] = []
    this.space()
    if (this.take(']')) return calls
    for (;;) {
      calls.push(this.call())
      if (this.closes(']')) return calls
    }
  }

  private call(): PythonCall {
    this.space()
    const name = this.match(/[A-Za-z_][\w.-]*/y)
    if (name === undefined) throw new PythonFault(`a function name is missing at ${this.at}`)
    this.space()
    if (!this.take('(')) throw new PythonFault(`( is missing at ${this.at}`)
    const entries: [string, JsonValue][] = []
    const seen = new Set<string>()
    this.space()
    if (this.take(')')) return { name, arguments: {} }
    for (;;) {
      this.space()
      const key = this.match(/[A-Za-z_]\w*(?=\s*=)/y)
      if (key === undefined) throw new PythonFault(`arguments need names, key=value, at ${this.at}`)
      if (seen.has(key)) throw new PythonFault(`${key} stands twice`, true)
      seen.add(key)
      this.space()
      this.at++
      entries.push([key, this.value()])
      if (this.closes(')')) return { name, arguments: Object.fromEntries(entries) }
    }
  }

  value(): JsonValue {
    this.space()
    const char = this.text[this.at]
    if (char === '[' || char === '(') return this.nested(() => this.sequence(char === '[' ? ']' : ')'))
    if (char === '{') return this.nested(() => this.dictionary())
    if (char === '"' || char === "'") return this.string()
    const word = this.match(/[A-Za-z]+/y)
    if (word !== undefined) {
      if (word === 'True' || word === 'true') return true
      if (word === 'False' || word === 'false') return false
      if (word === 'None' || word === 'null') return null
      throw new PythonFault(`${word} is no value`)
    }
    const number = this.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y)
    if (number === undefined) throw new PythonFault(`no value at ${this.at}`)
    return exactNumber(number)
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEEPEST) throw new PythonFault('nested too deeply')
    this.at++
    const value = read()
    this.depth--
    return value
  }

  private sequence(close: string): JsonValue {
    const items: JsonValue[] = []
    this.space()
    if (this.take(close)) return items
    for (;;) {
      items.push(this.value())
      if (this.closes(close)) return items
    }
  }

  private dictionary(): JsonValue {
    const entries: [string, JsonValue][] = []
    const seen = new Set<string>()
    this.space()
    if (this.take('}')) return {}
    for (;;) {
      const key = this.value()
      if (typeof key !== 'string') throw new PythonFault('keys must be strings')
      if (seen.has(key)) throw new PythonFault(`${key} stands twice`, true)
      seen.add(key)
      this.space()
      if (!this.take(':')) throw new PythonFault(`a colon is missing at ${this.at}`)
      entries.push([key, this.value()])
      if (this.closes('}')) return Object.fromEntries(entries)
    }
  }

  /** After an item: true at the closing sign (a trailing comma is allowed), false when another item follows. */
  private closes(close: string): boolean {
    this.space()
    if (this.take(close)) return true
    if (!this.take(',')) throw new PythonFault(`a comma or ${close} is missing at ${this.at}`)
    this.space()
    return this.take(close)
  }

  private string(): string {
    const quote = this.text[this.at]!
    const fence = this.text.startsWith(quote.repeat(3), this.at) ? quote.repeat(3) : quote
    this.at += fence.length
    let out = ''
    while (this.at < this.text.length) {
      if (this.text.startsWith(fence, this.at)) {
        this.at += fence.length
        return out
      }
      const char = this.text[this.at++]!
      if (char === '\\') out += this.escape()
      else out += char
    }
    throw new PythonFault('a string is not closed')
  }

  private escape(): string {
    const char = this.text[this.at++] ?? ''
    const simple = escapes[char]
    if (simple !== undefined) return simple
    const length = char === 'x' ? 2 : char === 'u' ? 4 : char === 'U' ? 8 : 0
    if (length === 0) return `\\${char}`
    const hex = this.text.slice(this.at, this.at + length)
    const code = Number.parseInt(hex, 16)
    if (hex.length < length || !/^[0-9a-fA-F]+$/.test(hex) || code > 0x10ffff) throw new PythonFault('a wrong escape')
    this.at += length
    return String.fromCodePoint(code)
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text[this.at]!)) this.at++
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }
}

const escapes: { readonly [char: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

class PythonFault extends Error {
  constructor(
    message: string,
    readonly duplicate = false,
  ) {
    super(message)
  }
}
