import { pyIn } from '../python/equals.js'
import { PyError } from '../python/errors.js'
import { PyDict, PyTuple, type PyTypeName, type PyValue } from '../python/values.js'
import { type CheckResult, checkType, failed, VALID } from './check-types.js'
import { checkDict, checkList, checkListOfDicts, checkString, mayBeAbsent } from './check-values.js'
import { convertJava, JAVA_TYPES } from './convert-java.js'
import { convertJavaScript, JAVASCRIPT_TYPES } from './convert-javascript.js'
import type { CallLanguage } from './decode.js'

/** What the checker reads of a function's documentation. */
export interface FunctionDoc {
  readonly name: string
  readonly properties: ReadonlyMap<string, ParameterDoc>
  readonly required: readonly string[]
}

/** Documented type of a parameter, and of its items. */
export interface ParameterDoc {
  readonly type: string
  readonly itemType: string | null
}

/** A case's documents and accepted answers. */
export interface CheckedCase {
  readonly functions: readonly FunctionDoc[]
  /** One-key dicts `{function: {parameter: [accepted values]}}`. */
  readonly answers: readonly PyDict[]
}

/** How a model's calls are to be read. */
export interface CheckSettings {
  readonly category: string
  readonly language: CallLanguage
  /** The model cannot write dots in names, so `.` of an expected name is `_`. */
  readonly underscoreToDot: boolean
}

const PYTHON_TYPES: ReadonlyMap<string, PyTypeName> = new Map<string, PyTypeName>([
  ['string', 'str'],
  ['integer', 'int'],
  ['float', 'float'],
  ['boolean', 'bool'],
  ['array', 'list'],
  ['tuple', 'list'],
  ['dict', 'dict'],
  ['any', 'str'],
])

/**
 * Compares decoded calls with the accepted ones of a case.
 *
 * Source: ast_checker of BFCL v4.
 * @throws PyError KeyError for a documented type that the official tables lack
 */
export function checkCalls(
  calls: readonly PyDict[],
  { functions, answers }: CheckedCase,
  settings: CheckSettings,
): CheckResult {
  if (settings.category.includes('parallel')) return checkParallel(calls, functions, answers, settings)
  const multiple = settings.category.includes('multiple')
  const expectedCount = multiple ? answers.length : 1
  if (calls.length !== expectedCount) return failed(`${multiple ? 'multiple' : 'simple'}_function_checker:wrong_count`)
  const document = multiple ? describe(functions, answers[0]!) : functions[0]!
  return checkCall(document, calls[0]!, answers[0]!, settings)
}

function describe(functions: readonly FunctionDoc[], answer: PyDict): FunctionDoc {
  const [name] = answer.keys()
  const found = functions.find((one) => one.name === name)
  if (!found) throw new PyError('TypeError', `there is no document of ${String(name)}`)
  return found
}

function checkParallel(
  calls: readonly PyDict[],
  functions: readonly FunctionDoc[],
  answers: readonly PyDict[],
  settings: CheckSettings,
): CheckResult {
  if (calls.length !== answers.length) return failed('parallel_function_checker_no_order:wrong_count')
  const left = new Set(calls.keys())
  for (const answer of answers) {
    const document = describe(functions, answer)
    const errors: string[] = []
    let matched: number | undefined
    for (const index of left) {
      const result = checkCall(document, calls[index]!, answer, settings)
      if (result.valid) {
        matched = index
        break
      }
      errors.push(result.errorType ?? '')
    }
    if (matched === undefined)
      return { ...failed('parallel_function_checker_no_order:cannot_find_match'), subErrorTypes: errors }
    left.delete(matched)
  }
  return VALID
}

function checkCall(document: FunctionDoc, call: PyDict, answer: PyDict, settings: CheckSettings): CheckResult {
  const accepted = answer.values()[0]
  if (!(accepted instanceof PyDict)) throw new PyError('TypeError', 'an accepted call must be a dict of parameters')
  const name = settings.underscoreToDot ? document.name.replaceAll('.', '_') : document.name
  const given = call.get(name)
  if (!(given instanceof PyDict)) return failed('simple_function_checker:wrong_func_name')
  if (document.required.some((parameter) => !given.has(parameter)))
    return failed('simple_function_checker:missing_required')
  for (const [parameter, value] of given.entries()) {
    const doc = typeof parameter === 'string' ? document.properties.get(parameter) : undefined
    const answers = accepted.get(parameter)
    if (doc === undefined || answers === undefined) return failed('simple_function_checker:unexpected_param')
    const result = checkArgument(value, listOf(answers), doc, settings.language)
    if (!result.valid) return result
  }
  for (const [parameter, answers] of accepted.entries())
    if (!given.has(parameter) && !mayBeAbsent(answers)) return failed('simple_function_checker:missing_optional')
  return VALID
}

function listOf(answers: PyValue): readonly PyValue[] {
  if (Array.isArray(answers)) return answers
  throw new PyError('TypeError', 'accepted values must be a list')
}

function checkArgument(
  given: PyValue,
  answers: readonly PyValue[],
  doc: ParameterDoc,
  language: CallLanguage,
): CheckResult {
  let value = given
  const types = language === 'java' ? JAVA_TYPES : language === 'javascript' ? JAVASCRIPT_TYPES : PYTHON_TYPES
  const expected = types.get(doc.type)
  if (expected === undefined) throw new PyError('KeyError', doc.type)
  const isNested = (language === 'python' ? ['array', 'tuple'] : ['Array', 'ArrayList', 'array']).includes(doc.type)
  if (language !== 'python' && typeof value !== 'string')
    return failed(language === 'java' ? 'type_error:java' : 'type_error:js')
  const itemType = isNested ? (doc.itemType ?? '') : null
  const nested = itemType === null ? null : types.get(itemType)
  if (nested === undefined) throw new PyError('KeyError', itemType ?? '')
  if (typeof value === 'string' && language !== 'python')
    value = (language === 'java' ? convertJava : convertJavaScript)(value, doc.type, itemType)
  if (doc.type === 'tuple' && value instanceof PyTuple) value = [...value.items]
  if (language === 'python' && doc.type === 'float' && typeof value === 'bigint') value = Number(value)

  const typed = checkType(value, answers, expected, nested)
  if (!typed.valid) return typed
  if (!typed.isVariable) {
    if (value instanceof PyDict && expected === 'dict') return checkDict(value, answers)
    if (Array.isArray(value) && expected === 'list')
      return nested === 'dict' ? checkListOfDicts(value, answers) : checkList(value, answers)
    if (typeof value === 'string' && expected === 'str') return checkString(value, answers)
  }
  return pyIn(value, answers) ? VALID : failed('value_error:others')
}
