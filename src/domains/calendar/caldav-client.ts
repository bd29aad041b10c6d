import { type DAVResponse, davRequest, propfind, syncCollection } from 'tsdav'
import { z } from 'zod'
import { ConnectionError } from '../connections/contract.js'
import { type CaldavAccess, caldavFetch, statusError } from './caldav-http.js'

/** A calendar that the server has. */
export interface RemoteCalendar {
  readonly url: string
  readonly name: string
  /** Whether the owner may put events into it. */
  readonly writable: boolean
  /** Changes with every change inside; undefined where the server does not tell. */
  readonly mark?: string
  /** Whether it answers what changed since a token (RFC 6578). */
  readonly syncs: boolean
}

/** What changed in a calendar since a token. */
export interface RemoteChanges {
  /** Address of each changed item with its ETag; '' where the server gave none. */
  readonly changed: ReadonlyMap<string, string>
  readonly removed: readonly string[]
  /** Token for the next time. */
  readonly token?: string
  /** True when the server kept some back for the next time. */
  readonly more: boolean
}

/** One item as the server has it. */
export interface RemoteItem {
  readonly etag: string
  readonly ics: string
}

const CALDAV = 'urn:ietf:params:xml:ns:caldav'

// tsdav gives elements as objects with camel-case names, text as strings or (where it looks like one) numbers.
const word = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(String),
  z.object({ _cdata: z.string() }).transform((x) => x._cdata),
])
const hrefs = z.object({ href: z.union([word, z.array(word).transform((a) => a[0] ?? '')]) })
const many = <T extends z.ZodType>(one: T) => z.union([z.array(one), one.transform((x) => [x])])
const element = z.record(z.string(), z.unknown())

const textOfProp = (response: DAVResponse | undefined, name: string): string | undefined => {
  const parsed = word.safeParse(response?.props?.[name])
  return parsed.success && parsed.data !== '' ? parsed.data : undefined
}
const hrefOf = (response: DAVResponse | undefined, name: string): string | undefined => {
  const parsed = hrefs.safeParse(response?.props?.[name])
  return parsed.success && parsed.data.href !== '' ? parsed.data.href : undefined
}
const namesIn = (response: DAVResponse, name: string): readonly string[] => {
  const parsed = element.safeParse(response.props?.[name])
  return parsed.success ? Object.keys(parsed.data) : []
}

/** An address of the server in one spelling: `@` and `%40` name the same item. */
export function addressOf(href: string, base: string): string {
  const url = new URL(href, base)
  try {
    url.pathname = url.pathname
      .split('/')
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join('/')
  } catch {
    // Not percent-encoded UTF-8: it stays as the server writes it.
  }
  return url.href
}

