import type { Part } from './clock.js'
import type { Grain, Prefer } from './dates.js'

/** How a time phrase is to be read. */
export interface WhenOptions {
  readonly now: Date
  /** IANA zone of the owner. */
  readonly zone: string
  /** Side of now that wins when both are possible: plans look ahead, records look back. Default `future`. */
  readonly prefer?: Prefer
  /**
   * What a bare "six" means: for an `alarm` the next six o'clock (in the morning when a day is named), for an `event`
   * the one within waking hours. Default `event`.
   */
  readonly hours?: 'alarm' | 'event'
  /** Order of day and month in "3/4"; without it such a date is ambiguous. */
  readonly order?: 'dmy' | 'mdy'
}

/** A phrase that was understood. */
export interface ResolvedWhen {
  readonly kind: 'resolved'
  readonly start: Date
  /** End, exclusive, where the phrase spans time; absent for a point and for an open range ("after six"). */
  readonly end?: Date
  /** No time of day was said. */
  readonly allDay: boolean
  /** RFC 5545 rule, e.g. `FREQ=WEEKLY;BYDAY=MO`; `start` is then its first occurrence. */
  readonly recurrence?: string
  readonly grain: Grain
  readonly part?: Part
  /** Open range: only the start ("after six") or only the end ("before six") was said. */
  readonly bound?: 'after' | 'before'
  /** The clock change moved the time (`gap`) or made it happen twice, of which the first was taken (`overlap`). */
  readonly shifted?: 'gap' | 'overlap'
  /** A day was said, not only a time of day. */
  readonly dayNamed: boolean
  readonly matched: string
  /** Words that were not understood as time. */
  readonly rest: string
  readonly zone: string
}

/** What {@link resolveWhen} says. */
export type When =
  | ResolvedWhen
  | { readonly kind: 'ambiguous'; readonly question: string; readonly options: readonly ResolvedWhen[] }
  | { readonly kind: 'unknown'; readonly rest: string }
