import { PyError } from './errors.js'
import { PyDict, type PyValue } from './values.js'

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y
const SPACE = /[ \t\n\r]*/y
const PLAIN = /[^"\\\x00-\x1f]*/y
const HEX = /^[0-9a-fA-F]{4}$/
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
/** Nesting at which CPython's C scanner gives up with its usual recursion limit. */
const DEEPEST = 990

/**
 * `json.loads(text)` of Python: 5 is an int, 5.0 a float, NaN and the infinities are accepted, of equal keys the last
 * value wins at the first place.
 * @throws PyError JSONDecodeError where Python does, RecursionError when nested too deeply.
 */
export function parsePythonJson(text: string): PyValue {
  let at = 0
  let depth = 0

  function fail(message: string, where: number): never {
    const line = text.slice(0, where).split('\n').length
    const column = where - text.lastIndexOf('\n', where - 1)
    throw new PyError('JSONDecodeError', `${message}: line ${line} column ${column} (char ${where})`)
  }

  function skip(): void {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
  }

  function string(): string {
    const begin = at
    at += 1
    let out = ''
    for (;;) {
      PLAIN.lastIndex = at
      PLAIN.test(text)
      out += text.slice(at, PLAIN.lastIndex)
      at = PLAIN.lastIndex
      const character = text[at]
      if (character === '"') {
        at += 1
        return out
      }
      if (character === undefined) fail('Unterminated string starting at', begin)
      if (character !== '\\') fail('Invalid control character at', at)
      const escaped = text[at + 1]
      if (escaped === undefined) fail('Unterminated string starting at', begin)
      if (escaped === 'u') {
        const hex = text.slice(at + 2, at + 6)
        if (!HEX.test(hex)) fail('Invalid \\uXXXX escape', at + 1)
        out += String.fromCharCode(Number.parseInt(hex, 16))
        at += 6
        continue
      }
      const plain = ESCAPES[escaped]
      if (plain === undefined) fail('Invalid \\escape', at)
      out += plain
      at += 2
    }
  }

  function object(): PyDict {
    const dict = new PyDict()
    at += 1
    skip()
    if (text[at] === '}') {
      at += 1
      return dict
    }
    for (;;) {
      if (text[at] !== '"') fail('Expecting property name enclosed in double quotes', at)
      const key = string()
      skip()
      if (text[at] !== ':') fail("Expecting ':' delimiter", at)
      at += 1
      skip()
      dict.set(key, value())
      skip()
      if (text[at] === '}') break
      if (text[at] !== ',') fail("Expecting ',' delimiter", at)
      at += 1
      skip()
    }
    at += 1
    return dict
  }

  function array(): PyValue[] {
    const items: PyValue[] = []
    at += 1
    skip()
    if (text[at] === ']') {
      at += 1
      return items
    }
    for (;;) {
      items.push(value())
      skip()
      if (text[at] === ']') break
      if (text[at] !== ',') fail("Expecting ',' delimiter", at)
      at += 1
      skip()
    }
    at += 1
    return items
  }

  function value(): PyValue {
    const character = text[at]
    if (character === '"') return string()
    if (character === '{' || character === '[') {
      depth += 1
      if (depth > DEEPEST) throw new PyError('RecursionError', 'maximum recursion depth exceeded')
      const nested = character === '{' ? object() : array()
      depth -= 1
      return nested
    }
    for (const [word, constant] of CONSTANTS) {
      if (text.startsWith(word, at)) {
        at += word.length
        return constant
      }
    }
    NUMBER.lastIndex = at
    const match = NUMBER.exec(text)
    if (!match) fail('Expecting value', at)
    at = NUMBER.lastIndex
    return match[1] !== undefined || match[2] !== undefined ? Number(match[0]) : BigInt(match[0])
  }

  if (text.startsWith('\uFEFF')) fail('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0)
  skip()
  const result = value()
  skip()
  if (at !== text.length) fail('Extra data', at)
  return result
}

const CONSTANTS: readonly (readonly [string, PyValue])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]