/** A weak ETag names the same version to this server; `If-Match` takes strong ones alone. */
const strong = (etag: string | null | undefined): string => (etag ?? '').replace(/^W\//, '')

const lastName = (url: string): string => {
  const name = url.split('/').filter(Boolean).at(-1) ?? url
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Speaks CalDAV (RFC 4791, 6578, 5397) to one account. Every method throws ConnectionError. */
export class CaldavClient {
  private readonly host: string
  /** Whether an answer so far said that the server writes to the guests of events (RFC 6638). */
  schedules = false
  /** Address that the last answer came from, after redirects. */
  private answeredBy = ''

  constructor(
    private readonly access: CaldavAccess,
    private readonly signal?: AbortSignal,
    private readonly limitMs?: number,
  ) {
    this.host = new URL(access.url).host
  }

  private get fetch(): typeof fetch {
    return caldavFetch(this.access, this.signal, this.limitMs, (headers, url) => {
      this.answeredBy = url
      if (headers.get('dav')?.includes('calendar-auto-schedule')) this.schedules = true
    })
  }

  /** Multistatus answers of a request; a plain failure or something that is no WebDAV is an error. */
  private checked(responses: readonly DAVResponse[], what: string): readonly DAVResponse[] {
    const [first] = responses
    if (responses.length === 1 && first && !first.ok && first.props === undefined)
      throw statusError(first.status, this.host, what)
    const multi = z.object({ multistatus: z.unknown() }).safeParse(first?.raw)
    if (first !== undefined && (!multi.success || multi.data.multistatus === undefined))
      throw new ConnectionError(
        'protocol',
        'caldav',
        `What answers at ${this.host} does not speak CalDAV. Check the address.`,
      )
    return responses
  }

  private async find(url: string, props: Record<string, object>, depth: '0' | '1'): Promise<readonly DAVResponse[]> {
    return this.checked(await propfind({ url, props, depth, fetch: this.fetch }), 'looking for calendars')
  }

  /** Where the account's calendars are: by the address given, else by `/.well-known/caldav` (RFC 6764). */
  async discover(): Promise<string> {
    const given = new URL(this.access.url)
    const known = new URL('/.well-known/caldav', given)
    const tries = given.pathname === '/' ? [known.href, given.href] : [given.href, known.href]
    let failure: unknown
    for (const url of tries) {
      try {
        const [at] = await this.find(
          url,
          { 'd:current-user-principal': {}, 'c:calendar-home-set': {}, 'd:resourcetype': {} },
          '0',
        )
        const from = this.answeredBy
        const home = hrefOf(at, 'calendarHomeSet')
        if (home !== undefined) return addressOf(home, from)
        const principal = hrefOf(at, 'currentUserPrincipal')
        if (principal !== undefined) {
          const address = addressOf(principal, from)
          const [person] = await this.find(address, { 'c:calendar-home-set': {} }, '0')
          const set = hrefOf(person, 'calendarHomeSet')
          if (set !== undefined) return addressOf(set, address)
        }
        // A calendar or a folder of calendars itself, on servers without principals.
        if (at && namesIn(at, 'resourcetype').some((n) => n === 'calendar')) return from
      } catch (error) {
        if (!(error instanceof ConnectionError) || !['protocol', 'refused'].includes(error.code)) throw error
        failure ??= error
      }
    }
    throw (
      failure ??
      new ConnectionError(
        'protocol',
        'caldav',
        `${this.host} names no calendars for ${this.access.user}. Check the address; it is the one that a calendar app asks for.`,
      )
    )
  }

  /** Calendars below the home that hold events. */
  async calendars(home: string): Promise<readonly RemoteCalendar[]> {
    const found = await this.find(
      home,
      {
        'd:displayname': {},
        'd:resourcetype': {},
        'd:current-user-privilege-set': {},
        'd:sync-token': {},
        'cs:getctag': {},
        'c:supported-calendar-component-set': {},
      },
      '1',
    )
    return found.flatMap((r): RemoteCalendar[] => {
      if (!namesIn(r, 'resourcetype').includes('calendar') || r.href === undefined) return []
      const kinds = z
        .object({ comp: many(z.object({ _attributes: z.object({ name: z.string() }) })) })
        .safeParse(r.props?.supportedCalendarComponentSet)
      if (kinds.success && !kinds.data.comp.some((c) => c._attributes.name.toUpperCase() === 'VEVENT')) return []
      const rights = z.object({ privilege: many(element) }).safeParse(r.props?.currentUserPrivilegeSet)
      const all = rights.success ? rights.data.privilege.flatMap((p) => Object.keys(p)) : undefined
      const token = textOfProp(r, 'syncToken')
      const ctag = textOfProp(r, 'getctag')
      const mark = token ?? (ctag !== undefined && !/^\d{16,}$/.test(ctag) ? ctag : undefined)
      const url = addressOf(r.href, home)
      return [
        {
          url,
          name: (textOfProp(r, 'displayname') ?? lastName(url)).replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 100),
          writable: all === undefined || all.some((p) => ['write', 'bind', 'writeContent', 'all'].includes(p)),
          syncs: token !== undefined,
          ...(mark === undefined ? {} : { mark }),
        },
      ]
    })
  }

  /** What changed since a token; undefined when the server no longer knows the token. */
  async changesSince(calendar: string, token: string): Promise<RemoteChanges | undefined> {
    const responses = await syncCollection({
      url: calendar,
      props: { 'd:getetag': {} },
      syncLevel: 1,
      syncToken: token,
      fetch: this.fetch,
    })
    const [first] = responses
    if (responses.length === 1 && first && !first.ok && first.props === undefined) {
      if ([400, 403, 404, 409, 412, 501].includes(first.status)) return undefined
      throw statusError(first.status, this.host, 'asking what changed')
    }
    this.checked(responses, 'asking what changed')
    const multi = z.object({ multistatus: z.object({ syncToken: word.optional() }) }).safeParse(first?.raw)
    const changed = new Map<string, string>()
    const removed: string[] = []
    let more = false
    for (const r of responses) {
      if (r.href === undefined) continue
      const url = addressOf(r.href, calendar)
      if (r.status === 507) more = true
      else if (r.status === 404) removed.push(url)
      else if (url !== calendar && !url.endsWith('/')) changed.set(url, strong(textOfProp(r, 'getetag')))
    }
    const next = multi.success ? multi.data.multistatus.syncToken : undefined
    return { changed, removed, more, ...(next === undefined ? {} : { token: next }) }
  }

  /** Every item of a calendar with its ETag. */
  async etags(calendar: string): Promise<ReadonlyMap<string, string>> {
    const found = await this.find(calendar, { 'd:getetag': {}, 'd:resourcetype': {} }, '1')
    const all = new Map<string, string>()
    for (const r of found) {
      if (r.href === undefined) continue
      const url = addressOf(r.href, calendar)
      if (url === calendar || url.endsWith('/') || namesIn(r, 'resourcetype').includes('collection')) continue
      all.set(url, strong(textOfProp(r, 'getetag')))
    }
    return all
  }

  /** Many items at once; those that are gone are left out. */
  async items(calendar: string, urls: readonly string[]): Promise<ReadonlyMap<string, RemoteItem>> {
    const responses = this.checked(
      await davRequest({
        url: calendar,
        init: {
          method: 'REPORT',
          headers: { depth: '1' },
          body: {
            'c:calendar-multiget': {
              _attributes: { 'xmlns:d': 'DAV:', 'xmlns:c': CALDAV },
              'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
              'd:href': urls.map((url) => new URL(url).pathname),
            },
          },
        },
        fetch: this.fetch,
      }),
      'reading events',
    )
    const all = new Map<string, RemoteItem>()
    for (const r of responses) {
      const ics = textOfProp(r, 'calendarData')
      if (r.href === undefined || ics === undefined) continue
      all.set(addressOf(r.href, calendar), { ics, etag: strong(textOfProp(r, 'getetag')) })
    }
    return all
  }

  /** One item, undefined when it is not there. */
  async get(url: string): Promise<RemoteItem | undefined> {
    const response = await this.fetch(url)
    if (response.status === 404 || response.status === 410) return undefined
    if (!response.ok) throw statusError(response.status, this.host, 'reading an event')
    return { ics: await response.text(), etag: strong(response.headers.get('etag')) }
  }

  /**
   * Replaces an item that still has the given ETag, or makes one that must not be there yet (`etag` undefined).
   * @returns the new ETag ('' when the server does not tell), or undefined when the item is not as expected
   */
  async put(url: string, ics: string, etag: string | undefined): Promise<string | undefined> {
    const response = await this.fetch(url, {
      method: 'PUT',
      body: ics,
      headers: {
        'content-type': 'text/calendar; charset=utf-8',
        ...(etag === undefined ? { 'if-none-match': '*' } : etag === '' ? {} : { 'if-match': etag }),
      },
    })
    if (response.status === 412 || response.status === 409) return undefined
    if (!response.ok) throw statusError(response.status, this.host, 'writing into this calendar')
    return strong(response.headers.get('etag'))
  }

  /** Removes an item that still has the given ETag. @returns false when it is not as expected */
  async remove(url: string, etag: string): Promise<boolean> {
    const response = await this.fetch(url, { method: 'DELETE', headers: etag === '' ? {} : { 'if-match': etag } })
    if (response.status === 412 || response.status === 409) return false
    if (!response.ok && response.status !== 404 && response.status !== 410)
      throw statusError(response.status, this.host, 'removing from this calendar')
    return true
  }
}
