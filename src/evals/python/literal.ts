import type { Expression } from './ast.js'
import { PyError } from './errors.js'
import { binary, unary } from './evaluate.js'
import { parsePythonExpression } from './parser.js'
import { PyComplex, PyDict, PySet, PyTuple, type PyValue } from './values.js'

/**
 * `ast.literal_eval(text)` of Python: literals of str, bytes, numbers, tuples, lists, dicts, sets, booleans, None and
 * `...`, signs before numbers, and sums that form a complex number.
 * @throws PyError SyntaxError, ValueError for anything that is not a literal, TypeError for an unhashable key
 */
export function literalEval(text: string): PyValue {
  return literal(parsePythonExpression(text.replace(/^[ \t]+/, '')))
}

function literal(node: Expression): PyValue {
  switch (node.kind) {
    case 'Constant':
      return node.value
    case 'Tuple':
      return new PyTuple(node.items.map(literal))
    case 'List':
      return node.items.map(literal)
    case 'Set':
      return new PySet(node.items.map(literal))
    case 'Call':
      if (node.callee.kind === 'Name' && node.callee.id === 'set' && node.args.length + node.keywords.length === 0)
        return new PySet([])
      break
    case 'Dict':
      return PyDict.of(
        node.entries.map(([key, value]) => {
          if (key === null) throw malformed(node)
          return [literal(key), literal(value)] as const
        }),
      )
    case 'BinOp':
      if (node.operator === '+' || node.operator === '-') {
        const [left, right] = [signed(node.left), number(node.right)]
        if (!(left instanceof PyComplex) && right instanceof PyComplex) return binary(node.operator, left, right)
      }
      break
  }
  return signed(node)
}

function signed(node: Expression): PyValue {
  if (node.kind === 'UnaryOp' && (node.operator === '+' || node.operator === '-'))
    return unary(node.operator, number(node.operand))
  return number(node)
}

function number(node: Expression): PyValue {
  if (node.kind !== 'Constant') throw malformed(node)
  const { value } = node
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof PyComplex) return value
  throw malformed(node)
}

function malformed(node: Expression): PyError {
  return new PyError('ValueError', `malformed node or string: ${node.kind}`)
}
