import { matchesStart, pyRegex } from './python-regex.js'
import { isLower, isUpper } from './unicode.js'

const NUMBER = String.raw`^-?[.,]?\d[\d,.\-]*\.?$`

/** A word or mark as Punkt sees it, with what it has decided about it. Source: nltk/tokenize/punkt.py, PunktToken. */
export class PunktToken {
  /** Lower case; a number of any form is `##number##`. */
  readonly type: string
  readonly periodFinal: boolean
  /** A sentence ends here. */
  ends = false
  abbreviation = false
  ellipsis = false

  constructor(readonly text: string) {
    this.type = text.toLowerCase().replace(pyRegex(NUMBER), '##number##')
    this.periodFinal = text.endsWith('.')
  }

  get typeWithoutPeriod(): string {
    return this.type.length > 1 && this.type.endsWith('.') ? this.type.slice(0, -1) : this.type
  }

  /** The type, without its period when a sentence ends here. */
  get typeWithoutFinalPeriod(): string {
    return this.ends ? this.typeWithoutPeriod : this.type
  }

  get firstUpper(): boolean {
    return isUpper(this.#first)
  }

  get firstLower(): boolean {
    return isLower(this.#first)
  }

  /** Begins with two or more periods and is nothing else. */
  get isEllipsis(): boolean {
    return matchesStart(String.raw`\.\.+$`, this.text) !== undefined
  }

  /** A letter with a period. */
  get isInitial(): boolean {
    return matchesStart(String.raw`[^\W\d]\.$`, this.text) !== undefined
  }

  get #first(): string {
    return String.fromCodePoint(this.text.codePointAt(0)!)
  }
}
