import { PyError } from './errors.js'
import { reprFloat } from './repr.js'
import { PyDict, PyTuple, type PyValue, pyTypeName } from './values.js'

/**
 * `json.loads(json.dumps(value))` of Python: tuples become lists, keys become strings (of keys with the same text the
 * last value counts), everything else stays.
 * @throws PyError TypeError for what JSON cannot hold
 */
export function jsonRoundTrip(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(jsonRoundTrip)
  if (value instanceof PyTuple) return value.items.map(jsonRoundTrip)
  if (value instanceof PyDict)
    return PyDict.of([...value.entries()].map(([key, item]) => [jsonKey(key), jsonRoundTrip(item)] as const))
  if (value === null || typeof value !== 'object') return value
  throw new PyError('TypeError', `Object of type ${pyTypeName(value)} is not JSON serializable`)
}

function jsonKey(key: PyValue): string {
  if (typeof key === 'string') return key
  if (typeof key === 'boolean' || key === null || typeof key === 'bigint') return String(key)
  if (typeof key === 'number')
    return Number.isFinite(key) ? reprFloat(key) : Number.isNaN(key) ? 'NaN' : key > 0 ? 'Infinity' : '-Infinity'
  throw new PyError('TypeError', `keys must be str, int, float, bool or None, not ${pyTypeName(key)}`)
}
