import { pyEquals } from './equals.js'
import { PyError } from './errors.js'
import { noAttribute } from './operations.js'
import { PyBytes, PyDict, PySet, PyTuple, type PyValue, pyTypeName } from './values.js'

/** `item in container` of Python. @throws PyError TypeError */
export function pyContains(container: PyValue, item: PyValue): boolean {
  if (typeof container === 'string') {
    if (typeof item !== 'string')
      throw new PyError('TypeError', `'in <string>' requires string as left operand, not ${pyTypeName(item)}`)
    return container.includes(item)
  }
  if (container instanceof PyDict || container instanceof PySet) return container.has(item)
  if (Array.isArray(container)) return container.some((one) => one === item || pyEquals(one, item))
  if (container instanceof PyTuple) return container.items.some((one) => one === item || pyEquals(one, item))
  throw new PyError('TypeError', `argument of type '${pyTypeName(container)}' is not iterable`)
}

/** `len(value)` of Python. @throws PyError TypeError */
export function pyLength(value: PyValue): number {
  if (typeof value === 'string') return isAstral(value) ? [...value].length : value.length
  if (Array.isArray(value)) return value.length
  if (value instanceof PyTuple) return value.items.length
  if (value instanceof PyDict || value instanceof PySet) return value.size
  if (value instanceof PyBytes) return value.bytes.length
  throw new PyError('TypeError', `object of type '${pyTypeName(value)}' has no len()`)
}

function isAstral(text: string): boolean {
  return /[\ud800-\udfff]/.test(text)
}

/** `value[lower:upper:step]` of Python for strings, lists and tuples. @throws PyError TypeError, ValueError */
export function pySlice(value: PyValue, lower: PyValue, upper: PyValue, step: PyValue): PyValue {
  const all = typeof value === 'string' ? [...value] : value instanceof PyTuple ? value.items : value
  if (!Array.isArray(all)) {
    if (value instanceof PyDict) throw new PyError('TypeError', "unhashable type: 'slice'")
    throw new PyError('TypeError', `'${pyTypeName(value)}' object is not subscriptable`)
  }
  const by = index(step) ?? 1
  if (by === 0) throw new PyError('ValueError', 'slice step cannot be zero')
  const length = all.length
  const place = (given: number | undefined, standard: number): number => {
    if (given === undefined) return standard
    const from = given < 0 ? given + length : given
    return by > 0 ? Math.min(Math.max(from, 0), length) : Math.min(Math.max(from, -1), length - 1)
  }
  const begin = place(index(lower), by > 0 ? 0 : length - 1)
  const end = place(index(upper), by > 0 ? length : -1)
  const kept: PyValue[] = []
  for (let at = begin; by > 0 ? at < end : at > end; at += by) kept.push(all[at]!)
  return typeof value === 'string' ? kept.join('') : value instanceof PyTuple ? new PyTuple(kept) : kept
}

function index(value: PyValue): number | undefined {
  if (value === null) return undefined
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  throw new PyError('TypeError', 'slice indices must be integers or None or have an __index__ method')
}

/** `value.splitlines()`: at every line end that Python knows. @throws PyError AttributeError for what is no str */
export function pyLines(value: PyValue): string[] {
  if (typeof value !== 'string') throw noAttribute(value, 'splitlines')
  const lines = value.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** `value.lower()`. @throws PyError AttributeError for what is no str */
export function pyLower(value: PyValue): string {
  if (typeof value !== 'string') throw noAttribute(value, 'lower')
  return value.toLowerCase()
}
