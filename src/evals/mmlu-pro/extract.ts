import { pyRegex } from '../text/python-regex.js'

/** The two levels of extraction that `compute_accuracy.py` reports: the first knows one phrase, the second falls back. */
export type ExtractionLevel = 'l1' | 'l2'

const PHRASE = String.raw`answer is \(?([A-J])\)?`
const LABEL = String.raw`.*[aA]nswer:\s*([A-J])`
const LONE = String.raw`\b[A-J]\b`

/**
 * The letter that a response chooses, or null when none is found. Level l1 takes what follows the first "answer is";
 * l2 goes on with the last "Answer:" of the first line that has one, then with the last letter that stands alone.
 * Source: TIGER-AI-Lab/MMLU-Pro, compute_accuracy.py.
 */
export function extractAnswer(response: string, level: ExtractionLevel): string | null {
  const phrase = firstGroup(PHRASE, response)
  if (phrase !== null || level === 'l1') return phrase
  return firstGroup(LABEL, response) ?? lastLoneLetter(response)
}

function firstGroup(pattern: string, text: string): string | null {
  return pyRegex(pattern).exec(text)?.[1] ?? null
}

function lastLoneLetter(text: string): string | null {
  let last: string | null = null
  for (const match of text.matchAll(pyRegex(LONE))) last = match[0]
  return last
}
