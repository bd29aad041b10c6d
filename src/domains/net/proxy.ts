import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { NetError } from './net-error.js'

/** A proxy of the environment. */
export interface Proxy {
  readonly url: URL
  /** `Basic …`, when the proxy's address carries a user name; it never enters an error. */
  readonly authorization: string | undefined
}

const setting = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name.toUpperCase()] || undefined

function bypassed(host: string, port: number, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '') return false
    if (entry === '*') return true
    const parts = /^(.*?)(?::(\d+))?$/.exec(entry)
    if (parts?.[2] !== undefined && Number(parts[2]) !== port) return false
    const name = (parts?.[1] ?? '').replace(/^\*?\./, '').toLowerCase()
    return name !== '' && (host === name || host.endsWith(`.${name}`))
  })
}

/**
 * The proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (either case) name for an address; undefined for
 * a direct connection.
 * @throws NetError `proxy` when the variable is no http(s) address
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv = process.env): Proxy | undefined {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  if (bypassed(url.hostname.toLowerCase(), port, setting(env, 'no_proxy') ?? '')) return undefined
  const value = setting(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') ?? setting(env, 'all_proxy')
  if (value === undefined) return undefined
  const fail = (): NetError =>
    new NetError(
      'proxy',
      'the proxy',
      'The proxy in the environment is no http or https address. Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY.',
    )
  let parsed: URL
  try {
    parsed = new URL(value.includes('://') ? value : `http://${value}`)
  } catch {
    throw fail()
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw fail()
  const user = decodeURIComponent(parsed.username)
  const password = decodeURIComponent(parsed.password)
  const authorization =
    user === '' && password === '' ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return { url: parsed, authorization }
}

const LONGEST_ANSWER = 16_384

/**
 * Opens a tunnel through a proxy (CONNECT, RFC 9110 section 9.3.6). The target is what the caller checked: an address,
 * not a name, so that the proxy has nothing to look up and cannot be led elsewhere.
 * @throws NetError `proxy`; errors of the socket; the signal's reason
 */
export function tunnel(proxy: Proxy, target: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = proxy.url.hostname.replace(/^\[|\]$/g, '')
    const secure = proxy.url.protocol === 'https:'
    const port = Number(proxy.url.port) || (secure ? 443 : 80)
    const socket = secure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port })
    const settle = (error?: unknown): void => {
      socket.off('data', read)
      socket.off('error', broken)
      socket.off('end', ended)
      signal.removeEventListener('abort', gaveUp)
      if (error === undefined) {
        resolve(socket)
        return
      }
      // The reason may come once more as an event of the dying socket.
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const say = (what: string, cause?: unknown): NetError =>
      new NetError('proxy', proxy.url.host, `The proxy ${proxy.url.host} ${what}.`, undefined, { cause })
    const broken = (error: Error): void => settle(say('cannot be reached', error))
    const ended = (): void => settle(say('broke the connection off'))
    const gaveUp = (): void => settle(signal.reason)
    let head = ''
    const read = (chunk: Buffer): void => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length <= LONGEST_ANSWER) return
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
      if (end < 0 || status === undefined) settle(say('does not answer as a proxy does'))
      else if (status === '407')
        settle(say('wants a user name and password. Put them into its address in the environment'))
      else if (!status.startsWith('2')) settle(say(`does not let the connection through (status ${status})`))
      else {
        socket.pause()
        if (end + 4 < head.length) socket.unshift(Buffer.from(head.slice(end + 4), 'latin1'))
        settle()
      }
    }
    socket.on('data', read)
    socket.on('error', broken)
    socket.on('end', ended)
    if (signal.aborted) gaveUp()
    signal.addEventListener('abort', gaveUp)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`)
    })
  })
}
