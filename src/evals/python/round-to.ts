import { PyError } from './errors.js'
import { exactFloat } from './exact.js'
import { pyRound } from './round.js'
import { type PyValue, pyTypeName } from './values.js'

/**
 * `round(value, digits)` of Python for whole numbers and floats, half to even; without digits (None) a whole number.
 * @throws PyError TypeError, OverflowError, ValueError
 */
export function pyRoundTo(value: PyValue, digits: PyValue): PyValue {
  const number = typeof value === 'boolean' ? BigInt(value) : value
  if (typeof number !== 'bigint' && typeof number !== 'number')
    throw new PyError('TypeError', `type ${pyTypeName(value)} doesn't define __round__ method`)
  if (digits !== null && typeof digits !== 'bigint' && typeof digits !== 'boolean')
    throw new PyError('TypeError', `'${pyTypeName(digits)}' object cannot be interpreted as an integer`)
  if (typeof number === 'bigint')
    return digits === null || BigInt(digits) >= 0n ? number : toPower(number, 1n, 10n ** -BigInt(digits))
  if (number === 0 && digits !== null) return number
  if (!Number.isFinite(number)) {
    if (digits !== null) return number
    if (Number.isNaN(number)) throw new PyError('ValueError', 'cannot convert float NaN to integer')
    throw new PyError('OverflowError', 'cannot convert float infinity to integer')
  }
  const { numerator, power } = exactFloat(number)
  if (digits === null) return toPower(numerator, 1n << BigInt(power), 1n)
  const places = Number(BigInt(digits))
  if (places > 20) return places > 300 ? number : Number(number.toFixed(Math.min(100, places)))
  if (places >= 0) return pyRound(number, places)
  if (places < -308) return number < 0 ? -0 : 0
  const rounded = Number(toPower(numerator, 1n << BigInt(power), 10n ** BigInt(-places)))
  return rounded === 0 && number < 0 ? -0 : rounded
}

/** top / bottom to the nearest multiple of unit, half to even. */
function toPower(top: bigint, bottom: bigint, unit: bigint): bigint {
  const divisor = bottom * unit
  const magnitude = top < 0n ? -top : top
  let kept = magnitude / divisor
  const rest = (magnitude % divisor) * 2n
  if (rest > divisor || (rest === divisor && kept % 2n === 1n)) kept += 1n
  return (top < 0n ? -kept : kept) * unit
}
