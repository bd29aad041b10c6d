import type { Expression } from './ast.js'
import { PyError } from './errors.js'
import { evaluate, unary } from './evaluate.js'
import { unparse } from './unparse.js'
import { PyDict, PyEllipsis, PyTuple, type PyValue } from './values.js'

/** What a call without keywords among the arguments of another becomes: its source, or a call without parameters. */
export type BareCall = 'source' | 'call'

/**
 * Reads a call as `{name: {parameter: value}}`, as the decoders of BFCL and of ACEBench do: positional arguments are
 * dropped, a name used as a value becomes its text, arithmetic its result.
 * @throws PyError for an argument that those decoders refuse
 */
export function callDict(call: Extract<Expression, { kind: 'Call' }>, bareCall: BareCall): PyDict {
  const names: string[] = []
  let part = call.callee
  while (part.kind === 'Attribute') {
    names.unshift(part.name)
    part = part.value
  }
  if (part.kind === 'Name') names.unshift(part.id)
  const values = new PyDict()
  for (const { name, value } of call.keywords) values.set(name, argument(value, bareCall))
  return new PyDict().set(names.join('.'), values)
}

function argument(node: Expression, bareCall: BareCall): PyValue {
  switch (node.kind) {
    case 'Constant':
      return node.value instanceof PyEllipsis ? '...' : node.value
    case 'UnaryOp':
      return negated(node.operand)
    case 'List':
      return node.items.map((item) => argument(item, bareCall))
    case 'Tuple':
      return new PyTuple(node.items.map((item) => argument(item, bareCall)))
    case 'Dict':
      return PyDict.of(
        node.entries.map(([key, value]) => {
          if (key === null) throw unsupported('NoneType')
          return [argument(key, bareCall), argument(value, bareCall)] as const
        }),
      )
    case 'BinOp':
      return evaluate(node)
    case 'Name':
      return node.id
    case 'Call':
      return node.keywords.length === 0 && bareCall === 'source' ? unparse(node) : callDict(node, bareCall)
    case 'Lambda':
      throw new PyError('TypeError', `'${node.body.kind}' object is not subscriptable`)
    case 'Subscript':
      return `${unparse(node.value)}[${unparse(node.slice)}]`
    default:
      throw unsupported(node.kind)
  }
}

/** The official decoders negate the operand's value whatever the operator is (`+5` gives -5, `not True` gives -1). */
function negated(operand: Expression): PyValue {
  if (operand.kind === 'Constant') return unary('-', operand.value)
  if ('value' in operand) throw new PyError('TypeError', "bad operand type for unary -: 'AST'")
  throw new PyError('AttributeError', `'${operand.kind}' object has no attribute 'value'`)
}

function unsupported(kind: string): PyError {
  return new PyError('Exception', `Unsupported AST type: ${kind}`)
}
