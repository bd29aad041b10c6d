import { createHash } from 'node:crypto'
import type { JsonValue } from '../chat/types.js'

/**
 * JSON with sorted keys and no white space: equal values give equal texts (the part of RFC 8785 that matters here; both
 * sides of every comparison are written by this function). Members that are undefined are left out.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** SHA-256 (hex) over parts, each preceded by its length so that no two lists of parts collide. */
export function hashOf(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest('hex')
}
