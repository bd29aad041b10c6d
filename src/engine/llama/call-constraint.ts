import type { LlamaGrammar, LlamaGrammarEvaluationState, LlamaModel, Token } from 'node-llama-cpp'
import { EngineError } from '../errors.js'
import { type Gbnf, parseGbnf } from './gbnf.js'
import { type ForcedPiece, GbnfMachine } from './gbnf-machine.js'
import { acceptToken } from './internals.js'

/** Grammars kept ready; the tools of one conversation rarely change. */
const MOST_GRAMMARS = 16

/** A grammar in both readings: ours for looking ahead, llama.cpp's for the mask. */
interface Compiled {
  readonly gbnf: Gbnf
  readonly native: LlamaGrammar
}

/** Compiles grammars and keeps the last few. */
export class GrammarShelf {
  private readonly shelf = new Map<string, Compiled>()

  constructor(private readonly model: LlamaModel) {}

  /** Starts a grammar for one generation. Throws EngineError `grammar`. */
  async constrain(grammar: { readonly gbnf: string; readonly trigger?: string }): Promise<CallConstraint> {
    const compiled = await this.compile(grammar.gbnf)
    return new CallConstraint(this.model, compiled, grammar.trigger)
  }

  private async compile(source: string): Promise<Compiled> {
    let compiled = this.shelf.get(source)
    this.shelf.delete(source)
    if (compiled === undefined) {
      const gbnf = parseGbnf(source, (text) => singleToken(this.model, text))
      try {
        compiled = { gbnf, native: await this.model.llama.createGrammar({ grammar: gbnf.source }) }
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

/** Id of a text that the vocabulary has as one special token. */
export function singleToken(model: LlamaModel, text: string): Token | undefined {
  const tokens = model.tokenize(text, true)
  if (tokens.length !== 1) return undefined
  const { control, userDefined } = model.getTokenAttributes(tokens[0]!)
  return control || userDefined ? tokens[0] : undefined
}

/** A grammar at work on one generation: waits for its trigger, binds, looks ahead, lets go when it is complete. */
export class CallConstraint {
  private machine: GbnfMachine | undefined
  private native: LlamaGrammarEvaluationState | undefined
  private readonly triggerToken: Token | undefined
  /** Latest text in which the trigger is looked for. */
  private tail = ''
  /** Tokens whose bytes do not make whole characters yet. */
  private pending: Token[] = []
  private finished = false

  constructor(
    private readonly model: LlamaModel,
    private readonly compiled: Compiled,
    private readonly trigger: string | undefined,
  ) {
    this.triggerToken = trigger === undefined ? undefined : singleToken(model, trigger)
  }

  /** True when nothing may follow any more. */
  readonly done = (): boolean => this.finished

  /** The state that binds the next token; undefined while generation is free. */
  readonly state = (): LlamaGrammarEvaluationState | undefined => this.native

  /** Tokens that must come before anything is sampled. */
  async begin(): Promise<Token[]> {
    if (this.trigger !== undefined) return []
    await this.activate()
    return this.takeForced()
  }

  /** Takes the token that was just sampled and returns the tokens that must follow it. */
  async follow(token: Token, thinking: boolean): Promise<Token[]> {
    if (this.native === undefined) {
      if (!(await this.triggered(token, thinking))) return []
    } else this.advance(token)
    return this.takeForced()
  }

  private async triggered(token: Token, thinking: boolean): Promise<boolean> {
    const { trigger, triggerToken } = this
    if (trigger === undefined || thinking) return false
    if (triggerToken !== undefined) {
      if (token !== triggerToken) return false
      await this.activate()
      return true
    }
    this.tail += this.model.detokenize([token], true)
    const at = this.tail.indexOf(trigger)
    if (at < 0) {
      this.tail = this.tail.slice(-trigger.length)
      return false
    }
    const beyond = this.tail.slice(at + trigger.length)
    this.tail = ''
    await this.activate()
    // The token that ended the trigger may carry more text than the trigger; it counts as the grammar's beginning.
    for (const id of this.model.tokenize(beyond, false)) {
      if (this.native === undefined || !acceptToken(this.model.llama, this.native, id)) {
        this.release()
        return false
      }
      this.advance(id)
    }
    return true
  }

  private async activate(): Promise<void> {
    const { LlamaGrammarEvaluationState } = await import('node-llama-cpp')
    this.native = new LlamaGrammarEvaluationState({ model: this.model, grammar: this.compiled.native })
    this.machine = new GbnfMachine(this.compiled.gbnf)
    this.pending = []
  }

  private release(): void {
    this.native = undefined
    this.machine = undefined
    this.tail = ''
  }

  /** Tells our reading what was appended; should it ever disagree with llama.cpp's, looking ahead ends, the mask stays. */
  private advance(token: Token): void {
    const { machine } = this
    if (machine === undefined) return
    this.pending.push(token)
    const text = this.model.detokenize(this.pending, true)
    if (text.endsWith('\uFFFD') && this.pending.length < 8) return
    const alone = this.pending.length === 1
    this.pending = []
    if (!machine.accept(text, alone ? token : undefined)) this.machine = undefined
    else if (machine.finished) this.complete()
  }

  private complete(): void {
    if (this.trigger === undefined) this.finished = true
    this.release()
  }

  private takeForced(): Token[] {
    const { machine, native } = this
    if (machine === undefined || native === undefined || this.pending.length > 0) return []
    const ahead = machine.clone()
    const pieces = ahead.takeForced()
    const out: Token[] = []
    for (const [i, piece] of pieces.entries()) {
      const ids = i === pieces.length - 1 ? this.stableTokens(piece, ahead) : this.tokensOf(piece)
      for (const id of ids) {
        if (!acceptToken(this.model.llama, native, id)) return out
        out.push(id)
        this.advance(id)
      }
    }
    return out
  }

  private tokensOf(piece: ForcedPiece): Token[] {
    return typeof piece === 'number' ? [piece as Token] : this.model.tokenize(piece, false)
  }

  /**
   * Tokens of the last forced piece that stay the same whatever follows: a cut that the text after it would move is left
   * to sampling, so that the model sees the tokens it was trained on.
   */
  private stableTokens(piece: ForcedPiece, ahead: GbnfMachine): Token[] {
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
    return tokens.slice(0, stable)
  }
}
