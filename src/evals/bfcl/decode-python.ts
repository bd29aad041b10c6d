import { callDict } from '../python/calls.js'
import { PyError } from '../python/errors.js'
import { parsePythonExpression } from '../python/parser.js'
import { pyStrip } from '../python/strip.js'
import type { PyValue } from '../python/values.js'

/**
 * Reads a text of calls in Python syntax: one call, or a list, tuple or set of calls. Each becomes a dict
 * `{name: {parameter: value}}`; positional arguments are dropped, a name used as a value becomes its text, a nested call
 * without keywords its source.
 *
 * Source: ast_parse of BFCL v4 with the return format python.
 * @throws PyError where the official decoder raises
 */
export function decodePythonCalls(text: string): PyValue[] {
  const body = parsePythonExpression(pyStrip(pyStrip(text), "'"))
  if (body.kind === 'Call') return [callDict(body, 'source')]
  if (body.kind !== 'List' && body.kind !== 'Tuple' && body.kind !== 'Set')
    throw new PyError('AttributeError', `'${body.kind}' object has no attribute 'elts'`)
  return body.items.map((item) => {
    if (item.kind !== 'Call') throw new PyError('AssertionError', '')
    return callDict(item, 'source')
  })
}
