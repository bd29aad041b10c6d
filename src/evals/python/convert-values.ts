import { pyFloat, pyInt } from './convert.js'
import { PyError } from './errors.js'
import { type PyValue, pyTypeName } from './values.js'

/** `float(value)` of Python. @throws PyError TypeError, ValueError, OverflowError */
export function pyToFloat(value: PyValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'string') return pyFloat(value)
  if (typeof value === 'bigint') {
    const result = Number(value)
    if (!Number.isFinite(result)) throw new PyError('OverflowError', 'int too large to convert to float')
    return result
  }
  throw new PyError('TypeError', `float() argument must be a string or a real number, not '${pyTypeName(value)}'`)
}

/** `int(value)` of Python. @throws PyError TypeError, ValueError, OverflowError */
export function pyToInt(value: PyValue): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return BigInt(value)
  if (typeof value === 'string') return pyInt(value)
  if (typeof value === 'number') {
    if (Number.isNaN(value)) throw new PyError('ValueError', 'cannot convert float NaN to integer')
    if (!Number.isFinite(value)) throw new PyError('OverflowError', 'cannot convert float infinity to integer')
    return BigInt(Math.trunc(value))
  }
  throw new PyError(
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${pyTypeName(value)}'`,
  )
}
