/** Words too common in requests to tell tools apart; they stay in word pairs. */
const STOP = new Set(
  (
    'a an the i me my you your we us our it its is are was be been am do does did can could would will shall should to of ' +
    'in on at for with from by and or please this that these those there here so just some any have has had get let ' +
    'hey ok okay olly'
  ).split(' '),
)

/** Words of a text: lower case, letters and digits of any script, identifiers split at `_` and case changes. */
export function words(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\u0300-\u036f'’]/g, '')
      .match(/\p{L}+|\p{N}+/gu) ?? []
  )
}

/**
 * A crude English stem, good enough to match "meetings" with "meeting" and "played" with "play". Not a linguistic claim:
 * both sides of every comparison go through it.
 */
export function stem(word: string): string {
  if (word.length < 4) return word
  let w = word
  if (w.endsWith('ies') && w.length > 4) return `${w.slice(0, -3)}y`
  if (w.endsWith('sses')) return w.slice(0, -2)
  if (w.endsWith('s') && !w.endsWith('ss') && !w.endsWith('us') && !w.endsWith('is')) w = w.slice(0, -1)
  if (w.endsWith('ing') && w.length > 5) w = w.slice(0, -3)
  else if (w.endsWith('ed') && w.length > 4) w = w.slice(0, -2)
  if (w.length > 3 && w.at(-1) === w.at(-2) && !/[lse]$/.test(w)) w = w.slice(0, -1)
  if (w.length > 3 && w.endsWith('e')) w = w.slice(0, -1)
  return w
}

/** How much a kind of feature counts beside a whole word. */
export interface FeatureWeights {
  readonly pair: number
  readonly gram: number
}

interface WordFeatures {
  readonly stem: string
  readonly stop: boolean
  readonly grams: readonly string[]
}

/** Requests are made of few words: what is known of one is kept. */
const known = new Map<string, WordFeatures>()
const MOST_KNOWN = 50_000

function wordFeatures(raw: string): WordFeatures {
  let found = known.get(raw)
  if (found) return found
  const grams: string[] = []
  if (raw.length >= 4 && raw.length <= 40) {
    const padded = `<${raw}>`
    for (let i = 0; i + 4 <= padded.length; i++) grams.push(`~${padded.slice(i, i + 4)}`)
  }
  found = { stem: /^\p{N}/u.test(raw) ? '#' : stem(raw), stop: STOP.has(raw), grams }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(raw, found)
  return found
}

/**
 * Weighted features of a text: stems of words (digits become one shape, "#"), pairs of neighbours (with the start of the
 * text as a word), and pieces of four characters of longer words, which survive typos and inflection.
 */
export function features(text: string, weights: FeatureWeights = { pair: 0.7, gram: 0.25 }): Map<string, number> {
  const found = new Map<string, number>()
  let before = '^'
  for (const raw of words(text)) {
    const word = wordFeatures(raw)
    if (word.stop) found.set(`·${word.stem}`, 0.3)
    else found.set(word.stem, 1)
    if (weights.pair > 0) found.set(`${before} ${word.stem}`, weights.pair)
    before = word.stem
    if (weights.gram > 0) for (const gram of word.grams) found.set(gram, weights.gram)
  }
  return found
}
