import ICAL from 'ical.js'
import type { Temporal } from 'temporal-polyfill'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { asked, failed } from '../result.js'
import { parseDuration, resolveWhen, sayWhen, spanMilliseconds, zoned } from '../time/index.js'
import { type CalendarStore, componentsOf, type EntryUndo } from './calendar-store.js'
import { addKey, ensureZone, hasKey, instantOf, setTime, zoneOf } from './entry.js'
import type { Occurrence } from './expand.js'

const masterOf = (calendar: ICAL.Component, uid: string): ICAL.Component | undefined =>
  componentsOf(calendar, uid).find((c) => c.getFirstProperty('recurrence-id') === null)

/** Some of several removals were done before one failed; its message says why that one did. */
export class PartlyDone extends Error {
  override readonly name = 'PartlyDone'
  readonly code = 'partly-done'
  constructor(
    /** How to take those back that were done, in their order. */
    readonly undo: readonly EntryUndo[],
    options: { readonly cause: Error },
  ) {
    super(options.cause.message, options)
  }
}

/**
 * Removes occurrences: a whole entry goes to the trash; one day of a series is excepted from it when `single`.
 * @throws PartlyDone when one fails after others were removed
 */
export async function removeOccurrences(
  store: CalendarStore,
  list: readonly Occurrence[],
  single: boolean,
  context: ToolContext,
): Promise<readonly EntryUndo[]> {
  const undo: EntryUndo[] = []
  for (const o of list) {
    try {
      undo.push(await removeOne(store, o, single, context))
    } catch (error) {
      if (undo.length === 0 || !(error instanceof Error)) throw error
      throw new PartlyDone(undo, { cause: error })
    }
  }
  return undo
}

function removeOne(store: CalendarStore, o: Occurrence, single: boolean, context: ToolContext): Promise<EntryUndo> {
  if (!(single && o.rule)) return store.discard(o.calendar, o.uid, context.idempotencyKey)
  return store.change(o.calendar, o.uid, (calendar) => {
    const master = masterOf(calendar, o.uid)
    if (master === undefined) return
    for (const part of componentsOf(calendar, o.uid))
      if (instantOf(part, 'recurrence-id', context.timeZone)?.getTime() === o.original.getTime())
        calendar.removeSubcomponent(part)
    const start = master.getFirstProperty('dtstart')
    const exception = new ICAL.Property('exdate')
    const wall = zoned(o.original, o.allDay ? context.timeZone : zoneOf(start, context.timeZone))
    if (o.allDay) {
      exception.resetType('date')
      exception.setValue(ICAL.Time.fromDateString(wall.toPlainDate().toString()))
    } else {
      const tzid = start?.getParameter('tzid')
      const text = wall.toPlainDateTime().toString({ smallestUnit: 'second' })
      exception.setValue(ICAL.Time.fromDateTimeString(zoneOf(start, context.timeZone) === 'UTC' ? `${text}Z` : text))
      if (typeof tzid === 'string') exception.setParameter('tzid', tzid)
    }
    master.addProperty(exception)
    addKey(master, context.idempotencyKey)
  })
}

const LATER = /\b(later|back|forward|ahead|after|earlier|before|sooner|up)\b/i

