import type { BinaryOperator, Expression, UnaryOperator } from './ast.js'
import { PyError } from './errors.js'
import { PyComplex, PyDict, PySet, PyTuple, type PyValue, pyTypeName } from './values.js'

/** Bits from which on an integer result is refused rather than computed. */
const MAX_BITS = 1_000_000

/**
 * Evaluates an expression of literals and arithmetic as `eval` would with no names defined. What needs names, calls or
 * attributes raises what Python raises for an unknown name; comprehensions, comparisons and formatting are not covered.
 * @throws PyError
 */
export function evaluate(node: Expression): PyValue {
  switch (node.kind) {
    case 'Constant':
      return node.value
    case 'List':
      return node.items.map(evaluate)
    case 'Tuple':
      return new PyTuple(node.items.map(evaluate))
    case 'Set':
      return new PySet(node.items.map(evaluate))
    case 'Dict':
      return PyDict.of(
        node.entries.map(([key, value]) => {
          if (key === null) throw new PyError('Exception', 'unpacking into a dict is not covered')
          return [evaluate(key), evaluate(value)] as const
        }),
      )
    case 'UnaryOp':
      return unary(node.operator, evaluate(node.operand))
    case 'BinOp':
      return binary(node.operator, evaluate(node.left), evaluate(node.right))
    case 'Name':
      throw new PyError('NameError', `name '${node.id}' is not defined`)
    case 'Call':
      return evaluate(node.callee)
    case 'Attribute':
    case 'Subscript':
      return evaluate(node.value)
    default:
      throw new PyError('Exception', `${node.kind} is not covered`)
  }
}

/** A unary operator on a value. @throws PyError TypeError */
export function unary(operator: UnaryOperator, value: PyValue): PyValue {
  if (operator === 'not') return !truth(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') {
    const whole = BigInt(value)
    return operator === '-' ? -whole : operator === '+' ? whole : ~whole
  }
  if (operator !== '~') {
    if (typeof value === 'number') return operator === '-' ? -value : value
    if (value instanceof PyComplex) return operator === '-' ? new PyComplex(-value.real, -value.imag) : value
  }
  throw new PyError('TypeError', `bad operand type for unary ${operator}: '${pyTypeName(value)}'`)
}

/** `bool(value)` of Python. */
export function truth(value: PyValue): boolean {
  if (value === null) return false
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof PyTuple) return value.items.length > 0
  if (value instanceof PyDict || value instanceof PySet) return value.size > 0
  if (value instanceof PyComplex) return value.real !== 0 || value.imag !== 0
  if (typeof value === 'object') return 'bytes' in value ? value.bytes.length > 0 : true
  return typeof value === 'number' ? value !== 0 : Boolean(value)
}

/** A binary operator on two values. @throws PyError TypeError, ZeroDivisionError, OverflowError, ValueError */
export function binary(operator: BinaryOperator, left: PyValue, right: PyValue): PyValue {
  const [a, b] = [number(left), number(right)]
  if (a !== undefined && b !== undefined) {
    if (typeof left === 'boolean' && typeof right === 'boolean') {
      if (operator === '&') return left && right
      if (operator === '|') return left || right
      if (operator === '^') return left !== right
    }
    if (typeof a === 'bigint' && typeof b === 'bigint') return wholes(operator, a, b)
    return floats(operator, Number(a), Number(b))
  }
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return left + right
    if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
    if (left instanceof PyTuple && right instanceof PyTuple) return new PyTuple([...left.items, ...right.items])
    if (isSequence(left)) {
      const type = pyTypeName(left)
      throw new PyError('TypeError', `can only concatenate ${type} (not "${pyTypeName(right)}") to ${type}`)
    }
  }
  if (operator === '*') {
    if (typeof b === 'bigint' && isSequence(left)) return repeat(left, b)
    if (typeof a === 'bigint' && isSequence(right)) return repeat(right, a)
    for (const [sequence, other] of [
      [left, right],
      [right, left],
    ] as const)
      if (isSequence(sequence))
        throw new PyError('TypeError', `can't multiply sequence by non-int of type '${pyTypeName(other)}'`)
  }
  if (left instanceof PyComplex || right instanceof PyComplex) return complexes(operator, left, right)
  throw unsupported(operator, left, right)
}

function unsupported(operator: BinaryOperator, left: PyValue, right: PyValue): PyError {
  const type = pyTypeName(left)
  if (operator === '+' && (type === 'str' || type === 'list' || type === 'tuple'))
    return new PyError('TypeError', `can only concatenate ${type} (not "${pyTypeName(right)}") to ${type}`)
  const types = `'${type}' and '${pyTypeName(right)}'`
  return new PyError(
    'TypeError',
    `unsupported operand type(s) for ${operator === '**' ? '** or pow()' : operator}: ${types}`,
  )
}

function number(value: PyValue): bigint | number | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined
}

function isSequence(value: PyValue): value is string | PyValue[] | PyTuple {
  return typeof value === 'string' || Array.isArray(value) || value instanceof PyTuple
}

