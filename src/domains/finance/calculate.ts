import { digitise } from '../words/numbers.js'

/** An expression could not be read; `message` says where. */
export class CalculationError extends Error {
  override readonly name = 'CalculationError'
  readonly code = 'calculation'
  constructor(
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

type Token = { readonly kind: 'number'; readonly value: number } | { readonly kind: 'sign'; readonly sign: string }

/** What surrounds a calculation in a question. */
const FILLER =
  /\b(?:what(?:'s| is| are| does| do)?|how much is|how much are|calculate|compute|work out|solve|tell me|please|can you|could you|(?:the )?(?:result|answer|value|solution) (?:of|to|for)|equals?|equal to|is|find(?: me)?|give me|i (?:want|need) to know|you get (?:when|if) you|do you|google|alexa|hey|that)\b/g

/** Phrases and the signs they stand for, the longer first. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcube root(?: of)?/g, ' ∛ '],
  [/\b(?:the )?(?:square )?root(?: of)?\b|\bsqrt\b|√/g, ' √ '],
  [/\b(?:percent(?:age)?|per cent)\b/g, ' % '],
  [/\b(?:to the power(?: of)?|raised to(?: the)?(?: power(?: of)?)?)\b|\*\*/g, ' ^ '],
  [/\bsquared\b/g, ' ^ 2 '],
  [/\bcubed\b/g, ' ^ 3 '],
  [/\b(?:multiplied by|times|time|multiply by|into|x)\b|[×·∗]/g, ' * '],
  [/\b(?:divided by|over|divide by)\b|÷/g, ' / '],
  [/\b(?:modulo|mod|remainder of)\b/g, ' mod '],
  [/\b(?:plus|added to|add)\b/g, ' + '],
  [/\b(?:minus|less|take away|subtract)\b|−/g, ' - '],
  [/\bnegative\b/g, ' - '],
  [/\b(?:a |one )?half of\b/g, ' 0.5 * '],
  [/\b(?:a |one )?third of\b/g, ' (1/3) * '],
  [/\b(?:a |one )?quarter of\b/g, ' 0.25 * '],
  [/\b(?:twice|double)\b/g, ' 2 * '],
  [/\btriple\b/g, ' 3 * '],
  [/\bpi\b|π/g, ' 3.141592653589793 '],
]

/** "the sum of 3 and 4" → "(3 + 4)". */
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:the )?sum of (.+?) and (.+)$/g, '($1) + ($2)'],
  [/\b(?:the )?difference (?:between|of) (.+?) and (.+)$/g, '($1) - ($2)'],
  [/\b(?:the )?product of (.+?) and (.+)$/g, '($1) * ($2)'],
  [/\b(?:the )?quotient of (.+?) and (.+)$/g, '($1) / ($2)'],
  [/\badd (.+?) (?:and|to) (.+)$/g, '($1) + ($2)'],
  [/\bsubtract (.+?) from (.+)$/g, '($2) - ($1)'],
  [/\bmultiply (.+?) (?:and|by|with) (.+)$/g, '($1) * ($2)'],
  [/\bdivide (.+?) by (.+)$/g, '($1) / ($2)'],
]

/** The formula of a spoken calculation: "three times seven" → `3 * 7`. */
export function toFormula(text: string): string {
  let s = ` ${text.slice(0, 500).toLowerCase().replace(/[?=!]/g, ' ').replace(/[‘’]/g, "'")} `
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/(\d)x(?=\d)/g, '$1 x ')
    .replace(/-(?=[a-z])/g, ' ')
    .replace(/[$€£]/g, ' ')
  s = s.replace(FILLER, ' ')
  for (const [pattern, formula] of PAIRS) s = s.replace(pattern, formula)
  for (const [pattern, sign] of PHRASES) s = s.replace(pattern, sign)
  s = digitise(s.replace(/([()+*/^%√∛])/g, ' $1 '), { ordinals: false })
  s = s
    .replace(/(\d+) point ((?:\d+ ?)+)/g, (_, whole: string, digits: string) => `${whole}.${digits.replace(/ /g, '')} `)
    .replace(/(\d+) and a half\b/g, '$1.5')
    .replace(/\b(?:dollars?|euros?|pounds?|degrees?|the|a|an|number)\b/g, ' ')
    .replace(/% of\b/g, '% *')
    .replace(/\s+/g, ' ')
    .trim()
  return s
}

