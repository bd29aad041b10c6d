import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { benchmarkPath } from '../datasets-place.js'
import { codePoints, isDigits } from './unicode.js'

const classesSchema = z.array(z.string())
const tagsSchema = z.record(z.string(), z.string())

/**
 * NLTK's averaged perceptron tagger for English (Penn Treebank tags), greedy from left to right.
 * Source: nltk/tag/perceptron.py; its model lies in `benchmarks/nltk/averaged_perceptron_tagger_eng`.
 */
export class PartOfSpeechTagger {
  readonly #classes: readonly string[]
  readonly #known: ReadonlyMap<string, string>
  /** Feature -> weight of each tag. */
  readonly #weights: ReadonlyMap<string, Readonly<Record<string, number>>>

  /** @throws MissingDataError */
  constructor(datasets?: string) {
    const name = 'averaged_perceptron_tagger_eng'
    const folder = benchmarkPath(`nltk/${name}`, datasets)
    const read = (part: string): Buffer => readFileSync(join(folder, `${name}.${part}`))
    this.#classes = classesSchema.parse(JSON.parse(read('classes.json').toString()))
    this.#known = new Map(Object.entries(tagsSchema.parse(JSON.parse(read('tagdict.json').toString()))))
    const weights = JSON.parse(gunzipSync(read('weights.json.gz')).toString()) as Record<string, Record<string, number>>
    this.#weights = new Map(Object.entries(weights))
  }

  /** The tags of the first words of a sentence, all of them unless `count` says fewer. */
  tag(words: readonly string[], count = words.length): string[] {
    const context = ['-START-', '-START2-', ...words.map(normalized), '-END-', '-END2-']
    let [previous, beforePrevious] = ['-START-', '-START2-']
    return words.slice(0, count).map((word, index) => {
      const tag = this.#known.get(word) ?? this.#predict(features(index + 2, word, context, previous, beforePrevious))
      beforePrevious = previous
      previous = tag
      return tag
    })
  }

  #predict(present: ReadonlyMap<string, number>): string {
    const scores = new Map<string, number>()
    for (const [feature, times] of present)
      for (const [tag, weight] of Object.entries(this.#weights.get(feature) ?? {}))
        scores.set(tag, (scores.get(tag) ?? 0) + times * weight)
    let best = ''
    let most = Number.NEGATIVE_INFINITY
    for (const tag of this.#classes) {
      const score = scores.get(tag) ?? 0
      if (score > most || (score === most && tag > best)) {
        best = tag
        most = score
      }
    }
    return best
  }
}

function normalized(word: string): string {
  if (word.includes('-') && !word.startsWith('-')) return '!HYPHEN'
  if (isDigits(word) && codePoints(word).length === 4) return '!YEAR'
  if (isDigits(codePoints(word)[0] ?? '')) return '!DIGITS'
  return word.toLowerCase()
}

function features(
  at: number,
  word: string,
  context: readonly string[],
  previous: string,
  beforePrevious: string,
): Map<string, number> {
  const found = new Map<string, number>()
  const add = (...parts: string[]): void => {
    const feature = parts.join(' ')
    found.set(feature, (found.get(feature) ?? 0) + 1)
  }
  const near = (offset: number): string => context[at + offset]!
  add('bias')
  add('i suffix', suffix(word))
  add('i pref1', codePoints(word)[0] ?? '')
  add('i-1 tag', previous)
  add('i-2 tag', beforePrevious)
  add('i tag+i-2 tag', previous, beforePrevious)
  add('i word', near(0))
  add('i-1 tag+i word', previous, near(0))
  add('i-1 word', near(-1))
  add('i-1 suffix', suffix(near(-1)))
  add('i-2 word', near(-2))
  add('i+1 word', near(1))
  add('i+1 suffix', suffix(near(1)))
  add('i+2 word', near(2))
  return found
}

function suffix(word: string): string {
  return codePoints(word).slice(-3).join('')
}
