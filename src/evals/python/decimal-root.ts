import { PyError } from './errors.js'
import { exactFloat, wholeRoot } from './exact.js'
import { PyObject } from './values.js'

/**
 * `Decimal(value).sqrt()` in a context of this precision (half even), as Python shows it.
 * Source: the General Decimal Arithmetic specification, as in CPython's `_pydecimal`.
 * @param value 0 or more
 * @throws PyError ValueError for a precision below 1
 */
export function decimalRoot(value: bigint | number, precision: bigint): PyObject {
  if (precision < 1n) throw new PyError('ValueError', 'valid range for prec is [1, MAX_PREC]')
  if (value === Number.POSITIVE_INFINITY || Number.isNaN(value))
    return new PyObject('Decimal', `Decimal('${Number.isNaN(value) ? 'NaN' : 'Infinity'}')`)
  let coefficient: bigint
  let exponent = 0
  if (typeof value === 'bigint') coefficient = value
  else {
    const { numerator, power } = exactFloat(value)
    coefficient = numerator * 5n ** BigInt(power)
    exponent = -power
  }
  if (coefficient === 0n) return new PyObject('Decimal', `Decimal('${Object.is(value, -0) ? '-0' : '0'}')`)
  const digits = Number(precision) + 1
  let half = exponent >> 1
  let length = coefficient.toString().length
  if (exponent & 1) {
    coefficient *= 10n
    length = (length >> 1) + 1
  } else length = (length + 1) >> 1
  const shift = digits - length
  let exact = true
  if (shift >= 0) coefficient *= 100n ** BigInt(shift)
  else {
    const divisor = 100n ** BigInt(-shift)
    exact = coefficient % divisor === 0n
    coefficient /= divisor
  }
  half -= shift
  let root = wholeRoot(coefficient)
  exact &&= root * root === coefficient
  if (exact) {
    root = shift >= 0 ? root / 10n ** BigInt(shift) : root * 10n ** BigInt(-shift)
    half += shift
  } else if (root % 5n === 0n) root += 1n
  return new PyObject('Decimal', `Decimal('${show(...rounded(root, half, Number(precision)))}')`)
}

/** Rounds a coefficient to this many digits, half to even. */
function rounded(coefficient: bigint, exponent: number, digits: number): [bigint, number] {
  const surplus = coefficient.toString().length - digits
  if (surplus <= 0) return [coefficient, exponent]
  const unit = 10n ** BigInt(surplus)
  const rest = coefficient % unit
  let kept = coefficient / unit
  if (rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)) kept += 1n
  return kept.toString().length > digits ? [kept / 10n, exponent + surplus + 1] : [kept, exponent + surplus]
}

function show(coefficient: bigint, exponent: number): string {
  const text = coefficient.toString()
  const left = exponent + text.length
  const point = exponent <= 0 && left > -6 ? left : 1
  let whole = text.slice(0, Math.max(0, point))
  let fraction = text.slice(Math.max(0, point))
  if (point <= 0) [whole, fraction] = ['0', '0'.repeat(-point) + text]
  const shown = fraction === '' ? whole : `${whole}.${fraction}`
  return left === point ? shown : `${shown}E${left - point >= 0 ? '+' : ''}${left - point}`
}
