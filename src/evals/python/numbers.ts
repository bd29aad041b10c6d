import { PyError } from './errors.js'
import { PyComplex, type PyValue } from './values.js'

const PREFIXED = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y
const DECIMAL = /(?:(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.?)(?:[eE][-+]?[0-9](?:_?[0-9])*)?/y
/** Words that may follow a number without a space (deprecated in Python, but accepted). */
const FOLLOWING_WORD = /(?:and|else|for|if|in|is|or|not)/y
const WORD_START = /[A-Za-z0-9_\u0080-\uffff]/
/** Python's default limit of digits when it reads an int. */
const MAX_DIGITS = 4300

/**
 * Reads the number literal at a place of Python source.
 * @throws PyError SyntaxError
 */
export function parseNumber(source: string, at: number): { value: PyValue; end: number } {
  const start = source.slice(at, at + 2).toLowerCase()
  if (start === '0x' || start === '0o' || start === '0b') {
    PREFIXED.lastIndex = at
    const text = PREFIXED.exec(source)?.[0]
    if (text === undefined) throw new PyError('SyntaxError', 'invalid number literal')
    const end = at + text.length
    refuseTail(source, end)
    return { value: BigInt(text.replaceAll('_', '').toLowerCase()), end }
  }
  DECIMAL.lastIndex = at
  const text = DECIMAL.exec(source)?.[0]
  if (text === undefined) throw new PyError('SyntaxError', 'invalid decimal literal')
  let end = at + text.length
  const plain = text.replaceAll('_', '')
  const isFloat = /[.eE]/.test(plain)
  if (source[end] === 'j' || source[end] === 'J') {
    end += 1
    refuseTail(source, end)
    return { value: new PyComplex(0, Number(plain)), end }
  }
  refuseTail(source, end)
  if (isFloat) return { value: Number(plain), end }
  if (/^0+[1-9]/.test(plain))
    throw new PyError('SyntaxError', 'leading zeros in decimal integer literals are not permitted')
  if (plain.length > MAX_DIGITS) throw new PyError('SyntaxError', `Exceeds the limit (${MAX_DIGITS} digits)`)
  return { value: BigInt(plain), end }
}

function refuseTail(source: string, end: number): void {
  const next = source[end]
  if (next === undefined || !WORD_START.test(next)) return
  FOLLOWING_WORD.lastIndex = end
  if (!FOLLOWING_WORD.test(source)) throw new PyError('SyntaxError', 'invalid decimal literal')
}
