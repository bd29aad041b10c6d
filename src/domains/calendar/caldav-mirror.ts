import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Folder, readText, StoreError, writeText } from '../store/index.js'

/** Version of the mirror's files; a higher one was written by a newer program. */
export const MIRROR_SCHEMA = 1

const calendarEntry = z.object({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  url: z.string(),
  name: z.string(),
  writable: z.boolean(),
})

const pendingEntry = z.object({
  key: z.string(),
  calendar: z.string(),
  url: z.string(),
  /** What was being done, for the owner: `"dentist"`. */
  title: z.string(),
  verb: z.enum(['put', 'delete']),
  /** Print of what the item becomes; '' when it goes away. */
  print: z.string(),
  at: z.string(),
  /** True when the owner has been told that it did not get through. */
  told: z.boolean(),
})

const accountFile = z.object({
  schema: z.literal(MIRROR_SCHEMA),
  url: z.string(),
  user: z.string(),
  home: z.string().optional(),
  /** Whether the server writes to guests on its own (RFC 6638). */
  schedules: z.boolean(),
  calendars: z.array(calendarEntry),
  pending: z.array(pendingEntry),
  syncedAt: z.string().optional(),
})

const itemEntry = z.object({
  etag: z.string(),
  ics: z.string(),
  /** True when the owner made it here; anything else is outside text. */
  own: z.boolean().optional(),
  /** True when it is no readable event. */
  bad: z.boolean().optional(),
})

const calendarFile = z.object({
  schema: z.literal(MIRROR_SCHEMA),
  url: z.string(),
  token: z.string().optional(),
  mark: z.string().optional(),
  /** False while its first reading was cut short. */
  complete: z.boolean(),
  items: z.record(z.string(), itemEntry),
})

/** A write that the server has not confirmed yet, on disk before it is sent. */
export type Pending = z.output<typeof pendingEntry>

/** A calendar of the account. */
export type MirroredCalendar = z.output<typeof calendarEntry>

/** The account as it was last seen. */
export type MirroredAccount = z.output<typeof accountFile>

/** One item of a calendar as it was last seen. */
export type MirroredItem = z.output<typeof itemEntry>

/** A calendar's items as they were last seen, by address. */
export type MirroredItems = z.output<typeof calendarFile>

/** A calendar's name in the mirror, from its address. */
export const calendarId = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 12)

/**
 * The local copy of one CalDAV account: `account.json`, and one file a calendar that holds its items together with the
 * sync token they belong to, so that no crash parts them. Change it under the folder's lock.
 */
export class CaldavMirror {
  private readonly cache = new Map<string, { readonly stamp: string; readonly value: unknown }>()

  constructor(readonly folder: Folder) {}

  private read<S extends z.ZodType>(path: string, schema: S): z.output<S> | undefined {
    const stat = this.folder.stat(path)
    if (stat === undefined) return undefined
    const stamp = `${stat.modified} ${stat.size}`
    const known = this.cache.get(path)
    if (known?.stamp === stamp) return known.value as z.output<S>
    let raw: unknown
    try {
      raw = JSON.parse(readText(this.folder, path) ?? '')
    } catch (error) {
      // What cannot be read is read from the server again: it is a copy.
      if (error instanceof SyntaxError) return undefined
      throw error
    }
    const version = z.object({ schema: z.number() }).safeParse(raw)
    if (version.success && version.data.schema > MIRROR_SCHEMA)
      throw new StoreError(
        'newer-schema',
        path,
        'The copy of the server calendars was written by a newer version of BotPsy. Update this one.',
      )
    const parsed = schema.safeParse(raw)
    if (!parsed.success) return undefined
    this.cache.set(path, { stamp, value: parsed.data })
    return parsed.data
  }

  private write(path: string, value: unknown): void {
    this.cache.delete(path)
    writeText(this.folder, path, JSON.stringify(value))
  }

  /** The account, undefined when none or another one was mirrored. */
  account(who: { readonly url: string; readonly user: string }): MirroredAccount | undefined {
    const account = this.read('account.json', accountFile)
    return account !== undefined && account.url === who.url && account.user === who.user ? account : undefined
  }

  /** Replaces the account and drops calendars that are no longer in it. */
  saveAccount(account: MirroredAccount): void {
    this.write('account.json', account)
    const ids = new Set(account.calendars.map((c) => `${c.id}.json`))
    for (const entry of this.folder.list(''))
      if (/^[0-9a-f]{12}\.json$/.test(entry.path) && !ids.has(entry.path)) this.folder.remove(entry.path)
  }

  /** Items of a calendar; none when it was not read yet. */
  items(calendar: MirroredCalendar): MirroredItems {
    const file = this.read(`${calendar.id}.json`, calendarFile)
    if (file !== undefined && file.url === calendar.url) return file
    return { schema: MIRROR_SCHEMA, url: calendar.url, complete: false, items: {} }
  }

  /** Replaces a calendar's items. */
  saveItems(calendar: MirroredCalendar, items: MirroredItems): void {
    this.write(`${calendar.id}.json`, items)
  }
}

/**
 * Two copies of what is known of one CalDAV account, as one that holds the unconfirmed writes of both; what else differs is
 * a copy of the server and stays ours. Undefined when they belong to different accounts or one cannot be read.
 */
export function mergeAccounts(
  ours: string,
  theirs: string,
): { readonly text: string; readonly whole: boolean } | undefined {
  const read = (text: string): MirroredAccount | undefined => {
    try {
      return accountFile.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }
  const [a, b] = [read(ours), read(theirs)]
  if (a === undefined || b === undefined || a.url !== b.url || a.user !== b.user) return undefined
  const known = new Set(a.pending.map(({ key }) => key))
  const pending = [...a.pending, ...b.pending.filter(({ key }) => !known.has(key))]
  const calendars = new Set(a.calendars.map(({ id }) => id))
  const more = b.calendars.filter(({ id }) => !calendars.has(id))
  return { text: JSON.stringify({ ...a, calendars: [...a.calendars, ...more], pending }), whole: true }
}
