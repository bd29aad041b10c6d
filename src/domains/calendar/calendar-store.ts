import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { type Folder, readText, StoreError, writeText } from '../store/index.js'
import { addKey, ensureZone, hasKey, makeEvent, type NewEntry, newCalendar, textOf } from './entry.js'
import { expand, type Occurrence } from './expand.js'

/** File of each kind of entry; any other `.ics` file in the folder is read too. */
export const CALENDAR_FILES = { event: 'personal.ics', alarm: 'alarms.ics', timer: 'timers.ics' } as const

/** Where removed entries wait for an undo. */
export const TRASH_FILE = 'trash.ics'

/** How to take a change back: all components of one UID as they were before, and a hash of what they became. */
export interface EntryUndo {
  readonly calendar: string
  readonly uid: string
  /** iCalendar text of the components, '' when there were none. */
  readonly before: string
  readonly after: string
  /** Of a calendar on a server: whether the text is the owner's own. */
  readonly own?: boolean | undefined
}

/** A component that an effect was done to. */
export interface KeyedEntry {
  /** Whether the effect removed it. */
  readonly removed: boolean
  readonly calendar: string
  readonly component: ICAL.Component
  /** Where its words come from, when they are not the owner's own. */
  readonly outside?: string
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The owner's calendars: `.ics` files in one folder, each replaced as a whole, changed under one lock. */
export class CalendarStore {
  constructor(readonly folder: Folder) {}

  /** Whether a calendar server holds the events. */
  get server(): boolean {
    return false
  }

  /** Names of all calendar files but the trash. */
  files(): readonly string[] {
    return this.folder
      .list('')
      .filter((e) => e.kind === 'file' && e.path.endsWith('.ics') && e.path !== TRASH_FILE && !e.path.startsWith('.'))
      .map((e) => e.path)
  }

  /** @throws {StoreError} `damaged` when the file is not iCalendar. */
  load(file: string): ICAL.Component {
    const text = readText(this.folder, file)
    if (text === undefined || text.trim() === '') return newCalendar()
    try {
      const parsed: unknown = ICAL.parse(text)
      // A file may hold several calendars one after the other.
      const list = (Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]) as unknown[][]
      const [first, ...more] = list.map((jcal) => new ICAL.Component(jcal))
      if (first === undefined || first.name !== 'vcalendar') throw new Error('no VCALENDAR')
      for (const other of more) for (const part of other.getAllSubcomponents()) first.addSubcomponent(part)
      return first
    } catch (error) {
      throw new StoreError(
        'damaged',
        file,
        `The calendar file ${file} is damaged (${error instanceof Error ? error.message.slice(0, 80) : 'unreadable'}) and was left as it is. Repair it or move it away.`,
      )
    }
  }

  private save(file: string, calendar: ICAL.Component): void {
    writeText(this.folder, file, `${calendar.toString()}\r\n`)
  }

  /** Occurrences in [from, to) of the given kinds, from all files. */
  occurrences(from: Date, to: Date, zone: string, kinds: readonly Occurrence['kind'][]): readonly Occurrence[] {
    return this.files()
      .flatMap((file) => expand(this.load(file), file, from, to, zone))
      .filter((o) => kinds.includes(o.kind))
      .sort((a, b) => a.start.getTime() - b.start.getTime())
  }

  /** Adds an entry once per key. */
  create(entry: NewEntry): Promise<EntryUndo> {
    const file = CALENDAR_FILES[entry.kind]
    return this.change(file, entry.uid, (calendar) => {
      if (componentsOf(calendar, entry.uid).some((c) => hasKey(c, entry.key))) return
      if (entry.rule !== undefined && !entry.allDay) ensureZone(calendar, entry.zone, entry.start.getUTCFullYear())
      calendar.addSubcomponent(makeEvent(entry))
    })
  }

