/** What came of one call of the run, as far as the answer is concerned. */
export interface Told {
  readonly name: string
  readonly ok: boolean
  readonly content: string
  /** The model called wrongly; what it then did right is what counts. */
  readonly mistake?: boolean
  /** Nothing that could answer is connected. */
  readonly unavailable?: boolean
}

/** The first line of a result: by contract one plain sentence that can be read to the owner. */
export function firstLine(content: string): string {
  return (content.split('\n').find((line) => line.trim() !== '') ?? '').trim()
}

/**
 * What the owner is told at the end, and whether the host wrote it. The model's own words are used when they say nothing
 * that neither the results nor the owner said: every number and every word that carries meaning must occur there.
 * Otherwise, and when the model said nothing, the results speak for themselves. A failure that the words leave out is
 * added, so that "done" never hides one. Without any results the words stand unless they cannot be meant: stuttering,
 * numbers from nowhere, or a deed that nothing did; then the text is empty.
 *
 * @param words the model's final text
 * @param results results of this run, in order
 * @param known further texts that numbers may come from: the owner's messages, earlier results
 */
export function finalAnswer(
  words: string,
  results: readonly Told[],
  known: readonly string[],
): { readonly text: string; readonly byHost: boolean } {
  const said = words.trim()
  if (results.length === 0) return { text: plausible(said, known) ? said : '', byHost: false }
  const lines = [...new Set(results.map((result) => firstLine(result.content)).filter((line) => line !== ''))]
  const unasked = said.endsWith('?') && !lines.some((line) => line.includes('?'))
  if (said === '' || unasked || !saysOnly(said, [...results.map((result) => result.content), ...known])) {
    return { text: lines.join('\n'), byHost: true }
  }
  const failures = results.filter((result, index) => !result.ok && !mendedLater(results, index))
  const untold = [...new Set(failures.map((failure) => firstLine(failure.content)))].filter(
    (line) => line !== '' && !said.includes(line),
  )
  const allFailed = failures.length > 0 && results.every((result) => !result.ok)
  if (allFailed) return { text: untold.length > 0 ? untold.join('\n') : said, byHost: untold.length > 0 }
  return untold.length > 0 ? { text: `${said}\n${untold.join('\n')}`, byHost: true } : { text: said, byHost: false }
}

/** True when every number of a text occurs in one of the others. */
export function grounded(text: string, sources: readonly string[]): boolean {
  const known = new Set(sources.flatMap(numbers))
  return numbers(text).every((number) => known.has(number))
}

/** Words that say nothing by themselves; words such as "on", "off" and "not" are none of them. */
const FILLERS = new Set(
  (
    'a an the and or of to in at for from with by as so also then but it its is are was were be been has have had will ' +
    'this that these those there here your you i me my we our all done now ok okay just already only'
  ).split(' '),
)

/** True when every number and every meaningful word of a text occurs in one of the others. */
export function saysOnly(text: string, sources: readonly string[]): boolean {
  const known = new Set(sources.flatMap(wordsOf))
  const held = (word: string): boolean =>
    FILLERS.has(word) ||
    known.has(word) ||
    known.has(`${word}s`) ||
    (word.endsWith('s') && known.has(word.slice(0, -1)))
  return steady(text) && grounded(text, sources) && wordsOf(text).every((word) => /^\p{N}/u.test(word) || held(word))
}

const DEED =
  /\b(?:(?:is|are|was|were|been|have|has|i|i've|now) (?:now )?(?:set|sent|added|removed|cancell?ed|turned|moved|booked|ordered|created|deleted|saved|noted|locked|unlocked|scheduled|played|playing|bought|paid)|turning (?:on|off))\b/i
const NO_DEED = /\b(?:not|cannot|can't|could|couldn't|no|nothing|never|if|what|which|when|who)\b|\?/i

/** May words without any result stand? Not when they stutter, hold numbers from nowhere, or report a deed. */
function plausible(text: string, known: readonly string[]): boolean {
  return (
    steady(text) &&
    grounded(text, known) &&
    !((DEED.test(text) || /^\W*(?:all )?done\b/i.test(text)) && !NO_DEED.test(text))
  )
}

/** False for the stuttering of a small model: a word three times in a row, or the same three words three times. */
function steady(text: string): boolean {
  const words = wordsOf(text)
  const seen = new Map<string, number>()
  for (let at = 2; at < words.length; at++) {
    const [a, b, c] = words.slice(at - 2, at + 1)
    if (a === b && b === c) return false
    const triple = `${a} ${b} ${c}`
    const times = (seen.get(triple) ?? 0) + 1
    seen.set(triple, times)
    if (times > 2) return false
  }
  return !/[\ufffd]/.test(text)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

function numbers(text: string): string[] {
  return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) =>
    number.replace(/^0+(?=\d)/, '').replace(/,(?=\d{3})/g, ''),
  )
}

function mendedLater(results: readonly Told[], index: number): boolean {
  const { name, mistake } = results[index] ?? {}
  return results.slice(index + 1).some((later) => later.ok && (mistake === true || later.name === name))
}
