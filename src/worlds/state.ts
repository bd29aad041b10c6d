import type ICAL from 'ical.js'
import PostalMime from 'postal-mime'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../chat/types.js'
import { CalendarStore } from '../domains/calendar/calendar-store.js'
import { instantOf, textOf } from '../domains/calendar/entry.js'
import { House } from '../domains/devices/house.js'
import type { Domains } from '../domains/domains.js'
import { TRASH } from '../domains/files/files-store.js'
import { Contacts } from '../domains/messaging/contacts.js'
import { readText, walk } from '../domains/store/index.js'

/** One thing in a household: its fields. */
export type Row = JsonObject

/**
 * A household's state: collections of rows by id. Collections: `events`, `alarms`, `timers`, `mail` (with `box`),
 * `contacts`, `files`, `devices`, and every record collection by its own name. What only serves the program (ids of
 * mails, plans of file effects, trash) is left out.
 */
export type WorldState = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** Record collections that are bookkeeping, or read through their own store. */
const NOT_STATE = new Set(['mail-ids', 'file-plans', 'devices'])

const rowSchema = z.record(z.string(), z.json())
const parsed = new WeakMap<Uint8Array, Row>()

async function mailRow(bytes: Uint8Array, box: string): Promise<Row> {
  const known = parsed.get(bytes)
  if (known) return known
  const mail = await PostalMime.parse(bytes)
  const names = (mail.to ?? []).map((to) => to.address ?? '')
  const row: Row = {
    box,
    from: mail.from?.address ?? '',
    to: names.join(', '),
    subject: mail.subject ?? '',
    text: (mail.text ?? '').trim(),
    replyTo: mail.inReplyTo ?? '',
  }
  parsed.set(bytes, row)
  return row
}

function eventRow(event: ICAL.Component, zone: string): Row {
  const iso = (name: string): JsonValue => instantOf(event, name, zone)?.toISOString() ?? ''
  return {
    title: textOf(event, 'summary'),
    start: iso('dtstart'),
    end: iso('dtend'),
    rule: textOf(event, 'rrule'),
    place: textOf(event, 'location'),
    people: textOf(event, 'x-botpsy-people'),
    exceptions: event.getAllProperties('exdate').length,
    occurrence: iso('recurrence-id'),
  }
}

/**
 * Reads everything that can be verified.
 * @param zone the household's, for times without one
 */
export async function readState(domains: Domains, zone: string): Promise<WorldState> {
  const { records, calendar, mail, contacts, files } = domains.stores
  const state = new Map<string, Map<string, Row>>()
  const put = (collection: string, id: string, row: Row): void => {
    const rows = state.get(collection) ?? new Map<string, Row>()
    state.set(collection, rows.set(id, row))
  }
  const store = new CalendarStore(calendar)
  for (const file of store.files())
    for (const event of store.load(file).getAllSubcomponents('vevent')) {
      const row = eventRow(event, zone)
      const kind = textOf(event, 'x-botpsy-kind')
      const id = `${textOf(event, 'uid')}${row.occurrence === '' ? '' : ` ${row.occurrence}`}`
      put(kind === 'alarm' ? 'alarms' : kind === 'timer' ? 'timers' : 'events', id, row)
    }
  for (const entry of walk(mail)) {
    const [box = '', part = ''] = entry.path.split('/')
    const bytes = mail.read(entry.path)
    if (bytes && part !== 'tmp') put('mail', entry.path.replace(/[:;!]2,.*$/, ''), await mailRow(bytes, box))
  }
  for (const contact of new Contacts(contacts).list()) {
    const { name, emails, phones, birthday, note } = contact
    put('contacts', contact.uid, { name, emails: emails.join(', '), phones: phones.join(', '), birthday, note })
  }
  for (const entry of walk(files)) {
    if (!entry.path.startsWith(`${TRASH}/`))
      put('files', entry.path, { path: entry.path, text: readText(files, entry.path) ?? '' })
  }
  for (const { id, ...device } of new House(records).all())
    put('devices', id, { id, ...rowSchema.parse(JSON.parse(JSON.stringify(device))) })
  for (const collection of records.collections())
    if (!NOT_STATE.has(collection))
      for (const item of records.all(collection, rowSchema)) put(collection, item.id, { id: item.id, ...item.data })
  return state
}

/** One difference between two states. */
export interface Change {
  readonly in: string
  readonly id: string
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** Everything that differs, in the order of collections and ids. */
export function changesBetween(before: WorldState, after: WorldState): readonly Change[] {
  const out: Change[] = []
  for (const collection of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, fresh] = [before.get(collection), after.get(collection)]
    for (const id of [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])].sort()) {
      const change: Change = { in: collection, id, before: old?.get(id), after: fresh?.get(id) }
      if (JSON.stringify(change.before) !== JSON.stringify(change.after)) out.push(change)
    }
  }
  return out
}
