import * as chrono from 'chrono-node'
import { Temporal } from 'temporal-polyfill'
import { zoned } from './describe.js'
import { contentLeft } from './normalise.js'
import type { ResolvedWhen, WhenOptions } from './types.js'

/** What chrono-node makes of a phrase that our own rules do not know, its components placed in the owner's zone. */
export function chronoWhen(text: string, options: WhenOptions): ResolvedWhen | undefined {
  const { now, zone } = options
  const offset = Math.round(zoned(now, zone).offsetNanoseconds / 6e10)
  let found: chrono.ParsedResult | undefined
  try {
    found = chrono.parse(
      text.slice(0, 400),
      { instant: now, timezone: offset },
      { forwardDate: (options.prefer ?? 'future') === 'future' },
    )[0]
  } catch {
    return undefined
  }
  if (!found) return undefined
  const timed = found.start.isCertain('hour')
  const read = (c: chrono.ParsedComponents): Date | undefined => {
    const [year, month, day] = [c.get('year'), c.get('month'), c.get('day')]
    if (year === null || month === null || day === null) return undefined
    try {
      if (c.isCertain('timezoneOffset')) return c.date()
      const at = {
        year,
        month,
        day,
        hour: timed ? (c.get('hour') ?? 0) : 0,
        minute: timed ? (c.get('minute') ?? 0) : 0,
        second: timed ? (c.get('second') ?? 0) : 0,
      }
      return new Date(Temporal.PlainDateTime.from(at).toZonedDateTime(zone).epochMilliseconds)
    } catch {
      return undefined
    }
  }
  const start = read(found.start)
  if (!start) return undefined
  const end = found.end
    ? read(found.end)
    : timed
      ? undefined
      : new Date(zoned(start, zone).add({ days: 1 }).epochMilliseconds)
  return {
    kind: 'resolved',
    start,
    ...(end && end > start ? { end } : {}),
    allDay: !timed,
    grain: timed ? 'minute' : 'day',
    dayNamed: found.start.isCertain('day') || found.start.isCertain('weekday'),
    matched: found.text,
    rest: contentLeft(text.toLowerCase().replace(found.text.toLowerCase(), ' ')),
    zone,
  }
}
