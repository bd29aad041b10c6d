import type { Temporal } from 'temporal-polyfill'
import { type ClockMatch, PARTS, type Part } from './clock.js'
import type { DateMatch } from './dates.js'
import type { ResolvedWhen } from './types.js'
import { DAY_CODES } from './weekdays.js'

const value = (rule: string, key: string): string | undefined => new RegExp(`(?:^|;)${key}=([^;]+)`).exec(rule)?.[1]

/** Whether a day fits the rule's BYDAY and BYMONTHDAY parts. */
const fits = (rule: string, day: Temporal.PlainDate): boolean => {
  const monthDay = value(rule, 'BYMONTHDAY')
  if (monthDay !== undefined && Number(monthDay) !== day.day) return false
  const byDay = value(rule, 'BYDAY')
  if (byDay === undefined) return true
  return byDay.split(',').some((code) => {
    const m = /^(-?\d+)?(\w\w)$/.exec(code)
    if (!m || DAY_CODES[day.dayOfWeek - 1] !== m[2]) return false
    if (m[1] === undefined) return true
    const n = Number(m[1])
    return n > 0 ? Math.ceil(day.day / 7) === n : day.day + 7 > day.daysInMonth
  })
}

/** The first occurrence of a rule that is ahead of now (or at the day that was named), at the time that was said. */
export function firstOccurrence(
  rule: string,
  s: { readonly now: Date; readonly zone: string; readonly today: Temporal.PlainDate },
  date: DateMatch | undefined,
  part: Part | undefined,
  clock: ClockMatch | undefined,
): Omit<ResolvedWhen, 'kind' | 'matched' | 'rest' | 'zone'> {
  const shared = { recurrence: rule, dayNamed: true, ...(part ? { part } : {}) } as const
  const freq = value(rule, 'FREQ')
  const instant = (d: Temporal.PlainDate, hour: number, minute: number) =>
    new Date(d.toPlainDateTime({ hour, minute }).toZonedDateTime(s.zone).epochMilliseconds)
  if ((freq === 'HOURLY' || freq === 'MINUTELY') && !clock) {
    const n = Number(value(rule, 'INTERVAL') ?? 1)
    return {
      ...shared,
      start: new Date(s.now.getTime() + n * (freq === 'HOURLY' ? 3_600_000 : 60_000)),
      allDay: false,
      grain: 'minute',
    }
  }
  const hour = clock?.time.hour ?? (part ? PARTS[part].usual : 0)
  const minute = clock?.time.minute ?? 0
  const timed = clock !== undefined || part !== undefined
  let day = date?.start ?? s.today
  for (let k = 0; k < 400; k++) {
    if (fits(rule, day) && (!timed || date?.fixed === true || instant(day, hour, minute) > s.now)) break
    day = day.add({ days: 1 })
  }
  const start = instant(day, hour, minute)
  if (!timed) return { ...shared, start, end: instant(day.add({ days: 1 }), 0, 0), allDay: true, grain: 'day' }
  const end = clock?.end
  const finish = end ? instant(day, end.hour, end.minute) : undefined
  return {
    ...shared,
    start,
    ...(finish && finish > start ? { end: finish } : {}),
    allDay: false,
    grain: clock ? 'minute' : 'part',
  }
}
