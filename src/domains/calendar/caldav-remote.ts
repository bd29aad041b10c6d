import { AsyncLocalStorage } from 'node:async_hooks'
import type ICAL from 'ical.js'
import { type Connection, ConnectionError } from '../connections/contract.js'
import { type Folder, StoreError } from '../store/index.js'
import { CaldavClient } from './caldav-client.js'
import { REQUEST_MS } from './caldav-http.js'
import { readItem } from './caldav-item.js'
import { CaldavMirror, type MirroredAccount, type MirroredCalendar, type MirroredItem } from './caldav-mirror.js'
import { type CaldavSettings, readCaldavSettings } from './caldav-settings.js'
import { syncAccount } from './caldav-sync.js'

/** Time limits, milliseconds. */
export interface CaldavLimits {
  /** One request of a look before a read; default 5000. */
  readonly look?: number
  /** One request of a write; default 10000. */
  readonly write?: number
  /** A look that found no server is not repeated for so long; default 15000. */
  readonly retry?: number
  /** A look begins no further batch after so long; default 8000. */
  readonly whole?: number
}

/** What belongs to one call of a tool. */
export interface CallScope {
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  /** Whether the owner has agreed that the server writes to guests. */
  readonly tellGuests: boolean
  /** Sentences that the result must carry; absent where nobody would hear them, so that they wait. */
  readonly notes?: string[]
}

/** One readable item of a calendar. The component is shared: read it, never change it. */
export interface RemoteEvent {
  readonly entry: MirroredCalendar
  readonly url: string
  readonly item: MirroredItem
  readonly calendar: ICAL.Component
}

/** The owner's CalDAV account: the connection, its mirror, and the state of the last look. */
export class CaldavRemote {
  readonly mirror: CaldavMirror
  readonly scope = new AsyncLocalStorage<CallScope>()
  private readonly parsed = new Map<string, { readonly ics: string; readonly calendar: ICAL.Component | undefined }>()
  private failure:
    | { readonly at: number; readonly who: string; readonly error: ConnectionError | StoreError }
    | undefined

  constructor(
    readonly folder: Folder,
    private readonly find: () => Connection | undefined,
    private readonly limits: CaldavLimits = {},
  ) {
    this.mirror = new CaldavMirror(folder)
  }

  /** Whether a calendar server is connected, reachable or not. */
  connected(): boolean {
    return this.find() !== undefined
  }

  /** @throws ConnectionError `settings` */
  settings(): CaldavSettings {
    return readCaldavSettings(this.connection())
  }

  private connection(): Connection {
    const connection = this.find()
    if (connection === undefined)
      throw new ConnectionError(
        'settings',
        'caldav',
        'No calendar server is connected. Connect one with: botpsy connect caldav',
      )
    return connection
  }

  /** A client with the owner's credentials. */
  client(limit: 'look' | 'write', signal?: AbortSignal): CaldavClient {
    const { url, user } = this.settings()
    const connection = this.connection()
    const ms = this.limits[limit] ?? (limit === 'look' ? 5_000 : REQUEST_MS)
    return new CaldavClient({ url, user, secret: () => connection.secret() }, signal, ms)
  }

  /** The account as last seen; undefined before the first look. */
  account(): MirroredAccount | undefined {
    return this.connected() ? this.mirror.account(this.settings()) : undefined
  }

  /** Readable events of all calendars, as last seen. */
  events(): readonly RemoteEvent[] {
    const out: RemoteEvent[] = []
    for (const entry of this.account()?.calendars ?? []) {
      for (const [url, item] of Object.entries(this.mirror.items(entry).items)) {
        if (item.bad) continue
        let known = this.parsed.get(url)
        if (known?.ics !== item.ics) {
          known = { ics: item.ics, calendar: readItem(item.ics) }
          this.parsed.set(url, known)
        }
        if (known?.calendar !== undefined) out.push({ entry, url, item, calendar: known.calendar })
      }
    }
    return out
  }

  /** A sentence on items that cannot be read, and on calendars that are not read to the end; '' when all is well. */
  gaps(): string {
    const said: string[] = []
    for (const entry of this.account()?.calendars ?? []) {
      const file = this.mirror.items(entry)
      const bad = Object.values(file.items).filter((i) => i.bad).length
      if (bad > 0)
        said.push(
          `${bad === 1 ? '1 entry' : `${bad} entries`} of the calendar "${entry.name}" cannot be read and ${bad === 1 ? 'is' : 'are'} left out.`,
        )
      if (!file.complete) said.push(`The calendar "${entry.name}" is not read to the end yet.`)
    }
    return said.join(' ')
  }

  /** The server has answered: the next look tries it again. */
  reached(): void {
    this.failure = undefined
  }

  /**
   * Looks at the server before a call. What could not be had is no error: the mirror serves.
   * @returns undefined when the mirror is up to date, else why it is not
   */
  async refresh(scope: CallScope): Promise<ConnectionError | StoreError | undefined> {
    const who = JSON.stringify(this.find()?.settings)
    const now = performance.now()
    if (this.failure !== undefined && this.failure.who === who && now - this.failure.at < (this.limits.retry ?? 15_000))
      return this.failure.error
    this.failure = undefined
    try {
      const settings = this.settings()
      const deadline = now + (this.limits.whole ?? 8_000)
      await this.folder.locked(async () => {
        const synced = await syncAccount(this.client('look', scope.signal), this.mirror, settings, scope.now, {
          settle: scope.notes !== undefined,
          inTime: () => performance.now() < deadline,
        })
        scope.notes?.push(...synced.notes)
      })
      return undefined
    } catch (error) {
      if (!(error instanceof ConnectionError) && !(error instanceof StoreError)) throw error
      this.failure = { at: performance.now(), who, error }
      return error
    }
  }
}
