import type { JsonValue } from './types.js'

/** A decoded value, or why the text is none. */
export type Decoded = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string }

/** Nesting beyond this is refused: no tool needs it and it would exhaust the stack. */
const DEEPEST = 64

/**
 * Decodes JSON (RFC 8259) as a model writes it, stricter than JSON.parse where silence would do harm: a key that stands
 * twice is refused, and so is nesting beyond 64. Integers that a double cannot hold, and numbers beyond its range, stay
 * their own digits as a string, so that nothing is rounded unseen. Never throws.
 */
export function decodeJson(text: string): Decoded {
  const quick = quickly(text)
  if (quick !== undefined) return { ok: true, value: quick }
  const reader = new JsonReader(text)
  return reader.document()
}

/**
 * What the engine's own parser says, where it is sure to agree with the careful reader: no number that might be rounded,
 * no deep nesting, and as many keys in the value as colons behind quotes in the text, so that none stood twice.
 */
function quickly(text: string): JsonValue | undefined {
  if (/\d{16}|\d[eE]/.test(text) || text.includes('-0')) return undefined
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
  const keys = countKeys(value, 0)
  return keys >= 0 && keys === (text.match(/"\s*:/g)?.length ?? 0) ? value : undefined
}

/** Number of keys in all objects of the value; negative when it is nested too deeply. */
function countKeys(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth >= DEEPEST) return Number.NEGATIVE_INFINITY
  let keys = 0
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item, depth + 1)
  else {
    for (const key of Object.keys(value)) keys += 1 + countKeys(value[key]!, depth + 1)
  }
  return keys
}

class JsonReader {
  private at = 0
  private depth = 0

  constructor(private readonly text: string) {}

  document(): Decoded {
    try {
      const value = this.value()
      this.space()
      if (this.at < this.text.length) throw new JsonFault(`something follows at ${this.at}`)
      return { ok: true, value }
    } catch (error) {
      if (error instanceof JsonFault) return { ok: false, reason: error.message }
      throw error
    }
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\n\r'.includes(this.text[this.at]!)) this.at++
  }

  private value(): JsonValue {
    this.space()
    const char = this.text[this.at]
    switch (char) {
      case '{':
        return this.nested(() => this.object())
      case '[':
        return this.nested(() => this.array())
      case '"':
        return this.string()
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEEPEST) throw new JsonFault('nested too deeply')
    const value = read()
    this.depth--
    return value
  }

  private object(): JsonValue {
    const entries: [string, JsonValue][] = []
    const seen = new Set<string>()
    this.at++
    this.space()
    if (this.take('}')) return {}
    for (;;) {
      this.space()
      if (this.text[this.at] !== '"') throw new JsonFault(`a key in double quotes is missing at ${this.at}`)
      const key = this.string()
      if (seen.has(key)) throw new JsonFault(`the key ${JSON.stringify(key)} stands twice`)
      seen.add(key)
      this.space()
      if (!this.take(':')) throw new JsonFault(`a colon is missing at ${this.at}`)
      entries.push([key, this.value()])
      this.space()
      if (this.take('}')) return Object.fromEntries(entries)
      if (!this.take(',')) throw new JsonFault(`a comma or } is missing at ${this.at}`)
    }
  }

  private array(): JsonValue {
    const items: JsonValue[] = []
    this.at++
    this.space()
    if (this.take(']')) return items
    for (;;) {
      items.push(this.value())
      this.space()
      if (this.take(']')) return items
      if (!this.take(',')) throw new JsonFault(`a comma or ] is missing at ${this.at}`)
    }
  }

  private string(): string {
    const match = stringToken(this.text, this.at)
    if (match === undefined)
      throw new JsonFault(`the string at ${this.at} is not closed or has a bare control character`)
    this.at += match.length
    try {
      return JSON.parse(match) as string
    } catch {
      throw new JsonFault(`the string before ${this.at} has a wrong escape`)
    }
  }

  private word<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw new JsonFault(`no JSON value at ${this.at}`)
    this.at += word.length
    return value
  }

  private number(): JsonValue {
    numberPattern.lastIndex = this.at
    const match = numberPattern.exec(this.text)
    if (match === null) throw new JsonFault(`no JSON value at ${this.at}`)
    this.at += match[0].length
    return exactNumber(match[0])
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** A number's value where a double holds it (integers exactly, others rounded as always), else the text itself. */
export function exactNumber(text: string): number | string {
  const value = Number(text)
  if (!Number.isFinite(value)) return text
  // A value beyond the double range is infinite, so BigInt never sees a text longer than about 309 digits.
  const rounded = !Number.isSafeInteger(value) && /^[+-]?\d+$/.test(text) && String(value) !== text
  if (rounded && BigInt(text) !== BigInt(value)) return text
  return Object.is(value, -0) ? 0 : value
}

/** The string literal that starts at `at`, quotes included; undefined when it does not end or holds control characters. */
function stringToken(text: string, at: number): string | undefined {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) return text.slice(at, i + 1)
    if (code === 0x5c) i++
    else if (code < 0x20) return undefined
  }
  return undefined
}

class JsonFault extends Error {}
