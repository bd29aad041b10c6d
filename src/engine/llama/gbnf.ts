import { EngineError } from '../errors.js'

/** One element of an alternative. */
export type GbnfElement =
  /** A character in (or, negated, not in) one of the ranges of code points, both ends included. */
  | { readonly kind: 'char'; readonly ranges: readonly (readonly [number, number])[]; readonly negated: boolean }
  /** A token by its id. */
  | { readonly kind: 'token'; readonly id: number; readonly negated: boolean }
  | { readonly kind: 'rule'; readonly index: number }

/** The alternatives of a rule; each is a sequence. */
export type GbnfRule = readonly (readonly GbnfElement[])[]

/** A grammar as rules by number. */
export interface Gbnf {
  readonly rules: readonly GbnfRule[]
  readonly root: number
  /** The same grammar with every token named by its id, or spelled out where it is none; for llama.cpp. */
  readonly source: string
}

/** Copies that `{m,n}` may ask for. */
const MOST_REPEATS = 2000

/**
 * Reads a grammar in llama.cpp's GBNF. `tokenId` tells the id of a text that is one token of the vocabulary; other texts
 * in angle brackets become literal characters. Throws EngineError `grammar` with the place of the mistake.
 *
 * Source: llama.cpp, grammars/README.md (the language); the reading is our own.
 */
export function parseGbnf(text: string, tokenId: (text: string) => number | undefined): Gbnf {
  return new Parser(text, tokenId).grammar()
}

class Parser {
  private at = 0
  private readonly rules: (GbnfElement[][] | undefined)[] = []
  private readonly names = new Map<string, number>()
  private readonly edits: { readonly from: number; readonly to: number; readonly text: string }[] = []

  constructor(
    private readonly text: string,
    private readonly tokenId: (text: string) => number | undefined,
  ) {}

  grammar(): Gbnf {
    this.space(true)
    while (this.at < this.text.length) this.rule()
    const root = this.names.get('root')
    if (root === undefined) throw this.error('There is no rule named root')
    for (const [name, index] of this.names)
      if (this.rules[index] === undefined) throw this.error(`The rule ${name} is used but not defined`)
    const rules = this.rules as GbnfElement[][][]
    refuseLeftRecursion(rules)
    let source = this.text
    for (const edit of [...this.edits].reverse())
      source = source.slice(0, edit.from) + edit.text + source.slice(edit.to)
    return { rules, root, source }
  }

  private rule(): void {
    const name = this.name()
    this.space(false)
    if (!this.text.startsWith('::=', this.at)) throw this.error('Expected ::=')
    this.at += 3
    this.space(true)
    const alternatives = this.alternatives(false)
    this.rules[this.indexOf(name)] = alternatives
    if (this.at < this.text.length && !/[\r\n]/.test(this.text[this.at]!))
      throw this.error('Expected the end of the line')
    this.space(true)
  }

  private alternatives(nested: boolean): GbnfElement[][] {
    const found = [this.sequence(nested)]
    while (this.text[this.at] === '|') {
      this.at++
      this.space(true)
      found.push(this.sequence(nested))
    }
    return found
  }

  private sequence(nested: boolean): GbnfElement[] {
    const out: GbnfElement[] = []
    while (this.at < this.text.length) {
      const before = out.length
      const c = this.text[this.at]!
      if (c === '"') this.literal(out)
      else if (c === '[') out.push(this.charClass())
      else if (c === '<' || c === '!') this.token(out)
      else if (c === '(') {
        this.at++
        this.space(true)
        const inner = this.alternatives(true)
        if (this.text[this.at] !== ')') throw this.error('Expected )')
        this.at++
        out.push(this.aux(inner))
      } else if (c === '.') {
        this.at++
        out.push({ kind: 'char', ranges: [], negated: true })
      } else if (/[a-zA-Z0-9_-]/.test(c)) out.push({ kind: 'rule', index: this.indexOf(this.name()) })
      else break
      this.space(nested)
      this.repeat(out, before)
      this.space(nested)
    }
    return out
  }

  /** Applies a repetition to what was added since `before`, the way llama.cpp does: helper rules, recursive at the right. */
  private repeat(out: GbnfElement[], before: number): void {
    const c = this.text[this.at]
    let [least, most]: [number, number | undefined] = [0, undefined]
    if (c === '*') this.at++
    else if (c === '+') {
      this.at++
      least = 1
    } else if (c === '?') {
      this.at++
      most = 1
    } else if (c === '{') {
      const found = /^\{\s*(\d+)\s*(,\s*(\d*)\s*)?\}/.exec(this.text.slice(this.at, this.at + 40))
      if (found === null) throw this.error('Expected {m}, {m,} or {m,n}')
      least = Number(found[1])
      most = found[2] === undefined ? least : found[3] === '' ? undefined : Number(found[3])
      if (Math.max(least, most ?? 0) > MOST_REPEATS) throw this.error(`More than ${MOST_REPEATS} repetitions`)
      if (most !== undefined && most < least) throw this.error('The upper bound is below the lower')
      this.at += found[0].length
    } else return
    const item = out.splice(before)
    if (item.length === 0) throw this.error('Nothing to repeat')
    for (let i = 0; i < least; i++) out.push(...item)
    if (most === undefined) {
      const index = this.rules.push(undefined) - 1
      this.rules[index] = [[...item, { kind: 'rule', index }], []]
      out.push({ kind: 'rule', index })
      return
    }
    let optional: GbnfElement | undefined
    for (let i = least; i < most; i++)
      optional = this.aux([[...item, ...(optional === undefined ? [] : [optional])], []])
    if (optional !== undefined) out.push(optional)
  }

