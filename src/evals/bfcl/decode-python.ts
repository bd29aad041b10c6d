import type { Expression } from '../python/ast.js'
import { PyError } from '../python/errors.js'
import { evaluate, unary } from '../python/evaluate.js'
import { parsePythonExpression } from '../python/parser.js'
import { pyStrip } from '../python/strip.js'
import { unparse } from '../python/unparse.js'
import { PyDict, PyEllipsis, PyTuple, type PyValue } from '../python/values.js'

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
  if (body.kind === 'Call') return [callOf(body)]
  if (body.kind !== 'List' && body.kind !== 'Tuple' && body.kind !== 'Set')
    throw new PyError('AttributeError', `'${body.kind}' object has no attribute 'elts'`)
  return body.items.map((item) => {
    if (item.kind !== 'Call') throw new PyError('AssertionError', '')
    return callOf(item)
  })
}

function callOf(call: Extract<Expression, { kind: 'Call' }>): PyDict {
  const names: string[] = []
  let part = call.callee
  while (part.kind === 'Attribute') {
    names.unshift(part.name)
    part = part.value
  }
  if (part.kind === 'Name') names.unshift(part.id)
  const values = new PyDict()
  for (const { name, value } of call.keywords) values.set(name, resolve(value))
  return new PyDict().set(names.join('.'), values)
}

function resolve(node: Expression): PyValue {
  switch (node.kind) {
    case 'Constant':
      return node.value instanceof PyEllipsis ? '...' : node.value
    case 'UnaryOp':
      return negated(node.operand)
    case 'List':
      return node.items.map(resolve)
    case 'Tuple':
      return new PyTuple(node.items.map(resolve))
    case 'Dict':
      return PyDict.of(
        node.entries.map(([key, value]) => {
          if (key === null) throw unsupported('NoneType')
          return [resolve(key), resolve(value)] as const
        }),
      )
    case 'BinOp':
      return evaluate(node)
    case 'Name':
      return node.id
    case 'Call':
      return node.keywords.length === 0 ? unparse(node) : callOf(node)
    case 'Lambda':
      throw new PyError('TypeError', `'${node.body.kind}' object is not subscriptable`)
    case 'Subscript':
      return `${unparse(node.value)}[${unparse(node.slice)}]`
    default:
      throw unsupported(node.kind)
  }
}

/** The official decoder negates the operand's value whatever the operator is (`+5` gives -5, `not True` gives -1). */
function negated(operand: Expression): PyValue {
  if (operand.kind === 'Constant') return unary('-', operand.value)
  if ('value' in operand) throw new PyError('TypeError', "bad operand type for unary -: 'AST'")
  throw new PyError('AttributeError', `'${operand.kind}' object has no attribute 'value'`)
}

function unsupported(kind: string): PyError {
  return new PyError('Exception', `Unsupported AST type: ${kind}`)
}
