import { isIP } from 'node:net'
import { carriesIPv4 } from './ip-address.js'
import { NetError } from './net-error.js'

/** Ports that speak something else; a request there could be taken for a mail or a command (WHATWG Fetch, "bad ports"). */
const BAD_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080, 11211,
])

const LONGEST = 4096

/** Removes the brackets of an IPv6 host. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** An address as it can be shown: not endless, no user name, nothing invisible. */
function shown(text: string): string {
  const plain = text.replace(/[\p{C}\p{Z}]+/gu, ' ').replace(/\/\/[^/@]*@/, '//…@')
  return plain.length > 120 ? `${plain.slice(0, 120)}…` : plain
}

/**
 * Reads a web address strictly: http or https, no user name or password, and a host that is written the way it is read,
 * so that neither `http://2130706433/` nor `http://0x7f.1/` nor `http://example.org@10.0.0.1/` can hide where it leads.
 * A text without scheme ("example.org/x") is read as https.
 * @param base address that `text` may be relative to (a redirect)
 * @throws NetError `address` or `scheme`
 */
export function webAddress(text: string, base?: URL): URL {
  const refuse = (why: string): NetError =>
    new NetError('address', shown(text), `${shown(text)} is no web address that can be opened: ${why}.`)
  const given = text.trim()
  if (given === '' || given.length > LONGEST) throw refuse(given === '' ? 'it is empty' : 'it is too long')
  if (/[\u0000-\u0020\u007f\\]/.test(given)) throw refuse('it holds spaces, backslashes or control characters')
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(given)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new NetError('scheme', shown(text), `${shown(text)} is not a web page: only http and https are opened.`)
  let full = given
  if (scheme === undefined && base === undefined) {
    if (!/^[^/?#]+\.[^/?#]+/.test(given)) throw refuse('write it like example.org')
    full = `https://${given}`
  } else if (scheme !== undefined && !/^https?:\/\/[^/]/i.test(given)) throw refuse('"://" and a host must follow')
  let url: URL
  try {
    url = new URL(full, base)
  } catch {
    throw refuse('it cannot be read')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetError('scheme', shown(text), `${shown(text)} is not a web page: only http and https are opened.`)
  const authority = /^(?:https?:)?\/\/([^/?#]*)/i.exec(full)?.[1]
  if (url.username !== '' || url.password !== '' || authority?.includes('@'))
    throw refuse('it carries a user name or password')
  if (url.hostname.endsWith('.')) throw refuse('its host ends with a dot')
  const host = bareHost(url)
  if (authority !== undefined && isIP(host) > 0) {
    const written = authority.replace(/:\d*$/, '').replace(/^\[|\]$/g, '')
    // IPv6 has many honest spellings; a number in place of a name has none, nor has an IPv4 address inside of an IPv6 one.
    if (isIP(written) === 0 || (isIP(host) === 4 && written !== host) || carriesIPv4(host))
      throw refuse('its host is written in a strange way')
  }
  if (url.port !== '' && BAD_PORTS.has(Number(url.port))) throw refuse(`port ${url.port} is not one of web servers`)
  url.hash = ''
  return url
}

/** The host that a call with this address would reach, for the owner; undefined when it is no web address. */
export function hostOf(text: string): string | undefined {
  try {
    return webAddress(text).host
  } catch {
    return undefined
  }
}
