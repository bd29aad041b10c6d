import type { TranscriptStep } from './run-record.js'

/** So often a stretch at the end of a text must stand in a row to count as a loop. */
const TIMES = 4
/** Shortest looping stretch times repetitions, in characters: "no no no no" is no loop. */
const SHORTEST = 60
/** So often the same answer to a growing conversation counts as a loop. */
const SAME_ANSWERS = 3

/** Whether a text ends in one stretch, over and over. */
export function endsInLoop(text: string): boolean {
  const end = text.trimEnd()
  const most = Math.floor(end.length / TIMES)
  for (let period = 1; period <= Math.min(most, 2000); period++) {
    const length = Math.max(period * TIMES, SHORTEST)
    if (length > end.length) continue
    const tail = end.slice(-length)
    let same = true
    for (let i = period; i < length && same; i++) same = tail[i] === tail[i - period]
    if (same) return true
  }
  return false
}

/**
 * Whether a model went round in circles in a case: a generation that ran into its limit ends in one repeated stretch, or
 * the same answer came {@link SAME_ANSWERS} times in a row.
 */
export function loops(transcript: readonly TranscriptStep[]): boolean {
  let row = 1
  for (const [i, step] of transcript.entries()) {
    if (step.stop === 'length' && endsInLoop(step.reasoning === undefined ? step.text : step.text || step.reasoning))
      return true
    const before = transcript[i - 1]
    const said = step.text + JSON.stringify(step.calls ?? [])
    row = before && said !== '[]' && said === before.text + JSON.stringify(before.calls ?? []) ? row + 1 : 1
    if (row >= SAME_ANSWERS) return true
  }
  return false
}
