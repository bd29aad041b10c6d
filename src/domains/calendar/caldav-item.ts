import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { hasKey, textOf } from './entry.js'

/** Reads one calendar item; undefined when it is no iCalendar with an event that has a UID and a start. */
export function readItem(ics: string): ICAL.Component | undefined {
  try {
    const parsed: unknown = ICAL.parse(ics)
    if (!Array.isArray(parsed) || parsed[0] !== 'vcalendar') return undefined
    const calendar = new ICAL.Component(parsed as unknown[])
    const events = calendar.getAllSubcomponents('vevent')
    const whole = events.every(
      (e) => textOf(e, 'uid') !== '' && e.getFirstPropertyValue('dtstart') instanceof ICAL.Time,
    )
    return events.length > 0 && whole ? calendar : undefined
  } catch {
    return undefined
  }
}

/** The UID of an item's events. */
export function uidOfItem(calendar: ICAL.Component): string {
  const event = calendar.getFirstSubcomponent('vevent')
  return event === null ? '' : textOf(event, 'uid')
}

/** Whether an effect with this key was done to an item. */
export function itemHasKey(calendar: ICAL.Component, key: string): boolean {
  return calendar.getAllSubcomponents('vevent').some((c) => hasKey(c, key))
}

// Servers set these anew with every change.
const TIMES = new Set(['dtstamp', 'last-modified', 'created'])

function plain(jcal: unknown): unknown {
  if (!Array.isArray(jcal)) return jcal
  const [name, properties, parts] = jcal as [string, unknown[][], unknown[]]
  const props = properties
    .filter((p) => !TIMES.has(String(p[0])))
    .map((p) => {
      const parameters = Object.entries(p[1] as object).filter(([k]) => k !== 'value')
      return JSON.stringify([p[0], parameters.sort(([a], [b]) => (a < b ? -1 : 1)), p.slice(3)])
    })
    .sort()
  return [name, props, parts.map((part) => JSON.stringify(plain(part))).sort()]
}

/** A hash of an item's events that stays when a server writes the same with other order, folding or time stamps. */
export function printOf(ics: string): string {
  const calendar = readItem(ics)
  if (calendar === undefined) return ''
  const events = calendar.getAllSubcomponents('vevent').map((c) => JSON.stringify(plain(c.toJSON())))
  return createHash('sha256').update(JSON.stringify(events.sort())).digest('hex').slice(0, 16)
}

/** The words that people wrote into an item, for telling whether somebody else wrote new ones. */
export function wordsOf(calendar: ICAL.Component): string {
  return calendar
    .getAllSubcomponents('vevent')
    .flatMap((c) =>
      ['summary', 'location', 'description', 'organizer', 'attendee', 'url', 'comment', 'x-botpsy-people'].flatMap(
        (name) => c.getAllProperties(name).map((p) => `${name} ${p.getFirstValue()}`),
      ),
    )
    .sort()
    .join('\n')
}

/** Where an item's text comes from, for provenance. */
export function sourceOf(calendar: ICAL.Component, name: string): string {
  const organizer = calendar
    .getAllSubcomponents('vevent')
    .map((c) => textOf(c, 'organizer'))
    .find((o) => o !== '')
  const address = /^mailto:([^\s<>"]{3,100})$/i.exec(organizer ?? '')?.[1]
  return address === undefined ? `server calendar "${name.slice(0, 60)}"` : `calendar invitation from ${address}`
}
