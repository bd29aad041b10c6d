import { PyError } from './errors.js'
import { bitLength, exactFloat } from './exact.js'
import { PyObject } from './values.js'

/** A real number mantissa × 2^exponent. */
interface Binary {
  readonly mantissa: bigint
  readonly exponent: number
}

const ZERO: Binary = { mantissa: 0n, exponent: 0 }

/** Decimal digits from which on a logarithm is refused rather than computed. */
const MOST_DIGITS = 5000

/**
 * `mpmath.log(value) / mpmath.log(base)` with `mp.dps = digits`, each step rounded to nearest, as Python shows the mpf
 * or, for a negative number, the mpc.
 * @param digits decimal digits, as `int()` gave them
 * @throws PyError ZeroDivisionError for base 1, Exception for what is not covered (infinities, thousands of digits)
 */
export function mpmathLogarithm(value: bigint | number, base: bigint | number, digits: bigint): PyObject {
  if (isOne(base)) throw new PyError('ZeroDivisionError', '')
  if (digits > MOST_DIGITS) throw new PyError('Exception', `more than ${MOST_DIGITS} digits are not covered`)
  const bits = Math.max(1, Math.round((Number(digits) + 1) * BITS_PER_DIGIT))
  const shownDigits = Math.max(1, Math.round(bits / BITS_PER_DIGIT) - 1)
  const text = (quotient: Binary): string => signed(quotient, shownDigits === 15 ? 17 : shownDigits + 3)
  if (isZero(base)) return new PyObject('mpf', `mpf('${isZero(value) ? 'nan' : '0.0'}')`)
  const c = logarithm(magnitudeOf(base), bits)
  if (isZero(value)) return new PyObject('mpf', `mpf('${c.mantissa < 0n ? '+' : '-'}inf')`)
  const a = logarithm(magnitudeOf(value), bits)
  if (value > 0 && base > 0) return new PyObject('mpf', `mpf('${text(divide(a, c, bits))}')`)
  // The logarithm of a negative number has the imaginary part pi.
  const pi = round(fixedPi(bits + 64), -(bits + 64), bits)
  const [b, d] = [value < 0 ? pi : ZERO, base < 0 ? pi : ZERO]
  const norm = add(times(c, c), times(d, d))
  const real = divide(add(times(a, c), times(b, d)), norm, bits)
  const imaginary = divide(add(times(b, c), minus(times(a, d))), norm, bits)
  return new PyObject('mpc', `mpc(real='${text(real)}', imag='${text(imaginary)}')`)
}

function isOne(value: bigint | number): boolean {
  return value === 1 || value === 1n
}

function isZero(value: bigint | number): boolean {
  return value === 0 || value === 0n
}

function magnitudeOf(value: bigint | number): bigint | number {
  return value < 0 ? -value : value
}

/** The quotient, rounded to nearest. */
function divide(top: Binary, bottom: Binary, bits: number): Binary {
  const shift = bits + 5 + Math.max(0, bitLength(magnitude(bottom)) - bitLength(magnitude(top)))
  const scaled = (magnitude(top) << BigInt(shift)) / magnitude(bottom)
  const sticky = scaled * magnitude(bottom) === magnitude(top) << BigInt(shift) ? scaled : scaled | 1n
  const quotient = round(sticky, top.exponent - bottom.exponent - shift, bits)
  return top.mantissa < 0n !== bottom.mantissa < 0n ? minus(quotient) : quotient
}

function times(a: Binary, b: Binary): Binary {
  return { mantissa: a.mantissa * b.mantissa, exponent: a.exponent + b.exponent }
}

function minus(a: Binary): Binary {
  return { mantissa: -a.mantissa, exponent: a.exponent }
}

function add(a: Binary, b: Binary): Binary {
  const exponent = Math.min(a.exponent, b.exponent)
  const aligned = (one: Binary): bigint => one.mantissa << BigInt(one.exponent - exponent)
  return { mantissa: aligned(a) + aligned(b), exponent }
}

/** Pi × 2^bits, by Machin's formula. */
function fixedPi(bits: number): bigint {
  const guard = 32
  const one = 1n << BigInt(bits + guard)
  const arctangent = (inverse: bigint): bigint => {
    let [sum, term, odd] = [0n, one / inverse, 1n]
    for (let sign = 1n; term !== 0n; sign = -sign) {
      sum += (sign * term) / odd
      term /= inverse * inverse
      odd += 2n
    }
    return sum
  }
  return (16n * arctangent(5n) - 4n * arctangent(239n)) >> BigInt(guard)
}

