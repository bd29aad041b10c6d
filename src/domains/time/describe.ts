import { Temporal } from 'temporal-polyfill'
import { sayRecurrence } from './recurrence.js'
import type { ResolvedWhen } from './types.js'
import { MONTHS, WEEKDAYS } from './weekdays.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
const two = (n: number): string => String(n).padStart(2, '0')

/** A zoned view of an instant. */
export function zoned(instant: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
}

/** "Tuesday 1 December", with the year only when it is not the one of `now`. */
export function sayDay(instant: Date, zone: string, now: Date): string {
  const z = zoned(instant, zone)
  const base = `${capital(WEEKDAYS[z.dayOfWeek - 1] ?? '')} ${z.day} ${capital(MONTHS[z.month - 1] ?? '')}`
  return z.year === zoned(now, zone).year ? base : `${base} ${z.year}`
}

/** "06:15" in a zone; seconds only when there are any. */
export function sayClock(instant: Date, zone: string): string {
  const z = zoned(instant, zone)
  return `${two(z.hour)}:${two(z.minute)}${z.second ? `:${two(z.second)}` : ''}`
}

/** "Tuesday 1 December at 06:15 (05:15 UTC)"; the weekday of UTC is added when it differs. */
export function sayInstant(instant: Date, zone: string, now: Date): string {
  const local = zoned(instant, zone)
  const utc = zoned(instant, 'UTC')
  const shift = utc.day === local.day ? '' : `${capital(WEEKDAYS[utc.dayOfWeek - 1] ?? '').slice(0, 3)} `
  return `${sayDay(instant, zone, now)} at ${sayClock(instant, zone)} (${shift}${sayClock(instant, 'UTC')} UTC)`
}

/** Says a resolved phrase: day or days, local time, UTC, repetition, and what a clock change did. */
export function sayWhen(when: ResolvedWhen, now: Date): string {
  const { zone, start, end } = when
  const notes: string[] = []
  if (when.recurrence) notes.push(`, ${sayRecurrence(when.recurrence)}`)
  if (when.shifted === 'gap') notes.push(', moved because the clocks go forward then')
  if (when.shifted === 'overlap') notes.push(', the first of two such times because the clocks go back then')
  const tail = notes.join('')
  if (when.bound === 'before' && end)
    return `before ${when.allDay ? sayDay(end, zone, now) : sayInstant(end, zone, now)}${tail}`
  if (when.bound === 'after')
    return `from ${when.allDay ? sayDay(start, zone, now) : sayInstant(start, zone, now)}${tail}`
  if (when.allDay) {
    const last = end === undefined ? start : new Date(end.getTime() - 1)
    const first = sayDay(start, zone, now)
    const final = sayDay(last, zone, now)
    return `${first === final ? first : `${first} to ${final}`}${tail}`
  }
  if (end === undefined) return `${sayInstant(start, zone, now)}${tail}`
  const sameDay = sayDay(start, zone, now) === sayDay(new Date(end.getTime() - 1), zone, now)
  if (!sameDay) return `${sayInstant(start, zone, now)} to ${sayInstant(end, zone, now)}${tail}`
  return `${sayDay(start, zone, now)} from ${sayClock(start, zone)} to ${sayClock(end, zone)} (${sayClock(start, 'UTC')} to ${sayClock(end, 'UTC')} UTC)${tail}`
}
