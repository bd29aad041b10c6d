import { callDict } from '../python/calls.js'
import { PyError } from '../python/errors.js'
import { parsePythonExpression } from '../python/parser.js'
import type { PyDict } from '../python/values.js'

/** Says whether a category's texts lose all their white space before they are read. */
function isDialogue(category: string): boolean {
  return category.startsWith('normal_multi_turn')
}

/**
 * Decodes a model's text of a normal_* category. In normal_multi_turn_* all white space is removed, also within strings;
 * elsewhere the first outermost pair of square brackets is taken and the rest dropped. Each call becomes a dict
 * `{name: {parameter: value}}`.
 *
 * Source: normal_single_turn_eval, normal_multi_turn_eval and ast_parse of ACEBench.
 * @throws PyError where the official decoder raises
 */
export function decodeNormal(raw: string, category: string): PyDict[] {
  const text = isDialogue(category) ? raw.replace(/(?!\ufeff)[\s\x1c-\x1f\x85]/g, '') : firstBrackets(raw)
  const body = parsePythonExpression(text)
  if (body.kind !== 'List' && body.kind !== 'Tuple' && body.kind !== 'Set')
    throw new PyError('AttributeError', `'${body.kind}' object has no attribute 'elts'`)
  return body.items.map((item) => {
    if (item.kind !== 'Call') throw new PyError('AssertionError', '')
    return callDict(item, 'call')
  })
}

/** Brackets are counted wherever they stand, in strings too; one that closes nothing shifts the count for good. */
function firstBrackets(text: string): string {
  let [start, depth] = [-1, 0]
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') {
      if (depth === 0) start = at
      depth += 1
    } else if (text[at] === ']') {
      depth -= 1
      if (depth === 0 && start !== -1) return text.slice(start, at + 1)
    }
  }
  throw new PyError('TypeError', 'compile() arg 1 must be a string, bytes or AST object')
}
