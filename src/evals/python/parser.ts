import { parseArguments } from './arguments.js'
import type { BinaryOperator, CompareOperator, Comprehension, Expression, Parameter } from './ast.js'
import { parseAtom } from './atoms.js'
import { PyError } from './errors.js'
import { type Token, tokenize } from './tokens.js'

/** Levels of the binary operators, the loosest first. */
const BINARY: readonly ReadonlySet<string>[] = [
  new Set(['|']),
  new Set(['^']),
  new Set(['&']),
  new Set(['<<', '>>']),
  new Set(['+', '-']),
  new Set(['*', '/', '//', '%', '@']),
]
const COMPARE = new Set(['==', '!=', '<', '<=', '>', '>='])
/** Depth of nesting at which a parse is given up, well before the JavaScript stack ends. */
const MAX_DEPTH = 600
/** Length of a chain (`a.b.c`, `1 + 1 + 1`) that CPython still turns into a tree. */
const MAX_CHAIN = 2900

/**
 * Parses what `ast.parse(source, mode='eval')` accepts and refuses what it refuses.
 * @throws PyError SyntaxError, IndentationError, ValueError, MemoryError when nested too deeply
 */
export function parsePythonExpression(source: string): Expression {
  const parser = new Parser(tokenize(source))
  const first = parser.expression()
  const body = parser.isOp(',') ? parser.tupleAfter(first) : first
  while (parser.token.kind === 'newline') parser.advance()
  if (parser.token.kind !== 'end') parser.fail()
  return body
}

/** Recursive descent over Python's expression grammar; one method a rule. */
export class Parser {
  #at = 0
  #depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  get token(): Token {
    return this.tokens[this.#at]!
  }

  /** The token after the present one. */
  get next(): Token | undefined {
    return this.tokens[this.#at + 1]
  }

  /** Goes on by one token and returns the one passed. */
  advance(): Token {
    const token = this.token
    if (token.kind !== 'end') this.#at += 1
    return token
  }

  /** @throws PyError SyntaxError or IndentationError, always */
  fail(message = 'invalid syntax'): never {
    if (this.token.kind === 'end' && this.token.text !== '')
      throw new PyError('SyntaxError', `'${this.token.text}' was never closed`)
    if (this.token.kind === 'indent') throw new PyError('IndentationError', 'unexpected indent')
    throw new PyError('SyntaxError', message)
  }

  isOp(text: string): boolean {
    return this.token.kind === 'op' && this.token.text === text
  }

  isKeyword(text: string): boolean {
    return this.token.kind === 'keyword' && this.token.text === text
  }

  /** Passes this operator if it stands here. */
  takeOp(text: string): boolean {
    if (!this.isOp(text)) return false
    this.#at += 1
    return true
  }

  /** Passes this keyword if it stands here. */
  takeKeyword(text: string): boolean {
    if (!this.isKeyword(text)) return false
    this.#at += 1
    return true
  }

  /** Passes this operator. @throws PyError SyntaxError when it does not stand here */
  expectOp(text: string): void {
    if (this.takeOp(text)) return
    if ((text === ')' || text === ']' || text === '}') && this.#missesComma())
      throw new PyError('SyntaxError', 'invalid syntax. Perhaps you forgot a comma?')
    this.fail()
  }

  /** Says whether a whole expression stands where the brackets should close; a string right after a name is no such one. */
  #missesComma(): boolean {
    if (!this.startsExpression()) return false
    const [before, last] = [this.tokens[this.#at - 2], this.tokens[this.#at - 1]]
    const begins = before?.kind === 'op' && ['(', '[', '{', ',', '=', ':'].includes(before.text)
    if (last?.kind === 'name' && begins && this.token.kind === 'string') return false
    try {
      this.expression()
      return true
    } catch (error) {
      if (error instanceof PyError) return false
      throw error
    }
  }

  /** Passes a name. @throws PyError SyntaxError when none stands here */
  expectName(): string {
    if (this.token.kind !== 'name') this.fail()
    return this.advance().text
  }

  /** Parses the expression of an f-string's field. @throws PyError SyntaxError */
  field(source: string): Expression {
    const inner = new Parser(tokenize(`(${source})`))
    const value = parseAtom(inner)
    if (inner.token.kind !== 'newline') inner.fail()
    return value
  }

  /** The rest of a tuple without brackets whose first item was read. */
  tupleAfter(first: Expression): Expression {
    const items = [first]
    while (this.takeOp(',') && this.startsExpression()) items.push(this.expression())
    return { kind: 'Tuple', items }
  }

  /** Says whether the present token can begin an expression. */
  startsExpression(): boolean {
    const { kind, text } = this.token
    if (kind === 'name' || kind === 'number' || kind === 'string') return true
    if (kind === 'keyword') return ['None', 'True', 'False', 'not', 'lambda', 'await'].includes(text)
    return kind === 'op' && ['(', '[', '{', '-', '+', '~', '...'].includes(text)
  }

  expression(): Expression {
    return this.#deeper(() => (this.isKeyword('lambda') ? this.#lambda() : this.#conditional()))
  }

  #deeper(rule: () => Expression): Expression {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw new PyError('MemoryError', 'the expression is nested too deeply')
    const result = rule()
    this.#depth -= 1
    return result
  }

  #link(length: number): void {
    if (length > MAX_CHAIN) throw new PyError('RecursionError', 'maximum recursion depth exceeded')
  }

  /** Says whether `name :=` stands here. */
  atWalrus(): boolean {
    return this.token.kind === 'name' && this.next?.kind === 'op' && this.next.text === ':='
  }

  /** An expression, or `name := expression`. */
  namedExpression(): Expression {
    if (this.atWalrus()) {
      const name = this.advance().text
      this.advance()
      return { kind: 'NamedExpr', name, value: this.expression() }
    }
    return this.expression()
  }

  /** A named expression, or `*value`. */
  starOrNamed(): Expression {
    if (this.takeOp('*')) return { kind: 'Starred', value: this.bitwiseOr() }
    return this.namedExpression()
  }

  #conditional(): Expression {
    const body = this.disjunction()
    if (!this.takeKeyword('if')) return body
    const test = this.disjunction()
    if (!this.takeKeyword('else')) this.fail("expected 'else' after 'if' expression")
    return { kind: 'IfExp', test, body, otherwise: this.expression() }
  }

