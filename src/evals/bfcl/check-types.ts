import { type PyTypeName, type PyValue, pyTypeName } from '../python/values.js'

/** Result of one comparison; `errorType` is the official code of the failure, null when valid. */
export interface CheckResult {
  readonly valid: boolean
  readonly errorType: string | null
  /** Of a failed match among parallel calls: the code of each compared call. */
  readonly subErrorTypes?: readonly string[]
}

/** The one result without an error. */
export const VALID: CheckResult = { valid: true, errorType: null }

/** A failure with its official code. */
export function failed(errorType: string): CheckResult {
  return { valid: false, errorType }
}

/** Result of comparing types; a "variable" stands for a value of another type than the documented one. */
export interface TypeResult extends CheckResult {
  readonly isVariable: boolean
}

/** Type of the first accepted answer that is not the mark "may be left out". */
export function answerType(answers: readonly PyValue[]): PyTypeName | null {
  const first = answers.find((answer) => answer !== '')
  return first === undefined ? null : pyTypeName(first)
}

/**
 * Compares the type of a value with the documented type, one level of nesting deep, or with the type of the accepted
 * answers where that differs.
 *
 * Source: type_checker of BFCL v4.
 */
export function checkType(
  value: PyValue,
  answers: readonly PyValue[],
  expected: PyTypeName,
  nested: PyTypeName | null,
): TypeResult {
  const accepted = answerType(answers)
  const type = pyTypeName(value)
  let errorType = 'type_error:simple'
  if (type === expected) {
    const isVariable = accepted !== null && accepted !== expected
    if (nested === null) return { ...VALID, isVariable }
    const items = itemsOf(value)
    const fits = answers.some(
      (answer) => !Array.isArray(answer) || items.every((item) => checkType(item, answer, nested, null).valid),
    )
    if (fits) return { ...VALID, isVariable }
    errorType = 'type_error:nested'
    if (accepted === type) return { valid: false, errorType, isVariable: true }
  } else if (accepted === type) return { ...VALID, isVariable: true }
  return { valid: false, errorType: 'type_error:simple', isVariable: false }
}

function itemsOf(value: PyValue): readonly PyValue[] {
  return Array.isArray(value) ? value : []
}
