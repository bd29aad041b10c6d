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

/** True for the code units that `pythonStrip` removes. */
export function isPythonSpace(code: number): boolean {
  if (code <= 0x20) return (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x20)
  if (code < 0x85) return false
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/** Removes white space on both ends as Python's `str.strip` does; JavaScript's idea of white space differs. */
export function pythonStrip(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isPythonSpace(text.charCodeAt(from))) from++
  while (to > from && isPythonSpace(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}
