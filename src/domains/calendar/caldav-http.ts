import { ConnectionError } from '../connections/contract.js'

/** Longest that one request may take, milliseconds. */
export const REQUEST_MS = 10_000

/** Most bytes of one answer. */
export const ANSWER_BYTES = 32 * 1024 * 1024

const TOO_LARGE = new RangeError('answer too large')

/** Whether an answer had more than {@link ANSWER_BYTES}. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ConnectionError && error.cause === TOO_LARGE
}

/** How the server is reached. The password is asked for at each request and goes into its header alone. */
export interface CaldavAccess {
  readonly url: string
  readonly user: string
  secret(): Promise<string | undefined>
}

const SUFFIX = /^(?:co|com|org|net|ac|gov|edu|or|ne|go)\.[a-z]{2}$/i

/**
 * Whether the password may go to an address that the server named: the same host, or one of the same owner over TLS
 * (`p12-caldav.example.com` named by `caldav.example.com`).
 */
export function mayTrust(base: URL, target: URL): boolean {
  if (target.origin === base.origin) return true
  if (target.protocol !== 'https:') return false
  if (target.hostname === base.hostname) return true
  if (/^[\d.]+$|:/.test(base.hostname)) return false
  if (target.hostname.endsWith(`.${base.hostname}`) && base.hostname.includes('.')) return true
  const parent = base.hostname.split('.').slice(1).join('.')
  return parent.includes('.') && !SUFFIX.test(parent) && `.${target.hostname}`.endsWith(`.${parent}`)
}

const codeOf = (error: unknown): string => {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    if (e.name === 'HTTPParserError') return 'HPE'
    if ('code' in e && typeof e.code === 'string') return e.code
  }
  return ''
}

/** What fetch throws as a ConnectionError; anything else is a defect and stays. */
function asConnectionError(error: unknown, host: string): unknown {
  // fetch throws TypeErrors alone; its streams may throw errors with a code.
  if (error instanceof ConnectionError || !(error instanceof Error)) return error
  const code = codeOf(error)
  const make = (kind: ConnectionError['code'], what: string) => new ConnectionError(kind, 'caldav', what)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return make('unreachable', `The calendar server ${host} was not found. Check the address and the network.`)
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'].includes(code))
    return make('unreachable', `The calendar server ${host} cannot be reached (${code}). Check that it runs.`)
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return make('timeout', `The calendar server ${host} did not answer in time.`)
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code))
    return make(
      'refused',
      `The calendar server ${host} has a certificate that cannot be trusted (${code}). Ask who runs it, or check the address.`,
    )
  if (code.startsWith('HPE') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return make('protocol', `What answers at ${host} is no calendar server.`)
  if (code === '' && !(error instanceof TypeError)) return error
  return make('dropped', `The calendar server ${host} broke the connection off${code === '' ? '' : ` (${code})`}.`)
}

async function readBody(response: Response, host: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > ANSWER_BYTES)
      throw new ConnectionError(
        'protocol',
        'caldav',
        `The calendar server ${host} sent more than ${ANSWER_BYTES / 1048576} MB at once, and was not listened to further.`,
        { cause: TOO_LARGE },
      )
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * A `fetch` for CalDAV: with the owner's name and password, at most {@link REQUEST_MS} and {@link ANSWER_BYTES} an
 * answer, redirects only where {@link mayTrust} allows. Its errors are ConnectionErrors, which hold no secret; an
 * abort by `signal` keeps the signal's reason.
 */
export function caldavFetch(
  access: CaldavAccess,
  signal?: AbortSignal,
  limitMs = REQUEST_MS,
  onHeaders: (headers: Headers, url: string) => void = () => {},
): typeof fetch {
  const base = new URL(access.url)
  return async (input, init = {}) => {
    let url = new URL(String(input instanceof Request ? input.url : input))
    const password = (await access.secret()) ?? ''
    const headers = new Headers(init.headers)
    headers.set('authorization', `Basic ${Buffer.from(`${access.user}:${password}`).toString('base64')}`)
    headers.set('user-agent', 'BotPsy')
    const stop = new AbortController()
    let late = false
    const timer = setTimeout(() => {
      late = true
      stop.abort()
    }, limitMs)
    const onAbort = () => stop.abort()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) stop.abort()
    try {
      for (let hops = 0; ; hops++) {
        if (!mayTrust(base, url))
          throw new ConnectionError(
            'refused',
            'caldav',
            `${base.host} sends to ${url.host}, which the password was not given for. If you trust it, connect ${url.origin} instead.`,
          )
        const response = await fetch(url, { ...init, headers, redirect: 'manual', signal: stop.signal })
        const location = response.headers.get('location')
        if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url.href)) {
          await response.body?.cancel()
          if (hops >= 5)
            throw new ConnectionError('protocol', 'caldav', `The calendar server ${base.host} redirects in circles.`)
          const next = new URL(location, url)
          // A server behind a proxy that ends TLS may name itself without it.
          if (next.protocol === 'http:' && base.protocol === 'https:' && next.hostname === base.hostname) {
            next.protocol = 'https:'
            next.port = base.port
          }
          url = next
          continue
        }
        onHeaders(response.headers, url.href)
        const body = await readBody(response, base.host)
        return new Response(body.length === 0 ? null : new Uint8Array(body), {
          status: response.status,
          statusText: response.statusText,
          headers: response.headers,
        })
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (late)
        throw new ConnectionError(
          'timeout',
          'caldav',
          `The calendar server ${base.host} did not answer within ${Math.round(limitMs / 100) / 10} seconds.`,
        )
      throw asConnectionError(error, base.host)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** The error that an HTTP status means. */
export function statusError(status: number, host: string, what: string): ConnectionError {
  const make = (code: ConnectionError['code'], message: string) => new ConnectionError(code, 'caldav', message)
  if (status === 401)
    return make(
      'credentials',
      `The calendar server ${host} does not accept the user name or password. Give them anew with: botpsy connect caldav`,
    )
  if (status === 403 || status === 405)
    return make('refused', `The calendar server ${host} does not allow ${what} (${status}).`)
  if (status === 404 || status === 410)
    return make('protocol', `There is no calendar at that address of ${host} (${status}). Check the address.`)
  if (status === 507) return make('refused', `The calendar server ${host} has no room left (507).`)
  if (status === 429 || status === 503)
    return make('unreachable', `The calendar server ${host} is too busy at the moment (${status}). Try again later.`)
  return make('protocol', `The calendar server ${host} answered ${what} with ${status}.`)
}