function signed(value: Binary, digits: number): string {
  return (value.mantissa < 0n ? '-' : '') + show({ ...value, mantissa: magnitude(value) }, digits)
}

/** log2(10), as mpmath writes it. */
const BITS_PER_DIGIT = 3.3219280948873626

function magnitude({ mantissa }: Binary): bigint {
  return mantissa < 0n ? -mantissa : mantissa
}

/** Natural logarithm of a number above 0, rounded to nearest. */
function logarithm(value: bigint | number, bits: number): Binary {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new PyError('Exception', 'logarithms of infinities are not covered')
  const { numerator, power } = typeof value === 'bigint' ? { numerator: value, power: 0 } : exactFloat(value)
  if (numerator === 1n << BigInt(power)) return ZERO
  const work = bits + 96
  const one = 1n << BigInt(work)
  // value = fraction × 2^scale with the fraction near 1, so that the series below is short.
  let scale = bitLength(numerator) - power
  let fraction = shifted(numerator, work - power - scale)
  if (fraction * 3n < one * 2n) {
    scale -= 1
    fraction = shifted(numerator, work - power - scale)
  }
  const total = natural(fraction, one) + BigInt(scale) * natural(2n * one, one)
  const rounded = round(total < 0n ? -total : total, -work, bits)
  return total < 0n ? { mantissa: -rounded.mantissa, exponent: rounded.exponent } : rounded
}

function shifted(value: bigint, by: number): bigint {
  return by >= 0 ? value << BigInt(by) : value >> BigInt(-by)
}

/** ln(x) = 2 artanh((x - 1) / (x + 1)), in fixed point. */
function natural(x: bigint, one: bigint): bigint {
  const ratio = ((x - one) * one) / (x + one)
  const square = (ratio * ratio) / one
  let [sum, term, odd] = [0n, ratio, 1n]
  while (term !== 0n) {
    sum += term / odd
    term = (term * square) / one
    odd += 2n
  }
  return sum * 2n
}

/** Keeps this many bits of a magnitude, half to even, without trailing zero bits. */
function round(mantissa: bigint, exponent: number, bits: number): Binary {
  let [kept, power] = [mantissa, exponent]
  const surplus = bitLength(kept) - bits
  if (surplus > 0) {
    const unit = 1n << BigInt(surplus)
    const rest = kept % unit
    kept >>= BigInt(surplus)
    if (rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n)) kept += 1n
    power += surplus
  }
  while (kept !== 0n && kept % 2n === 0n) {
    kept >>= 1n
    power += 1
  }
  return { mantissa: kept, exponent: power }
}

/** mpmath's `to_str` of a magnitude: so many digits, zeros at the end left out, an exponent where it is far from 1. */
function show({ mantissa, exponent }: Binary, digits: number): string {
  if (mantissa === 0n) return '0.0'
  const [top, bottom] = exponent >= 0 ? [mantissa << BigInt(exponent), 1n] : [mantissa, 1n << BigInt(-exponent)]
  let place = top >= bottom ? (top / bottom).toString().length - 1 : -(bottom / top).toString().length
  const scaled = (): bigint => {
    const power = digits + 3 - 1 - place
    return power >= 0 ? (top * 10n ** BigInt(power)) / bottom : top / (bottom * 10n ** BigInt(-power))
  }
  let text = scaled().toString()
  if (text.length > digits + 3) place += 1
  else if (text.length < digits + 3) place -= 1
  text = scaled().toString()
  if (text.charAt(digits) >= '5') {
    text = (BigInt(text.slice(0, digits)) + 1n).toString()
    if (text.length > digits) {
      text = text.slice(0, digits)
      place += 1
    }
  } else text = text.slice(0, digits)
  let split = 1
  if (place > Math.min(-Math.floor(digits / 3), -5) && place < digits) {
    if (place < 0) text = '0'.repeat(-place) + text
    else split = place + 1
    place = 0
  }
  const shown = `${text.slice(0, split)}.${text.slice(split)}`.replace(/0+$/, '').replace(/\.$/, '.0')
  return place === 0 ? shown : `${shown}e${place > 0 ? '+' : ''}${place}`
}
