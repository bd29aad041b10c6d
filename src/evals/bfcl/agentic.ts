import { pyStr } from '../python/repr.js'
import type { PyValue } from '../python/values.js'
import { containsWhole } from '../python/words.js'

/**
 * Judges the last message of a memory or web-search conversation: right when one of the accepted answers stands in it
 * as whole words, without regard to case, to `,./-_*^()` and to the kind of quotation marks.
 *
 * Source: agentic_checker of BFCL v4.
 */
export function checkAgentic(response: PyValue, answers: readonly string[]): boolean {
  const first = Array.isArray(response) ? (response[0] ?? null) : response
  const text = standardize(typeof first === 'string' ? first : pyStr(first))
  return answers.some((answer) => containsWhole(text, standardize(answer)))
}

function standardize(text: string): string {
  return text
    .replace(/[,./\-_*^()]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}
