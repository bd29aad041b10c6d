import ICAL from 'ical.js'
import { ConnectionError } from '../connections/contract.js'
import { StoreError } from '../store/index.js'
import { addressOf } from './caldav-client.js'
import { itemHasKey, printOf, readItem, sourceOf, uidOfItem } from './caldav-item.js'
import type { MirroredAccount, MirroredCalendar, MirroredItem, MirroredItems, Pending } from './caldav-mirror.js'
import type { CaldavRemote } from './caldav-remote.js'
import { hasArrived, keptItem } from './caldav-sync.js'
import { componentsOf, type EntryUndo } from './calendar-store.js'
import { KEY_PROPERTY, newCalendar, textOf } from './entry.js'

/** Prefix of the file names by which occurrences name a calendar of the server. */
export const REMOTE_PREFIX = 'caldav/'

/** The owner must agree that the server writes to the guests of an event. */
export class GuestsError extends Error {
  override readonly name = 'GuestsError'
  readonly code = 'guests'
  constructor(readonly question: string) {
    super(question)
  }
}

/** One change of one item. */
export interface RemoteEdit {
  /** Calendar as occurrences name it: `caldav/<id>`. */
  readonly calendar: string
  readonly uid: string
  /** Changes the item's calendar; an item without events is removed. */
  readonly work: (calendar: ICAL.Component) => void
  /** Whether a new item is the owner's own text. */
  readonly own: boolean
  /** Whether the item may be made; else it must be there. */
  readonly make?: boolean
  /** The effect, where `work` does not put a key of its own on the events. */
  readonly key?: string
  /** Called before anything is sent, with the item as it is; a throw stops the change. */
  readonly before?: (calendar: ICAL.Component | undefined) => void | Promise<void>
}

interface Opened {
  readonly account: MirroredAccount
  readonly entry: MirroredCalendar
  readonly file: MirroredItems
  readonly url: string
  readonly item: MirroredItem | undefined
}

const keysOf = (calendar: ICAL.Component): ReadonlySet<string> =>
  new Set(
    calendar
      .getAllSubcomponents('vevent')
      .flatMap((c) => c.getAllProperties(KEY_PROPERTY).map((p) => String(p.getFirstValue()))),
  )

const titleOf = (calendar: ICAL.Component | undefined): string => {
  const event = calendar?.getFirstSubcomponent('vevent')
  return `"${(event ? textOf(event, 'summary') : '') || 'Untitled'}"`
}

const guestsOf = (calendar: ICAL.Component | undefined): readonly string[] =>
  (calendar?.getAllSubcomponents('vevent') ?? [])
    .flatMap((c) => c.getAllProperties('attendee'))
    .map((p) => String(p.getParameter('cn') ?? p.getFirstValue() ?? '').replace(/^mailto:/i, ''))

function open(remote: CaldavRemote, calendar: string, uid: string): Opened {
  const account = remote.account()
  const entry = account?.calendars.find((c) => REMOTE_PREFIX + c.id === calendar)
  if (account === undefined || entry === undefined)
    throw new StoreError('missing', calendar, 'The calendar that this event is in is no longer connected.')
  const file = remote.mirror.items(entry)
  const found = remote.events().find((e) => e.entry.id === entry.id && uidOfItem(e.calendar) === uid)
  const name = `${encodeURIComponent(uid.replace(/@botpsy$/, '')).slice(0, 150)}.ics`
  return { account, entry, file, url: found?.url ?? addressOf(name, entry.url), item: found?.item }
}

/**
 * Changes one item on the server, then in the mirror. The intent is on the disk before anything is sent; what the server
 * does not confirm is looked up, and where that fails too, at the next look.
 * @throws ConnectionError when the server did not take it, StoreError before anything is sent, GuestsError
 */
export function editRemote(remote: CaldavRemote, edit: RemoteEdit): Promise<EntryUndo> {
  return remote.folder.locked(async () => {
    const opened = open(remote, edit.calendar, edit.uid)
    const { item, entry, account } = opened
    if (item === undefined && edit.make !== true)
      throw new ConnectionError(
        'refused',
        'caldav',
        'That event is no longer on the calendar server, so nothing was changed.',
      )
    const old = item === undefined ? undefined : readItem(item.ics)
    const calendar = item === undefined ? newCalendar() : (readItem(item.ics) ?? newCalendar())
    const keys = keysOf(calendar)
    edit.work(calendar)
    const text = componentsOf(calendar, edit.uid).length === 0 ? '' : `${calendar.toString()}\r\n`
    const before = item?.ics ?? ''
    const own = item === undefined ? edit.own : item.own === true
    const undo = { calendar: edit.calendar, uid: edit.uid, before, after: printOf(text), own }
    if (printOf(text) === printOf(before)) return undo
    if (!entry.writable)
      throw new ConnectionError(
        'refused',
        'caldav',
        `The calendar "${entry.name}" is read-only for you, so nothing was changed.`,
      )
    const guests = [...new Set([...guestsOf(old), ...guestsOf(calendar)])]
    if (account.schedules && guests.length > 0 && remote.scope.getStore()?.tellGuests !== true)
      throw new GuestsError(
        `${titleOf(old ?? calendar)} has guests (${guests.slice(0, 5).join(', ')}), and the calendar server will write to them. Should it be changed anyway?`,
      )
    await edit.before?.(old)
    const pending: Pending = {
      key: edit.key ?? [...keysOf(calendar)].find((k) => !keys.has(k)) ?? `print ${printOf(text)}`,
      calendar: entry.id,
      url: opened.url,
      title: titleOf(old ?? calendar),
      verb: text === '' ? 'delete' : 'put',
      print: printOf(text),
      at: (remote.scope.getStore()?.now ?? new Date(0)).toISOString(),
      told: false,
    }
    await send(remote, opened, pending, text, own)
    return undo
  })
}

