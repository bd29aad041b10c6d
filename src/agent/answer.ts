/** What came of one call of the run, as far as the answer is concerned. */
export interface Told {
  readonly name: string
  readonly ok: boolean
  readonly content: string
}

/** The first line of a result: by contract one plain sentence that can be read to the owner. */
export function firstLine(content: string): string {
  return (content.split('\n').find((line) => line.trim() !== '') ?? '').trim()
}

/**
 * What the owner is told at the end, and whether the host wrote it. The model's own words are used when they say nothing
 * that neither the results nor the owner said: every number in them must occur there. Otherwise, and when the model said
 * nothing, the results speak for themselves. A failure that the words leave out is added, so that "done" never hides one.
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
  if (results.length === 0) return { text: said, byHost: false }
  const lines = [...new Set(results.map((result) => firstLine(result.content)).filter((line) => line !== ''))]
  if (said === '' || !grounded(said, [...results.map((result) => result.content), ...known])) {
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

function numbers(text: string): string[] {
  return (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) =>
    number.replace(/^0+(?=\d)/, '').replace(/,(?=\d{3})/g, ''),
  )
}

function mendedLater(results: readonly Told[], index: number): boolean {
  return results.slice(index + 1).some((later) => later.ok && later.name === results[index]?.name)
}
