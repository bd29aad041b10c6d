import { Temporal } from 'temporal-polyfill'
import type { Occurrence } from '../calendar/expand.js'
import { sayClock, sayDay } from '../time/index.js'
import type { Due, DueSource } from './due.js'

/** What holds the owner's alarms, timers and events. */
export interface CalendarSource {
  occurrences(
    from: Date,
    to: Date,
    zone: string,
    kinds: readonly Occurrence['kind'][],
  ): readonly Occurrence[] | Promise<readonly Occurrence[]>
}

/** Reminders further from their event than this are not looked for. */
const BEFORE_MS = 31 * 86_400_000
const AFTER_MS = 7 * 86_400_000
/** How much more than was asked for is kept, so that not every look reads the files. */
const AHEAD_MS = 600_000

/** Every alarm, timer and reminder of some occurrences. One entry that rings twice at the same moment rings once. */
export function duesOf(occurrences: readonly Occurrence[], zone: string): readonly Due[] {
  const dues = new Map<string, Due>()
  for (const o of occurrences) {
    const rings = o.kind === 'event' ? (o.rings ?? []) : [0]
    for (const offset of rings) {
      const at = (o.allDay && offset === 0 ? morningOf(o.start, zone) : o.start.getTime()) + offset
      const floating = o.allDay || o.floating === true
      // Times that hang on the zone are known by what is written, so that a journey does not ring them twice.
      const written = floating
        ? `${Temporal.Instant.fromEpochMilliseconds(o.start.getTime()).toZonedDateTimeISO(zone).toPlainDateTime().toString()}${offset}`
        : new Date(at).toISOString()
      const kind = o.kind === 'event' ? 'reminder' : o.kind
      const note = o.kind === 'event' ? noteOf(o, at, zone) : ''
      const key = `${kind}:${o.uid}:${written}`
      dues.set(key, {
        key,
        at,
        kind,
        title: o.title,
        ref: o.uid,
        ...(note === '' ? {} : { note }),
        ...(floating ? { floating } : {}),
      })
    }
  }
  return [...dues.values()]
}

/** A reminder of a whole day comes in its morning, not at midnight. */
const MORNING = { hour: 9 }

const morningOf = (day: Date, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(day.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toZonedDateTime({ timeZone: zone, plainTime: MORNING }).epochMilliseconds

function noteOf(o: Occurrence, at: number, zone: string): string {
  const day = sayDay(o.start, zone, new Date(at))
  const when = o.allDay ? day : at === o.start.getTime() ? '' : `${day} at ${sayClock(o.start, zone)}`
  return [when, o.place].filter((part) => part !== '').join(', ')
}

/** Alarms, timers and reminders of calendars, read again when `print` says something else. */
export class CalendarDues implements DueSource {
  #kept:
    | { readonly print: string; readonly from: number; readonly to: number; readonly dues: readonly Due[] }
    | undefined

  constructor(
    private readonly source: CalendarSource,
    /** Changes whenever the calendars may have. */
    private readonly print: () => string,
  ) {}

  /** @throws StoreError when a calendar file cannot be read */
  async between(from: number, to: number, zone: string): Promise<readonly Due[]> {
    const print = `${zone} ${this.print()}`
    const kept = this.#kept
    if (kept === undefined || kept.print !== print || from < kept.from || to > kept.to) {
      const end = to + AHEAD_MS
      const rings = await this.source.occurrences(new Date(from), new Date(end + 1), zone, ['alarm', 'timer'])
      const events = await this.source.occurrences(new Date(from - AFTER_MS), new Date(end + BEFORE_MS), zone, [
        'event',
      ])
      const dues = duesOf([...rings, ...events], zone).filter((due) => due.at >= from && due.at <= end)
      this.#kept = { print, from, to: end, dues }
    }
    return (this.#kept?.dues ?? []).filter((due) => due.at >= from && due.at <= to)
  }
}
