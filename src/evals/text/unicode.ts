/**
 * Contents of character classes (for the `v` flag) that equal Python's notion of a character, from CPython's
 * `Objects/unicodectype.c` and `Modules/_sre`. Compared over all code points with Python 3.11: they differ only in
 * characters added to Unicode after that Python.
 */
export const PY_CLASS = {
  /** `str.isspace` and `\s`: other than JavaScript's, with the separators 1c to 1f and 85, without feff. */
  space: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
  /** `\w`: no combining marks. */
  word: '\\p{L}\\p{N}_',
  /** `\d`. */
  digit: '\\p{Nd}',
  /** Upper case of one character: title case is none. */
  upper: '\\p{Uppercase}--\\p{Lt}',
} as const

const ALPHA = /^\p{L}$/u
const ALNUM = /^[\p{L}\p{N}]$/u
const SPACE = new RegExp(`^[${PY_CLASS.space}]$`, 'v')
const UPPER = new RegExp(`^[${PY_CLASS.upper}]$`, 'v')
const LOWER = /^\p{Lowercase}$/u
const TITLE = /^\p{Lt}$/u
// Digits that are no decimals: Numeric_Type=Digit of UnicodeData.txt.
const DIGIT = new RegExp(
  '^[\\p{Nd}\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c' +
    '\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}' +
    '\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}]$',
  'v',
)

/** The code points of a text, each as a string: what Python's indexing and `len` count. */
export function codePoints(text: string): string[] {
  return Array.from(text)
}

/** `len(text)` of Python. */
export function pyLength(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** `str.isspace` of one character. */
export function isSpaceChar(character: string): boolean {
  return SPACE.test(character)
}

/** `str.isalpha` of one character. */
export function isAlphaChar(character: string): boolean {
  return ALPHA.test(character)
}

/** `str.isalnum` of one character. */
export function isAlnumChar(character: string): boolean {
  return ALNUM.test(character)
}

/** `str.isdigit`: not empty, and every character is a digit (superscripts and circled digits among them). */
export function isDigits(text: string): boolean {
  return text !== '' && codePoints(text).every((character) => DIGIT.test(character))
}

/** `str.isupper`: at least one upper-case character, and none that is lower or title case. */
export function isUpper(text: string): boolean {
  let upper = false
  for (const character of text) {
    if (LOWER.test(character) || TITLE.test(character)) return false
    upper ||= UPPER.test(character)
  }
  return upper
}

/** `str.islower`: at least one lower-case character, and none that is upper or title case. */
export function isLower(text: string): boolean {
  let lower = false
  for (const character of text) {
    if (UPPER.test(character) || TITLE.test(character)) return false
    lower ||= LOWER.test(character)
  }
  return lower
}
