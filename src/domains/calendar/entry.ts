import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { knownZone, vtimezone } from './vtimezone.js'
import { zoneByRules } from './zone-by-rules.js'

/** What an entry is; other programs' events are plain events. */
export type EntryKind = 'event' | 'alarm' | 'timer'

/** What is needed to make an entry. */
export interface NewEntry {
  readonly uid: string
  readonly kind: EntryKind
  readonly title: string
  readonly start: Date
  readonly end?: Date
  readonly allDay: boolean
  readonly zone: string
  readonly rule?: string
  readonly place?: string
  readonly people?: string
  /** Whether other programs that show the calendar should remind of it at its start. */
  readonly remind?: boolean
  /** UID of the alarm that this one puts off. */
  readonly snoozes?: string
  /** The effect that makes it. */
  readonly key: string
  readonly created: Date
}

/** Property that carries the keys of effects done to a component, so that each happens once. */
export const KEY_PROPERTY = 'x-botpsy-key'

/** UID of what an effect makes: the same effect done again makes the same entry, on whatever server. */
export function uidOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}@botpsy`
}

/** Characters that iCalendar and vCard text cannot carry. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .trim()
}

const utc = (instant: Date): ICAL.Time => ICAL.Time.fromDateTimeString(`${instant.toISOString().slice(0, 19)}Z`)

/** Sets a date property as a date, as UTC, or (for repetitions, which follow the wall clock) as local time with a zone. */
export function setTime(
  component: ICAL.Component,
  name: string,
  instant: Date,
  how: { readonly allDay: boolean; readonly zone: string; readonly local: boolean },
): void {
  component.removeAllProperties(name)
  const property = new ICAL.Property(name)
  const wall = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(how.zone)
  if (how.allDay) {
    property.resetType('date')
    property.setValue(ICAL.Time.fromDateString(wall.toPlainDate().toString()))
  } else if (how.local) {
    property.setValue(ICAL.Time.fromDateTimeString(wall.toPlainDateTime().toString({ smallestUnit: 'second' })))
    property.setParameter('tzid', how.zone)
  } else property.setValue(utc(instant))
  component.addProperty(property)
}

/** Makes a VEVENT; alarms and timers carry a VALARM that rings at the start. */
export function makeEvent(entry: NewEntry): ICAL.Component {
  const event = new ICAL.Component('vevent')
  event.addPropertyWithValue('uid', entry.uid)
  event.addPropertyWithValue('dtstamp', utc(entry.created))
  event.addPropertyWithValue('created', utc(entry.created))
  const how = { allDay: entry.allDay, zone: entry.zone, local: entry.rule !== undefined }
  setTime(event, 'dtstart', entry.start, how)
  if (entry.end) setTime(event, 'dtend', entry.end, how)
  event.addPropertyWithValue('summary', cleanText(entry.title) || 'Untitled')
  if (entry.rule) event.addPropertyWithValue('rrule', ICAL.Recur.fromString(entry.rule))
  if (entry.place) event.addPropertyWithValue('location', cleanText(entry.place))
  if (entry.people) {
    // An unknown property would be written unescaped unless its type is said.
    const people = new ICAL.Property('x-botpsy-people')
    people.resetType('text')
    people.setValue(cleanText(entry.people))
    event.addProperty(people)
  }
  if (entry.kind !== 'event') {
    event.addPropertyWithValue('x-botpsy-kind', entry.kind)
    const ring = new ICAL.Component('valarm')
    ring.addPropertyWithValue('action', 'AUDIO')
    ring.addPropertyWithValue('trigger', ICAL.Duration.fromSeconds(0))
    event.addSubcomponent(ring)
  } else if (entry.remind) {
    const remind = new ICAL.Component('valarm')
    remind.addPropertyWithValue('action', 'DISPLAY')
    remind.addPropertyWithValue('description', cleanText(entry.title) || 'Reminder')
    remind.addPropertyWithValue('trigger', ICAL.Duration.fromSeconds(0))
    event.addSubcomponent(remind)
  }
  if (entry.snoozes) event.addPropertyWithValue('x-botpsy-snoozes', entry.snoozes)
  addKey(event, entry.key)
  return event
}

const oneLine = (key: string): string => cleanText(key).replace(/\s/g, ' ')

/** Remembers an effect's key on a component; the oldest of more than twenty are forgotten. */
export function addKey(component: ICAL.Component, key: string): void {
  const all = component.getAllProperties(KEY_PROPERTY)
  for (const old of all.slice(0, Math.max(0, all.length - 19))) component.removeProperty(old)
  component.addPropertyWithValue(KEY_PROPERTY, oneLine(key))
}

/** Whether an effect was done to this component. */
export function hasKey(component: ICAL.Component, key: string): boolean {
  return component.getAllProperties(KEY_PROPERTY).some((p) => p.getFirstValue() === oneLine(key))
}

/** An empty calendar in our name. */
export function newCalendar(): ICAL.Component {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//BotPsy//botpsy//EN')
  return calendar
}

/** Adds the zone's definition where a component refers to it and the calendar lacks it. */
export function ensureZone(calendar: ICAL.Component, zone: string, year: number): void {
  const known = calendar.getAllSubcomponents('vtimezone').some((z) => z.getFirstPropertyValue('tzid') === zone)
  if (!known && zone !== 'UTC') calendar.addSubcomponent(vtimezone(zone, year))
}

const pad = (n: number): string => String(n).padStart(2, '0')

/** An iCalendar time as a wall time. */
export function wallOf(time: ICAL.Time): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(
    `${String(time.year).padStart(4, '0')}-${pad(time.month)}-${pad(time.day)}T${pad(time.hour)}:${pad(time.minute)}:${pad(Math.min(time.second, 59))}`,
  )
}

/** The zone of a date property: UTC, the one its TZID names, the one its calendar's own rules amount to, else the owner's. */
export function zoneOf(property: ICAL.Property | null, owner: string): string {
  const value = property?.getFirstValue()
  if (value instanceof ICAL.Time && value.zone?.tzid === 'UTC') return 'UTC'
  const tzid = property?.getParameter('tzid')
  if (typeof tzid !== 'string') return owner
  const known = knownZone(tzid)
  if (known !== undefined) return known
  const rules = property?.parent?.parent
    ?.getAllSubcomponents('vtimezone')
    .find((z) => z.getFirstPropertyValue('tzid') === tzid)
  const year = value instanceof ICAL.Time ? value.year : 2026
  return (rules && zoneByRules(rules, year, owner)) ?? owner
}

/** The instant of a date or date-time property, undefined when there is none. */
export function instantOf(component: ICAL.Component, name: string, owner: string): Date | undefined {
  const property = component.getFirstProperty(name)
  const value = property?.getFirstValue()
  if (!(value instanceof ICAL.Time)) return undefined
  return toInstant(wallOf(value), value.isDate ? owner : zoneOf(property, owner))
}

/** A wall time in a zone as an instant; a time that the clock change skips moves forward. */
export function toInstant(wall: Temporal.PlainDateTime, zone: string): Date {
  return new Date(wall.toZonedDateTime(zone).epochMilliseconds)
}

/** Text of a property, '' when it is missing. */
export function textOf(component: ICAL.Component, name: string): string {
  const value = component.getFirstPropertyValue(name)
  return value === null || value === undefined ? '' : String(value)
}
