import { PUNCTUATION, strip } from '../text/strings.js'

/** What the official checks strip from words: ASCII punctuation and the blank. */
export const MARKS = `${PUNCTUATION} `

/** A word without marks around it. */
export function bare(word: string): string {
  return strip(word, MARKS)
}

/** First code point, '' of an empty text. */
export function firstChar(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!)
}

/** Whether every item and its successor fit. */
export function everyPair<T>(items: readonly T[], fits: (one: T, next: T) => boolean): boolean {
  return items.every((item, index) => index + 1 >= items.length || fits(item, items[index + 1]!))
}

/** Compatibility decomposition reduced to ASCII, as `unicodedata.normalize('NFKD', …).encode('ASCII', 'ignore')`. */
export function asciiOnly(text: string): string {
  return text.normalize('NFKD').replace(/[^\x00-\x7f]/g, '')
}
