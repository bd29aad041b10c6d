import { pyIn } from '../python/equals.js'
import { PyDict, type PyValue } from '../python/values.js'
import { type CheckResult, failed, VALID } from './check-types.js'

/** Drops spaces and `,./-_*^`, lowers the case and takes both kinds of quotation marks as one. */
export function standardizeString(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

function standardized(value: PyValue): PyValue {
  return typeof value === 'string' ? standardizeString(value) : value
}

/** A str against the accepted ones. Source: string_checker of BFCL v4. */
export function checkString(value: string, answers: readonly PyValue[]): CheckResult {
  const mine = standardizeString(value)
  const found = answers.some((answer) => typeof answer === 'string' && standardizeString(answer) === mine)
  return found ? VALID : failed('value_error:string')
}

/** A list against the accepted ones; only strings at its first level are standardized. Source: list_checker. */
export function checkList(value: readonly PyValue[], answers: readonly PyValue[]): CheckResult {
  const mine = value.map(standardized)
  const accepted = answers.map((answer) => sequence(answer).map(standardized))
  return pyIn(mine, accepted) ? VALID : failed('value_error:list/tuple')
}

/** An accepted answer as the official code indexes it: a str is a sequence of its characters. */
function sequence(answer: PyValue): readonly PyValue[] {
  if (Array.isArray(answer)) return answer
  if (typeof answer === 'string') return [...answer]
  throw new TypeError('an accepted answer for a list must be a list')
}

/** A dict against the accepted ones, whose values are lists of accepted values. Source: dict_checker. */
export function checkDict(value: PyDict, answers: readonly PyValue[]): CheckResult {
  let result = failed('dict_checker:unclear')
  for (const answer of answers) {
    if (answer === '') continue
    if (!(answer instanceof PyDict)) throw new TypeError('an accepted answer for a dict must be a dict')
    const errorType = firstDictError(value, answer)
    if (errorType === null) return VALID
    result = failed(errorType)
  }
  return result
}

function firstDictError(value: PyDict, answer: PyDict): string | null {
  let errorType: string | null = null
  for (const [key, item] of value.entries()) {
    const accepted = answer.get(key)
    if (accepted === undefined) {
      errorType = 'value_error:dict_key'
      break
    }
    if (!pyIn(standardized(item), sequence(accepted).map(standardized))) {
      errorType = 'value_error:dict_value'
      break
    }
  }
  // A key that is missing outweighs the error found above.
  for (const [key, accepted] of answer.entries())
    if (!value.has(key) && !mayBeAbsent(accepted)) return 'value_error:dict_key'
  return errorType
}

/** `"" in accepted`: true of a list that holds the empty string, and of any str. */
export function mayBeAbsent(accepted: PyValue): boolean {
  return Array.isArray(accepted) ? accepted.includes('') : typeof accepted === 'string'
}

/** A list of dicts against the accepted lists, place by place. Source: list_dict_checker. */
export function checkListOfDicts(value: readonly PyValue[], answers: readonly PyValue[]): CheckResult {
  let result = failed('list_dict_checker:unclear')
  for (const answer of answers) {
    const accepted = sequence(answer)
    if (accepted.length !== value.length) {
      result = failed('value_error:list_dict_count')
      continue
    }
    let fits = true
    for (const [place, item] of value.entries()) {
      if (!(item instanceof PyDict)) throw new TypeError('a list of dicts holds something else')
      result = checkDict(item, [accepted[place]!])
      if (result.valid) continue
      fits = false
      break
    }
    if (fits) return VALID
  }
  return result
}