  private aux(alternatives: GbnfElement[][]): GbnfElement {
    return { kind: 'rule', index: this.rules.push(alternatives) - 1 }
  }

  private literal(out: GbnfElement[]): void {
    this.at++
    while (this.text[this.at] !== '"') {
      const c = this.char()
      out.push({ kind: 'char', ranges: [[c, c]], negated: false })
    }
    this.at++
  }

  private charClass(): GbnfElement {
    this.at++
    const negated = this.text[this.at] === '^'
    if (negated) this.at++
    const ranges: [number, number][] = []
    while (this.text[this.at] !== ']') {
      const first = this.char()
      let last = first
      if (this.text[this.at] === '-' && this.text[this.at + 1] !== ']') {
        this.at++
        last = this.char()
      }
      ranges.push([first, last])
    }
    this.at++
    return { kind: 'char', ranges, negated }
  }

  private token(out: GbnfElement[]): void {
    const from = this.at
    const found = /^(!?)(<(?:\[(\d+)\]|[^>\s]*)>)/.exec(this.text.slice(from, from + 200))
    if (found === null) throw this.error('Expected a token, as <text> or <[id]>')
    this.at += found[0].length
    const negated = found[1] === '!'
    if (found[3] !== undefined) {
      out.push({ kind: 'token', id: Number(found[3]), negated })
      return
    }
    const text = found[2]!
    const id = this.tokenId(text)
    if (id !== undefined) {
      out.push({ kind: 'token', id, negated })
      this.edits.push({ from, to: this.at, text: `${found[1]}<[${id}]>` })
      return
    }
    if (negated) throw this.error(`${text} is no token of this model, so it cannot be excluded as one`)
    const start = out.length
    for (const c of text) out.push({ kind: 'char', ranges: [[c.codePointAt(0)!, c.codePointAt(0)!]], negated: false })
    // One item, so that a repetition after it repeats the whole text as it would the token.
    out.push(this.aux([out.splice(start)]))
    this.edits.push({ from, to: this.at, text: `(${JSON.stringify(text)})` })
  }

  /** One character of a literal or class, escapes resolved. */
  private char(): number {
    const c = this.text.codePointAt(this.at)
    if (c === undefined) throw this.error('Unexpected end')
    this.at += c > 0xffff ? 2 : 1
    if (c !== 0x5c) return c
    const kind = this.text[this.at++]
    const digits = kind === 'x' ? 2 : kind === 'u' ? 4 : kind === 'U' ? 8 : 0
    if (digits > 0) {
      const hex = this.text.slice(this.at, this.at + digits)
      if (!/^[0-9a-fA-F]+$/.test(hex) || hex.length !== digits) throw this.error(`Expected ${digits} hex digits`)
      this.at += digits
      return Number.parseInt(hex, 16)
    }
    const plain = { t: 9, r: 13, n: 10, '\\': 92, '"': 34, '[': 91, ']': 93 }[kind ?? '']
    if (plain === undefined) throw this.error(`Unknown escape \\${kind ?? ''}`)
    return plain
  }

  private name(): string {
    const found = /^[a-zA-Z0-9_-]+/.exec(this.text.slice(this.at, this.at + 200))
    if (found === null) throw this.error('Expected the name of a rule')
    this.at += found[0].length
    return found[0]
  }

  private indexOf(name: string): number {
    let index = this.names.get(name)
    if (index === undefined) {
      index = this.rules.push(undefined) - 1
      this.names.set(name, index)
    }
    return index
  }

  private space(newlines: boolean): void {
    while (this.at < this.text.length) {
      const c = this.text[this.at]!
      if (c === '#') while (this.at < this.text.length && !/[\r\n]/.test(this.text[this.at]!)) this.at++
      else if (c === ' ' || c === '\t' || (newlines && (c === '\n' || c === '\r'))) this.at++
      else return
    }
  }

  private error(what: string): EngineError {
    const line = this.text.slice(0, this.at).split('\n').length
    const near = this.text.slice(this.at, this.at + 24).replaceAll('\n', '⏎')
    return new EngineError('grammar', `The grammar is not valid GBNF: ${what} (line ${line}, near "${near}").`)
  }
}

/** llama.cpp refuses grammars in which a rule begins with itself; so do we, with a message. */
function refuseLeftRecursion(rules: readonly GbnfRule[]): void {
  const nullable = new Set<number>()
  for (let changed = true; changed; ) {
    changed = false
    rules.forEach((alternatives, i) => {
      if (nullable.has(i)) return
      if (alternatives.some((seq) => seq.every((e) => e.kind === 'rule' && nullable.has(e.index)))) {
        nullable.add(i)
        changed = true
      }
    })
  }
  const done = new Set<number>()
  const open = new Set<number>()
  const visit = (i: number): void => {
    if (done.has(i)) return
    if (open.has(i)) throw new EngineError('grammar', 'The grammar has a rule that begins with itself.')
    open.add(i)
    for (const seq of rules[i]!)
      for (const element of seq) {
        if (element.kind !== 'rule') break
        visit(element.index)
        if (!nullable.has(element.index)) break
      }
    open.delete(i)
    done.add(i)
  }
  for (let i = 0; i < rules.length; i++) visit(i)
}
