import { readFileSync } from 'node:fs'
import { benchmarkPath } from '../datasets-place.js'
import { matchesStart, searches } from './python-regex.js'
import { PUNCTUATION, strip } from './strings.js'
import { codePoints } from './unicode.js'

const VOWELS = new Set('aeiouy')

/**
 * Syllables of English words as syllapy 0.7.2 counts them: a dictionary first, else groups of vowels. Source:
 * github.com/mholtzscher/syllapy (MIT); its dictionary lies in `benchmarks/ifbench/syllapy_data.csv`.
 */
export class SyllableCounter {
  readonly #known: ReadonlyMap<string, number>

  /** @throws MissingDataError */
  constructor(datasets?: string) {
    const rows = readFileSync(benchmarkPath('ifbench/syllapy_data.csv', datasets), 'utf8').split(/\r?\n/)
    this.#known = new Map(
      rows.flatMap((row) => {
        const [word = '', count] = row.split(',')
        return count === undefined ? [] : [[word, Number(count)] as const]
      }),
    )
  }

  /** 0 for what is no word: nothing left without punctuation, or digits in it. */
  count(raw: string): number {
    const word = strip(strip(raw).toLowerCase(), PUNCTUATION)
    if (word === '' || searches(String.raw`\d`, word)) return 0
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const compound = matchesStart('([^-]+)-(.+)', word)
    if (!compound) return guessed(codePoints(word))
    const first = this.count(compound[1]!)
    const second = this.count(compound[2]!)
    return first === 0 || second === 0 ? 0 : first + second
  }
}

function guessed(word: readonly string[]): number {
  const vowel = word.map((letter) => VOWELS.has(letter))
  let count = vowel.filter((is, index) => is && !vowel[index - 1]).length
  if (word.at(-1) === 'e') count -= 1
  if (word.length > 2 && word.at(-1) === 'e' && word.at(-2) === 'l' && !vowel.at(-3)) count += 1
  return count === 0 ? 1 : count
}
