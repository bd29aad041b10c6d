import { PyError } from './errors.js'
import { reprFloat } from './repr.js'
import { PyDict, PyTuple, type PyValue, pyTypeName } from './values.js'

/**
 * `json.dumps(value, indent=indent)` of Python with its defaults: ASCII only, `, ` and `: ` between, floats as `repr`.
 * @throws PyError TypeError for what JSON cannot hold
 */
export function dumpPythonJson(value: PyValue, indent?: number): string {
  return dump(value, indent, 0)
}

function dump(value: PyValue, indent: number | undefined, depth: number): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return dumpFloat(value)
  if (typeof value === 'string') return dumpText(value)
  const items = Array.isArray(value) ? value : value instanceof PyTuple ? value.items : undefined
  if (items)
    return block(
      '[',
      ']',
      items.map((item) => dump(item, indent, depth + 1)),
      indent,
      depth,
    )
  if (value instanceof PyDict) {
    const members = [...value.entries()].map(([key, item]) => `${dumpKey(key)}: ${dump(item, indent, depth + 1)}`)
    return block('{', '}', members, indent, depth)
  }
  throw new PyError('TypeError', `Object of type ${pyTypeName(value)} is not JSON serializable`)
}

function block(
  open: string,
  close: string,
  parts: readonly string[],
  indent: number | undefined,
  depth: number,
): string {
  if (parts.length === 0) return open + close
  if (indent === undefined) return open + parts.join(', ') + close
  const line = (level: number): string => `\n${' '.repeat(indent * level)}`
  return open + line(depth + 1) + parts.join(`,${line(depth + 1)}`) + line(depth) + close
}

function dumpFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return reprFloat(value)
}

function dumpText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (c) =>
    c === '\u007f' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function dumpKey(key: PyValue): string {
  if (typeof key === 'string') return dumpText(key)
  if (key === null || typeof key === 'boolean' || typeof key === 'bigint') return `"${String(key)}"`
  if (typeof key === 'number') return `"${dumpFloat(key)}"`
  throw new PyError('TypeError', `keys must be str, int, float, bool or None, not ${pyTypeName(key)}`)
}
