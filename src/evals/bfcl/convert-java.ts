import { pyFloat, pyInt } from '../python/convert.js'
import { PyError } from '../python/errors.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyTypeName, type PyValue } from '../python/values.js'

/** Python types that stand for the documented Java types. */
export const JAVA_TYPES: ReadonlyMap<string, PyTypeName> = new Map<string, PyTypeName>([
  ['byte', 'int'],
  ['short', 'int'],
  ['integer', 'int'],
  ['float', 'float'],
  ['double', 'float'],
  ['long', 'int'],
  ['boolean', 'bool'],
  ['char', 'str'],
  ['Array', 'list'],
  ['ArrayList', 'list'],
  ['Set', 'set'],
  ['HashMap', 'dict'],
  ['Hashtable', 'dict'],
  ['Queue', 'list'],
  ['Stack', 'list'],
  ['String', 'str'],
  ['any', 'str'],
])

// Python's classes of characters: \w and \d take letters and digits of every script; `.` leaves out the line end only.
const AS_LIST = /new[\s\x1c-\x1f\x85]+ArrayList<[\p{L}\p{N}_]*>\(Arrays\.asList\(([^\n]+?)\)\)/u
const ADDED = /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)\s*\{\{\s*([\s\S]+?)\s*\}\}/u
const EMPTY_LIST = /new\s+ArrayList<[\p{L}\p{N}_]*>\(\)/u
const ARRAY = /new\s+[\p{L}\p{N}_]+\[\]\s*\{([^\n]*?)\}/u
const MAP = /new\s+HashMap<[\s\S]*?>\s*\(\)\s*\{\s*\{?\s*([\s\S]*?)\s*\}?\s*\}/u
const EMPTY_MAP = /new\s+HashMap<[^\n]*?>\s*\(\)/u
const LONG = /^-?\p{Nd}+[lL]\n?$/u
const FLOAT = /^-?\p{Nd}+(?:\.\p{Nd}+)?(?:[eE][+-]?\p{Nd}+)?[fF]\n?$/u
const DOUBLE = /^-?\p{Nd}+(?:\.\p{Nd}+)?(?:[eE][+-]?\p{Nd}+)?\n?$/u
const WHOLE = /^-?\p{Nd}+\n?$/u

/**
 * Turns Java source text into a value of the documented type, or leaves it a str where it is not written as that type.
 *
 * Source: java_type_converter of BFCL v4.
 * @throws PyError where the official converter raises
 */
export function convertJava(text: string, type: string, nested: string | null = null): PyValue {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
      return WHOLE.test(text) ? pyInt(text) : text
    case 'float':
      return FLOAT.test(text) ? pyFloat(text.replace(/[fF](?=\n?$)/, '')) : text
    case 'double':
      return DOUBLE.test(text) ? pyFloat(text) : text
    case 'long':
      return LONG.test(text) ? pyInt(text.replace(/[lL](?=\n?$)/, '')) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'char':
    case 'String':
    case 'any':
      return text
    case 'Array':
      return array(text, nested)
    case 'ArrayList':
      return arrayList(text, nested)
    case 'HashMap':
      return hashMap(text)
  }
  throw new PyError('Exception', `${type} conversion is not implemented`)
}

function arrayList(text: string, nested: string | null): PyValue {
  const listed = AS_LIST.exec(text)
  if (listed) return listed[1]!.split(',').map((item) => element(pyStrip(item), nested))
  const added = ADDED.exec(text)
  if (added) return [...added[1]!.matchAll(/add\(([^\n]+?)\)/g)].map(([, item]) => element(pyStrip(item!), nested))
  return EMPTY_LIST.test(text) ? [] : text
}

function element(text: string, nested: string | null): PyValue {
  if (nested === 'char' || nested === 'String') return [...text].slice(1, -1).join('')
  return nested === null || nested === '' ? looseValue(text) : convertJava(text, nested)
}

function array(text: string, nested: string | null): PyValue {
  const found = ARRAY.exec(text)
  if (!found) return text
  const items = found[1]!.split(',').map((item) => pyStrip(item))
  return items
    .filter((item) => item !== '')
    .map((item) => (nested === null || nested === '' ? looseValue(item) : convertJava(item, nested)))
}

function hashMap(text: string): PyValue {
  const found = MAP.exec(text)
  if (!found) return EMPTY_MAP.test(text) ? new PyDict() : text
  const puts = [...found[1]!.matchAll(/put\("([^\n]*?)",\s*([^\n]*?)\)/g)]
  return PyDict.of(puts.map(([, key, value]) => [key!, looseValue(pyStrip(value!))] as const))
}

/** A value whose type is not documented. */
function looseValue(text: string): PyValue {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1)
  if (LONG.test(text)) return pyInt(text.slice(0, -1))
  if (FLOAT.test(text)) return pyFloat(text.replace(/[fF](?=\n?$)/, ''))
  return numberOrText(text)
}

/** `int`, else `float`, else the text itself. */
export function numberOrText(text: string): PyValue {
  for (const read of [pyInt, pyFloat]) {
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof PyError)) throw error
    }
  }
  return text
}
