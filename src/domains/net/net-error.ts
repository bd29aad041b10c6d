/**
 * Why something could not be fetched.
 * `address`: no usable web address, or one spelled in a way that hides where it leads. `scheme`: not http or https.
 * `private`: leads into this machine or a local network. `name`: the host's name is unknown. `unreachable`: nothing
 * answers there. `tls`: no trustworthy encrypted connection. `timeout`: too slow. `too-large`. `redirects`: too many, or
 * in a circle. `content-type`: not a kind that is read. `encoding`: compressed data that cannot be unpacked. `protocol`:
 * no proper HTTP. `dropped`: cut off in the middle. `proxy`: the proxy of the environment does not let it through.
 * `status`: the server says that there is nothing. `aborted`: the caller gave up.
 */
export type NetErrorCode =
  | 'address'
  | 'scheme'
  | 'private'
  | 'name'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'too-large'
  | 'redirects'
  | 'content-type'
  | 'encoding'
  | 'protocol'
  | 'dropped'
  | 'proxy'
  | 'status'
  | 'aborted'

/** A fetch failed. The message is in the host's own words, says what to do, and quotes no text of the other side. */
export class NetError extends Error {
  override readonly name = 'NetError'
  constructor(
    readonly code: NetErrorCode,
    /** The host, or the address as far as it can be shown. */
    readonly where: string,
    message: string,
    /** HTTP status, with `status`. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const codes = (error: unknown, depth = 0): readonly string[] => {
  if (!(error instanceof Error) || depth > 4) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const more = error instanceof AggregateError ? error.errors : []
  return [...own, ...[...more, error.cause].flatMap((e) => codes(e, depth + 1))]
}

const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|HOSTNAME_MISMATCH|EPROTO)/

/** What went wrong below HTTP, as a {@link NetError}; anything unknown counts as a broken protocol. */
export function asNetError(error: unknown, host: string): NetError {
  if (error instanceof NetError) return error
  const found = codes(error)
  const has = (...names: readonly string[]): boolean => found.some((c) => names.includes(c))
  const make = (code: NetErrorCode, message: string): NetError =>
    new NetError(code, host, message, undefined, { cause: error })
  if (found.some((c) => TLS.test(c)))
    return make(
      'tls',
      `There is no trustworthy encrypted connection to ${host} (${found.find((c) => TLS.test(c))}). Its certificate is not valid for that name, expired, or made by nobody known.`,
    )
  if (has('ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'))
    return make('name', `The name ${host} cannot be found. Check the spelling and the internet connection.`)
  if (has('UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'))
    return make('timeout', `${host} did not answer in time. Try again later.`)
  if (has('ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'))
    return make('unreachable', `Nothing answers at ${host}. Check the address and the internet connection.`)
  if (has('UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_ABORTED', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'))
    return make('dropped', `${host} broke the connection off in the middle. Try again later.`)
  return make('protocol', `${host} does not answer as a web server does${found[0] ? ` (${found[0]})` : ''}.`)
}
