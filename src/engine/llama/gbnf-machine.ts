import type { Gbnf, GbnfElement } from './gbnf.js'

/** A place in an alternative, and where to go on when the alternative is done. */
interface Place {
  readonly sequence: readonly GbnfElement[]
  readonly index: number
  readonly after: Place | undefined
  readonly key: string
}

/** A piece that must come next: text, or a token by its id. */
export type ForcedPiece = string | number

/** Longest text followed in one go; a grammar that forces more goes on after the next token. */
const MOST_FORCED = 1024

/**
 * Follows a grammar over text and tokens, and knows what it forces. Holds all readings that are still possible, as
 * llama.cpp does, but only in order to look ahead; the mask over the vocabulary stays with llama.cpp.
 */
export class GbnfMachine {
  private places: Map<string, Place> = new Map()
  /** True when the grammar may end here. */
  private complete = false
  private readonly sequenceIds = new Map<readonly GbnfElement[], number>()

  constructor(private readonly grammar: Gbnf) {
    this.enter(grammar.root, undefined)
  }

  /** True when nothing may follow. */
  get finished(): boolean {
    return this.complete && this.places.size === 0
  }

  /** True when the grammar may end here. */
  get mayEnd(): boolean {
    return this.complete
  }

  /** True when what was taken does not fit the grammar. */
  get dead(): boolean {
    return !this.complete && this.places.size === 0
  }

  /** Takes a token: as itself where the grammar names it, else as its text. Returns false when it does not fit. */
  accept(text: string, id?: number): boolean {
    const asToken = id === undefined ? [] : this.matching((e) => e.kind === 'token' && (e.id === id) !== e.negated)
    const before = this.places
    for (const c of text) {
      const code = c.codePointAt(0)!
      this.step(this.matching((e) => e.kind === 'char' && matches(e, code)))
    }
    if (text === '') this.step([])
    if (asToken.length > 0) {
      const byText = this.places
      const completeByText = this.complete
      this.places = before
      this.step(asToken)
      for (const [key, place] of byText) this.places.set(key, place)
      this.complete ||= completeByText
    }
    return !this.dead
  }

  /** What must come next, taken at once; empty when there is a choice, or the grammar may end. */
  takeForced(): ForcedPiece[] {
    const out: ForcedPiece[] = []
    let taken = 0
    while (!this.complete && this.places.size > 0 && taken < MOST_FORCED) {
      const only = this.onlyNext()
      if (only === undefined) break
      if (typeof only === 'number') {
        out.push(only)
        this.step(this.matching((e) => e.kind === 'token' && e.id === only))
      } else {
        const last = out.at(-1)
        if (typeof last === 'string') out[out.length - 1] = last + only
        else out.push(only)
        const code = only.codePointAt(0)!
        this.step(this.matching((e) => e.kind === 'char' && matches(e, code)))
      }
      taken++
    }
    return out
  }

  /** Some characters that may come next, enough to see how a text before them is cut into tokens; empty at the end. */
  sampleNext(): string[] {
    const found = new Set<string>()
    for (const { sequence, index } of this.places.values()) {
      const element = sequence[index]!
      if (element.kind !== 'char') continue
      const narrow = !element.negated && element.ranges.every(([a, b]) => b - a < 4)
      if (narrow) {
        for (const [a, b] of element.ranges) for (let c = a; c <= b; c++) found.add(String.fromCodePoint(c))
      } else for (const c of ['a', '1']) if (matches(element, c.charCodeAt(0))) found.add(c)
    }
    return [...found].slice(0, 32)
  }

  /** An independent copy. */
  clone(): GbnfMachine {
    const copy = Object.create(GbnfMachine.prototype) as GbnfMachine
    return Object.assign(copy, this, { places: new Map(this.places) })
  }

  private onlyNext(): ForcedPiece | undefined {
    let only: ForcedPiece | undefined
    for (const { sequence, index } of this.places.values()) {
      const element = sequence[index]!
      const piece = single(element)
      if (piece === undefined || (only !== undefined && piece !== only)) return undefined
      only = piece
    }
    return only
  }

  private matching(test: (element: GbnfElement) => boolean): Place[] {
    const found: Place[] = []
    for (const place of this.places.values()) if (test(place.sequence[place.index]!)) found.push(place)
    return found
  }

  /** Moves past the given places; all others are dropped. */
  private step(matched: readonly Place[]): void {
    this.places = new Map()
    this.complete = false
    for (const { sequence, index, after } of matched) this.put(sequence, index + 1, after)
  }

  private enter(rule: number, after: Place | undefined): void {
    for (const sequence of this.grammar.rules[rule]!) this.put(sequence, 0, after)
  }

  private put(sequence: readonly GbnfElement[], index: number, after: Place | undefined): void {
    const element = sequence[index]
    if (element === undefined) {
      if (after === undefined) this.complete = true
      else this.put(after.sequence, after.index, after.after)
      return
    }
    if (element.kind === 'rule') {
      // A rule in last place needs no way back: repetition then takes no room however long it goes on.
      const rest = index + 1 === sequence.length ? after : this.place(sequence, index + 1, after)
      this.enter(element.index, rest)
      return
    }
    const place = this.place(sequence, index, after)
    this.places.set(place.key, place)
  }

  private place(sequence: readonly GbnfElement[], index: number, after: Place | undefined): Place {
    let id = this.sequenceIds.get(sequence)
    if (id === undefined) {
      id = this.sequenceIds.size
      this.sequenceIds.set(sequence, id)
    }
    return { sequence, index, after, key: `${id}.${index}/${after?.key ?? ''}` }
  }
}

function matches(element: GbnfElement & { readonly kind: 'char' }, code: number): boolean {
  return element.ranges.some(([a, b]) => code >= a && code <= b) !== element.negated
}

/** The only piece an element allows. */
function single(element: GbnfElement): ForcedPiece | undefined {
  if (element.kind === 'token') return element.negated ? undefined : element.id
  if (element.kind !== 'char' || element.negated || element.ranges.length !== 1) return undefined
  const [a, b] = element.ranges[0]!
  return a === b ? String.fromCodePoint(a) : undefined
}
