/** A case whose official verdict is known to be wrong, with the verdict that it should have. */
export interface Correction {
  /** Name of the corrected verdicts, beside the official name. */
  readonly suite: string
  readonly reason: string
  /** Where the fault can be seen. */
  readonly source: string
  /** The corrected verdict of an answer, or undefined when the official one stands. */
  readonly verdict: (line: CorrectableLine) => boolean | undefined
}

/** What a correction looks at. */
export interface CorrectableLine {
  readonly id: string
  readonly verdict: boolean
  /** The whole recorded line. */
  readonly line: Readonly<Record<string, unknown>>
}

/** How corrected verdicts are called: never by the official name. */
export function correctedName(suite: string): string {
  return `${suite}_corrected`
}

/**
 * Known faults of official scorers. A correction is a rule with a reason that a reader can check, never a wish about a
 * single model.
 */
export const CORRECTIONS: readonly Correction[] = [
  {
    suite: 'mmlu_pro',
    reason:
      'The fallback takes the last capital letter from A to J that stands alone, so the pronoun "I" of a sentence counts as choice I. ' +
      'Corrected: such an answer without a phrase or label that names a letter is wrong.',
    source: 'TIGER-AI-Lab/MMLU-Pro, compute_accuracy.py, extract_final',
    verdict: ({ verdict, line }) => {
      const text = String(line.response ?? '')
      if (!verdict || line.answer !== 'I' || line.extract_l1 != null) return undefined
      if (/[aA]nswer:\s*[A-J]/.test(text)) return undefined
      return PRONOUN.test(lastLone(text)) ? false : undefined
    },
  },
]

/** "I" followed by a verb of a sentence about oneself. */
const PRONOUN = /^I(?:['’]|\s+(?:am|was|can|could|have|had|do|did|think|would|will|need|know|believe)\b)/

/** Corrections of a suite. */
export function correctionsOf(suite: string): readonly Correction[] {
  return CORRECTIONS.filter((one) => one.suite === suite)
}

/** The verdict with all corrections of its suite, and why it changed. */
export function correct(suite: string, line: CorrectableLine): { readonly verdict: boolean; readonly reason?: string } {
  for (const one of correctionsOf(suite)) {
    const verdict = one.verdict(line)
    if (verdict !== undefined && verdict !== line.verdict) return { verdict, reason: one.reason }
  }
  return { verdict: line.verdict }
}

/** The text from the last letter A to J that stands alone. */
function lastLone(text: string): string {
  const at = [...text.matchAll(/\b[A-J]\b/g)].at(-1)?.index
  return at === undefined ? '' : text.slice(at)
}
