import type { InstructionArguments } from './instruction.js'

/** A few common nouns; the official list of 1,525 words serves the same end: a keyword when the data names none. */
const WORDS = [
  'western',
  'sentence',
  'signal',
  'dump',
  'spot',
  'opposite',
  'bottom',
  'potato',
  'administration',
  'morning',
]

/** A word that stands in for an absent keyword argument. */
export function drawnWord(args: InstructionArguments): string {
  return args.random.choice(WORDS)
}
