import { pyEquals } from '../python/equals.js'
import { PyError } from '../python/errors.js'
import { iterate } from '../python/operations.js'
import { PyDict, PyTuple, type PyValue, pyTypeName } from '../python/values.js'
import { type CheckCode, checkDict, checkList, checkListOfDicts, checkString, withoutQuotes } from './check-values.js'

/** Python types of the documented ones; `enumerate` is the type of no value that a call can hold. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['float', 'float'],
  ['boolean', 'bool'],
  ['array', 'list'],
  ['tuple', 'list'],
  ['dict', 'dict'],
  ['any', 'str'],
  ['list', 'list'],
  ['object', 'dict'],
  ['objectArray', 'list'],
  ['list(string)', 'list'],
  ['list(enum)', 'list'],
  ['int', 'int'],
  ['enum', 'enumerate'],
  ['number', 'int'],
])
const NESTED: ReadonlySet<string> = new Set(['array', 'tuple', 'list(string)', 'list(enum)', 'object', 'objectArray'])

/**
 * Compares decoded calls with one accepted answer `{name (with _1, _2 … when repeated): {parameter: value}}`; returns the
 * official code of the failure, null when they agree. Whole numbers, booleans and enumerations are compared by type only,
 * and one call of the model may stand for several of the answer, as in the official checker.
 *
 * Source: normal_checker of ACEBench.
 * @param functions documents of the case's functions
 * @throws PyError where the official checker raises
 */
export function checkCalls(functions: PyValue, calls: readonly PyDict[], answer: PyDict): CheckCode {
  if (calls.length !== answer.size) return 'wrong functions number'
  const expected = [...answer.entries()].map(([key, values]) => ({
    key: String(key),
    name: String(key).replace(/_\p{Nd}+$/u, ''),
    values,
  }))
  const given = counts(calls.flatMap((call) => call.keys().map(String)))
  const wanted = counts(expected.map(({ name }) => name))
  if ([...given.keys()].some((name) => given.get(name) !== wanted.get(name))) return 'function_mismatch'
  if ([...wanted.keys()].some((name) => !given.has(name))) return 'function_mismatch'
  for (const { key, name, values } of expected) {
    const document = describe(functions, key)
    let code: CheckCode = 'simple_function_checker:unclear'
    for (const call of calls) {
      code = call.keys()[0] === name ? checkCall(document, call, name, values) : 'simple_function_checker:unclear'
      if (code === null) break
    }
    // The code of the last call counts, also where that is a call of another function.
    if (code !== null) return code
  }
  return null
}

function counts(names: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1)
  return counted
}

/** The first document whose name stands within the key. */
function describe(functions: PyValue, key: string): PyDict {
  for (const document of Array.isArray(functions) ? functions : [functions]) {
    if (!(document instanceof PyDict)) throw new PyError('TypeError', 'a document must be an object')
    const name = document.get('name')
    if (!Array.isArray(functions) || (typeof name === 'string' && key.includes(name))) return document
  }
  throw new PyError('TypeError', `there is no document of ${key}`)
}

function member(value: PyValue, key: string): PyValue {
  if (!(value instanceof PyDict)) throw new PyError('TypeError', `'${pyTypeName(value)}' object is not subscriptable`)
  const found = value.get(key)
  if (found === undefined) throw new PyError('KeyError', `'${key}'`)
  return found
}

const EMPTY = new PyDict()

function checkCall(document: PyDict, call: PyDict, answerName: string, accepted: PyValue): CheckCode {
  const parameters = member(document, 'parameters')
  const [isBare, takesNone] = [pyEquals(call.values()[0]!, EMPTY), pyEquals(parameters, EMPTY)]
  if (isBare && takesNone) return null
  if (isBare || takesNone) return 'wrong_param'
  const properties = member(parameters, 'properties')
  if (pyEquals(accepted, properties)) return null
  if (pyEquals(accepted, EMPTY)) return 'wrong_param'
  const given = call.get(member(document, 'name'))
  if (given === undefined) return 'wrong_function_name'
  if (!(given instanceof PyDict) || !(properties instanceof PyDict) || !(accepted instanceof PyDict))
    throw new PyError('TypeError', `${answerName}: parameters must be objects`)
  if (iterate(member(parameters, 'required')).some((name) => !given.has(name))) return 'lack_args'
  for (const [name, value] of given.entries()) {
    const [doc, expected] = [properties.get(name), accepted.get(name)]
    if (doc === undefined || expected === undefined) return 'addition_args'
    const code = checkArgument(value, expected, doc)
    if (code !== null) return code
  }
  return null
}

function typeOf(described: PyValue): string {
  const found = typeof described === 'string' ? TYPES.get(described) : undefined
  if (found === undefined) throw new PyError('KeyError', `'${String(described)}'`)
  return found
}

/** Type of the items: as documented, else guessed from the name of the list's type. */
function itemTypeOf(doc: PyValue, described: string): string {
  const items = doc instanceof PyDict ? doc.get('items') : undefined
  const type = items instanceof PyDict ? items.get('type') : undefined
  if (type !== undefined) return typeOf(type)
  return typeOf(described.includes('string') ? 'string' : described.includes('enum') ? 'enum' : 'dict')
}

function checkArgument(given: PyValue, answer: PyValue, doc: PyValue): CheckCode {
  const described = member(doc, 'type')
  const expected = typeOf(described)
  const nested = NESTED.has(String(described)) ? itemTypeOf(doc, String(described)) : null
  let value = given
  if (described === 'tuple' && value instanceof PyTuple) value = [...value.items]
  if (described === 'float' && typeof value === 'bigint') value = Number(value)

  const typed = checkType(value, answer, expected, nested)
  if (!typed.valid) return 'type_error'
  if (typed.isVariable) return null
  if (expected === 'dict') return checkDict(value, answer)
  if (expected === 'list' && nested === 'dict') {
    if (described === 'objectArray') return checkObjectArray(value, answer)
    return checkListOfDicts(value, answer)
  }
  if (expected === 'str') return checkString(value, answer)
  return expected === 'list' ? checkList(value, answer) : null
}

/** The official code raises here as soon as there is an item to compare. */
function checkObjectArray(value: PyValue, answer: PyValue): CheckCode {
  const [given, expected] = [iterate(value), iterate(answer)]
  if (given.length !== expected.length) return 'value_error:dict_items'
  if (given.length > 0)
    throw new PyError('TypeError', "dict_checker() missing 1 required positional argument: 'func_name'")
  return null
}

/**
 * Compares the type of a value with the documented one, one level of nesting deep, else with the type of the answer; a
 * "variable" is a value whose answer has another type than the documented one. Source: type_checker of ACEBench.
 */
function checkType(
  given: PyValue,
  answer: PyValue,
  expected: string,
  nested: string | null,
): { readonly valid: boolean; readonly isVariable: boolean } {
  const accepted = answer === '' ? null : pyTypeName(answer)
  const value = withoutQuotes(given)
  const isVariable = accepted !== null && accepted !== expected
  if (pyTypeName(value) === expected) {
    if (nested === null) return { valid: true, isVariable }
    const fits = iterate(answer).some(
      (one) => !Array.isArray(one) || iterate(value).every((item) => checkType(item, one, nested, null).valid),
    )
    return { valid: fits, isVariable }
  }
  const same = accepted !== null && (pyTypeName(value) === accepted || pyEquals(answer, value))
  return { valid: same, isVariable: true }
}
