import { Agent } from 'undici'
import { type BodyLimits, type DecodedBody, readBody } from './decoded-body.js'
import { guardedConnect, type Way } from './guarded-connect.js'
import { asNetError, NetError } from './net-error.js'
import { webAddress } from './web-address.js'

/** How long each part may take, in milliseconds. */
export interface FetchTimes {
  /** Name, connection and encryption. */
  readonly connect: number
  /** From the request to the end of the head. */
  readonly headers: number
  /** All of it, redirects included. */
  readonly total: number
}

/** What is fetched and within which bounds. */
export interface FetchOptions extends Way {
  /** Media types that are taken, as prefixes ("text/", "application/json"); default: any. */
  readonly types?: readonly string[]
  readonly headers?: { readonly [name: string]: string }
  readonly limits?: Partial<BodyLimits>
  readonly times?: Partial<FetchTimes>
  /** Default 5. */
  readonly redirects?: number
  /** True to get any status as a response; default: 4xx and 5xx fail with `status`. */
  readonly anyStatus?: boolean
  readonly signal?: AbortSignal
}

/** What came back. */
export interface Fetched extends DecodedBody {
  /** Where it came from in the end. */
  readonly url: URL
  readonly status: number
  /** Media type in lower case without parameters; empty when the server names none. */
  readonly type: string
  /** `Content-Type` as it was sent. */
  readonly contentType: string
  readonly header: (name: string) => string | undefined
}

/** Who asks. Sites may turn programs away; then they are not read. */
const USER_AGENT = 'BotPsy/0.1 (personal assistant; one page at a time)'
const TIMES: FetchTimes = { connect: 10_000, headers: 15_000, total: 30_000 }
const LIMITS: BodyLimits = { bytes: 4_000_000, overflow: 'fail' }
const REDIRECTS = new Set([301, 302, 303, 307, 308])

interface Hop {
  readonly url: URL
  readonly options: FetchOptions
  readonly times: FetchTimes
  readonly total: AbortSignal
}

/** Runs `work` with a deadline of its own beside the one that is there. */
async function within<T>(
  ms: number,
  outer: AbortSignal,
  late: () => NetError,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(late()), ms)
  try {
    return await work(AbortSignal.any([outer, own.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** One request. Gives the next address of a redirect, or what came. */
async function hop({ url, options, times, total }: Hop): Promise<Fetched | URL> {
  const host = url.host
  const late = (what: string) => (): NetError => new NetError('timeout', host, `${host} ${what}. Try again later.`)
  // One socket, connected before HTTP begins: nothing in the client can connect anywhere else.
  const socket = await within(times.connect, total, late('could not be connected in time'), (signal) =>
    guardedConnect(url, options, signal),
  )
  let used = false
  const agent = new Agent({
    connect: (_, callback) => {
      if (used) {
        setImmediate(callback, new NetError('dropped', host, `${host} broke the connection off.`), null)
        return
      }
      used = true
      // The client expects a connection to take a moment: called back at once, it connects again without end.
      setImmediate(callback, null, socket)
    },
    connections: 1,
    pipelining: 1,
    maxHeaderSize: 32_768,
    // The deadlines here are stricter: they also hold against a server that sends one byte at a time.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await within(times.headers, total, late('did not answer in time'), (signal) =>
      agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        signal,
        headers: {
          'user-agent': USER_AGENT,
          accept: '*/*',
          'accept-language': 'en, *;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          connection: 'close',
          ...options.headers,
        },
      }),
    )
    response.body.on('error', () => undefined)
    const header = (name: string): string | undefined => {
      const value = response.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    }
    const location = header('location')
    if (REDIRECTS.has(response.statusCode) && location !== undefined) {
      try {
        return webAddress(location, url)
      } catch (error) {
        if (!(error instanceof NetError)) throw error
        throw new NetError(error.code, error.where, `${host} sends visitors on, but ${error.message}`)
      }
    }
    if (response.statusCode >= 400 && options.anyStatus !== true) throw statusError(host, response.statusCode)
    const contentType = header('content-type') ?? ''
    const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
    const taken = options.types === undefined || type === '' || options.types.some((t) => type.startsWith(t))
    if (!taken && response.statusCode < 400)
      throw new NetError('content-type', host, `${host} sends ${named(type)} there, which is not read.`)
    const body = await readBody(
      response.body,
      header('content-encoding'),
      host,
      { ...LIMITS, ...options.limits },
      total,
    )
    return { url, status: response.statusCode, type, contentType, header, ...body }
  } catch (error) {
    if (total.aborted) throw total.reason
    throw error
  } finally {
    socket.on('error', () => undefined)
    socket.destroy()
    agent.destroy().catch(() => undefined)
  }
}

function named(type: string): string {
  if (type === 'application/pdf') return 'a PDF file'
  if (type.startsWith('image/')) return 'a picture'
  if (type.startsWith('video/')) return 'a video'
  if (type.startsWith('audio/')) return 'a sound'
  return /^[\w.+/-]{1,80}$/.test(type) ? `a file of type ${type}` : 'a file of unknown type'
}

function statusError(host: string, status: number): NetError {
  const why =
    status === 404 || status === 410
      ? 'says that there is no such page'
      : status === 401 || status === 403 || status === 407
        ? 'does not let BotPsy read that page'
        : status === 429
          ? 'asks to come back later: there were too many requests'
          : status >= 500
            ? 'has trouble of its own. Try again later'
            : 'does not give that page'
  return new NetError('status', host, `${host} ${why} (status ${status}).`, status)
}

/**
 * Fetches an address with GET, safely for the machine and the network that it runs in: only http and https, only public
 * addresses (unless `open` names the origin), judged by the IP address that is connected, anew for every redirect; within
 * limits of time, size and redirects; without cookies, credentials and referrer.
 * @throws NetError, one code per cause; the signal's own reason never comes through other than as `aborted`
 */
export async function guardedFetch(address: string, options: FetchOptions = {}): Promise<Fetched> {
  let url = webAddress(address)
  const times = { ...TIMES, ...options.times }
  const patience = new AbortController()
  const timer = setTimeout(
    () => patience.abort(new NetError('timeout', url.host, `${url.host} is too slow. Try again later.`)),
    times.total,
  )
  const gaveUp = (): void => patience.abort(new NetError('aborted', url.host, 'It was stopped.'))
  if (options.signal?.aborted) gaveUp()
  options.signal?.addEventListener('abort', gaveUp)
  const most = options.redirects ?? 5
  const seen = new Set<string>()
  try {
    for (let hops = 0; hops <= most; hops++) {
      if (seen.has(url.href))
        throw new NetError('redirects', url.host, `${url.host} sends visitors round in a circle, so there is no page.`)
      seen.add(url.href)
      const next = await hop({ url, options, times, total: patience.signal })
      if (!(next instanceof URL)) return next
      url = next
    }
    throw new NetError('redirects', url.host, `${url.host} sends visitors on more than ${most} times, so it was left.`)
  } catch (error) {
    throw asNetError(error, url.host)
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', gaveUp)
  }
}
