import type { Comprehension, Expression, FormattedPart } from './ast.js'
import { pyEquals } from './equals.js'
import { PyError } from './errors.js'
import { binary, truth, unary } from './evaluate.js'
import { formatValue } from './format-value.js'
import { atMost, getItem, greaterThan, iterate, lessThan } from './operations.js'
import { pyRepr, pyStr } from './repr.js'
import { pyContains, pySlice } from './sequences.js'
import { PyDict, PyObject, PySet, PyTuple, type PyValue, pyTypeName } from './values.js'

/** What `eval` looks names and attributes up in. */
export interface Names {
  /** undefined: there is no such name. */
  lookUp(name: string): PyValue | undefined
  /** `value.name`. @throws PyError AttributeError */
  attribute(value: PyValue, name: string): PyValue
}

/**
 * `eval` of an expression with names, calls and attributes. Lambdas, `yield` and `await` are not covered.
 * @throws PyError what Python raises
 */
export function evaluateNames(node: Expression, names: Names): PyValue {
  const value = (inner: Expression): PyValue => evaluateNames(inner, names)
  switch (node.kind) {
    case 'Constant':
      return node.value
    case 'Name': {
      const found = names.lookUp(node.id)
      if (found === undefined) throw new PyError('NameError', `name '${node.id}' is not defined`)
      return found
    }
    case 'Attribute':
      return names.attribute(value(node.value), node.name)
    case 'Call':
      return call(node, names)
    case 'Subscript': {
      const object = value(node.value)
      if (node.slice.kind !== 'Slice') return getItem(object, value(node.slice))
      const { lower, upper, step } = node.slice
      return pySlice(object, lower && value(lower), upper && value(upper), step && value(step))
    }
    case 'List':
      return items(node.items, names)
    case 'Tuple':
      return new PyTuple(items(node.items, names))
    case 'Set':
      return new PySet(items(node.items, names))
    case 'Dict': {
      const dict = new PyDict()
      for (const [key, item] of node.entries) {
        if (key !== null) {
          const k = value(key)
          dict.set(k, value(item))
          continue
        }
        const other = value(item)
        if (!(other instanceof PyDict)) throw new PyError('TypeError', `'${pyTypeName(other)}' object is not a mapping`)
        for (const [k, v] of other.entries()) dict.set(k, v)
      }
      return dict
    }
    case 'UnaryOp':
      return unary(node.operator, value(node.operand))
    case 'BinOp':
      return binary(node.operator, value(node.left), value(node.right))
    case 'BoolOp': {
      let result: PyValue = null
      for (const one of node.values) {
        result = value(one)
        if (truth(result) === (node.operator === 'or')) break
      }
      return result
    }
    case 'Compare': {
      let left = value(node.left)
      for (const [place, operator] of node.operators.entries()) {
        const right = value(node.others[place]!)
        if (!compares(operator, left, right)) return false
        left = right
      }
      return true
    }
    case 'IfExp':
      return value(truth(value(node.test)) ? node.body : node.otherwise)
    case 'JoinedStr':
      return formatted(node.parts, names)
    case 'ListComp':
    case 'GeneratorExp':
      return comprehended(node.generators, names, (inner) => evaluateNames(node.element, inner))
    case 'SetComp':
      return new PySet(comprehended(node.generators, names, (inner) => evaluateNames(node.element, inner)))
    case 'DictComp': {
      const dict = new PyDict()
      comprehended(node.generators, names, (inner) => {
        dict.set(evaluateNames(node.key, inner), evaluateNames(node.value, inner))
        return null
      })
      return dict
    }
    default:
      throw new PyError('Exception', `${node.kind} is not covered`)
  }
}

