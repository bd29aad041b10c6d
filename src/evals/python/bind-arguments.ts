import { PyError } from './errors.js'
import type { PyDict, PyValue } from './values.js'

/** A parameter of a method, without `self`; one without a standard value is required. */
export interface MethodParameter {
  readonly name: string
  readonly standard?: PyValue
}

/**
 * The values of a method's parameters when it is called with these arguments.
 * @param method as Python names it in messages (`Class.method`)
 * @throws PyError TypeError for an unknown, repeated, surplus or missing argument, worded as in Python 3.10 to 3.13
 */
export function bindArguments(
  method: string,
  parameters: readonly MethodParameter[],
  positional: readonly PyValue[],
  keywords: ReadonlyMap<string, PyValue>,
): PyValue[] {
  const values: (PyValue | undefined)[] = parameters.map((_, place) => positional[place])
  for (const [key, value] of keywords) {
    const place = parameters.findIndex(({ name }) => name === key)
    if (place < 0 && key !== 'self')
      throw new PyError('TypeError', `${method}() got an unexpected keyword argument '${key}'`)
    if (place < 0 || values[place] !== undefined)
      throw new PyError('TypeError', `${method}() got multiple values for argument '${key}'`)
    values[place] = value
  }
  if (positional.length > parameters.length) {
    // Python counts `self` among both.
    const most = parameters.length + 1
    const optional = parameters.filter(({ standard }) => standard !== undefined).length
    const takes = optional > 0 ? `from ${most - optional} to ${most}` : String(most)
    const plural = optional > 0 || most !== 1 ? 's' : ''
    throw new PyError(
      'TypeError',
      `${method}() takes ${takes} positional argument${plural} but ${positional.length + 1} were given`,
    )
  }
  const missing = parameters.filter(({ standard }, place) => values[place] === undefined && standard === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `'${name}'`)
    const last = names.pop()
    const listed = names.length === 0 ? last : `${names.join(', ')}${names.length > 1 ? ',' : ''} and ${last}`
    throw new PyError(
      'TypeError',
      `${method}() missing ${missing.length} required positional argument${missing.length === 1 ? '' : 's'}: ${listed}`,
    )
  }
  return values.map((value, place) => (value === undefined ? parameters[place]!.standard! : value))
}

/**
 * {@link bindArguments} of a call with keywords only.
 * @throws PyError TypeError
 */
export function bindKeywords(method: string, parameters: readonly MethodParameter[], keywords: PyDict): PyValue[] {
  return bindArguments(
    method,
    parameters,
    [],
    new Map([...keywords.entries()].map(([key, value]) => [String(key), value])),
  )
}
