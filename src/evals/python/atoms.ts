import type { Expression, FormattedPart } from './ast.js'
import { parseFormatted } from './formatted-strings.js'
import type { Parser } from './parser.js'
import { bytesLiteral, type StringToken, splitStringToken, unescapeString } from './string-literals.js'
import { ELLIPSIS, PyBytes } from './values.js'

/**
 * A name, literal, or bracketed expression.
 * @throws PyError SyntaxError
 */
export function parseAtom(parser: Parser): Expression {
  const { kind, text, value } = parser.token
  if (kind === 'name') {
    parser.advance()
    return { kind: 'Name', id: text }
  }
  if (kind === 'number') {
    parser.advance()
    return { kind: 'Constant', value: value ?? null }
  }
  if (kind === 'string') return strings(parser)
  if (kind === 'keyword') {
    if (text !== 'None' && text !== 'True' && text !== 'False') parser.fail()
    parser.advance()
    return { kind: 'Constant', value: text === 'None' ? null : text === 'True' }
  }
  if (parser.takeOp('(')) return round(parser)
  if (parser.takeOp('[')) return square(parser)
  if (parser.takeOp('{')) return curly(parser)
  if (parser.takeOp('...')) return { kind: 'Constant', value: ELLIPSIS }
  return parser.fail()
}

function round(parser: Parser): Expression {
  if (parser.takeOp(')')) return { kind: 'Tuple', items: [] }
  if (parser.isKeyword('yield')) {
    const value = yieldExpression(parser)
    parser.expectOp(')')
    return value
  }
  const first = parser.starOrNamed()
  if (parser.isOp(',')) {
    const items = itemsAfter(parser, first, ')')
    return { kind: 'Tuple', items }
  }
  if (first.kind === 'Starred') parser.fail('cannot use starred expression here')
  if (parser.atFor()) {
    const generators = parser.generators()
    parser.expectOp(')')
    return { kind: 'GeneratorExp', element: first, generators }
  }
  parser.expectOp(')')
  return first
}

function yieldExpression(parser: Parser): Expression {
  parser.advance()
  if (parser.takeKeyword('from')) return { kind: 'YieldFrom', value: parser.expression() }
  if (parser.isOp(')')) return { kind: 'Yield', value: null }
  const first = parser.starOrNamed()
  if (parser.isOp(',')) {
    const items = [first]
    while (parser.takeOp(',') && !parser.isOp(')')) items.push(parser.starOrNamed())
    return { kind: 'Yield', value: { kind: 'Tuple', items } }
  }
  return { kind: 'Yield', value: first }
}

function square(parser: Parser): Expression {
  if (parser.takeOp(']')) return { kind: 'List', items: [] }
  const first = parser.starOrNamed()
  if (parser.atFor()) {
    if (first.kind === 'Starred') parser.fail('iterable unpacking cannot be used in comprehension')
    const generators = parser.generators()
    parser.expectOp(']')
    return { kind: 'ListComp', element: first, generators }
  }
  return { kind: 'List', items: itemsAfter(parser, first, ']') }
}

function curly(parser: Parser): Expression {
  if (parser.takeOp('}')) return { kind: 'Dict', entries: [] }
  if (parser.isOp('**')) return dict(parser, [])
  const bareWalrus = parser.atWalrus()
  const first = parser.starOrNamed()
  if (parser.isOp(':') && first.kind !== 'Starred' && !bareWalrus) {
    parser.advance()
    const value = parser.expression()
    if (!parser.atFor()) return dict(parser, [[first, value]])
    const generators = parser.generators()
    parser.expectOp('}')
    return { kind: 'DictComp', key: first, value, generators }
  }
  if (parser.atFor()) {
    if (first.kind === 'Starred') parser.fail('iterable unpacking cannot be used in comprehension')
    const generators = parser.generators()
    parser.expectOp('}')
    return { kind: 'SetComp', element: first, generators }
  }
  return { kind: 'Set', items: itemsAfter(parser, first, '}') }
}

function dict(parser: Parser, entries: [Expression | null, Expression][]): Expression {
  const more = (): boolean => (entries.length === 0 ? true : parser.takeOp(','))
  while (more() && !parser.isOp('}')) {
    if (parser.takeOp('**')) entries.push([null, parser.bitwiseOr()])
    else {
      const key = parser.expression()
      parser.expectOp(':')
      entries.push([key, parser.expression()])
    }
  }
  parser.expectOp('}')
  return { kind: 'Dict', entries }
}

function itemsAfter(parser: Parser, first: Expression, closer: string): Expression[] {
  const items = [first]
  while (parser.takeOp(',') && !parser.isOp(closer)) items.push(parser.starOrNamed())
  parser.expectOp(closer)
  return items
}

/** Adjacent literals are one: all str, or all bytes; an f-string among them makes the whole formatted. */
function strings(parser: Parser): Expression {
  const tokens: StringToken[] = []
  while (parser.token.kind === 'string') tokens.push(splitStringToken(parser.advance().text))
  const bytes = tokens.filter((token) => token.bytes)
  if (bytes.length > 0) {
    if (bytes.length < tokens.length) parser.fail('cannot mix bytes and nonbytes literals')
    const parts = bytes.map((token) => bytesLiteral(token.body, token.raw).bytes)
    return { kind: 'Constant', value: new PyBytes(Uint8Array.from(parts.flatMap((part) => [...part]))) }
  }
  const parts = tokens.flatMap((token): FormattedPart[] =>
    token.formatted
      ? parseFormatted(token.body, token.raw, (source) => parser.field(source))
      : [token.raw ? token.body : unescapeString(token.body)],
  )
  if (!tokens.some((token) => token.formatted)) return { kind: 'Constant', value: parts.join('') }
  return { kind: 'JoinedStr', parts }
}
