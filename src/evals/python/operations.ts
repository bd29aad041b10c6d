import { pyEquals } from './equals.js'
import { PyError } from './errors.js'
import { pyRepr } from './repr.js'
import { PyBytes, PyDict, PySet, PyTuple, type PyValue, pyTypeName } from './values.js'

/** `value[key]` of Python for dicts, lists, tuples and strings. @throws PyError KeyError, IndexError, TypeError */
export function getItem(value: PyValue, key: PyValue): PyValue {
  if (value instanceof PyDict) {
    const found = value.get(key)
    if (found === undefined) throw new PyError('KeyError', pyRepr(key))
    return found
  }
  const isText = typeof value === 'string'
  const items = isText ? [...value] : Array.isArray(value) ? value : value instanceof PyTuple ? value.items : undefined
  if (value instanceof PyBytes && typeof key !== 'bigint')
    throw new PyError('TypeError', `byte indices must be integers or slices, not ${pyTypeName(key)}`)
  if (items === undefined) throw new PyError('TypeError', `'${pyTypeName(value)}' object is not subscriptable`)
  if (typeof key !== 'bigint' && typeof key !== 'boolean') {
    const type = pyTypeName(key)
    throw new PyError(
      'TypeError',
      isText
        ? `string indices must be integers, not '${type}'`
        : `${pyTypeName(value)} indices must be integers or slices, not ${type}`,
    )
  }
  const found = items[Number(key) < 0 ? items.length + Number(key) : Number(key)]
  if (found === undefined)
    throw new PyError('IndexError', `${isText ? 'string' : pyTypeName(value)} index out of range`)
  return found
}

/** What Python's `for` goes through. @throws PyError TypeError for a value without items */
export function iterate(value: PyValue): readonly PyValue[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  if (value instanceof PyDict) return value.keys()
  if (value instanceof PyTuple) return value.items
  if (value instanceof PySet) return value.items()
  if (value instanceof PyBytes) return [...value.bytes].map(BigInt)
  throw new PyError('TypeError', `'${pyTypeName(value)}' object is not iterable`)
}

/** `a < b` of Python for numbers, strings, lists and tuples. @throws PyError TypeError for values without that order */
export function lessThan(a: PyValue, b: PyValue): boolean {
  return compare('<', a, b) < 0
}

/** `a > b` of Python for numbers, strings, lists and tuples. @throws PyError TypeError for values without that order */
export function greaterThan(a: PyValue, b: PyValue): boolean {
  return compare('>', a, b) > 0
}

/** `a <= b` of Python for numbers, strings, lists and tuples. @throws PyError TypeError for values without that order */
export function atMost(a: PyValue, b: PyValue): boolean {
  return compare('<=', a, b) <= 0
}

/** Negative, 0 or positive; NaN, for which every comparison is false, where an operand is none. */
function compare(operator: string, a: PyValue, b: PyValue): number {
  if (typeof a === 'string' && typeof b === 'string') return comparePoints(a, b)
  if (Array.isArray(a) && Array.isArray(b)) return compareItems(operator, a, b)
  if (a instanceof PyTuple && b instanceof PyTuple) return compareItems(operator, a.items, b.items)
  const [left, right] = [order(a), order(b)]
  if (left === undefined || right === undefined)
    throw new PyError(
      'TypeError',
      `'${operator}' not supported between instances of '${pyTypeName(a)}' and '${pyTypeName(b)}'`,
    )
  if (left < right) return -1
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by mathematical value
  return left > right ? 1 : left == right ? 0 : Number.NaN
}

/** The first items that are not equal decide, else the lengths. */
function compareItems(operator: string, a: readonly PyValue[], b: readonly PyValue[]): number {
  for (const [place, item] of a.entries()) {
    const other = b[place]
    if (other === undefined) return 1
    if (item !== other && !pyEquals(item, other)) return compare(operator, item, other)
  }
  return a.length - b.length
}

/** What Python raises for `value.name` where a value of this type has no such attribute. */
export function noAttribute(value: PyValue, name: string): PyError {
  return new PyError('AttributeError', `'${pyTypeName(value)}' object has no attribute '${name}'`)
}

/**
 * `needle.lower() in text.lower()` of Python, for strings.
 * @throws PyError AttributeError for what has no `lower`, TypeError for a mixture of str and bytes
 */
export function lowerContains(needle: PyValue, text: PyValue): boolean {
  for (const value of [needle, text])
    if (typeof value !== 'string' && !(value instanceof PyBytes)) throw noAttribute(value, 'lower')
  if (typeof text === 'string') {
    if (typeof needle === 'string') return text.toLowerCase().includes(needle.toLowerCase())
    throw new PyError('TypeError', `'in <string>' requires string as left operand, not ${pyTypeName(needle)}`)
  }
  if (typeof needle === 'string') throw new PyError('TypeError', "a bytes-like object is required, not 'str'")
  const [part, whole] = [needle, text].map((value) => Buffer.from((value as PyBytes).bytes).toString('latin1'))
  const lower = (bytes: string): string => bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return lower(whole ?? '').includes(lower(part ?? ''))
}

function order(value: PyValue): number | bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}

/** Python orders strings by code points, JavaScript by UTF-16 units. */
function comparePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (const [place, character] of left.entries()) {
    const other = right[place]
    if (other === undefined) return 1
    const difference = character.codePointAt(0)! - other.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
