/**
 * Text forms of Python values, as chat templates were written against Python's `str` and `json.dumps`.
 * Source: the Python language reference (repr of float, json module) and transformers' `tojson` filter
 * (ensure_ascii off, separators ", " and ": ").
 */

/** A number as Python prints it: exponents have two digits and start below 1e-4; integral numbers print as integers. */
export function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4) return String(value)
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const digits = exponent.slice(1).padStart(2, '0')
  return `${mantissa}e-${digits}`
}

/** White space that Python's `str.strip` removes; JavaScript's set differs in six characters. */
const pythonSpace = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const leading = new RegExp(`^${pythonSpace}+`)
const one = new RegExp(pythonSpace)

/** Removes white space on both ends as Python's `str.strip` does. */
export function pythonStrip(text: string): string {
  const from = leading.exec(text)?.[0].length ?? 0
  let to = text.length
  while (to > from && one.test(text[to - 1]!)) to--
  return text.slice(from, to)
}
