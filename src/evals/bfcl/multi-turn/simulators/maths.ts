import { pyInt } from '../../../python/convert.js'
import { decimalRoot } from '../../../python/decimal-root.js'
import { pyEquals } from '../../../python/equals.js'
import { PyError } from '../../../python/errors.js'
import { binary, truth } from '../../../python/evaluate.js'
import { mpmathLogarithm } from '../../../python/mpmath-log.js'
import { greaterThan, iterate, lessThan } from '../../../python/operations.js'
import { pyRepr, pyStr } from '../../../python/repr.js'
import { pyRoundTo } from '../../../python/round-to.js'
import { pyLength } from '../../../python/sequences.js'
import { PyDict, type PyValue, pyTypeName } from '../../../python/values.js'
import { dict, failure, Simulator } from './simulator.js'

const NUMBERS = 'Both inputs must be numbers'
const ELEMENTS = 'All elements in the list must be numbers'

const METRES = PyDict.of([
  ['km', 1000n],
  ['m', 1n],
  ['cm', 0.01],
  ['mm', 0.001],
  ['um', 1e-6],
  ['nm', 1e-9],
])

const IMPERIAL = new Map<string, number>([
  ['cm_to_in', 0.393701],
  ['in_to_cm', 2.54],
  ['m_to_ft', 3.28084],
  ['ft_to_m', 0.3048],
  ['m_to_yd', 1.09361],
  ['yd_to_m', 0.9144],
  ['km_to_miles', 0.621371],
  ['miles_to_km', 1.60934],
  ['kg_to_lb', 2.20462],
  ['lb_to_kg', 0.453592],
  ['celsius_to_fahrenheit', 1.8],
  ['fahrenheit_to_celsius', 5 / 9],
])

