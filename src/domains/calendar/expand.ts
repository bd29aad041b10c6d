import ICAL from 'ical.js'
import { instantOf, textOf, toInstant, wallOf, zoneOf } from './entry.js'
import { ringsOf } from './rings.js'

/** One happening of an entry. */
export interface Occurrence {
  readonly uid: string
  /** File of the calendar it is in. */
  readonly calendar: string
  readonly kind: 'event' | 'alarm' | 'timer'
  readonly title: string
  readonly place: string
  readonly people: string
  readonly start: Date
  readonly end: Date
  readonly allDay: boolean
  /** The rule of its series, if it is one of several. */
  readonly rule?: string
  /** The instant by which the series knows this occurrence (RECURRENCE-ID). */
  readonly original: Date
  readonly created?: Date
  /** When an event reminds, in milliseconds from its start; absent when it never does. */
  readonly rings?: readonly number[]
  /** True for a time that is written without a zone: it moves with the owner. */
  readonly floating?: true
  /** UID of the alarm that this one puts off. */
  readonly snoozes?: string
  /** Where its words come from, when they are not the owner's own. */
  readonly outside?: string
}

/** Most occurrences that one entry gives in one look; a rule that repeats every second must not fill the memory. */
const MOST = 2000

const people = (event: ICAL.Component): string => {
  const own = textOf(event, 'x-botpsy-people')
  const guests = event
    .getAllProperties('attendee')
    .map((p) => String(p.getParameter('cn') ?? p.getFirstValue() ?? '').replace(/^mailto:/i, ''))
  return [own, ...guests].filter((x) => x !== '').join(', ')
}

const length = (event: ICAL.Component, owner: string, start: Date, allDay: boolean): number => {
  const end = instantOf(event, 'dtend', owner)
  if (end !== undefined) return Math.max(0, end.getTime() - start.getTime())
  const duration = event.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration) return Math.max(0, duration.toSeconds() * 1000)
  return allDay ? 86_400_000 : 0
}

/** Occurrences of every event of a calendar that touch [from, to), sorted by start. Cancelled ones are left out. */
export function expand(
  calendar: ICAL.Component,
  name: string,
  from: Date,
  to: Date,
  owner: string,
): readonly Occurrence[] {
  const events = calendar.getAllSubcomponents('vevent')
  const out: Occurrence[] = []
  const moved = new Map<string, Set<number>>()
  const series = new Map<string, string>()
  for (const event of events) {
    const id = instantOf(event, 'recurrence-id', owner)
    const uid = textOf(event, 'uid')
    const repeats = event.getFirstPropertyValue('rrule')
    if (repeats instanceof ICAL.Recur) series.set(uid, repeats.toString())
    if (id !== undefined) moved.set(uid, (moved.get(uid) ?? new Set()).add(id.getTime()))
  }
  for (const event of events) {
    const start = instantOf(event, 'dtstart', owner)
    if (start === undefined || textOf(event, 'status').toUpperCase() === 'CANCELLED') continue
    const uid = textOf(event, 'uid')
    const first = event.getFirstProperty('dtstart')
    const value = first?.getFirstValue()
    const allDay = value instanceof ICAL.Time && value.isDate
    const span = length(event, owner, start, allDay)
    const rule = event.getFirstPropertyValue('rrule')
    const override = instantOf(event, 'recurrence-id', owner)
    const kind = textOf(event, 'x-botpsy-kind')
    const created = instantOf(event, 'created', owner)
    const rings = ringsOf(event, start, span)
    const floating =
      value instanceof ICAL.Time && !allDay && value.zone?.tzid !== 'UTC' && first?.getParameter('tzid') === undefined
    const snoozes = textOf(event, 'x-botpsy-snoozes')
    const make = (at: Date): Occurrence => ({
      uid,
      calendar: name,
      kind: kind === 'alarm' || kind === 'timer' ? kind : 'event',
      title: textOf(event, 'summary') || 'Untitled',
      place: textOf(event, 'location'),
      people: people(event),
      start: at,
      end: new Date(at.getTime() + span),
      allDay,
      original: override ?? at,
      ...(rule instanceof ICAL.Recur
        ? { rule: rule.toString() }
        : override !== undefined && series.has(uid)
          ? { rule: series.get(uid) as string }
          : {}),
      ...(created ? { created } : {}),
      ...(rings.length > 0 ? { rings } : {}),
      ...(floating ? { floating } : {}),
      ...(snoozes === '' ? {} : { snoozes }),
    })
    const keep = (at: Date) => at < to && (at.getTime() + span > from.getTime() || at >= from) && out.push(make(at))
    if (!(rule instanceof ICAL.Recur) || override !== undefined || !(value instanceof ICAL.Time)) {
      keep(start)
      continue
    }
    const zone = allDay ? owner : zoneOf(first, owner)
    const skip = new Set(moved.get(uid))
    for (const exception of event.getAllProperties('exdate')) {
      for (const time of exception.getValues())
        if (time instanceof ICAL.Time)
          skip.add(toInstant(wallOf(time), time.isDate ? owner : zoneOf(exception, owner)).getTime())
    }
    const until = rule.until
    // The series is counted in wall time, so that nine o'clock stays nine o'clock over a clock change.
    const wall = ICAL.Time.fromDateTimeString(wallOf(value).toString({ smallestUnit: 'second' }))
    const counted = rule.clone()
    if (until) counted.until = null as unknown as ICAL.Time
    const iterator = counted.iterator(wall)
    const last = until
      ? toInstant(wallOf(until), until.isDate ? owner : until.zone?.tzid === 'UTC' ? 'UTC' : zone).getTime() +
        (until.isDate ? 86_399_999 : 0)
      : Number.POSITIVE_INFINITY
    let steps = 0
    let kept = 0
    for (let next = iterator.next(); next; next = iterator.next()) {
      const at = toInstant(wallOf(next), zone)
      if (at >= to || at.getTime() > last || ++steps > 200_000 || kept >= MOST) break
      if (!skip.has(at.getTime()) && keep(at)) kept++
    }
  }
  return out.sort((a, b) => a.start.getTime() - b.start.getTime() || (a.title < b.title ? -1 : 1))
}
