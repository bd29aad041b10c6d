import { PyBytes, PyComplex, PyDict, PySet, PyTuple, type PyValue } from './values.js'

/** `a == b` of Python: numbers compare by value whatever their type (1 == 1.0 == True), a list never equals a tuple. */
export function pyEquals(a: PyValue, b: PyValue): boolean {
  if (typeof a === 'string' || typeof b === 'string' || a === null || b === null) return a === b
  const [left, right] = [numeric(a), numeric(b)]
  if (left !== undefined && right !== undefined) {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number are compared by mathematical value
    return left == right
  }
  if (left !== undefined || right !== undefined) {
    const complex = a instanceof PyComplex ? a : b instanceof PyComplex ? b : undefined
    // biome-ignore lint/suspicious/noDoubleEquals: as above
    return complex !== undefined && complex.imag === 0 && complex.real == (left ?? right)
  }
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  if (a instanceof PyTuple) return b instanceof PyTuple && sameItems(a.items, b.items)
  if (a instanceof PyDict) {
    if (!(b instanceof PyDict) || a.size !== b.size) return false
    for (const [key, value] of a.entries()) {
      const other = b.get(key)
      if (other === undefined || !pyEquals(value, other)) return false
    }
    return true
  }
  if (a instanceof PySet) return b instanceof PySet && a.size === b.size && a.items().every((item) => b.has(item))
  if (a instanceof PyBytes)
    return b instanceof PyBytes && a.bytes.length === b.bytes.length && a.bytes.every((byte, i) => byte === b.bytes[i])
  if (a instanceof PyComplex) return b instanceof PyComplex && a.real === b.real && a.imag === b.imag
  return a === b
}

/** `value in items` of Python, by {@link pyEquals}. */
export function pyIn(value: PyValue, items: readonly PyValue[]): boolean {
  return items.some((item) => pyEquals(item, value))
}

function numeric(value: PyValue): bigint | number | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'bigint' || typeof value === 'number' ? value : undefined
}

function sameItems(a: readonly PyValue[], b: readonly PyValue[]): boolean {
  return a.length === b.length && a.every((item, i) => pyEquals(item, b[i]!))
}
