import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'

const offsetText = (zone: Temporal.ZonedDateTime): string => {
  const minutes = Math.round(zone.offsetNanoseconds / 6e10)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/**
 * A VTIMEZONE (RFC 5545, section 3.6.5) for an IANA zone: one observance per change of offset from a year before `year`
 * to ten years after it, so that programs without a zone database read the times right.
 */
export function vtimezone(zone: string, year: number): ICAL.Component {
  const component = new ICAL.Component('vtimezone')
  component.addPropertyWithValue('tzid', zone)
  const add = (at: Temporal.ZonedDateTime, before: Temporal.ZonedDateTime) => {
    const daylight = at.offsetNanoseconds > before.offsetNanoseconds
    const part = new ICAL.Component(daylight ? 'daylight' : 'standard')
    // The onset is written in the local time that was valid before it.
    const onset = at.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime()
    part.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString(onset.toString({ smallestUnit: 'second' })))
    part.addPropertyWithValue('tzoffsetfrom', ICAL.UtcOffset.fromString(offsetText(before)))
    part.addPropertyWithValue('tzoffsetto', ICAL.UtcOffset.fromString(offsetText(at)))
    component.addSubcomponent(part)
  }
  let at: Temporal.ZonedDateTime | null = Temporal.PlainDate.from({ year: year - 1, month: 1, day: 1 }).toZonedDateTime(
    zone,
  )
  add(at, at)
  for (;;) {
    at = at.getTimeZoneTransition('next')
    if (at === null || at.year > year + 10) return component
    add(at, at.subtract({ nanoseconds: 1 }))
  }
}

/** The IANA zone a TZID names; some programs prefix it with a path. Undefined when no such zone is known. */
export function knownZone(tzid: string | undefined): string | undefined {
  if (tzid === undefined) return undefined
  for (const name of [tzid, tzid.split('/').slice(-2).join('/'), tzid.split('/').slice(-3).join('/')]) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    } catch {
      // The next spelling may be one.
    }
  }
  return undefined
}
