import { PyError } from './errors.js'
import { reprFloat } from './repr.js'
import { PyDict, PyTuple, type PyValue, pyTypeName } from './values.js'

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
/** Nesting at which CPython's encoder gives up. */
const DEEPEST = 990

/**
 * `json.dumps(value)` of Python as it comes: ASCII only, `", "` and `": "` between, NaN and the infinities as words.
 * @throws PyError TypeError for what JSON cannot hold, RecursionError when nested too deeply
 */
export function dumpPythonJson(value: PyValue): string {
  return dump(value, 0)
}

function dump(value: PyValue, depth: number): string {
  if (depth > DEEPEST) throw new PyError('RecursionError', 'maximum recursion depth exceeded')
  if (value === null) return 'null'
  if (typeof value === 'string') return text(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return float(value)
  if (Array.isArray(value)) return `[${value.map((item) => dump(item, depth + 1)).join(', ')}]`
  if (value instanceof PyTuple) return `[${value.items.map((item) => dump(item, depth + 1)).join(', ')}]`
  if (value instanceof PyDict) {
    const pairs = [...value.entries()].map(([key, item]) => `${text(keyText(key))}: ${dump(item, depth + 1)}`)
    return `{${pairs.join(', ')}}`
  }
  throw new PyError('TypeError', `Object of type ${pyTypeName(value)} is not JSON serializable`)
}

function float(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return reprFloat(value)
}

function keyText(key: PyValue): string {
  if (typeof key === 'string') return key
  if (key === null) return 'null'
  if (typeof key === 'boolean' || typeof key === 'bigint') return String(key)
  if (typeof key === 'number') return float(key)
  throw new PyError('TypeError', `keys must be str, int, float, bool or None, not ${pyTypeName(key)}`)
}

function text(value: string): string {
  const escaped = value.replace(
    /["\\\x00-\x1f\x7f-\uffff]/g,
    (unit) => SHORT[unit] ?? (unit === '\x7f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
  return `"${escaped}"`
}
