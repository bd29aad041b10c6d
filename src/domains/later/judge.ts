import type { Due } from './due.js'

/** Later than this it is not rung any more, but reported as missed: while the machine slept, or the clock jumped. */
export const RING_GRACE_MS = 60_000
/** The same for what fell due before the service began to look; short, so that only a restart goes unnoticed. */
export const START_GRACE_MS = 5_000
/** What lies this far before the last look is looked at again: it may have been set a moment too late. */
export const OVERLAP_MS = 120_000
/** How far the very first look goes back. */
export const FIRST_LOOK_MS = 86_400_000
/** No look goes back further than this. */
export const LONGEST_LOOK_MS = 30 * 86_400_000
/** Zones differ by no more than this (from UTC-12 to UTC+14). */
export const ZONES_MS = 26 * 3_600_000

/** What is known of the last look. */
export interface LastLook {
  /** Wall clock, milliseconds since 1970. */
  readonly at: number
  /** The owner's zone then. */
  readonly zone: string
}

/** Where a look begins, by wall clock. */
export interface Span {
  readonly from: number
  /** Earlier beginning for what floats with the zone, after a change of zone. */
  readonly floatingFrom: number
  /** True when the wall clock stands before the last look: what was reported as missed and is ahead again counts anew. */
  readonly back: boolean
}

/** Where the look at `now` must begin so that nothing is passed over, whatever the clock and the zone did. */
export function lookSpan(last: LastLook | undefined, now: number, zone: string): Span {
  if (last === undefined) return { from: now - FIRST_LOOK_MS, floatingFrom: now - FIRST_LOOK_MS, back: false }
  const from = Math.max(Math.min(last.at, now) - OVERLAP_MS, now - LONGEST_LOOK_MS)
  return { from, floatingFrom: last.zone === zone ? from : from - ZONES_MS, back: now < last.at }
}

/**
 * What is to be done with an occurrence that was never fired.
 * @param awakeSince wall clock since which the service looks without a break, milliseconds since 1970
 */
export function judge(due: Due, now: number, awakeSince: number): 'wait' | 'ring' | 'missed' {
  if (due.at > now) return 'wait'
  if (now - due.at > RING_GRACE_MS) return 'missed'
  return due.at < awakeSince - START_GRACE_MS ? 'missed' : 'ring'
}
