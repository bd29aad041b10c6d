import type { RunStatus } from '../agent/journal-entry.js'

/** What the program's exit codes mean. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unapproved: 3,
  noModel: 4,
  aborted: 130,
} as const

/** The exit code of a finished run. A question to the owner is a proper ending. */
export function exitCodeOf(status: RunStatus): number {
  if (status === 'done' || status === 'asked') return EXIT.done
  if (status === 'unapproved') return EXIT.unapproved
  return status === 'aborted' ? EXIT.aborted : EXIT.failed
}

/** A wrong command line; the message is shown, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}
