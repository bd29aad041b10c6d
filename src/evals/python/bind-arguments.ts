import { PyError } from './errors.js'
import type { PyDict, PyValue } from './values.js'

/** A parameter of a method, without `self`; one without a standard value is required. */
export interface MethodParameter {
  readonly name: string
  readonly standard?: PyValue
}

/**
 * The values of a method's parameters when it is called with keywords only.
 * @param method as Python names it in messages (`Class.method`)
 * @throws PyError TypeError for an unknown or a missing argument, worded as in Python 3.12
 */
export function bindKeywords(method: string, parameters: readonly MethodParameter[], keywords: PyDict): PyValue[] {
  for (const key of keywords.keys()) {
    if (key === 'self') throw new PyError('TypeError', `${method}() got multiple values for argument 'self'`)
    if (!parameters.some(({ name }) => name === key))
      throw new PyError('TypeError', `${method}() got an unexpected keyword argument '${String(key)}'`)
  }
  const missing = parameters.filter(({ name, standard }) => standard === undefined && !keywords.has(name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `'${name}'`)
    const last = names.pop()
    const listed = names.length === 0 ? last : `${names.join(', ')}${names.length > 1 ? ',' : ''} and ${last}`
    const plural = missing.length === 1 ? '' : 's'
    throw new PyError(
      'TypeError',
      `${method}() missing ${missing.length} required positional argument${plural}: ${listed}`,
    )
  }
  return parameters.map(({ name, standard }) => keywords.get(name) ?? standard ?? null)
}
