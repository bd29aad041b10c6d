import { PyError } from '../python/errors.js'
import { parsePythonJson } from '../python/json.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyValue, pyTypeName } from '../python/values.js'
import { decodeJavaCall } from './decode-java.js'
import { decodeJavaScriptCall } from './decode-javascript.js'
import { decodePythonCalls } from './decode-python.js'
import type { SyntaxParsers } from './syntax-tree.js'

/** Language in which a category's calls are written. */
export type CallLanguage = 'python' | 'java' | 'javascript'

/** Language of a single-turn category. */
export function languageOf(category: string): CallLanguage {
  if (category.includes('javascript')) return 'javascript'
  return category.includes('java') ? 'java' : 'python'
}

/** Strips backticks, line ends and spaces, and adds the outer brackets that a model left out. */
export function bracketed(text: string): string {
  const stripped = pyStrip(text, '`\n ')
  const opened = stripped.startsWith('[') ? stripped : `[${stripped}`
  return opened.endsWith(']') ? opened : `${opened}]`
}

/**
 * Decodes the text of a model that was prompted to write calls.
 *
 * Source: default_decode_ast_prompting of BFCL v4.
 * @throws PyError where the official decoder raises
 */
export function decodePrompted(raw: string, language: CallLanguage, parsers: SyntaxParsers): PyValue {
  const text = bracketed(raw)
  if (language === 'python') return decodePythonCalls(text)
  const inner = text.slice(1, -1)
  const tree = parsers.parse(language, inner)
  try {
    return language === 'java' ? decodeJavaCall(inner, tree) : decodeJavaScriptCall(tree)
  } finally {
    tree.free()
  }
}

/**
 * Decodes the output of a model that calls tools natively: a list of `{name: arguments as JSON text}`.
 * @throws PyError where the official decoder raises
 */
export function decodeNative(raw: PyValue): PyValue {
  const items = typeof raw === 'string' ? [...raw] : raw
  if (!Array.isArray(items)) throw new PyError('TypeError', `'${pyTypeName(raw)}' object is not iterable`)
  return items.map((call) => {
    if (!(call instanceof PyDict))
      throw new PyError('AttributeError', `'${pyTypeName(call)}' object has no attribute 'keys'`)
    const [name] = call.keys()
    if (name === undefined) throw new PyError('IndexError', 'list index out of range')
    const text = call.get(name)!
    if (typeof text !== 'string') throw new PyError('TypeError', `the JSON object must be str, not ${pyTypeName(text)}`)
    return new PyDict().set(name, parsePythonJson(text))
  })
}

/** Says whether a decoded value is a list of one-key dicts of dicts; the empty list is one. */
export function isCallList(decoded: PyValue): decoded is PyDict[] {
  return (
    Array.isArray(decoded) &&
    decoded.every((call) => call instanceof PyDict && call.size === 1 && call.values()[0] instanceof PyDict)
  )
}

/** Says whether a decoded value holds no call; whatever is not a list of calls counts as none. */
export function isEmptyOutput(decoded: PyValue): boolean {
  return !isCallList(decoded) || decoded.length === 0
}
