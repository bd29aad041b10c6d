import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { addressKind, canBeOpened } from './ip-address.js'
import { asNetError, NetError } from './net-error.js'
import { proxyFor, tunnel } from './proxy.js'
import { bareHost } from './web-address.js'

/** How names become addresses and which way leads to them. */
export interface Way {
  /** Addresses of a name; default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Environment that names proxies; default: the process's. */
  readonly env?: NodeJS.ProcessEnv
  /**
   * Origins ("http://192.168.1.5:8080") on this machine or in its network that the owner connected. Nothing else there
   * is reached, and what only cloud machines have never is.
   */
  readonly open?: readonly string[]
}

const systemResolve = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map((found) => found.address)

/** Names that only a local network knows. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

const refusal = (host: string): NetError =>
  new NetError(
    'private',
    host,
    `${host} lies on this machine or in a local network, and pages there are not opened: a web page could otherwise reach your router or your files.`,
  )

/** Waits for a promise that knows no signal. */
function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const gaveUp = (): void => reject(signal.reason)
    if (signal.aborted) return gaveUp()
    signal.addEventListener('abort', gaveUp)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gaveUp))
  })
}

/**
 * The addresses of a host, all of them allowed. One that is not refuses all: a name that is public and private at once
 * is there to mislead.
 */
async function allowedAddresses(url: URL, way: Way, signal: AbortSignal): Promise<readonly string[]> {
  const host = bareHost(url)
  const found = isIP(host) > 0 ? [host] : await race((way.resolve ?? systemResolve)(host), signal)
  if (found.length === 0) throw new NetError('name', host, `The name ${host} has no address.`)
  const opened = (way.open ?? []).includes(url.origin)
  for (const ip of found) if (addressKind(ip) !== 'public' && !(opened && canBeOpened(ip))) throw refusal(host)
  return found
}

function tcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = connectTcp({ host, port, noDelay: true })
    const gaveUp = (): void => {
      socket.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', gaveUp)
    socket.once('error', (error) => {
      signal.removeEventListener('abort', gaveUp)
      reject(error)
    })
    socket.once('connect', () => {
      signal.removeEventListener('abort', gaveUp)
      socket.removeAllListeners('error')
      // The last look: what is connected is what was checked.
      const peer = socket.remoteAddress ?? ''
      if (addressKind(peer) === addressKind(host)) return resolve(socket)
      socket.destroy()
      reject(refusal(peer))
    })
  })
}

/** Tries addresses in turn, each with its share of patience: a dead IPv6 route must not use up all the time. */
async function first(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let last: unknown
  const few = addresses.slice(0, 6)
  for (const [i, ip] of few.entries()) {
    try {
      return await tcp(ip, port, i < few.length - 1 ? AbortSignal.any([signal, AbortSignal.timeout(3000)]) : signal)
    } catch (error) {
      if (signal.aborted) throw error
      last = error
    }
  }
  throw last
}

function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const tls = connectTls({
      socket,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    })
    const end = (error: unknown): void => {
      signal.removeEventListener('abort', gaveUp)
      tls.on('error', () => undefined)
      tls.destroy()
      reject(error)
    }
    const gaveUp = (): void => end(signal.reason)
    const broken = (error: Error): void => {
      const known = asNetError(error, host)
      // A handshake that ends early says only "reset"; the place tells what it was.
      end(known.code === 'tls' ? known : new NetError('tls', host, `${host} breaks encrypted connections off.`))
    }
    signal.addEventListener('abort', gaveUp)
    tls.once('error', broken)
    tls.once('secureConnect', () => {
      signal.removeEventListener('abort', gaveUp)
      tls.off('error', broken)
      resolve(tls)
    })
  })
}

/** Whether a name may be handed to a proxy unseen. */
const looksPublic = (host: string): boolean =>
  isIP(host) > 0 ? addressKind(host) === 'public' : host.includes('.') && !LOCAL_NAME.test(host)

/**
 * Connects to the host of an address, looking at the very IP address that is connected: the name is looked up once, its
 * addresses are checked, and the connection goes to one of them, never to the name again. Through a proxy of the
 * environment it is the same: the tunnel is asked for by checked address. Only with `BOTPSY_PROXY_RESOLVES=1`, for
 * networks where nobody but the proxy can look names up, is the proxy given the name, unless it sounds local.
 * @throws NetError, errors of sockets, the signal's reason
 */
export async function guardedConnect(url: URL, way: Way, signal: AbortSignal): Promise<Socket> {
  const host = bareHost(url)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const env = way.env ?? process.env
  const proxy = proxyFor(url, env)
  let socket: Socket
  if (proxy && env.BOTPSY_PROXY_RESOLVES === '1' && !(way.open ?? []).includes(url.origin)) {
    if (!looksPublic(host)) throw refusal(host)
    socket = await tunnel(proxy, `${url.hostname}:${port}`, signal)
  } else {
    let addresses: readonly string[]
    try {
      addresses = await allowedAddresses(url, way, signal)
    } catch (error) {
      if (proxy === undefined || error instanceof NetError || signal.aborted) throw error
      throw new NetError(
        'name',
        host,
        `The name ${host} cannot be found from here. If only your proxy can look names up, set BOTPSY_PROXY_RESOLVES=1; then the proxy decides where a name leads.`,
        undefined,
        { cause: error },
      )
    }
    const ip = addresses[0] ?? host
    // What the owner opened at home is not behind the proxy.
    const direct = proxy === undefined || addresses.some((a) => addressKind(a) !== 'public')
    socket = direct
      ? await first(addresses, port, signal)
      : await tunnel(proxy, `${isIP(ip) === 6 ? `[${ip}]` : ip}:${port}`, signal)
  }
  return url.protocol === 'https:' ? await secure(socket, host, signal) : socket
}
