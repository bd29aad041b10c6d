import { PyError } from './errors.js'
import { pyRepr } from './repr.js'
import { pyStrip } from './strip.js'

const INT = /^[-+]?\p{Nd}(?:_?\p{Nd})*$/u
const FLOAT =
  /^[-+]?(?:(?:\p{Nd}(?:_?\p{Nd})*)?\.\p{Nd}(?:_?\p{Nd})*|\p{Nd}(?:_?\p{Nd})*\.?)(?:[eE][-+]?\p{Nd}(?:_?\p{Nd})*)?$/u
const DIGIT = /\p{Nd}/u

/** `int(text)` of Python: white space around, underscores between digits and the digits of every script are taken. */
export function pyInt(text: string): bigint {
  const inner = pyStrip(text)
  if (!INT.test(inner)) throw new PyError('ValueError', `invalid literal for int() with base 10: ${pyRepr(text)}`)
  const digits = asciiDigits(inner).replaceAll('_', '')
  return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''))
}

/** `float(text)` of Python; also takes `nan`, `inf` and `infinity` in any case. @throws PyError ValueError */
export function pyFloat(text: string): number {
  const inner = pyStrip(text)
  if (FLOAT.test(inner)) return Number(asciiDigits(inner).replaceAll('_', ''))
  const word = /^([-+]?)(nan|inf|infinity)$/i.exec(inner)
  if (!word) throw new PyError('ValueError', `could not convert string to float: ${pyRepr(text)}`)
  if (word[2]!.toLowerCase() === 'nan') return Number.NaN
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function asciiDigits(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return [...text].map((character) => (DIGIT.test(character) ? digitValue(character) : character)).join('')
}

/** Decimal digits stand in runs of ten that begin with the zero. */
function digitValue(character: string): string {
  const point = character.codePointAt(0)!
  let start = point
  while (DIGIT.test(String.fromCodePoint(start - 1))) start -= 1
  return String((point - start) % 10)
}
