import type { PyValue } from './values.js'

/** Binary operators of Python. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '@' | '<<' | '>>' | '|' | '^' | '&'

/** Unary operators of Python. */
export type UnaryOperator = '-' | '+' | '~' | 'not'

/** Comparison operators of Python. */
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is' | 'is not'

/** One `for … in … if …` of a comprehension. */
export interface Comprehension {
  readonly isAsync: boolean
  readonly target: Expression
  readonly iterable: Expression
  readonly conditions: readonly Expression[]
}

/** `name=value` of a call; without a name it is `**value`. */
export interface KeywordArgument {
  readonly name: string | null
  readonly value: Expression
}

/** A parameter of a lambda. */
export interface Parameter {
  readonly name: string
  /** `*` and `**` collect, `/` and a lone `*` (without name) divide. */
  readonly mark: '' | '*' | '**' | '/'
  readonly standard?: Expression
}

/** A part of an f-string: text, or a field. */
export type FormattedPart =
  | string
  | {
      readonly value: Expression
      /** `!r` and its like, or `=` for self-documenting fields. */
      readonly conversion: string
      readonly format: readonly FormattedPart[] | null
    }

/**
 * A Python expression, with the distinctions of Python's own `ast` module (a subset of its fields, no positions).
 *
 * Source: docs.python.org/3/library/ast.html.
 */
export type Expression =
  | { readonly kind: 'Constant'; readonly value: PyValue }
  | { readonly kind: 'Name'; readonly id: string }
  | { readonly kind: 'Attribute'; readonly value: Expression; readonly name: string }
  | { readonly kind: 'Subscript'; readonly value: Expression; readonly slice: Expression }
  | {
      readonly kind: 'Slice'
      readonly lower: Expression | null
      readonly upper: Expression | null
      readonly step: Expression | null
    }
  | {
      readonly kind: 'Call'
      readonly callee: Expression
      readonly args: readonly Expression[]
      readonly keywords: readonly KeywordArgument[]
    }
  | { readonly kind: 'UnaryOp'; readonly operator: UnaryOperator; readonly operand: Expression }
  | {
      readonly kind: 'BinOp'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'BoolOp'; readonly operator: 'and' | 'or'; readonly values: readonly Expression[] }
  | {
      readonly kind: 'Compare'
      readonly left: Expression
      readonly operators: readonly CompareOperator[]
      readonly others: readonly Expression[]
    }
  | {
      readonly kind: 'IfExp'
      readonly test: Expression
      readonly body: Expression
      readonly otherwise: Expression
    }
  | { readonly kind: 'Lambda'; readonly parameters: readonly Parameter[]; readonly body: Expression }
  | { readonly kind: 'List' | 'Tuple' | 'Set'; readonly items: readonly Expression[] }
  | {
      readonly kind: 'Dict'
      /** A null key stands for `**value`. */
      readonly entries: readonly (readonly [Expression | null, Expression])[]
    }
  | {
      readonly kind: 'ListComp' | 'SetComp' | 'GeneratorExp'
      readonly element: Expression
      readonly generators: readonly Comprehension[]
    }
  | {
      readonly kind: 'DictComp'
      readonly key: Expression
      readonly value: Expression
      readonly generators: readonly Comprehension[]
    }
  | { readonly kind: 'Starred' | 'Await' | 'YieldFrom'; readonly value: Expression }
  | { readonly kind: 'Yield'; readonly value: Expression | null }
  | { readonly kind: 'NamedExpr'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'JoinedStr'; readonly parts: readonly FormattedPart[] }
