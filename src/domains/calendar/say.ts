import type { JsonValue } from '../../chat/types.js'
import type { ToolResult } from '../../tools/contract.js'
import { sayClock, sayDay, sayInstant, sayRecurrence } from '../time/index.js'
import type { Occurrence } from './expand.js'

/** "Tuesday 1 December at 06:15 (05:15 UTC), every weekday"; whole days without a time. */
export function sayOccurrence(o: Occurrence, now: Date, zone: string): string {
  const last = new Date(o.end.getTime() - 1)
  const day = sayDay(o.start, zone, now)
  const span =
    o.allDay && last > o.start && sayDay(last, zone, now) !== day ? `${day} to ${sayDay(last, zone, now)}` : day
  const when = o.allDay ? span : sayInstant(o.start, zone, now)
  return o.rule ? `${when}, ${sayRecurrence(o.rule)}` : when
}

/** "dentist on Tuesday 1 December at 09:00" for lists read aloud. */
export function sayShort(o: Occurrence, now: Date, zone: string): string {
  return `${o.title} on ${sayDay(o.start, zone, now)}${o.allDay ? '' : ` at ${sayClock(o.start, zone)}`}`
}

/** One line with everything, for the lines below the first. */
export function sayLine(o: Occurrence, now: Date, zone: string): string {
  const until = o.allDay || o.end <= o.start ? '' : ` until ${sayClock(o.end, zone)}`
  return `- ${o.title}: ${sayOccurrence(o, now, zone)}${until}${o.place ? `, at ${o.place}` : ''}${o.people ? `, with ${o.people}` : ''}`
}

/** The same for programs. */
export function occurrenceData(o: Occurrence): JsonValue {
  return {
    uid: o.uid,
    title: o.title,
    start: o.start.toISOString(),
    end: o.end.toISOString(),
    allDay: o.allDay,
    place: o.place,
    people: o.people,
    ...(o.rule ? { rule: o.rule } : {}),
  }
}

/** A result that names these occurrences: where their words are not the owner's own, it says whose. */
export function fromOutside(result: ToolResult, named: readonly Occurrence[]): ToolResult {
  const sources = [...new Set(named.flatMap((o) => (o.outside === undefined ? [] : [o.outside])))]
  if (sources.length === 0) return result
  return { ...result, untrusted: sources.slice(0, 3).join(', ') + (sources.length > 3 ? ' and others' : '') }
}
