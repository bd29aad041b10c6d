import { ConnectionError } from '../connections/contract.js'
import type { CaldavClient, RemoteCalendar, RemoteItem } from './caldav-client.js'
import { isTooLarge } from './caldav-http.js'
import { itemHasKey, printOf, readItem, wordsOf } from './caldav-item.js'
import {
  type CaldavMirror,
  calendarId,
  MIRROR_SCHEMA,
  type MirroredAccount,
  type MirroredCalendar,
  type MirroredItem,
  type Pending,
} from './caldav-mirror.js'
import type { CaldavSettings } from './caldav-settings.js'

/** Items asked for at once. */
const BATCH = 50

/** How long the owner is told about a write that arrives after all, milliseconds. */
const LATE_MS = 86_400_000

/** What one look at the server brought. */
export interface Synced {
  readonly account: MirroredAccount
  /** Sentences that the owner must hear: writes that arrived or did not. */
  readonly notes: readonly string[]
}

/** The calendars that the settings name; all when they name none. @throws ConnectionError `settings` */
export function chosenCalendars(all: readonly RemoteCalendar[], settings: CaldavSettings): readonly RemoteCalendar[] {
  const names = (list: readonly RemoteCalendar[]) => list.map((c) => `"${c.name}"`).join(', ') || 'none'
  const find = (name: string): RemoteCalendar | undefined =>
    all.find((c) => c.url === name) ?? all.find((c) => c.name.trim().toLowerCase() === name.toLowerCase())
  const pick = (name: string): RemoteCalendar => {
    const found = find(name)
    if (found !== undefined) return found
    throw new ConnectionError(
      'settings',
      'caldav',
      `The calendar server has no calendar "${name}"; it has ${names(all)}. Choose with: botpsy connect caldav`,
    )
  }
  const chosen = settings.calendars.length === 0 ? all : settings.calendars.map(pick)
  if (settings.newEvents === undefined) return chosen
  const first = pick(settings.newEvents)
  return [first, ...chosen.filter((c) => c.url !== first.url)]
}

/** A fetched item as it is kept: own text stays own as long as nobody else changed its words. */
export function keptItem(fetched: RemoteItem, before: MirroredItem | undefined): MirroredItem {
  const calendar = readItem(fetched.ics)
  if (calendar === undefined) return { ...fetched, bad: true }
  const old = before?.own ? readItem(before.ics) : undefined
  return { ...fetched, ...(old !== undefined && wordsOf(old) === wordsOf(calendar) ? { own: true } : {}) }
}