async function send(remote: CaldavRemote, o: Opened, pending: Pending, text: string, own: boolean): Promise<void> {
  const others = o.account.pending.filter((p) => p.url !== pending.url)
  const account = { ...o.account, pending: [...others, pending] }
  remote.mirror.saveAccount(account)
  /** Puts what the server has into the mirror and ends the intent; the effect is done, so a full disk only makes a note. */
  const keep = (item: MirroredItem | undefined, still: readonly Pending[] = others): void => {
    const items = { ...o.file.items }
    if (item === undefined) delete items[o.url]
    else items[o.url] = item
    try {
      remote.mirror.saveItems(o.entry, { ...o.file, items })
      remote.mirror.saveAccount({ ...account, pending: [...still] })
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      remote.scope.getStore()?.notes?.push(`The copy of the calendar here could not be written: ${error.message}`)
    }
  }
  const forget = () => keep(o.item)
  const client = remote.client('write')
  let done: boolean
  let etag = ''
  try {
    if (text === '') done = await client.remove(o.url, o.item?.etag ?? '')
    else {
      const given = await client.put(o.url, text, o.item?.etag)
      done = given !== undefined
      etag = given ?? ''
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    if (!['timeout', 'dropped', 'protocol'].includes(error.code)) {
      forget()
      throw new ConnectionError(error.code, 'caldav', `${error.message} Nothing was changed.`)
    }
    return await clarify(remote, o, pending, error, own, keep, others)
  }
  remote.reached()
  if (done && (text === '' || etag !== '')) return keep(text === '' ? undefined : { etag, ics: text, own })
  const now = await client.get(o.url).catch(() => 'unknown' as const)
  if (done) return keep(now === undefined || now === 'unknown' ? { etag: '', ics: text, own } : { ...now, own })
  if (now === 'unknown') {
    forget()
    throw new ConnectionError(
      'refused',
      'caldav',
      `${pending.title} was changed on the calendar server meanwhile, so nothing was changed here. Try again in a moment.`,
    )
  }
  // A refusal may come from our own earlier try, whose answer was lost.
  if (hasArrived(pending, now)) return keep(now === undefined ? undefined : { ...now, own })
  keep(now === undefined ? undefined : keptItem(now, o.item))
  throw new ConnectionError(
    'refused',
    'caldav',
    now === undefined
      ? `${pending.title} was removed from the calendar server meanwhile, so nothing was changed.`
      : `${pending.title} was changed on the calendar server meanwhile. It has been read again and nothing was changed; look at it and ask again.`,
  )
}

/** After a connection that broke in the middle: asks the server what became of the write. */
async function clarify(
  remote: CaldavRemote,
  o: Opened,
  pending: Pending,
  error: ConnectionError,
  own: boolean,
  keep: (item: MirroredItem | undefined, still?: readonly Pending[]) => void,
  others: readonly Pending[],
): Promise<void> {
  const now = await remote
    .client('look')
    .get(o.url)
    .catch(() => 'unknown' as const)
  if (now === 'unknown')
    throw new ConnectionError(
      error.code,
      'caldav',
      `${error.message} It is not known whether the change of ${pending.title} was taken; that is checked as soon as the server answers, and told then. Do not repeat it before.`,
    )
  if (hasArrived(pending, now)) return keep(now === undefined ? undefined : { ...now, own })
  // It may still arrive: a later look tells then.
  keep(now === undefined ? undefined : keptItem(now, o.item), [...others, { ...pending, told: true }])
  throw new ConnectionError(error.code, 'caldav', `${error.message} Nothing was changed.`)
}

/** Puts an item back as it was before a change, unless it was changed again since. */
export async function restoreRemote(
  remote: CaldavRemote,
  undo: EntryUndo,
): Promise<'reverted' | 'already' | 'changed'> {
  const { item } = open(remote, undo.calendar, undo.uid)
  const current = printOf(item?.ics ?? '')
  if (current === printOf(undo.before)) return 'already'
  if (current !== undo.after) return 'changed'
  const old = undo.before === '' ? undefined : readItem(undo.before)
  await editRemote(remote, {
    calendar: undo.calendar,
    uid: undo.uid,
    own: undo.own === true,
    make: true,
    key: `undo ${undo.after} ${printOf(undo.before)}`,
    work: (calendar) => {
      for (const part of [...componentsOf(calendar, undo.uid)]) calendar.removeSubcomponent(part)
      const zones = new Set(calendar.getAllSubcomponents('vtimezone').map((z) => textOf(z, 'tzid')))
      for (const zone of old?.getAllSubcomponents('vtimezone') ?? [])
        if (!zones.has(textOf(zone, 'tzid'))) calendar.addSubcomponent(ICAL.Component.fromString(zone.toString()))
      for (const part of old?.getAllSubcomponents('vevent') ?? [])
        calendar.addSubcomponent(ICAL.Component.fromString(part.toString()))
    },
  })
  return 'reverted'
}

/** Items that carry an effect's key, as last seen. */
export function remoteWithKey(
  remote: CaldavRemote,
  key: string,
): readonly { readonly file: string; readonly calendar: ICAL.Component; readonly outside?: string }[] {
  return remote
    .events()
    .filter((e) => /x-botpsy-key/i.test(e.item.ics) && itemHasKey(e.calendar, key))
    .map((e) => ({
      file: REMOTE_PREFIX + e.entry.id,
      calendar: readItem(e.item.ics) ?? newCalendar(),
      ...(e.item.own ? {} : { outside: sourceOf(e.calendar, e.entry.name) }),
    }))
}
