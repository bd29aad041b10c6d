import { type LanguageData, languageData } from './language-data.js'
import { PythonRandom } from './mersenne-twister.js'
import { isUpper } from './unicode.js'

const TRIALS = 7
const ALPHA = 0.5
const ALPHA_WIDTH = 0.05
const BASE_FREQUENCY = 10000
const ITERATIONS = 1000
const CONVERGED = 0.99999
const SHOWN = 0.1
const LONGEST = 10000

const URLS = /https?:\/\/[-_.?&~;+=/#0-9A-Za-z]{1,2076}/g
const MAILS = /[-_.0-9A-Za-z]{1,64}@[-_0-9A-Za-z]{1,255}[-_.0-9A-Za-z]{1,255}/g
const VIETNAMESE = /[AEIOUYaeiouyÂÊÔâêôĂăƠơƯư][\u0300\u0301\u0303\u0309\u0323]/g

/** A language and its probability. */
export interface LanguageGuess {
  readonly language: string
  readonly probability: number
}

/**
 * The language of a text, as langdetect 1.0.9 names it (`en`, `zh-cn` …): naive Bayes over character n-grams, averaged
 * over trials that draw n-grams at random. The library draws anew in every process; here the seed is fixed, so that a
 * score can be repeated. `unknown` when no language is probable; undefined when the text has nothing to judge by.
 */
export function detectLanguage(text: string, seed = 0): string | undefined {
  const guesses = detectLanguages(text, seed)
  return guesses === undefined ? undefined : (guesses[0]?.language ?? 'unknown')
}

/** All languages with a probability over 0.1, the most probable first; undefined when the text has no known n-gram. */
export function detectLanguages(text: string, seed = 0): readonly LanguageGuess[] | undefined {
  const data = languageData()
  const grams = knownGrams(withoutLatinMinority(prepared(text, data)), data)
  if (grams.length === 0) return undefined
  const total = new Float64Array(data.languages.length)
  const random = new PythonRandom(seed)
  for (let trial = 0; trial < TRIALS; trial++) {
    const probabilities = runTrial(grams, data, random)
    for (let i = 0; i < total.length; i++) total[i]! += probabilities[i]! / TRIALS
  }
  return data.languages
    .map((language, index) => ({ language, probability: total[index]! }))
    .filter((guess) => guess.probability > SHOWN)
    .sort((a, b) => b.probability - a.probability)
}

function prepared(text: string, data: LanguageData): string[] {
  const clean = text
    .replace(URLS, ' ')
    .replace(MAILS, ' ')
    .replace(VIETNAMESE, (pair) => data.composed.get(pair) ?? pair)
  const kept: string[] = []
  let previous = ''
  let seen = 0
  for (const character of clean) {
    if (seen === LONGEST) break
    seen += 1
    if (character !== ' ' || previous !== ' ') kept.push(character)
    previous = character
  }
  return kept
}

/** Drops Latin letters (and what stands between Z and a) from a text that is mostly written otherwise. */
function withoutLatinMinority(characters: string[]): string[] {
  let latin = 0
  let other = 0
  for (const character of characters) {
    if (isLatinRange(character)) latin += 1
    else if (character.codePointAt(0)! >= 0x300) other += 1
  }
  if (latin * 2 >= other) return characters
  return characters.filter((character) => !isLatinRange(character))
}

function isLatinRange(character: string): boolean {
  return character >= 'A' && character <= 'z'
}

function knownGrams(characters: readonly string[], data: LanguageData): (readonly number[])[] {
  const found: (readonly number[])[] = []
  let gram: string[] = [' ']
  let lastUpper = false
  let inCapitals = false
  for (const raw of characters) {
    const character = normalized(raw, data)
    const upper = isUpper(character)
    if (gram.at(-1) === ' ') {
      gram = [' ']
      inCapitals = false
      lastUpper = false
    }
    if (!(character === ' ' && gram.length === 1 && gram[0] === ' ')) {
      if (gram.length >= 3) gram.shift()
      gram.push(character)
      inCapitals = upper && (lastUpper || inCapitals)
      lastUpper = upper
    }
    if (inCapitals) continue
    for (let size = 1; size <= gram.length; size++) {
      const key = gram.slice(-size).join('')
      const probabilities = key === ' ' ? undefined : data.grams.get(key)
      if (probabilities) found.push(probabilities)
    }
  }
  return found
}

/** Maps a character to the one that stands for it in the profiles, by its block of Unicode. */
function normalized(character: string, data: LanguageData): string {
  const code = character.codePointAt(0)!
  if (code <= 0x7f) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? character : ' '
  if (code <= 0xff) return data.blanks.has(character) ? ' ' : character
  if (code === 0x219) return '\u015f'
  if (code === 0x21b) return '\u0163'
  if (code === 0x6cc) return '\u064a'
  if (code >= 0x1ea0 && code <= 0x1eff) return '\u1ec3'
  if (code >= 0x2000 && code <= 0x206f) return ' '
  if (code >= 0x3040 && code <= 0x309f) return '\u3042'
  if (code >= 0x30a0 && code <= 0x30ff) return '\u30a2'
  if ((code >= 0x3100 && code <= 0x312f) || (code >= 0x31a0 && code <= 0x31bf)) return '\u3105'
  if (code >= 0x4e00 && code <= 0x9fff) return data.kanji.get(character) ?? character
  if (code >= 0xac00 && code <= 0xd7af) return '\uac00'
  return character
}

function runTrial(grams: readonly (readonly number[])[], data: LanguageData, random: PythonRandom): Float64Array {
  const size = data.languages.length
  const probabilities = new Float64Array(size).fill(1 / size)
  const factors = new Float64Array(size)
  const weight = (ALPHA + random.gauss() * ALPHA_WIDTH) / BASE_FREQUENCY
  for (let round = 0; ; round++) {
    const gram = random.choice(grams)
    factors.fill(weight)
    for (let at = 0; at < gram.length; at += 2) factors[gram[at]!] = weight + gram[at + 1]!
    for (let i = 0; i < size; i++) probabilities[i]! *= factors[i]!
    if (round % 5 === 0 && (normalize(probabilities) > CONVERGED || round >= ITERATIONS)) return probabilities
  }
}

function normalize(probabilities: Float64Array): number {
  let sum = 0
  let most = 0
  for (const probability of probabilities) sum += probability
  for (let i = 0; i < probabilities.length; i++) {
    probabilities[i]! /= sum
    most = Math.max(most, probabilities[i]!)
  }
  return most
}
