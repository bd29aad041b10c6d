import { PyError } from './errors.js'
import { pyStr } from './repr.js'
import { pyRound } from './round.js'
import { type PyValue, pyTypeName } from './values.js'

/**
 * `format(value, spec)` of Python for an empty specification and for `.Nf` of numbers.
 * @throws PyError ValueError for a number's format of a str, Exception for what is not covered
 */
export function formatValue(value: PyValue, spec: string): string {
  if (spec === '') return pyStr(value)
  const fixed = /^(,?)\.(\d{1,2})f$/.exec(spec)
  if (!fixed) throw new PyError('Exception', `the format ${spec} is not covered`)
  if (typeof value === 'string') throw new PyError('ValueError', "Unknown format code 'f' for object of type 'str'")
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean')
    throw new PyError('TypeError', `unsupported format string passed to ${pyTypeName(value)}.__format__`)
  const text = fixedPoint(Number(value), Number(fixed[2]))
  return fixed[1] ? text.replace(/\d(?=(\d{3})+(?!\d))/g, '$&,') : text
}

/** `format(value, '.Nf')` of a float: the exact value, half to even. */
export function fixedPoint(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Math.abs(value) >= 1e21) return BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '')
  const text = pyRound(value, digits).toFixed(digits)
  return Object.is(value, -0) || (value < 0 && !text.startsWith('-')) ? `-${text.replace('-', '')}` : text
}
