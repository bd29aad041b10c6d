import type ICAL from 'ical.js'
import { ConnectionError } from '../connections/contract.js'
import type { Folder } from '../store/index.js'
import { sourceOf } from './caldav-item.js'
import type { CaldavRemote } from './caldav-remote.js'
import { editRemote, REMOTE_PREFIX, remoteWithKey, restoreRemote } from './caldav-write.js'
import { CalendarStore, componentsOf, type EntryUndo, type KeyedEntry } from './calendar-store.js'
import { ensureZone, hasKey, makeEvent, type NewEntry } from './entry.js'
import { expand, type Occurrence } from './expand.js'

/**
 * The owner's calendars where a server holds the events: its calendars as last seen beside the local files. New events
 * go to the server, changes to wherever the event is. Alarms and timers stay local. Without a connection it is the
 * local store.
 */
export class CaldavStore extends CalendarStore {
  constructor(
    folder: Folder,
    private readonly remote: CaldavRemote,
  ) {
    super(folder)
  }

  override get server(): boolean {
    return this.remote.connected()
  }

  override occurrences(
    from: Date,
    to: Date,
    zone: string,
    kinds: readonly Occurrence['kind'][],
  ): readonly Occurrence[] {
    const local = super.occurrences(from, to, zone, kinds)
    if (!kinds.includes('event') || !this.remote.connected()) return local
    const there = this.remote.events().flatMap(({ entry, item, calendar }) => {
      let found: readonly Occurrence[]
      try {
        found = expand(calendar, REMOTE_PREFIX + entry.id, from, to, zone)
      } catch {
        // A rule that cannot be followed; the rest of the calendar can.
        return []
      }
      // What a server sends is an event, whatever it calls itself: nobody else sets the owner's alarms.
      const outside = item.own || found.length === 0 ? undefined : sourceOf(calendar, entry.name)
      return found.map((o): Occurrence => ({ ...o, kind: 'event', ...(outside === undefined ? {} : { outside }) }))
    })
    return [...local, ...there].sort((a, b) => a.start.getTime() - b.start.getTime())
  }

  override create(entry: NewEntry): Promise<EntryUndo> {
    if (entry.kind !== 'event' || !this.remote.connected()) return super.create(entry)
    const calendars = this.remote.account()?.calendars ?? []
    const target = this.remote.settings().newEvents === undefined ? calendars.find((c) => c.writable) : calendars[0]
    if (target === undefined)
      throw new ConnectionError(
        calendars.length === 0 ? 'unreachable' : 'refused',
        'caldav',
        calendars.length === 0
          ? 'The calendar server has not been reached yet, so nothing was saved. Check it with: botpsy doctor'
          : 'None of the calendars on the server can be written by you, so nothing was saved.',
      )
    return editRemote(this.remote, {
      calendar: REMOTE_PREFIX + target.id,
      uid: entry.uid,
      own: true,
      make: true,
      work: (calendar) => {
        if (componentsOf(calendar, entry.uid).some((c) => hasKey(c, entry.key))) return
        if (entry.rule !== undefined && !entry.allDay) ensureZone(calendar, entry.zone, entry.start.getUTCFullYear())
        calendar.addSubcomponent(makeEvent(entry))
      },
    })
  }

  override change(file: string, uid: string, work: (calendar: ICAL.Component) => void): Promise<EntryUndo> {
    if (!file.startsWith(REMOTE_PREFIX)) return super.change(file, uid, work)
    return editRemote(this.remote, { calendar: file, uid, work, own: false })
  }

  override discard(file: string, uid: string, key: string): Promise<EntryUndo> {
    if (!file.startsWith(REMOTE_PREFIX)) return super.discard(file, uid, key)
    return editRemote(this.remote, {
      calendar: file,
      uid,
      key,
      own: false,
      before: async (old) => {
        if (old !== undefined) await this.folder.locked(() => this.keepInTrash(componentsOf(old, uid), file, uid, key))
      },
      work: (calendar) => {
        for (const part of [...componentsOf(calendar, uid)]) calendar.removeSubcomponent(part)
      },
    })
  }

  override restore(undo: EntryUndo): Promise<'reverted' | 'already' | 'changed'> {
    return undo.calendar.startsWith(REMOTE_PREFIX) ? restoreRemote(this.remote, undo) : super.restore(undo)
  }

  protected override live(file: string, uid: string): readonly ICAL.Component[] {
    if (!file.startsWith(REMOTE_PREFIX)) return super.live(file, uid)
    return this.remote
      .events()
      .filter((e) => REMOTE_PREFIX + e.entry.id === file)
      .flatMap((e) => componentsOf(e.calendar, uid))
  }

  override findKey(key: string): KeyedEntry[] {
    const there = remoteWithKey(this.remote, key).flatMap(({ file, calendar, outside }) =>
      calendar
        .getAllSubcomponents('vevent')
        .filter((c) => hasKey(c, key))
        .map((component) => ({
          removed: false,
          calendar: file,
          component,
          ...(outside === undefined ? {} : { outside }),
        })),
    )
    const here = super
      .findKey(key)
      .map((f) => (f.calendar.startsWith(REMOTE_PREFIX) ? { ...f, outside: 'server calendar' } : f))
    return [...there, ...here]
  }
}