function tokens(formula: string): readonly Token[] {
  const out: Token[] = []
  const pattern = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|([-+*/^%()√∛])|(mod)\b)/gy
  let at = 0
  while (at < formula.length && formula.slice(at).trim() !== '') {
    pattern.lastIndex = at
    const m = pattern.exec(formula)
    if (!m)
      throw new CalculationError(
        formula.slice(at, at + 20).trim(),
        `I do not understand "${formula.slice(at).trim().slice(0, 30)}" in the calculation.`,
      )
    out.push(m[1] !== undefined ? { kind: 'number', value: Number(m[1]) } : { kind: 'sign', sign: m[2] ?? m[3] ?? '' })
    at = pattern.lastIndex
  }
  return out
}

/** Recursive descent over + − * / mod ^ roots, per cent and brackets; at most 200 levels deep. */
class Reader {
  private at = 0
  private depth = 0
  constructor(private readonly list: readonly Token[]) {}

  private peek(): string {
    const t = this.list[this.at]
    return t === undefined ? '' : t.kind === 'sign' ? t.sign : '#'
  }

  private fail(): never {
    throw new CalculationError(String(this.at), 'I do not understand that calculation.')
  }

  all(): number {
    const value = this.sum()
    if (this.at < this.list.length) this.fail()
    return value
  }

  private sum(): number {
    let value = this.product().value
    for (let sign = this.peek(); sign === '+' || sign === '-'; sign = this.peek()) {
      this.at++
      const right = this.product()
      // "200 plus 10 percent" adds ten per cent of the two hundred.
      const amount = right.percent ? value * right.value : right.value
      value = sign === '+' ? value + amount : value - amount
    }
    return value
  }

  private product(): { readonly value: number; readonly percent: boolean } {
    let left = this.unary()
    for (let sign = this.peek(); sign === '*' || sign === '/' || sign === 'mod' || sign === '('; sign = this.peek()) {
      if (sign !== '(') this.at++
      const right = this.unary().value
      if (sign === '/' && right === 0) throw new CalculationError('/', 'Nothing can be divided by zero.')
      left = {
        value: sign === '/' ? left.value / right : sign === 'mod' ? left.value % right : left.value * right,
        percent: false,
      }
    }
    return left
  }

  private unary(): { readonly value: number; readonly percent: boolean } {
    if (++this.depth > 200) throw new CalculationError('depth', 'That calculation is nested too deeply.')
    try {
      const sign = this.peek()
      if (sign === '-' || sign === '+') {
        this.at++
        const inner = this.unary()
        return { ...inner, value: sign === '-' ? -inner.value : inner.value }
      }
      if (sign === '√' || sign === '∛') {
        this.at++
        const inner = this.unary().value
        if (sign === '√' && inner < 0) throw new CalculationError('√', 'A negative number has no real square root.')
        return { value: sign === '√' ? Math.sqrt(inner) : Math.cbrt(inner), percent: false }
      }
      return this.power()
    } finally {
      this.depth--
    }
  }

  private power(): { readonly value: number; readonly percent: boolean } {
    let base = this.atom()
    let percent = false
    while (this.peek() === '%') {
      this.at++
      base /= 100
      percent = true
    }
    if (this.peek() !== '^') return { value: base, percent }
    this.at++
    return { value: base ** this.unary().value, percent: false }
  }

  private atom(): number {
    const t = this.list[this.at++]
    if (t?.kind === 'number') return t.value
    if (t?.kind === 'sign' && t.sign === '(') {
      if (++this.depth > 200) throw new CalculationError('depth', 'That calculation is nested too deeply.')
      const value = this.sum()
      this.depth--
      if (this.peek() !== ')') this.fail()
      this.at++
      return value
    }
    return this.fail()
  }
}

/**
 * Works out a calculation in words or signs.
 * @throws {CalculationError} when it cannot be read, divides by zero, or has no finite real result.
 */
export function calculate(text: string): number {
  const list = tokens(toFormula(text))
  if (list.length === 0) throw new CalculationError('', 'There is nothing to calculate.')
  const value = new Reader(list).all()
  if (!Number.isFinite(value)) throw new CalculationError('', 'The result is too large.')
  return value
}

/** A number as it is said: up to ten significant decimals, no rounding noise. */
export function sayNumber(value: number): string {
  return String(Number(value.toPrecision(12)))
}
