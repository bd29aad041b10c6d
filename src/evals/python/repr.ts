import { PyBytes, type PyComplex, PyDict, PyEllipsis, PyObject, PySet, PyTuple, type PyValue } from './values.js'

/** `repr(value)` of Python 3. Items of a set stand in order of insertion. */
export function pyRepr(value: PyValue): string {
  if (value === null) return 'None'
  switch (typeof value) {
    case 'string':
      return reprString(value)
    case 'bigint':
      return value.toString()
    case 'number':
      return reprFloat(value)
    case 'boolean':
      return value ? 'True' : 'False'
  }
  if (Array.isArray(value)) return `[${value.map(pyRepr).join(', ')}]`
  if (value instanceof PyTuple)
    return value.items.length === 1 ? `(${pyRepr(value.items[0]!)},)` : `(${value.items.map(pyRepr).join(', ')})`
  if (value instanceof PyDict)
    return `{${[...value.entries()].map(([key, item]) => `${pyRepr(key)}: ${pyRepr(item)}`).join(', ')}}`
  if (value instanceof PySet) return value.size === 0 ? 'set()' : `{${value.items().map(pyRepr).join(', ')}}`
  if (value instanceof PyBytes) return reprBytes(value.bytes)
  if (value instanceof PyEllipsis) return 'Ellipsis'
  if (value instanceof PyObject) return value.repr
  return reprComplex(value)
}

/** `str(value)` of Python 3. */
export function pyStr(value: PyValue): string {
  return typeof value === 'string' ? value : pyRepr(value)
}

/** `repr` of a float: the shortest digits that read back, exponents from 1e16 on and below 1e-4, at least `.0`. */
export function reprFloat(value: number): string {
  const short = shortFloat(value)
  return /^-?\d+$/.test(short) ? `${short}.0` : short
}

function shortFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (value === Number.POSITIVE_INFINITY) return 'inf'
  if (value === Number.NEGATIVE_INFINITY) return '-inf'
  if (Object.is(value, -0)) return '-0'
  const [mantissa, power] = value.toExponential().split('e') as [string, string]
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0')
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`
  }
  return String(value)
}

/** Code points that `str.isprintable` refuses: everything of category Z (except the space) and C. */
const UNPRINTABLE = /[\p{Zl}\p{Zp}\p{Zs}\p{C}]/u

function reprString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let out = quote
  for (const character of text) {
    if (character === quote || character === '\\') out += `\\${character}`
    else if (character >= ' ' && character <= '~') out += character
    else if (character === '\n') out += '\\n'
    else if (character === '\r') out += '\\r'
    else if (character === '\t') out += '\\t'
    else if (UNPRINTABLE.test(character)) out += escapePoint(character.codePointAt(0)!)
    else out += character
  }
  return out + quote
}

function escapePoint(point: number): string {
  const hex = point.toString(16)
  if (point <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return point <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

function reprBytes(bytes: Uint8Array): string {
  const quote = bytes.includes(0x27) && !bytes.includes(0x22) ? '"' : "'"
  let out = `b${quote}`
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    if (character === quote || character === '\\') out += `\\${character}`
    else if (byte >= 0x20 && byte < 0x7f) out += character
    else if (character === '\n') out += '\\n'
    else if (character === '\r') out += '\\r'
    else if (character === '\t') out += '\\t'
    else out += escapePoint(byte)
  }
  return out + quote
}

function reprComplex({ real, imag }: PyComplex): string {
  if (real === 0 && !Object.is(real, -0)) return `${shortFloat(imag)}j`
  const second = shortFloat(imag)
  return `(${shortFloat(real)}${second.startsWith('-') ? '' : '+'}${second}j)`
}
