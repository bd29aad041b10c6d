import { standardizeString } from '../bfcl/check-values.js'
import { pyEquals } from '../python/equals.js'
import { PyError } from '../python/errors.js'
import { iterate } from '../python/operations.js'
import { pyStr } from '../python/repr.js'
import { PyDict, type PyValue, pyTypeName } from '../python/values.js'

/** Result of one comparison: null when it passes, else the official code of the failure. */
export type CheckCode = string | null

/** A str passes when the standardised answer stands somewhere within it. Source: string_checker of ACEBench. */
export function checkString(value: PyValue, answer: PyValue): CheckCode {
  return standardized(value).includes(standardized(answer)) ? null : 'value_error:string'
}

function standardized(value: PyValue): string {
  if (typeof value === 'string') return standardizeString(value)
  throw new PyError('TypeError', `expected string or bytes-like object, got '${pyTypeName(value)}'`)
}

/** Lists are compared whole, strings at the first level standardised. Source: list_checker of ACEBench. */
export function checkList(value: PyValue, answer: PyValue): CheckCode {
  const level = (items: readonly PyValue[]): PyValue[] =>
    items.map((item) => (typeof item === 'string' ? standardizeString(item) : item))
  return pyEquals(level(iterate(value)), level(iterate(answer))) ? null : 'value_error:list/tuple'
}

/**
 * Dicts must have as many keys as the answer and no other ones; a value passes when the text of the answer stands within
 * its text. Source: dict_checker of ACEBench.
 * @throws PyError AttributeError when the answer is no dict
 */
export function checkDict(value: PyValue, answer: PyValue): CheckCode {
  if (!(value instanceof PyDict)) return 'value_error'
  if (!(answer instanceof PyDict))
    throw new PyError('AttributeError', `'${pyTypeName(answer)}' object has no attribute 'keys'`)
  if (value.size !== answer.size) return 'value_error'
  for (const [key, item] of value.entries()) {
    const expected = answer.get(key)
    if (expected === undefined) return 'value_error'
    const given = withoutQuotes(item)
    if (expected instanceof PyDict) {
      const code = checkDict(given, expected)
      if (code !== null) return code
    } else if (!textOf(given).includes(textOf(expected))) return 'value_error'
  }
  return null
}

function textOf(value: PyValue): string {
  return typeof value === 'string' ? standardizeString(value) : pyStr(value)
}

/** Lists of dicts, place by place. Source: list_dict_checker of ACEBench. @throws PyError */
export function checkListOfDicts(value: PyValue, answer: PyValue): CheckCode {
  const [given, expected] = [iterate(value), iterate(answer)]
  if (given.length !== expected.length) return 'value_error:list_dict_count'
  for (const [place, item] of given.entries()) {
    const code = checkDict(item, expected[place]!)
    if (code !== null) return code
  }
  return null
}

/** `"true"` and `"false"` count as the booleans. */
export function withoutQuotes(value: PyValue): PyValue {
  if (value === 'true') return true
  return value === 'false' ? false : value
}