/** MathAPI: sums and conversions, without state. */
export class Maths extends Simulator {
  constructor() {
    super('MathAPI')
    this.method('logarithm', 'value, base, precision', ([value, base, precision]) => {
      try {
        const digits = whole(precision!)
        return dict({ result: mpmathLogarithm(real(value!), real(base!), digits) })
      } catch (error) {
        if (error instanceof PyError) return failure(error.message)
        throw error
      }
    })
    this.method('mean', 'numbers', ([numbers]) =>
      truth(numbers!)
        ? guarded(ELEMENTS, () => binary('/', sum(numbers!), BigInt(pyLength(numbers!))))
        : failure('Cannot calculate mean of an empty list'),
    )
    this.method('standard_deviation', 'numbers', ([numbers]) =>
      truth(numbers!)
        ? guarded(ELEMENTS, () => {
            const count = BigInt(pyLength(numbers!))
            const mean = binary('/', sum(numbers!), count)
            const squares = iterate(numbers!).map((x) => binary('**', binary('-', x, mean), 2n))
            return Math.sqrt(Number(binary('/', sum(squares), count)))
          })
        : failure('Cannot calculate standard deviation of an empty list'),
    )
    this.method('si_unit_conversion', 'value, unit_in, unit_out', ([value, from, to]) => {
      if (!isNumber(value!)) return failure('Value must be a number')
      if (!METRES.has(from!) || !METRES.has(to!)) return unsupported(from!, to!)
      return converted(() => binary('*', binary('*', value!, METRES.get(from!)!), binary('/', 1n, METRES.get(to!)!)))
    })
    this.method('imperial_si_conversion', 'value, unit_in, unit_out', ([value, from, to]) => {
      if (!isNumber(value!)) return failure('Value must be a number')
      if (pyEquals(from!, to!)) return dict({ result: value! })
      const key = `${pyStr(from!)}_to_${pyStr(to!)}`
      const factor = IMPERIAL.get(key)
      if (factor === undefined) return unsupported(from!, to!)
      return converted(() => {
        if (key === 'celsius_to_fahrenheit') return binary('+', binary('*', value!, factor), 32n)
        return binary('*', key === 'fahrenheit_to_celsius' ? binary('-', value!, 32n) : value!, factor)
      })
    })
    this.method('add', 'a, b', ([a, b]) => guarded(NUMBERS, () => binary('+', a!, b!)))
    this.method('subtract', 'a, b', ([a, b]) => guarded(NUMBERS, () => binary('-', a!, b!)))
    this.method('multiply', 'a, b', ([a, b]) =>
      isNumber(a!) && isNumber(b!) ? guarded(NUMBERS, () => binary('*', a!, b!)) : failure(NUMBERS),
    )
    this.method('divide', 'a, b', ([a, b]) =>
      pyEquals(b!, 0n) ? failure('Cannot divide by zero') : guarded(NUMBERS, () => binary('/', a!, b!)),
    )
    this.method('power', 'base, exponent', ([base, exponent]) => guarded(NUMBERS, () => binary('**', base!, exponent!)))
    this.method('square_root', 'number, precision', ([number, precision]) => {
      const bad = 'Input must be a number or computation resulted in an invalid operation'
      if (!isNumber(number!)) return failure(bad)
      if (lessThan(number!, 0n)) return failure('Cannot calculate square root of a negative number')
      if (typeof precision !== 'bigint' && typeof precision !== 'boolean') return failure(bad)
      return dict({ result: decimalRoot(real(number!), BigInt(precision)) })
    })
    this.method('absolute_value', 'number', ([number]) =>
      guarded('Input must be a number', () => {
        if (typeof number === 'number') return Math.abs(number)
        if (typeof number !== 'bigint' && typeof number !== 'boolean')
          throw new PyError('TypeError', `bad operand type for abs(): '${pyTypeName(number!)}'`)
        const value = BigInt(number)
        return value < 0n ? -value : value
      }),
    )
    this.method('round_number', 'number, decimal_places=0', ([number, places]) =>
      guarded('First input must be a number, second input must be an integer', () => pyRoundTo(number!, places!)),
    )
    this.method('percentage', 'part, whole', ([part, all]) =>
      pyEquals(all!, 0n)
        ? failure('Whole value cannot be zero')
        : guarded(NUMBERS, () => binary('*', binary('/', part!, all!), 100n)),
    )
    this.method('min_value', 'numbers', ([numbers]) =>
      truth(numbers!)
        ? guarded(ELEMENTS, () => iterate(numbers!).reduce((best, one) => (lessThan(one, best) ? one : best)))
        : failure('Cannot find minimum of an empty list'),
    )
    this.method('max_value', 'numbers', ([numbers]) =>
      truth(numbers!)
        ? guarded(ELEMENTS, () => iterate(numbers!).reduce((best, one) => (greaterThan(one, best) ? one : best)))
        : failure('Cannot find maximum of an empty list'),
    )
    this.method('sum_values', 'numbers', ([numbers]) =>
      truth(numbers!) ? guarded(ELEMENTS, () => sum(numbers!)) : failure('Cannot calculate sum of an empty list'),
    )
  }
}

function sum(numbers: PyValue): PyValue {
  return iterate(numbers).reduce((total, one) => binary('+', total, one), 0n as PyValue)
}

/** `{"result": …}`, or the message where Python raises a TypeError. */
function guarded(message: string, compute: () => PyValue): PyDict {
  return caught('TypeError', message, compute)
}

function converted(compute: () => PyValue): PyDict {
  return caught('OverflowError', 'Conversion resulted in a value too large to represent', compute)
}

function caught(type: 'TypeError' | 'OverflowError', message: string, compute: () => PyValue): PyDict {
  try {
    return dict({ result: compute() })
  } catch (error) {
    if (error instanceof PyError && error.type === type) return failure(message)
    throw error
  }
}

function unsupported(from: PyValue, to: PyValue): PyDict {
  return failure(`Conversion from '${pyStr(from)}' to '${pyStr(to)}' is not supported`)
}

function isNumber(value: PyValue): value is number | bigint | boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

function real(value: PyValue): bigint | number {
  if (typeof value === 'boolean') return BigInt(value)
  if (isNumber(value)) return value
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return value.includes('.') ? Number(value) : BigInt(value)
  // mpmath takes a text with a j for a complex number and stumbles where it is none.
  if (typeof value === 'string' && /j/i.test(value))
    throw new PyError('AttributeError', "'NoneType' object has no attribute 'group'")
  throw new PyError('TypeError', `cannot create mpf from ${pyRepr(value)}`)
}

function whole(value: PyValue): bigint {
  if (typeof value === 'string') return pyInt(value)
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value))
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value)
  throw new PyError(
    'TypeError',
    `int() argument must be a string, a bytes-like object or a real number, not '${pyTypeName(value)}'`,
  )
}
