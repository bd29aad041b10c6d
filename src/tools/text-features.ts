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

/**
 * Weighted features of a text: stems of words (digits become one shape each, "#"), pairs of neighbours (with the start
 * of the text as a word), and pieces of four characters of longer words, which survive typos and inflection.
 */
export function features(text: string, weights: FeatureWeights = { pair: 0.7, gram: 0.25 }): Map<string, number> {
  const found = new Map<string, number>()
  const add = (feature: string, weight: number): void => {
    if (!found.has(feature)) found.set(feature, weight)
  }
  let before = '^'
  for (const raw of words(text)) {
    const word = /^\p{N}/u.test(raw) ? '#' : stem(raw)
    if (!STOP.has(raw)) add(word, 1)
    else add(`·${word}`, 0.3)
    if (weights.pair > 0) add(`${before} ${word}`, weights.pair)
    before = word
    if (weights.gram > 0 && raw.length >= 4) {
      const padded = `<${raw}>`
      for (let i = 0; i + 4 <= padded.length; i++) add(`~${padded.slice(i, i + 4)}`, weights.gram)
    }
  }
  return found
}
