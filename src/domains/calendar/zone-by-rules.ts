import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { knownZone } from './vtimezone.js'

const known = new Map<string, string | undefined>()

/** Most definitions that are remembered. */
const MOST = 200

function offsets(
  rules: ICAL.Component,
  year: number,
): readonly { readonly at: Temporal.PlainDateTime; readonly offset: number }[] {
  const zone = new ICAL.Timezone({ component: rules, tzid: 'definition' })
  const out: { at: Temporal.PlainDateTime; offset: number }[] = []
  // Every sixth day at noon: near enough to tell rules apart, away from the hours that clock changes skip or repeat.
  for (let day = 0; day < 365; day += 6) {
    const at = Temporal.PlainDateTime.from({ year, month: 1, day: 1, hour: 12 }).add({ days: day })
    out.push({ at, offset: zone.utcOffset(ICAL.Time.fromDateTimeString(at.toString({ smallestUnit: 'second' }))) })
  }
  return out
}

/**
 * The IANA zone that keeps the same time all through a year as a calendar's own VTIMEZONE, for names that only one
 * program knows ("Customized Time Zone", "W. Europe Standard Time"). The owner's zone comes first.
 * @returns undefined when no zone does, or the rules are unreadable
 */
export function zoneByRules(rules: ICAL.Component, year: number, owner: string): string | undefined {
  const key = `${year} ${owner} ${rules.toString()}`
  if (known.has(key)) return known.get(key)
  let found: string | undefined
  try {
    const named = knownZone(String(rules.getFirstPropertyValue('x-lic-location') ?? '') || undefined)
    const wanted = offsets(rules, year)
    found = [...(named ? [named] : []), owner, ...Intl.supportedValuesOf('timeZone'), 'UTC'].find((zone) =>
      wanted.every(({ at, offset }) => at.toZonedDateTime(zone).offsetNanoseconds === offset * 1e9),
    )
    found ??= named
  } catch {
    found = undefined
  }
  if (known.size >= MOST) known.clear()
  known.set(key, found)
  return found
}