async function fetchItems(
  client: CaldavClient,
  calendar: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, RemoteItem | 'too large'>> {
  try {
    return await client.items(calendar, urls)
  } catch (error) {
    if (!isTooLarge(error)) throw error
    if (urls.length === 1) return new Map(urls.map((url) => [url, 'too large' as const]))
    const half = Math.ceil(urls.length / 2)
    const first = await fetchItems(client, calendar, urls.slice(0, half))
    return new Map([...first, ...(await fetchItems(client, calendar, urls.slice(half)))])
  }
}

/** Brings one calendar of the mirror up to date; saves what it has after each batch. */
async function syncCalendar(
  client: CaldavClient,
  mirror: CaldavMirror,
  entry: MirroredCalendar,
  remote: RemoteCalendar,
  inTime: () => boolean,
): Promise<void> {
  let file = mirror.items(entry)
  if (file.complete && remote.mark !== undefined && file.mark === remote.mark) return
  let token = remote.syncs ? remote.mark : undefined
  let wanted: ReadonlyMap<string, string> | undefined
  let removed: readonly string[] = []
  let more = false
  if (remote.syncs && file.complete && file.token !== undefined) {
    const changes = await client.changesSince(remote.url, file.token)
    if (changes !== undefined) {
      wanted = changes.changed
      removed = changes.removed
      token = changes.token
      more = changes.more
    }
  }
  if (wanted === undefined) {
    wanted = await client.etags(remote.url)
    const there = wanted
    removed = Object.keys(file.items).filter((url) => !there.has(url))
  }
  const items = { ...file.items }
  for (const url of removed) delete items[url]
  const fresh = [...wanted].filter(([url, etag]) => etag === '' || items[url]?.etag !== etag).map(([url]) => url)
  let at = 0
  for (; at < fresh.length && (inTime() || at === 0); at += BATCH) {
    const part = fresh.slice(at, at + BATCH)
    const fetched = await fetchItems(client, remote.url, part)
    for (const url of part) {
      const item = fetched.get(url)
      if (item === 'too large') items[url] = { etag: wanted.get(url) ?? '', ics: '', bad: true }
      else if (item === undefined) delete items[url]
      else items[url] = keptItem(item, items[url])
    }
    if (at + BATCH < fresh.length) {
      file = { ...file, items: { ...items } }
      mirror.saveItems(entry, file)
    }
  }
  const complete = at >= fresh.length
  mirror.saveItems(entry, {
    schema: MIRROR_SCHEMA,
    url: entry.url,
    complete: complete || file.complete,
    items,
    // An unfinished look keeps the old token, so that the next one finds the rest.
    ...(complete ? (token === undefined ? {} : { token }) : file.token === undefined ? {} : { token: file.token }),
    ...(complete && !more && remote.mark !== undefined ? { mark: remote.mark } : {}),
  })
}

/** Whether a write is on the server, going by an item as it is there. */
export function hasArrived(pending: Pending, item: RemoteItem | undefined): boolean {
  if (pending.verb === 'delete') return item === undefined
  const calendar = item === undefined ? undefined : readItem(item.ics)
  if (item === undefined || calendar === undefined) return false
  return itemHasKey(calendar, pending.key) || printOf(item.ics) === pending.print
}

function settlePending(
  mirror: CaldavMirror,
  account: MirroredAccount,
  now: Date,
): { readonly pending: Pending[]; readonly notes: string[] } {
  const pending: Pending[] = []
  const notes: string[] = []
  for (const p of account.pending) {
    const calendar = account.calendars.find((c) => c.id === p.calendar)
    const file = calendar === undefined ? undefined : mirror.items(calendar)
    if (file === undefined || !file.complete) {
      if (calendar !== undefined) pending.push(p)
      continue
    }
    const what = p.verb === 'delete' ? `The removal of ${p.title}` : p.title
    if (hasArrived(p, file.items[p.url])) {
      const item = file.items[p.url]
      const calendarOf = item === undefined ? undefined : calendar
      if (item !== undefined && calendarOf !== undefined && printOf(item.ics) === p.print)
        mirror.saveItems(calendarOf, { ...file, items: { ...file.items, [p.url]: { ...item, own: true } } })
      notes.push(`${what}, which the calendar server had not confirmed, is done there.`)
    } else {
      if (!p.told) notes.push(`${what} did not reach the calendar server; ask again if it is still wanted.`)
      if (now.getTime() - Date.parse(p.at) < LATE_MS) pending.push({ ...p, told: true })
    }
  }
  return { pending, notes }
}

/**
 * One look at the server: calendars, changes since the last time, and what became of unconfirmed writes. Runs under the
 * mirror's lock; what was read is kept even when it ends early.
 * @throws ConnectionError, StoreError
 */
export async function syncAccount(
  client: CaldavClient,
  mirror: CaldavMirror,
  settings: CaldavSettings,
  now: Date,
  how: {
    /** Whether somebody hears what became of unconfirmed writes; else they wait. */
    readonly settle: boolean
    /** False once no further batch should begin. */
    readonly inTime: () => boolean
  },
): Promise<Synced> {
  const old = mirror.account(settings)
  const rediscover = async () => {
    const home = await client.discover()
    return { home, list: await client.calendars(home) }
  }
  let found: { readonly home: string; readonly list: readonly RemoteCalendar[] }
  if (old?.home === undefined) found = await rediscover()
  else {
    const list = await client.calendars(old.home).catch((error: unknown) => {
      if (error instanceof ConnectionError && error.code === 'protocol') return []
      throw error
    })
    found = list.length > 0 ? { home: old.home, list } : await rediscover()
  }
  if (found.list.length === 0)
    throw new ConnectionError(
      'protocol',
      'caldav',
      `The calendar server shows no calendars for ${settings.user}. Make one there, or check the address.`,
    )
  const chosen = chosenCalendars(found.list, settings)
  let account: MirroredAccount = {
    schema: MIRROR_SCHEMA,
    url: settings.url,
    user: settings.user,
    home: found.home,
    schedules: client.schedules,
    calendars: chosen.map((c) => ({ id: calendarId(c.url), url: c.url, name: c.name, writable: c.writable })),
    pending: old?.pending ?? [],
    ...(old?.syncedAt === undefined ? {} : { syncedAt: old.syncedAt }),
  }
  const core = (a: MirroredAccount | undefined) => JSON.stringify({ ...a, syncedAt: undefined })
  if (core(account) !== core(old)) mirror.saveAccount(account)
  const saved = account
  for (const [i, remote] of chosen.entries()) {
    const entry = account.calendars[i]
    if (entry !== undefined) await syncCalendar(client, mirror, entry, remote, how.inTime)
  }
  const { pending, notes } = how.settle ? settlePending(mirror, account, now) : { pending: account.pending, notes: [] }
  account = { ...account, pending, syncedAt: now.toISOString() }
  const age = now.getTime() - Date.parse(saved.syncedAt ?? '1970-01-01T00:00:00Z')
  if (core(account) !== core(saved) || Math.abs(age) > 60_000) mirror.saveAccount(account)
  return { account, notes }
}
