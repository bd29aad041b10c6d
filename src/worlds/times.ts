import { Temporal } from 'temporal-polyfill'
import type { Household } from './household.js'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The household's day so many days from today. */
export function dayOf(household: Pick<Household, 'now' | 'zone'>, day: number): Temporal.PlainDate {
  return Temporal.Instant.from(household.now).toZonedDateTimeISO(household.zone).toPlainDate().add({ days: day })
}

/**
 * A time of day so many days from today, as an instant; worked out here and not by the tools' own reading of phrases, so
 * that the tools are checked and not repeated.
 */
export function instantAt(household: Pick<Household, 'now' | 'zone'>, day: number, time: string): Date {
  const zoned = dayOf(household, day).toZonedDateTime({
    timeZone: household.zone,
    plainTime: Temporal.PlainTime.from(time),
  })
  return new Date(zoned.epochMilliseconds)
}

/** How people name a day of the coming week: "today", "tomorrow", "Friday". */
export function sayDayOf(household: Pick<Household, 'now' | 'zone'>, day: number): string {
  if (day === 0) return 'today'
  if (day === 1) return 'tomorrow'
  return WEEKDAYS[dayOf(household, day).dayOfWeek - 1] ?? ''
}

/** The day as results word it: "Friday 4 December". */
export function longDay(household: Pick<Household, 'now' | 'zone'>, day: number): string {
  const date = dayOf(household, day)
  return `${WEEKDAYS[date.dayOfWeek - 1]} ${date.day} ${MONTHS[date.month - 1]}`
}

/** A time of day as people say it: "15:00" becomes "3 pm"; with minutes it stays. */
export function sayTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  if (minutes !== 0) return time
  return `${hours % 12 === 0 ? 12 : hours % 12} ${hours < 12 ? 'am' : 'pm'}`
}