function call(node: Extract<Expression, { kind: 'Call' }>, names: Names): PyValue {
  const callee = evaluateNames(node.callee, names)
  const positional = items(node.args, names)
  const keywords = new Map<string, PyValue>()
  for (const { name, value } of node.keywords) {
    const argument = evaluateNames(value, names)
    if (name !== null) keywords.set(name, argument)
    else if (argument instanceof PyDict) {
      for (const [key, item] of argument.entries()) {
        if (typeof key !== 'string') throw new PyError('TypeError', 'keywords must be strings')
        keywords.set(key, item)
      }
    } else throw new PyError('TypeError', `argument after ** must be a mapping, not ${pyTypeName(argument)}`)
  }
  if (!(callee instanceof PyObject) || !callee.call)
    throw new PyError('TypeError', `'${pyTypeName(callee)}' object is not callable`)
  return callee.call(positional, keywords)
}

function items(nodes: readonly Expression[], names: Names): PyValue[] {
  return nodes.flatMap((node): PyValue[] => {
    if (node.kind !== 'Starred') return [evaluateNames(node, names)]
    const value = evaluateNames(node.value, names)
    try {
      return [...iterate(value)]
    } catch (error) {
      if (!(error instanceof PyError)) throw error
      throw new PyError('TypeError', `Value after * must be an iterable, not ${pyTypeName(value)}`)
    }
  })
}

function compares(operator: string, left: PyValue, right: PyValue): boolean {
  switch (operator) {
    case '==':
      return pyEquals(left, right)
    case '!=':
      return !pyEquals(left, right)
    case '<':
      return lessThan(left, right)
    case '>':
      return greaterThan(left, right)
    case '<=':
      return atMost(left, right)
    case '>=':
      return atLeast(left, right)
    case 'in':
      return pyContains(right, left)
    case 'not in':
      return !pyContains(right, left)
    default: {
      const same = left === right
      return operator === 'is' ? same : !same
    }
  }
}

/** `a >= b`. @throws PyError TypeError */
export function atLeast(left: PyValue, right: PyValue): boolean {
  try {
    return atMost(right, left)
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    const types = `'${pyTypeName(left)}' and '${pyTypeName(right)}'`
    throw new PyError('TypeError', `'>=' not supported between instances of ${types}`)
  }
}

function formatted(parts: readonly FormattedPart[], names: Names): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const value = evaluateNames(part.value, names)
      if (part.conversion.includes('=')) throw new PyError('Exception', 'self-documenting fields are not covered')
      const shown = part.conversion === '' ? value : part.conversion === '!s' ? pyStr(value) : pyRepr(value)
      return formatValue(shown, part.format === null ? '' : formatted(part.format, names))
    })
    .join('')
}

function comprehended(
  generators: readonly Comprehension[],
  names: Names,
  element: (inner: Names) => PyValue,
): PyValue[] {
  const [first, ...rest] = generators
  if (!first) return [element(names)]
  const found: PyValue[] = []
  for (const item of iterate(evaluateNames(first.iterable, names))) {
    const local = new Map<string, PyValue>()
    assign(first.target, item, local)
    const inner: Names = {
      lookUp: (name) => local.get(name) ?? (local.has(name) ? null : names.lookUp(name)),
      attribute: (value, name) => names.attribute(value, name),
    }
    if (first.conditions.every((condition) => truth(evaluateNames(condition, inner))))
      found.push(...comprehended(rest, inner, element))
  }
  return found
}

function assign(target: Expression, value: PyValue, local: Map<string, PyValue>): void {
  if (target.kind === 'Name') {
    local.set(target.id, value)
    return
  }
  if (target.kind !== 'Tuple' && target.kind !== 'List')
    throw new PyError('Exception', 'this target of a comprehension is not covered')
  const parts = iterate(value)
  const wanted = target.items.length
  if (parts.length > wanted) throw new PyError('ValueError', `too many values to unpack (expected ${wanted})`)
  if (parts.length < wanted)
    throw new PyError('ValueError', `not enough values to unpack (expected ${wanted}, got ${parts.length})`)
  for (const [place, item] of target.items.entries()) assign(item, parts[place]!, local)
}
