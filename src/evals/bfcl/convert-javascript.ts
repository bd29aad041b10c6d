import { pyFloat, pyInt } from '../python/convert.js'
import { PyError } from '../python/errors.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyTypeName, type PyValue } from '../python/values.js'
import { numberOrText } from './convert-java.js'

/** Python types that stand for the documented JavaScript types. */
export const JAVASCRIPT_TYPES: ReadonlyMap<string, PyTypeName> = new Map<string, PyTypeName>([
  ['String', 'str'],
  ['integer', 'int'],
  ['float', 'float'],
  ['Bigint', 'int'],
  ['Boolean', 'bool'],
  ['dict', 'dict'],
  ['array', 'list'],
  ['any', 'str'],
])

// As in Python: `.` leaves out the line end only, `$` also stands before a last line end.
const ARRAY_OF_ARRAYS =
  /^(?:\[\s*\[[^\n]*?\]\s*(?:,\s*\[[^\n]*?\]\s*)*\]|(?<![\p{L}\p{N}_])new\s+Array\(\s*\[[^\n]*?\]\s*(?:,\s*\[[^\n]*?\]\s*)*\))/u
const ARRAY = /^(?:\[([^\n]*?)\]|new\s+Array\(([^\n]*?)\))/u
const PAIR = /([^:]+):\s*([^\n]*?)(?:,\s*(?=[^,]+:)|(?=\n?$))/gu

/**
 * Turns JavaScript source text into a value of the documented type, or leaves it a str where it is not written as that
 * type.
 *
 * Source: js_type_converter of BFCL v4.
 * @throws PyError where the official converter raises
 */
export function convertJavaScript(text: string, type: string, nested: string | null = null): PyValue {
  switch (type) {
    case 'String':
      return isQuoted(text) ? text.slice(1, -1) : text
    case 'integer':
      return /^-?\p{Nd}+\n?$/u.test(text) ? pyInt(text) : text
    case 'float':
      return /^-?\p{Nd}+(?:\.\p{Nd}+)?\n?$/u.test(text) ? pyFloat(text) : text
    case 'Bigint':
      return /^-?\p{Nd}+n\n?$/u.test(text) ? pyInt(text.slice(0, -1)) : text
    case 'Boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'dict':
      return object(pyStrip(text))
    case 'array':
      return array(pyStrip(text), nested)
    case 'any':
      return text
  }
  throw new PyError('ValueError', `Unsupported type: ${type}`)
}

function isQuoted(text: string): boolean {
  return ['"', "'"].some((quote) => text.startsWith(quote) && text.endsWith(quote))
}

function array(code: string, nested: string | null): PyValue {
  const rows = ARRAY_OF_ARRAYS.exec(code)
  if (rows)
    return [...rows[0].matchAll(/\[([^\n]*?)\]/g)].map(([, inner], row) => {
      const text = pyStrip(inner!)
      const items = row === 0 && text.startsWith('[') ? text.slice(1) : text
      return items.split(',').map(looseValue)
    })
  const found = ARRAY.exec(code)
  if (!found) return code
  const inner = pyStrip(found[1] ?? found[2] ?? '')
  const items = inner === '' ? [] : inner.split(',')
  if (nested === null || nested === '') return items.map(looseValue)
  try {
    return items.map((item) => convertJavaScript(pyStrip(item), nested, /^['"]/.test(pyStrip(item)) ? 'String' : null))
  } catch (error) {
    if (error instanceof PyError) return code
    throw error
  }
}

function object(code: string): PyValue {
  if (code === '{}') return new PyDict()
  const found = /^\{([^\n]*?)\}/.exec(code)
  if (!found) return code
  const dict = new PyDict()
  for (const [, key, text] of found[1]!.matchAll(PAIR)) {
    const value = pyStrip(text!)
    dict.set(pyStrip(pyStrip(key!), '\'"'), member(value))
  }
  return dict
}

function member(value: string): PyValue {
  if (value.startsWith('[') && value.endsWith(']')) return array(value, null)
  if (value.startsWith('{') && value.endsWith('}')) return object(value)
  return looseValue(pyStrip(value, '\'"'))
}

/** A value whose type is not documented. */
function looseValue(text: string): PyValue {
  const value = pyStrip(text)
  if (value === 'true') return true
  if (value === 'false') return false
  return isQuoted(value) ? value.slice(1, -1) : numberOrText(value)
}
