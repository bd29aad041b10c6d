import type { CallGrammar } from '../contract.js'
import { EngineError } from '../errors.js'
import type { AddonGrammar, AddonGrammarState } from './addon.js'
import { BeginningWeights, type TokenBias } from './beginning-weights.js'
import { type Gbnf, parseGbnf } from './gbnf.js'
import { type ForcedPiece, GbnfMachine } from './gbnf-machine.js'
import type { NativeModel } from './native-model.js'

/** Grammars kept ready; the tools of one conversation rarely change. */
const MOST_GRAMMARS = 16

/** A grammar in both readings: ours for looking ahead, llama.cpp's for the mask. */
interface Compiled {
  readonly gbnf: Gbnf
  readonly native: AddonGrammar
}

/** Compiles grammars and keeps the last few. */
export class GrammarShelf {
  private readonly shelf = new Map<string, Compiled>()

  constructor(private readonly model: NativeModel) {}

  /** Starts a grammar for one generation. Throws EngineError `grammar`. */
  constrain(grammar: CallGrammar): CallConstraint {
    const compiled = this.compile(grammar.gbnf)
    return new CallConstraint(this.model, compiled, grammar.trigger, grammar.weights)
  }

  /** The token that a text in the grammar stands for; none where a longer literal swallows it, so that both may be written. */
  private tokenOf(text: string): number | undefined {
    const swallowed = this.model.literals.some((literal) => literal.length > text.length && literal.includes(text))
    return swallowed ? undefined : this.model.specialToken(text)
  }

  private compile(source: string): Compiled {
    let compiled = this.shelf.get(source)
    this.shelf.delete(source)
    if (compiled === undefined) {
      const { addon } = this.model
      const gbnf = parseGbnf(source, (text) => this.tokenOf(text))
      for (const element of gbnf.rules.flat(2))
        if (element.kind === 'token' && element.id >= this.model.vocabulary)
          throw new EngineError('grammar', `The grammar names token ${element.id}, which this model does not have.`)
      try {
        compiled = { gbnf, native: new addon.AddonGrammar(gbnf.source, { addonExports: addon, rootRuleName: 'root' }) }
      } catch (error) {
        throw new EngineError('grammar', 'llama.cpp does not accept the grammar.', { cause: error })
      }
    }
    this.shelf.set(source, compiled)
    for (const key of this.shelf.keys()) {
      if (this.shelf.size <= MOST_GRAMMARS) break
      this.shelf.delete(key)
    }
    return compiled
  }
}

/** A grammar at work on one generation: waits for its trigger, binds, looks ahead, lets go when it is complete. */
export class CallConstraint {
  private machine: GbnfMachine | undefined
  private native: AddonGrammarState | undefined
  private readonly triggerToken: number | undefined
  /** Latest text in which the trigger is looked for. */
  private tail = ''
  /** Tokens whose bytes do not make whole characters yet. */
  private pending: number[] = []
  private finished = false
  private beginnings: BeginningWeights | undefined

  constructor(
    private readonly model: NativeModel,
    private readonly compiled: Compiled,
    private readonly trigger: string | undefined,
    private readonly weights?: CallGrammar['weights'],
  ) {
    this.triggerToken = trigger === undefined ? undefined : model.specialToken(trigger)
  }

  /** True when nothing may follow any more. */
  readonly done = (): boolean => this.finished

  /** False while a call is begun and not complete. */
  readonly mayEnd = (): boolean => this.native === undefined || this.machine?.mayEnd !== false

  /** The state that binds the next token; undefined while generation is free. */
  readonly state = (): AddonGrammarState | undefined => this.native

  /** What to add to logits before the next token is chosen; undefined where nothing is. */
  readonly bias = (): TokenBias | undefined => (this.pending.length > 0 ? undefined : this.beginnings?.bias())

  /** Tokens that must come before anything is sampled. */
  begin(): number[] {
    if (this.trigger !== undefined) return []
    this.activate()
    return this.takeForced()
  }

  /** Takes the token that was just sampled and returns the tokens that must follow it. */
  follow(token: number, thinking: boolean): number[] {
    if (this.native === undefined) {
      if (!this.triggered(token, thinking)) return []
    } else this.advance(token)
    return this.takeForced()
  }