function repeat(value: string | PyValue[] | PyTuple, times: bigint): PyValue {
  const length = value instanceof PyTuple ? value.items.length : value.length
  const count = times > 0n && length > 0 ? Number(times) : 0
  if (count * length > MAX_BITS) throw new PyError('MemoryError', 'the result is too large')
  if (typeof value === 'string') return value.repeat(count)
  if (Array.isArray(value)) return Array.from({ length: count }, () => value).flat(1)
  return new PyTuple(Array.from({ length: count }, () => value.items).flat(1))
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient
}

function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4
}

function wholes(operator: BinaryOperator, a: bigint, b: bigint): PyValue {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '&':
      return a & b
    case '|':
      return a | b
    case '^':
      return a ^ b
    case '/':
      return divide(a, b)
    case '//':
    case '%': {
      if (b === 0n) throw new PyError('ZeroDivisionError', 'integer division or modulo by zero')
      const quotient = floorDivide(a, b)
      return operator === '//' ? quotient : a - b * quotient
    }
    case '**':
      if (b < 0n) return floats('**', Number(a), Number(b))
      if (bits(a) * Number(b) > MAX_BITS && a !== 0n && a !== 1n && a !== -1n)
        throw new PyError('MemoryError', 'the result is too large')
      return a ** b
    case '<<':
    case '>>':
      if (b < 0n) throw new PyError('ValueError', 'negative shift count')
      if (operator === '>>') return a >> b
      if (Number(b) > MAX_BITS) throw new PyError('MemoryError', 'the result is too large')
      return a << b
    default:
      throw unsupported(operator, a, b)
  }
}

/** True division of ints, rounded once, also where an operand has no exact float. */
function divide(a: bigint, b: bigint): number {
  if (b === 0n) throw new PyError('ZeroDivisionError', 'division by zero')
  const limit = 2n ** 53n
  if (a > -limit && a < limit && b > -limit && b < limit) return Number(a) / Number(b)
  const negative = a < 0n !== b < 0n
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b]
  // 66 bits of quotient and a sticky bit round as the exact quotient does.
  const shift = BigInt(Math.max(0, 66 - (top.toString(2).length - bottom.toString(2).length)))
  const scaled = (top << shift) / bottom
  const sticky = (scaled * bottom === top << shift ? scaled << 1n : (scaled << 1n) | 1n) as bigint
  const result = scaleDown(Number(sticky), Number(shift) + 1)
  if (!Number.isFinite(result)) throw new PyError('OverflowError', 'integer division result too large for a float')
  return negative ? -result : result
}

/** value / 2^power, in steps whose divisor is a finite float. */
function scaleDown(value: number, power: number): number {
  let [result, left] = [value, power]
  for (; left > 1000; left -= 1000) result /= 2 ** 1000
  return result / 2 ** left
}

function floats(operator: BinaryOperator, a: number, b: number): PyValue {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      if (b === 0) throw new PyError('ZeroDivisionError', 'float division by zero')
      return a / b
    case '%':
    case '//': {
      if (b === 0) throw new PyError('ZeroDivisionError', 'float modulo')
      let rest = a % b
      let quotient = (a - rest) / b
      if (rest !== 0 && b < 0 !== rest < 0) {
        rest += b
        quotient -= 1
      } else if (rest === 0) rest = b < 0 ? -0 : 0
      if (operator === '%') return rest
      if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0
      const floor = Math.floor(quotient)
      return quotient - floor > 0.5 ? floor + 1 : floor
    }
    case '**': {
      if (a === 0 && b < 0) throw new PyError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
      if (a === 1 || b === 0) return 1
      if (a === -1 && !Number.isFinite(b) && !Number.isNaN(b)) return 1
      if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b)) return complexPower(a, b)
      const result = power(a, b)
      if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b))
        throw new PyError('OverflowError', "(34, 'Numerical result out of range')")
      return result
    }
    default:
      throw unsupported(operator, a, b)
  }
}

/** A negative float to a broken power, as C computes it. */
function complexPower(a: number, b: number): PyComplex {
  const [length, phase] = [power(-a, b), Math.PI * b]
  return new PyComplex(length * Math.cos(phase), length * Math.sin(phase))
}

/** Powers of small whole exponents are computed exactly and rounded once: JavaScript's own are less precise than C's. */
function power(a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isInteger(b) || Math.abs(b) > 400 || a === 0) return a ** b
  let [mantissa, exponent] = [a, 0]
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent += 1
  }
  const [top, bottom] = [BigInt(mantissa), 1n << BigInt(exponent)]
  const times = BigInt(Math.abs(b))
  const rough = a ** b
  if (!Number.isFinite(rough) || Math.abs(rough) < 1e-300) return rough
  return b < 0 ? divide(bottom ** times, top ** times) : divide(top ** times, bottom ** times)
}

function complexes(operator: BinaryOperator, left: PyValue, right: PyValue): PyValue {
  const [a, b] = [complex(left), complex(right)]
  if (!a || !b) throw unsupported(operator, left, right)
  if (operator === '+') return new PyComplex(a.real + b.real, a.imag + b.imag)
  if (operator === '-') return new PyComplex(a.real - b.real, a.imag - b.imag)
  if (operator === '*') return new PyComplex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)
  throw new PyError('Exception', `complex ${operator} is not covered`)
}

function complex(value: PyValue): PyComplex | undefined {
  if (value instanceof PyComplex) return value
  const real = number(value)
  return real === undefined ? undefined : new PyComplex(Number(real), 0)
}
