import { digitise } from '../domains/words/numbers.js'

/** Words that carry no meaning of their own: they may be added to or left out of what the owner said. */
const FREE = new Set(
  (
    'a an the and or of to in at for from with by as on about into my me mine your our is are was be it its this that ' +
    'these those please s oclock'
  ).split(' '),
)

/** Characters that no reader sees; a value with one is the owner's only if the owner typed it so. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Variation_Selector}]/u

/** Scripts that are written without spaces, where a name stands in the middle of a run of letters. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+$/u

/** Letters and digits of a text as words in lower case without accents, joined and surrounded by single spaces. */
export function plain(text: string): string {
  const found = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
  return found ? ` ${found.join(' ')} ` : ''
}

/** The words of {@link plain}. */
export function plainWords(text: string): string[] {
  const words = plain(text).trim()
  return words === '' ? [] : words.split(' ')
}

/** Words that carry meaning: no articles, prepositions and the like. */
export function contentWords(text: string): string[] {
  return plainWords(text).filter((word) => !FREE.has(word))
}

/**
 * Tokens in which more than letters and digits counts: addresses, URLs, paths, file names, signed and decimal numbers.
 * In lower case, without the punctuation that a sentence puts around them.
 */
export function atoms(text: string): string[] {
  return text
    .normalize('NFC')
    .split(/\s+/)
    .map((token) => token.replace(/^["'“”‘’«([<{]+/u, '').replace(/["'“”‘’»)\]>},;:!?]+$|\.+$/gu, ''))
    .map((token) => token.replace(/[’']s$/iu, ''))
    .filter((token) => /[^\p{L}\p{N}\p{M}'’-]/u.test(token) || /^[-+]\d/.test(token) || /^[-–]/.test(token))
    .map((token) => token.toLowerCase())
}

/** What the owner said, prepared for many look-ups. */
export class Wording {
  readonly text: string
  readonly #atoms: ReadonlySet<string>
  readonly #plain: string
  readonly #digits: string
  readonly #words: ReadonlySet<string>

  constructor(text: string) {
    this.text = text.normalize('NFC').toLowerCase()
    this.#atoms = new Set(atoms(text))
    this.#plain = plain(text)
    this.#digits = plain(digitise(text.toLowerCase()))
    this.#words = new Set([...this.#plain.trim().split(' '), ...this.#digits.trim().split(' ')])
  }

  /** Content words, for comparison with other texts. */
  get words(): ReadonlySet<string> {
    return this.#words
  }

  /**
   * Did the owner say this value? Addresses, paths, numbers and the like must stand there as they are; other words may
   * come in another order, in singular or plural, with little words added, unless `exact`: then as one phrase.
   */
  says(value: string, exact = false): boolean {
    const raw = value.normalize('NFC').trim().toLowerCase()
    if (raw === '') return true
    const hidden = UNSEEN.test(raw.replace(/[\n\t\r]/g, ' ')) || raw.normalize('NFKC') !== raw
    if (hidden || !/[\p{L}\p{N}]/u.test(raw)) return this.#standsAlone(raw)
    if (UNSPACED.test(raw)) return this.text.includes(raw)
    if (!atoms(raw).every((atom) => this.#atoms.has(atom) || this.#atoms.has(`${atom}.`))) return false
    const phrase = plain(raw)
    if (this.#plain.includes(phrase) || this.#digits.includes(plain(digitise(raw)))) return true
    if (exact) return false
    const words = [...contentWords(raw), ...(contentWords(raw).length === 0 ? plainWords(raw) : [])]
    return words.every((word) => this.#holds(word) || this.#digitsHold(word))
  }

  #holds(word: string): boolean {
    if (this.#words.has(word)) return true
    if (word.length < 4 || /\p{N}/u.test(word)) return false
    return this.#words.has(`${word}s`) || (word.endsWith('s') && this.#words.has(word.slice(0, -1)))
  }

  #digitsHold(word: string): boolean {
    const digits = plainWords(digitise(word))
    return digits.length > 0 && digits.every((digit) => this.#words.has(digit))
  }

  /** A value of signs alone ("*", "…", an emoji) or with hidden characters must stand there by itself, letter by letter. */
  #standsAlone(raw: string): boolean {
    return ` ${this.text.replace(/\s+/g, ' ')} `.includes(` ${raw.replace(/\s+/g, ' ')} `)
  }
}