  /** Changes the components of one UID and writes the file. `work` must put the key on a component that stays. */
  change(file: string, uid: string, work: (calendar: ICAL.Component) => void): Promise<EntryUndo> {
    return this.folder.locked(() => {
      const calendar = this.load(file)
      const before = printed(calendar, uid)
      work(calendar)
      const after = printed(calendar, uid)
      if (after !== before) this.save(file, calendar)
      return { calendar: file, uid, before, after: hash(after) }
    })
  }

  /** Moves all components of one UID to the trash, marked with the key. The trash is written first: nothing is ever lost. */
  discard(file: string, uid: string, key: string): Promise<EntryUndo> {
    return this.folder.locked(() => {
      const calendar = this.load(file)
      const before = printed(calendar, uid)
      const parts = componentsOf(calendar, uid)
      if (parts.length > 0) {
        this.keepInTrash(parts, file, uid, key)
        for (const part of parts) calendar.removeSubcomponent(part)
        this.save(file, calendar)
      }
      return { calendar: file, uid, before, after: hash('') }
    })
  }

  /** Copies the components of one UID to the trash, marked with the key; the caller holds the folder's lock. */
  protected keepInTrash(parts: readonly ICAL.Component[], file: string, uid: string, key: string): void {
    const trash = this.load(TRASH_FILE)
    for (const old of componentsOf(trash, uid)) trash.removeSubcomponent(old)
    for (const part of parts) {
      const copy = ICAL.Component.fromString(part.toString())
      copy.updatePropertyWithValue('x-botpsy-calendar', file)
      addKey(copy, key)
      trash.addSubcomponent(copy)
    }
    const kept = trash.getAllSubcomponents('vevent')
    for (const old of kept.slice(0, Math.max(0, kept.length - 500))) trash.removeSubcomponent(old)
    this.save(TRASH_FILE, trash)
  }

  /** Puts components back as they were before a change, unless they were changed again since. */
  restore(undo: EntryUndo): Promise<'reverted' | 'already' | 'changed'> {
    return this.folder.locked(() => {
      const calendar = this.load(undo.calendar)
      const current = printed(calendar, undo.uid)
      if (current === undo.before) return 'already'
      if (hash(current) !== undo.after) return 'changed'
      for (const part of componentsOf(calendar, undo.uid)) calendar.removeSubcomponent(part)
      if (undo.before !== '') {
        const old = ICAL.Component.fromString(`BEGIN:VCALENDAR\r\n${undo.before}\r\nEND:VCALENDAR`)
        for (const part of old.getAllSubcomponents('vevent')) calendar.addSubcomponent(part)
      }
      this.save(undo.calendar, calendar)
      return 'reverted'
    })
  }

  /** Components of one UID in one calendar. */
  protected live(file: string, uid: string): readonly ICAL.Component[] {
    return componentsOf(this.load(file), uid)
  }

  /**
   * Components that carry an effect's key: in the calendars, else in the trash. What is in the trash and still in its
   * calendar was not removed: the trash is written first.
   */
  findKey(key: string): KeyedEntry[] {
    const found = (files: readonly string[], removed: boolean) =>
      files.flatMap((file) =>
        this.load(file)
          .getAllSubcomponents('vevent')
          .filter((c) => hasKey(c, key))
          .map((component) => ({
            removed,
            calendar: removed ? textOf(component, 'x-botpsy-calendar') : file,
            component,
          })),
      )
    const gone = found([TRASH_FILE], true).filter((f) => this.live(f.calendar, textOf(f.component, 'uid')).length === 0)
    return [...found(this.files(), false), ...gone]
  }
}

/** All VEVENT components of one UID: the series and its moved occurrences. */
export function componentsOf(calendar: ICAL.Component, uid: string): readonly ICAL.Component[] {
  return calendar.getAllSubcomponents('vevent').filter((c) => textOf(c, 'uid') === uid)
}

const printed = (calendar: ICAL.Component, uid: string): string =>
  componentsOf(calendar, uid)
    .map((c) => c.toString())
    .join('\r\n')
