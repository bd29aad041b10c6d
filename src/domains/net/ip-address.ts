import { isIPv4, isIPv6 } from 'node:net'

/** What an address leads to. Only `public` is open to everybody; `special` is never a web server's. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'special'

type Range = readonly [prefix: readonly number[], bits: number, kind: AddressKind]

/** IANA's IPv4 special-purpose registry (RFC 6890 and its updates); what is not listed is public. */
const V4: readonly Range[] = [
  [[0], 8, 'special'],
  [[10], 8, 'private'],
  [[100, 64], 10, 'private'],
  [[127], 8, 'loopback'],
  [[169, 254], 16, 'link-local'],
  [[172, 16], 12, 'private'],
  [[192, 0, 0], 24, 'special'],
  [[192, 0, 2], 24, 'special'],
  [[192, 88, 99], 24, 'special'],
  [[192, 168], 16, 'private'],
  [[198, 18], 15, 'special'],
  [[198, 51, 100], 24, 'special'],
  [[203, 0, 113], 24, 'special'],
  [[224], 4, 'special'],
  [[240], 4, 'special'],
]

/**
 * IPv6: only global unicast (2000::/3) can be public; these parts of it are not (RFC 6890, 9637), and these outside of
 * it are somebody's own. What carries an IPv4 address inside is judged by that address.
 */
const V6: readonly Range[] = [
  [[0x20, 0x01, 0x0d, 0xb8], 32, 'special'],
  [[0x20, 0x01, 0x00], 23, 'special'],
  [[0x3f, 0xff], 20, 'special'],
  [[0xfc], 7, 'private'],
  [[0xfe, 0x80], 10, 'link-local'],
  [[0xfe, 0xc0], 10, 'private'],
]

const within = (bytes: Uint8Array, [prefix, bits]: Range): boolean => {
  for (let i = 0; i < bits; i++) {
    const mask = 0x80 >> (i & 7)
    if (((bytes[i >> 3] ?? 0) & mask) !== ((prefix[i >> 3] ?? 0) & mask)) return false
  }
  return true
}

const v4Bytes = (ip: string): Uint8Array => Uint8Array.from(ip.split('.').map(Number))

function v6Bytes(ip: string): Uint8Array {
  const plain = (ip.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const word = (hi: string, lo: string) => ((Number(hi) << 8) | Number(lo)).toString(16)
    return `${word(a, b)}:${word(c, d)}`
  })
  const [head = '', tail] = plain.split('::')
  const words = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((w) => Number.parseInt(w, 16))
  const before = words(head)
  const after = tail === undefined ? [] : words(tail)
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
  return Uint8Array.from(all.flatMap((w) => [w >> 8, w & 255]))
}

const zero = (bytes: Uint8Array, from: number, to: number): boolean => bytes.subarray(from, to).every((b) => b === 0)

/** The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), if it does. */
function carried(b: Uint8Array): Uint8Array | undefined {
  const mapped = zero(b, 0, 10) && b[10] === 0xff && b[11] === 0xff
  const translated = zero(b, 0, 8) && b[8] === 0xff && b[9] === 0xff && zero(b, 10, 12)
  const compatible = zero(b, 0, 12) && !zero(b, 12, 15)
  const nat64 = b[0] === 0 && b[1] === 0x64 && b[2] === 0xff && b[3] === 0x9b && zero(b, 4, 12)
  if (mapped || translated || compatible || nat64) return b.subarray(12)
  return b[0] === 0x20 && b[1] === 0x02 ? b.subarray(2, 6) : undefined
}

/**
 * What an IP address in text form leads to. What is no address counts as `special`, and so does whatever no registry
 * calls public (sources: IANA's special-purpose address registries; RFC 6052 for NAT64, RFC 3056 for 6to4). A NAT64
 * prefix of a network's own (64:ff9b:1::/48, RFC 8215) is `special`, since what it leads to cannot be told.
 */
export function addressKind(ip: string): AddressKind {
  if (isIPv4(ip)) {
    const bytes = v4Bytes(ip)
    return V4.find((range) => within(bytes, range))?.[2] ?? 'public'
  }
  if (!isIPv6(ip)) return 'special'
  const bytes = v6Bytes(ip)
  if (zero(bytes, 0, 15) && bytes[15] === 1) return 'loopback'
  const inner = carried(bytes)
  if (inner) return addressKind(inner.join('.'))
  const special = V6.find((range) => within(bytes, range))?.[2]
  return special ?? (((bytes[0] ?? 0) & 0xe0) === 0x20 ? 'public' : 'special')
}

/** Whether an IPv6 address stands for an IPv4 one. */
export const carriesIPv4 = (ip: string): boolean => isIPv6(ip) && carried(v6Bytes(ip)) !== undefined

/** Cloud machines answer with their credentials there, though the addresses look like anybody's own network. */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', 'fd20:ce::254'])

/** Whether an address of this machine or of the owner's own network may be opened where the owner said so. */
export function canBeOpened(ip: string): boolean {
  const kind = addressKind(ip)
  return (kind === 'private' || kind === 'loopback') && !METADATA.has(ip.toLowerCase())
}
