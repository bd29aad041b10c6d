import { PyDict, PyTuple, type PyValue } from './values.js'

/** `copy.deepcopy(value)` of Python for values without shared or circular parts. */
export function deepCopy<T extends PyValue>(value: T): T
export function deepCopy(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map((item) => deepCopy(item))
  if (value instanceof PyTuple) return new PyTuple(value.items.map((item) => deepCopy(item)))
  if (value instanceof PyDict)
    return PyDict.of([...value.entries()].map(([key, item]) => [key, deepCopy(item)] as const))
  return value
}