  disjunction(): Expression {
    return this.#bool('or', () => this.#bool('and', () => this.#inversion()))
  }

  #bool(operator: 'and' | 'or', operand: () => Expression): Expression {
    const first = operand()
    if (!this.isKeyword(operator)) return first
    const values = [first]
    while (this.takeKeyword(operator)) values.push(operand())
    return { kind: 'BoolOp', operator, values }
  }

  #inversion(): Expression {
    if (!this.takeKeyword('not')) return this.#comparison()
    return { kind: 'UnaryOp', operator: 'not', operand: this.#deeper(() => this.#inversion()) }
  }

  #comparison(): Expression {
    const left = this.bitwiseOr()
    const operators: CompareOperator[] = []
    const others: Expression[] = []
    for (;;) {
      const operator = this.#compareOperator()
      if (operator === undefined) break
      operators.push(operator)
      others.push(this.bitwiseOr())
    }
    return operators.length === 0 ? left : { kind: 'Compare', left, operators, others }
  }

  #compareOperator(): CompareOperator | undefined {
    const { kind, text } = this.token
    if (kind === 'op' && COMPARE.has(text)) return this.advance().text as CompareOperator
    if (kind !== 'keyword') return undefined
    if (this.takeKeyword('in')) return 'in'
    if (this.takeKeyword('is')) return this.takeKeyword('not') ? 'is not' : 'is'
    if (text === 'not' && this.next?.kind === 'keyword' && this.next.text === 'in') {
      this.advance()
      this.advance()
      return 'not in'
    }
    return undefined
  }

  bitwiseOr(): Expression {
    return this.#binary(0)
  }

  #binary(level: number): Expression {
    const operators = BINARY[level]
    if (operators === undefined) return this.#factor()
    let left = this.#binary(level + 1)
    for (let length = 1; this.token.kind === 'op' && operators.has(this.token.text); length += 1) {
      this.#link(length)
      const operator = this.advance().text as BinaryOperator
      left = { kind: 'BinOp', operator, left, right: this.#binary(level + 1) }
    }
    return left
  }

  #factor(): Expression {
    const { kind, text } = this.token
    if (kind === 'op' && (text === '-' || text === '+' || text === '~')) {
      this.advance()
      const operand = this.#deeper(() => this.#factor())
      return { kind: 'UnaryOp', operator: text, operand }
    }
    const left = this.takeKeyword('await') ? ({ kind: 'Await', value: this.primary() } as const) : this.primary()
    if (!this.takeOp('**')) return left
    return { kind: 'BinOp', operator: '**', left, right: this.#deeper(() => this.#factor()) }
  }

  /** An atom with its attributes, calls and subscripts. */
  primary(): Expression {
    let value = parseAtom(this)
    for (let length = 1; ; length += 1) {
      this.#link(length)
      if (this.takeOp('.')) value = { kind: 'Attribute', value, name: this.expectName() }
      else if (this.takeOp('(')) value = { kind: 'Call', callee: value, ...parseArguments(this) }
      else if (this.takeOp('[')) value = { kind: 'Subscript', value, slice: this.#slices() }
      else return value
    }
  }

  #slices(): Expression {
    const first = this.#slice()
    if (this.takeOp(']')) {
      if (first.kind === 'Starred') return { kind: 'Tuple', items: [first] }
      return first
    }
    const items = [first]
    while (this.takeOp(',')) {
      if (this.isOp(']')) break
      items.push(this.#slice())
    }
    this.expectOp(']')
    return { kind: 'Tuple', items }
  }

  #slice(): Expression {
    if (this.isOp('*')) return this.starOrNamed()
    const ends = (): boolean => this.isOp(':') || this.isOp(']') || this.isOp(',')
    const bareWalrus = this.atWalrus()
    const lower = this.isOp(':') ? null : this.namedExpression()
    if (!this.takeOp(':')) return lower ?? this.fail()
    if (bareWalrus) this.fail()
    const upper = ends() ? null : this.expression()
    const step = this.takeOp(':') && !ends() ? this.expression() : null
    return { kind: 'Slice', lower, upper, step }
  }

  /** Says whether a comprehension's `for` stands here. */
  atFor(): boolean {
    return (
      this.isKeyword('for') || (this.isKeyword('async') && this.next?.kind === 'keyword' && this.next.text === 'for')
    )
  }

  /** The `for` and `if` clauses of a comprehension. */
  generators(): Comprehension[] {
    const found: Comprehension[] = []
    while (this.atFor()) {
      const isAsync = this.takeKeyword('async')
      this.advance()
      const target = this.#targets()
      if (!this.takeKeyword('in')) this.fail()
      const iterable = this.disjunction()
      const conditions: Expression[] = []
      while (this.takeKeyword('if')) conditions.push(this.disjunction())
      found.push({ isAsync, target, iterable, conditions })
    }
    return found
  }

  #targets(): Expression {
    const item = (): Expression => {
      const value: Expression = this.takeOp('*') ? { kind: 'Starred', value: this.primary() } : this.primary()
      if (!isTarget(value)) this.fail('cannot assign to this expression')
      return value
    }
    const first = item()
    // A lone starred target is refused by the compiler, not by the parser.
    if (!this.isOp(',')) return first
    const items = [first]
    while (this.takeOp(',') && !this.isKeyword('in')) items.push(item())
    return { kind: 'Tuple', items }
  }

  #lambda(): Expression {
    this.advance()
    const parameters: Parameter[] = []
    let withStandard = false
    let star = false
    while (!this.isOp(':')) {
      if (parameters.at(-1)?.mark === '**') this.fail('arguments cannot follow var-keyword argument')
      if (this.takeOp('/')) {
        if (parameters.length === 0 || star || parameters.some(({ mark }) => mark === '/')) this.fail()
        parameters.push({ name: '', mark: '/' })
      } else if (this.takeOp('**')) parameters.push({ name: this.expectName(), mark: '**' })
      else if (this.takeOp('*')) {
        if (star) this.fail('* argument may appear only once')
        star = true
        const named = this.token.kind === 'name'
        parameters.push({ name: named ? this.advance().text : '', mark: '*' })
        const follows = this.next
        if (!named && !(this.isOp(',') && follows?.kind === 'name')) this.fail('named arguments must follow bare *')
      } else {
        const name = this.expectName()
        const standard = this.takeOp('=') ? this.expression() : undefined
        if (standard === undefined && withStandard && !star) this.fail('non-default argument follows default argument')
        withStandard ||= standard !== undefined
        parameters.push({ name, mark: '', ...(standard ? { standard } : {}) })
      }
      if (!this.takeOp(',')) break
    }
    this.expectOp(':')
    return { kind: 'Lambda', parameters, body: this.expression() }
  }
}

function isTarget(value: Expression): boolean {
  if (value.kind === 'Tuple' || value.kind === 'List') return value.items.every(isTarget)
  if (value.kind === 'Starred') return isTarget(value.value)
  return value.kind === 'Name' || value.kind === 'Attribute' || value.kind === 'Subscript'
}
