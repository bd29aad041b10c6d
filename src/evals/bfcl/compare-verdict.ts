import type { VerdictLine } from '../verdict-file.js'

/** A scorer's result under the names that a verdict file gives its parts. */
export interface OurVerdict {
  readonly verdict: boolean
  readonly error_type: string | null
  readonly [member: string]: string | boolean | null | readonly string[] | undefined
}

/**
 * Compares every member of our result that the line also has (a member that is undefined on our side is skipped);
 * returns the first difference, as `what ours, recorded theirs`.
 */
export function compareVerdict(line: VerdictLine, ours: OurVerdict): string | undefined {
  for (const [member, value] of Object.entries(ours)) {
    const recorded = line.plain[member]
    if (value === undefined || recorded === undefined) continue
    const [mine, theirs] = [JSON.stringify(value), JSON.stringify(recorded)]
    if (mine !== theirs) return `${member} is ${mine}, recorded ${theirs}`
  }
  return undefined
}
