import { PyError } from './errors.js'
import { PyBytes } from './values.js'

const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** A string token taken apart. */
export interface StringToken {
  readonly raw: boolean
  readonly bytes: boolean
  readonly formatted: boolean
  /** Text between the quotes, escapes not yet read. */
  readonly body: string
}

/** Takes a string token (prefix, quotes, text) apart. */
export function splitStringToken(token: string): StringToken {
  const prefix = /^[A-Za-z]*/.exec(token)![0].toLowerCase()
  const rest = token.slice(prefix.length)
  const quote = rest.startsWith('"""') || rest.startsWith("'''") ? 3 : 1
  return {
    raw: prefix.includes('r'),
    bytes: prefix.includes('b'),
    formatted: prefix.includes('f'),
    body: rest.slice(quote, -quote),
  }
}

/**
 * Reads the escapes of a str literal. An unknown escape keeps its backslash. `\N{…}` needs the table of character
 * names, which is not here, and is refused.
 * @throws PyError SyntaxError
 */
export function unescapeString(body: string): string {
  if (!body.includes('\\')) return body
  return body.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole, octal?: string, hex?: string, four?: string, eight?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      const digits = hex ?? four ?? eight
      if (digits !== undefined) {
        const point = Number.parseInt(digits, 16)
        if (point > 0x10ffff)
          throw new PyError('SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes")
        return String.fromCodePoint(point)
      }
      if (other === 'x' || other === 'u' || other === 'U' || other === 'N')
        throw new PyError('SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes")
      return SIMPLE[other!] ?? whole
    },
  )
}

/** Reads a bytes literal. @throws PyError SyntaxError */
export function bytesLiteral(body: string, raw: boolean): PyBytes {
  if (/[^\x00-\x7f]/.test(body)) throw new PyError('SyntaxError', 'bytes can only contain ASCII literal characters')
  const text = raw
    ? body
    : body.replace(
        /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|([\s\S]))/g,
        (whole, octal?: string, hex?: string, other?: string) => {
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
          if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
          if (other === 'x') throw new PyError('SyntaxError', '(value error) invalid \\x escape')
          return SIMPLE[other!] ?? whole
        },
      )
  return new PyBytes(Uint8Array.from(text, (character) => character.charCodeAt(0)))
}
