import type { Comprehension, Expression, FormattedPart, Parameter } from './ast.js'
import { pyRepr } from './repr.js'

/** How tightly a construct binds; an operand that binds looser than its place gets brackets. */
const P = {
  tuple: 1,
  yield: 2,
  test: 3,
  or: 4,
  and: 5,
  not: 6,
  compare: 7,
  '|': 8,
  '^': 9,
  '&': 10,
  '<<': 11,
  '>>': 11,
  '+': 12,
  '-': 12,
  '*': 13,
  '/': 13,
  '//': 13,
  '%': 13,
  '@': 13,
  factor: 14,
  '**': 15,
  await: 16,
  atom: 17,
} as const

/** `ast.unparse(expression)` of Python 3.10 to 3.12 (an f-string's inner quotes are chosen more simply). */
export function unparse(node: Expression): string {
  return at(node, P.test)
}

function at(node: Expression, place: number): string {
  switch (node.kind) {
    case 'Constant':
      return typeof node.value === 'object' && node.value !== null && 'kind' in node.value
        ? '...'
        : pyRepr(node.value).replace(/\binf\b/g, (word) => (typeof node.value === 'string' ? word : '1e309'))
    case 'Name':
      return node.id
    case 'Attribute': {
      const whole = node.value.kind === 'Constant' && typeof node.value.value === 'bigint'
      return `${at(node.value, P.atom)}${whole ? ' ' : ''}.${node.name}`
    }
    case 'Subscript':
      return `${at(node.value, P.atom)}[${sliceText(node.slice)}]`
    case 'Slice': {
      const [lower, upper] = [node.lower, node.upper].map((part) => (part ? unparse(part) : ''))
      return `${lower}:${upper}${node.step ? `:${unparse(node.step)}` : ''}`
    }
    case 'Call': {
      const keywords = node.keywords.map(({ name, value }) => `${name === null ? '**' : `${name}=`}${unparse(value)}`)
      return `${at(node.callee, P.atom)}(${[...node.args.map(unparse), ...keywords].join(', ')})`
    }
    case 'UnaryOp': {
      const own = node.operator === 'not' ? P.not : P.factor
      return wrap(`${node.operator}${node.operator === 'not' ? ' ' : ''}${at(node.operand, own)}`, own, place)
    }
    case 'BinOp': {
      const own = P[node.operator]
      const power = node.operator === '**'
      const [left, right] = [at(node.left, power ? own + 1 : own), at(node.right, power ? own : own + 1)]
      return wrap(`${left} ${node.operator} ${right}`, own, place)
    }
    case 'BoolOp': {
      const own = P[node.operator]
      // Each operand is placed one step above the one before it, as ast.unparse does: `a or (b and c)`.
      const operands = node.values.map((value, index) => at(value, Math.min(own + 1 + index, P.atom)))
      return wrap(operands.join(` ${node.operator} `), own, place)
    }
    case 'Compare': {
      const rest = node.others.map((other, i) => ` ${node.operators[i]} ${at(other, P.compare + 1)}`).join('')
      return wrap(`${at(node.left, P.compare + 1)}${rest}`, P.compare, place)
    }
    case 'IfExp': {
      const [body, test] = [at(node.body, P.test + 1), at(node.test, P.test + 1)]
      return wrap(`${body} if ${test} else ${at(node.otherwise, P.test)}`, P.test, place)
    }
    case 'Lambda': {
      const parameters = node.parameters.map(parameter).join(', ')
      return wrap(`lambda${parameters === '' ? '' : ` ${parameters}`}: ${unparse(node.body)}`, P.test, place)
    }
    case 'List':
      return `[${node.items.map(unparse).join(', ')}]`
    case 'Tuple': {
      const items = `${node.items.map(unparse).join(', ')}${node.items.length === 1 ? ',' : ''}`
      return node.items.length === 0 ? '()' : wrap(items, P.tuple, place)
    }
    case 'Set':
      return node.items.length === 0 ? '{*()}' : `{${node.items.map(unparse).join(', ')}}`
    case 'Dict':
      return `{${node.entries
        .map(([key, value]) => (key === null ? `**${at(value, P['|'])}` : `${unparse(key)}: ${unparse(value)}`))
        .join(', ')}}`
    case 'ListComp':
      return `[${unparse(node.element)}${node.generators.map(generator).join('')}]`
    case 'SetComp':
      return `{${unparse(node.element)}${node.generators.map(generator).join('')}}`
    case 'GeneratorExp':
      return `(${unparse(node.element)}${node.generators.map(generator).join('')})`
    case 'DictComp':
      return `{${unparse(node.key)}: ${unparse(node.value)}${node.generators.map(generator).join('')}}`
    case 'Starred':
      return `*${at(node.value, P['|'])}`
    case 'Await':
      return wrap(`await ${at(node.value, P.atom)}`, P.await, place)
    case 'YieldFrom':
      return wrap(`yield from ${at(node.value, P.atom)}`, P.yield, place)
    case 'Yield':
      return wrap(node.value ? `yield ${at(node.value, P.atom)}` : 'yield', P.yield, place)
    case 'NamedExpr':
      return wrap(`${node.name} := ${at(node.value, P.atom)}`, P.tuple, place)
    case 'JoinedStr':
      return joined(node.parts)
  }
}

function wrap(text: string, own: number, place: number): string {
  return own < place ? `(${text})` : text
}

function sliceText(slice: Expression): string {
  if (slice.kind === 'Tuple' && slice.items.length > 0) {
    const items = slice.items.map(unparse).join(', ')
    return slice.items.length === 1 ? `${items},` : items
  }
  return unparse(slice)
}

function generator({ isAsync, target, iterable, conditions }: Comprehension): string {
  const tests = conditions.map((condition) => ` if ${at(condition, P.test + 1)}`).join('')
  return ` ${isAsync ? 'async ' : ''}for ${at(target, P.tuple)} in ${at(iterable, P.test + 1)}${tests}`
}

function parameter({ name, mark, standard }: Parameter): string {
  return `${mark}${name}${standard ? `=${unparse(standard)}` : ''}`
}

function joined(parts: readonly FormattedPart[]): string {
  const write = (inner: readonly FormattedPart[]): string =>
    inner
      .map((part) => {
        if (typeof part === 'string') return part.replaceAll('{', '{{').replaceAll('}', '}}')
        const format = part.format ? `:${write(part.format)}` : ''
        return `{${unparse(part.value)}${part.conversion}${format}}`
      })
      .join('')
  const text = write(parts)
  const quote = text.includes("'") ? (text.includes('"') ? '"""' : '"') : "'"
  return `f${quote}${text}${quote}`
}