  private triggered(token: number, thinking: boolean): boolean {
    const { trigger, triggerToken } = this
    if (trigger === undefined || thinking) return false
    if (triggerToken !== undefined) {
      if (token !== triggerToken) return false
      this.activate()
      return true
    }
    this.tail += this.model.detokenize([token])
    const at = this.tail.indexOf(trigger)
    if (at < 0) {
      this.tail = this.tail.slice(-trigger.length)
      return false
    }
    const beyond = this.tail.slice(at + trigger.length)
    this.tail = ''
    this.activate()
    // The token that ended the trigger may carry more text than the trigger; it counts as the grammar's beginning.
    for (const id of this.model.tokenize(beyond, false)) {
      if (this.native === undefined || !this.accept(this.native, id)) {
        this.release()
        return false
      }
      this.advance(id)
    }
    return true
  }

  private activate(): void {
    const { addon, model } = this.model
    this.native = new addon.AddonGrammarEvaluationState(model, this.compiled.native)
    this.machine = new GbnfMachine(this.compiled.gbnf)
    this.pending = []
    this.beginnings = this.weights === undefined ? undefined : new BeginningWeights(this.model, this.weights)
  }

  private release(): void {
    this.native = undefined
    this.machine = undefined
    this.beginnings = undefined
    this.tail = ''
  }

  /** Tells our reading what was appended; should it ever disagree with llama.cpp's, looking ahead ends, the mask stays. */
  private advance(token: number): void {
    const { machine } = this
    if (machine === undefined) return
    this.pending.push(token)
    const text = this.model.detokenize(this.pending)
    if (text.endsWith('\uFFFD') && this.pending.length < 8) return
    const alone = this.pending.length === 1
    this.pending = []
    this.beginnings?.push(text)
    if (!machine.accept(text, alone ? token : undefined)) this.machine = undefined
    else if (machine.finished) this.complete()
  }

  private complete(): void {
    if (this.trigger === undefined) this.finished = true
    this.release()
  }

  private takeForced(): number[] {
    const { machine, native } = this
    if (machine === undefined || native === undefined || this.pending.length > 0) return []
    const ahead = machine.clone()
    const pieces = ahead.takeForced()
    const out: number[] = []
    for (const [i, piece] of pieces.entries()) {
      const ids = i === pieces.length - 1 ? this.stableTokens(piece, ahead) : this.tokensOf(piece)
      for (const id of ids) {
        if (!this.accept(native, id)) return out
        out.push(id)
        this.advance(id)
      }
    }
    return out
  }

  /** Tells the native state that a token was appended without sampling; false, and unchanged, where it does not fit. */
  private accept(native: AddonGrammarState, id: number): boolean {
    const { AddonSampler } = this.model.addon
    if (!AddonSampler.canBeNextTokenForGrammarEvaluationState(native, id)) return false
    AddonSampler.acceptGrammarEvaluationStateToken(native, id)
    return true
  }

  private tokensOf(piece: ForcedPiece): number[] {
    return typeof piece === 'number' ? [piece] : this.model.tokenize(piece, false)
  }

  /**
   * Tokens of the last forced piece that stay the same whatever follows: a cut that the text after it would move is left
   * to sampling, so that the model sees the tokens it was trained on.
   */
  private stableTokens(piece: ForcedPiece, ahead: GbnfMachine): number[] {
    const tokens = this.tokensOf(piece)
    if (typeof piece === 'number') return tokens
    let stable = tokens.length
    for (const next of ahead.sampleNext()) {
      const longer = this.model.tokenize(piece + next, false)
      let same = 0
      while (same < stable && longer[same] === tokens[same]) same++
      stable = same
      if (stable === 0) break
    }
    return tokens.slice(0, Math.min(stable, this.beforeLiteral(piece, tokens)))
  }

  /** How many of a forced text's tokens end before a place where a literal of the vocabulary may have begun. */
  private beforeLiteral(piece: string, tokens: readonly number[]): number {
    let at = 0
    for (const [index, token] of tokens.entries()) {
      const rest = piece.slice(at)
      if (this.model.literals.some((literal) => literal.length > rest.length && literal.startsWith(rest))) return index
      at += this.model.detokenize([token]).length
    }
    return tokens.length
  }
}
