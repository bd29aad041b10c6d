import { PyError } from './errors.js'
import { parseNumber } from './numbers.js'
import type { PyValue } from './values.js'

/** A token of Python source. */
export interface Token {
  readonly kind: 'name' | 'keyword' | 'number' | 'string' | 'op' | 'newline' | 'indent' | 'end'
  /** The text; of a name in NFKC form; of a string with prefix and quotes; of the end the bracket that was left open. */
  readonly text: string
  /** Value of a number. */
  readonly value?: PyValue
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)
const NAME = /[\p{XID_Start}_][\p{XID_Continue}]*/uy
const ASCII_NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER_START = /\.?[0-9]/y
const OPERATOR =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|\/\/|<<|>>|<=|>=|==|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|[-+*/%@&|^~<>()[\]{},:;.=]/y
const STRING_START = /([rRbBuUfF]{0,2})('''|"""|'|")/y
const PREFIX = /^(?:|[uU]|[rR]|[bB]|[fF]|[rR][bB]|[bB][rR]|[rR][fF]|[fF][rR])$/
/** CPython's limit of nested brackets. */
const MAX_BRACKETS = 200
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

function syntax(message: string): PyError {
  return new PyError('SyntaxError', message)
}

/**
 * Splits one Python expression's source into tokens. Line ends inside brackets vanish; an indented line outside of
 * brackets gives a token that no expression takes.
 * @throws PyError SyntaxError, ValueError for null characters and lone surrogates.
 */
export function tokenize(input: string): Token[] {
  if (input.includes('\0')) throw new PyError('ValueError', 'source code string cannot contain null bytes')
  if (/\p{Surrogate}/u.test(input))
    throw new PyError('ValueError', "'utf-8' codec can't encode: surrogates not allowed")
  const source = input.includes('\r') ? input.replace(/\r\n?/g, '\n') : input
  const tokens: Token[] = []
  const brackets: string[] = []
  let at = 0
  let lineStart = true

  while (at < source.length) {
    const character = source[at]!
    if (lineStart && brackets.length === 0) {
      const indent = /[ \t\f]*/y
      indent.lastIndex = at
      indent.test(source)
      const next = source[indent.lastIndex]
      const width = source.slice(at, indent.lastIndex).replace(/^.*\f/s, '').length
      at = indent.lastIndex
      if (next === '\n') {
        at += 1
        continue
      }
      lineStart = false
      if (next === undefined) break
      if (next !== '#' && width > 0) {
        // No expression goes on here, so what follows cannot matter.
        tokens.push({ kind: 'indent', text: '' }, { kind: 'end', text: '' })
        return tokens
      }
      if (next === '#') {
        const end = source.indexOf('\n', at)
        at = end === -1 ? source.length : end + 1
        lineStart = true
      }
      continue
    }
    if (character === ' ' || character === '\t' || character === '\f') {
      at += 1
      continue
    }
    if (character === '\n') {
      at += 1
      if (brackets.length > 0) continue
      tokens.push({ kind: 'newline', text: '\n' })
      lineStart = true
      continue
    }
    if (character === '#') {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
      continue
    }
    if (character === '\\') {
      if (source[at + 1] !== '\n') throw syntax('unexpected character after line continuation character')
      at += 2
      if (at >= source.length) throw syntax('unexpected EOF while parsing')
      continue
    }
    STRING_START.lastIndex = at
    const opening = STRING_START.exec(source)
    if (opening && PREFIX.test(opening[1]!)) {
      const end = stringEnd(source, STRING_START.lastIndex, opening[2]!)
      tokens.push({ kind: 'string', text: source.slice(at, end) })
      at = end
      continue
    }
    NUMBER_START.lastIndex = at
    if (NUMBER_START.test(source)) {
      const { value, end } = parseNumber(source, at)
      tokens.push({ kind: 'number', text: source.slice(at, end), value })
      at = end
      continue
    }
    const word = nameAt(source, at)
    if (word !== undefined) {
      at += word.length
      const text = word.normalize('NFKC')
      tokens.push({ kind: KEYWORDS.has(word) ? 'keyword' : 'name', text })
      continue
    }
    OPERATOR.lastIndex = at
    const operator = OPERATOR.exec(source)?.[0]
    if (operator === undefined) throw invalidCharacter(source.codePointAt(at)!)
    at += operator.length
    if (CLOSERS[operator] !== undefined) {
      if (brackets.length >= MAX_BRACKETS) throw syntax('too many nested parentheses')
      brackets.push(CLOSERS[operator]!)
    } else if (operator === ')' || operator === ']' || operator === '}') {
      const expected = brackets.pop()
      if (expected === undefined) throw syntax(`unmatched '${operator}'`)
      if (expected !== operator) {
        const opener = Object.keys(CLOSERS).find((one) => CLOSERS[one] === expected)
        throw syntax(`closing parenthesis '${operator}' does not match opening parenthesis '${opener}'`)
      }
    }
    tokens.push({ kind: 'op', text: operator })
  }
  if (brackets.length > 0) {
    const opener = Object.keys(CLOSERS).find((one) => CLOSERS[one] === brackets.at(-1))
    tokens.push({ kind: 'end', text: opener ?? '' })
    return tokens
  }
  tokens.push({ kind: 'newline', text: '' }, { kind: 'end', text: '' })
  return tokens
}

function nameAt(source: string, at: number): string | undefined {
  ASCII_NAME.lastIndex = at
  const ascii = ASCII_NAME.exec(source)?.[0]
  if (ascii !== undefined && !((source.charCodeAt(at + ascii.length) || 0) > 0x7f)) return ascii
  NAME.lastIndex = at
  const word = NAME.exec(source)?.[0]
  // CPython gathers all characters above ASCII into the word before it looks at them.
  if (word !== undefined && (source.charCodeAt(at + word.length) || 0) > 0x7f)
    throw syntax(`invalid character in identifier '${word}'`)
  return word
}

function stringEnd(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at += 1) {
    const character = source[at]
    if (character === '\\') at += 1
    else if (character === '\n' && quote.length === 1)
      throw syntax(`unterminated string literal ${detected(source, at)}`)
    else if (source.startsWith(quote, at)) return at + quote.length
  }
  const what = quote.length === 1 ? 'string literal' : 'triple-quoted string literal'
  throw syntax(`unterminated ${what} ${detected(source, source.length)}`)
}

function detected(source: string, at: number): string {
  return `(detected at line ${source.slice(0, at).split('\n').length})`
}

function invalidCharacter(point: number): PyError {
  const code = point.toString(16).toUpperCase().padStart(4, '0')
  return syntax(`invalid character '${String.fromCodePoint(point)}' (U+${code})`)
}
