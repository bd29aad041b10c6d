import { codePoints, isSpaceChar, PY_CLASS } from './unicode.js'

/** `string.punctuation` of Python. */
export const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

const WHITESPACE_RUN = new RegExp(`[${PY_CLASS.space}]+`, 'v')
const ALL_PUNCTUATION = /[!-/:-@[-`{-~]/g

/** `text.split()` of Python: the runs between whitespace, none of them empty. */
export function splitWords(text: string): string[] {
  return text.split(WHITESPACE_RUN).filter((word) => word !== '')
}

/** `text.translate(str.maketrans('', '', string.punctuation))` of Python. */
export function withoutPunctuation(text: string): string {
  return text.replace(ALL_PUNCTUATION, '')
}

/** `text.lstrip(characters)` of Python; without characters: whitespace. */
export function stripStart(text: string, characters?: string): string {
  const strips = stripper(characters)
  let at = 0
  for (const character of text) {
    if (!strips(character)) break
    at += character.length
  }
  return text.slice(at)
}

/** `text.rstrip(characters)` of Python; without characters: whitespace. */
export function stripEnd(text: string, characters?: string): string {
  const strips = stripper(characters)
  let end = text.length
  while (end > 0) {
    const low = text.charCodeAt(end - 1)
    const paired = low >= 0xdc00 && low <= 0xdfff && end > 1 && text.codePointAt(end - 2)! > 0xffff
    const begin = paired ? end - 2 : end - 1
    if (!strips(text.slice(begin, end))) break
    end = begin
  }
  return text.slice(0, end)
}

/** `text.strip(characters)` of Python; without characters: whitespace. */
export function strip(text: string, characters?: string): string {
  return stripEnd(stripStart(text, characters), characters)
}

/** `text.removeprefix(prefix)` of Python. */
export function removePrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

/** `text.removesuffix(suffix)` of Python. */
export function removeSuffix(text: string, suffix: string): string {
  return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
}

/** `text.count(part)` of Python: occurrences that do not overlap; an empty part occurs around every character. */
export function countOf(text: string, part: string): number {
  if (part === '') return codePoints(text).length + 1
  return text.split(part).length - 1
}

function stripper(characters: string | undefined): (character: string) => boolean {
  if (characters === undefined) return isSpaceChar
  const set = new Set(characters)
  return (character) => set.has(character)
}