/** The new start of an occurrence: a shift ("an hour later"), else a time, day or both, the missing part kept as it was. */
export function newStart(
  o: Occurrence,
  to: string,
  hours: 'alarm' | 'event',
  context: ToolContext,
): { readonly start: Date; readonly end?: Date; readonly allDay: boolean } | ToolResult {
  const now = context.now()
  const zone = context.timeZone
  const shift = /\b(?:by|later|earlier|sooner|forward|back|ahead)\b/i.test(to) ? parseDuration(to) : undefined
  if (shift !== undefined && LATER.test(`${to} ${/\bby\b/i.test(to) ? 'later' : ''}`)) {
    const sign = /\b(?:earlier|before|sooner|forward|up)\b/i.test(to) ? -1 : 1
    if (o.allDay || shift.months + shift.years + shift.weeks + shift.days > 0) {
      const wall = zoned(o.start, zone)
      return {
        start: new Date((sign > 0 ? wall.add(shift) : wall.subtract(shift)).epochMilliseconds),
        allDay: o.allDay,
      }
    }
    return { start: new Date(o.start.getTime() + sign * spanMilliseconds(shift)), allDay: false }
  }
  const when = resolveWhen(to, { now, zone, hours })
  if (when.kind === 'ambiguous') return asked(when.question)
  if (when.kind === 'unknown')
    return asked(`I did not understand the time "${to}". To what time should ${o.title} move?`)
  const old = zoned(o.start, zone)
  const fresh = zoned(when.start, zone)
  if (when.allDay) {
    if (when.grain !== 'day' || o.allDay)
      return when.grain === 'day'
        ? { start: when.start, allDay: true }
        : asked(`On which day ${sayWhen(when, now)} should ${o.title} be?`)
    const wall = fresh.toPlainDate().toPlainDateTime(old.toPlainTime())
    return { start: new Date(wall.toZonedDateTime(zone).epochMilliseconds), allDay: false }
  }
  if (when.grain === 'part') return asked(`At what time in the ${when.part ?? 'day'} should ${o.title} be?`)
  if (when.dayNamed || /\bin\b/i.test(to))
    return { start: when.start, ...(when.end ? { end: when.end } : {}), allDay: false }
  // Only a time was said: the day stays. A meeting at two moved "to three" stays in the afternoon.
  const onDay = resolveWhen(to, {
    now: new Date(old.startOfDay().subtract({ nanoseconds: 1 }).epochMilliseconds),
    zone,
    hours,
  })
  const time = onDay.kind === 'resolved' ? zoned(onDay.start, zone).toPlainTime() : fresh.toPlainTime()
  const at = (d: Temporal.PlainDate) => new Date(d.toPlainDateTime(time).toZonedDateTime(zone).epochMilliseconds)
  const start = at(old.toPlainDate())
  return { start: start <= now && hours === 'alarm' ? at(old.toPlainDate().add({ days: 1 })) : start, allDay: false }
}

/** Moves an occurrence, or the whole series when `whole`; a single day of a series becomes an exception of it. */
export async function moveOccurrence(
  store: CalendarStore,
  o: Occurrence,
  to: string,
  how: { readonly hours: 'alarm' | 'event'; readonly whole: boolean },
  context: ToolContext,
): Promise<{ readonly occurrence: Occurrence; readonly undo: readonly EntryUndo[] } | ToolResult> {
  const target = newStart(o, to, how.hours, context)
  if ('ok' in target) return target
  if (target.start <= context.now() && !o.allDay && o.kind !== 'event')
    return failed('That time is over already; give one that is still ahead.')
  const end =
    target.end ??
    new Date(target.start.getTime() + (target.allDay && !o.allDay ? 86_400_000 : o.end.getTime() - o.start.getTime()))
  const zone = context.timeZone
  const undo = await store.change(o.calendar, o.uid, (calendar) => {
    const parts = componentsOf(calendar, o.uid)
    const master = masterOf(calendar, o.uid)
    if (parts.some((c) => hasKey(c, context.idempotencyKey))) return
    const override = parts.find((c) => instantOf(c, 'recurrence-id', zone)?.getTime() === o.original.getTime())
    const set = (c: ICAL.Component, start: Date, finish: Date, local: boolean) => {
      setTime(c, 'dtstart', start, { allDay: target.allDay, zone, local })
      c.removeAllProperties('duration')
      c.removeAllProperties('dtend')
      if (finish > start) setTime(c, 'dtend', finish, { allDay: target.allDay, zone, local })
      const sequence = Number(c.getFirstPropertyValue('sequence') ?? 0)
      c.updatePropertyWithValue('sequence', sequence + 1)
      addKey(c, context.idempotencyKey)
    }
    if (override && !how.whole) set(override, target.start, end, false)
    else if (master && o.rule && how.whole) {
      // The series starts where it started, shifted by as much as this occurrence moves in wall time.
      const first = instantOf(master, 'dtstart', zone) ?? o.start
      const shifted = zoned(first, zone).add(
        zoned(o.start, zone).until(zoned(target.start, zone), { largestUnit: 'day' }),
      )
      const start = new Date(shifted.epochMilliseconds)
      set(master, start, new Date(start.getTime() + (end.getTime() - target.start.getTime())), true)
      if (!target.allDay) ensureZone(calendar, zone, start.getUTCFullYear())
    } else if (master && o.rule) {
      const single = ICAL.Component.fromString(master.toString())
      for (const name of ['rrule', 'exdate', 'rdate', 'x-botpsy-key']) single.removeAllProperties(name)
      setTime(single, 'recurrence-id', o.original, { allDay: o.allDay, zone, local: false })
      set(single, target.start, end, false)
      calendar.addSubcomponent(single)
    } else if (master) set(master, target.start, end, false)
  })
  const { rule, ...single } = o
  return {
    occurrence: { ...single, ...(rule && how.whole ? { rule } : {}), start: target.start, end, allDay: target.allDay },
    undo: [undo],
  }
}
