import type { Token } from 'node-llama-cpp'
import type { EngineEvent } from '../contract.js'
import { EngineError } from '../errors.js'
import { GrammarShelf } from './call-constraint.js'
import { runGeneration } from './generation.js'
import { loadNativeModel, type NativeModel } from './native-model.js'
import type { LoadedModel, LoadOptions, WireRequest } from './protocol.js'
import { scoreTokens } from './score.js'
import { reusable, rollBack, SequencePool } from './sequence-pool.js'

/** Prefixes shorter than this are cheaper to evaluate than to keep. */
const SHORTEST_KEPT_PREFIX = 64

/** The loaded model and everything that requests need of it; lives in the native process. */
export class NativeHost {
  private readonly pool: SequencePool
  private readonly grammars: GrammarShelf
  /** Ends of the queues of conversations: requests with one cache key run one after another. */
  private readonly queues = new Map<string, Promise<void>>()

  private constructor(
    private readonly native: NativeModel,
    options: LoadOptions,
  ) {
    this.pool = new SequencePool(native.context, options.parallel)
    this.grammars = new GrammarShelf(native.model)
  }

  /** Loads the model. Throws EngineError. */
  static async load(options: LoadOptions): Promise<NativeHost> {
    return new NativeHost(await loadNativeModel(options), options)
  }

  get info(): LoadedModel {
    return this.native.info
  }

  /** Runs one generation; events go to `emit`, the last one is `end`. Throws EngineError. */
  async generate(request: WireRequest, signal: AbortSignal, emit: (event: EngineEvent) => void): Promise<void> {
    const key = request.cacheKey
    if (key === undefined) return this.generateNow(request, signal, emit)
    const before = this.queues.get(key) ?? Promise.resolve()
    const mine = before.then(() => this.generateNow(request, signal, emit))
    const settled = mine.catch(() => undefined)
    this.queues.set(key, settled)
    try {
      await mine
    } finally {
      if (this.queues.get(key) === settled) this.queues.delete(key)
    }
  }

  /** Log-probabilities of `tokens[from..]`. */
  async score(tokens: readonly number[], from: number, signal: AbortSignal): Promise<Float32Array> {
    this.checkLength(tokens.length)
    const prompt = this.checkIds(tokens)
    const slot = await this.pool.acquire(prompt)
    try {
      await rollBack(slot, 0)
      return await scoreTokens(this.native, slot, prompt, from, signal)
    } finally {
      this.pool.release(slot)
    }
  }

  tokenize(text: string, special: boolean): number[] {
    return this.native.model.tokenize(text, special)
  }

  async close(): Promise<void> {
    await this.native.context.dispose()
    await this.native.model.dispose()
    await this.native.llama.dispose()
  }

  private async generateNow(
    request: WireRequest,
    signal: AbortSignal,
    emit: (event: EngineEvent) => void,
  ): Promise<void> {
    const prompt = this.promptTokens(request.prompt)
    if (prompt.length === 0) throw new EngineError('bad-request', 'The prompt is empty.')
    this.checkLength(prompt.length)
    const boundaries = this.boundaries(request, prompt)
    const constraint = request.grammar === undefined ? undefined : await this.grammars.constrain(request.grammar)
    const slot = await this.pool.acquire(prompt)
    try {
      const cached = reusable(slot, prompt)
      await rollBack(slot, cached)
      await runGeneration({
        native: this.native,
        slot,
        prompt,
        cached,
        boundaries,
        onBoundary: async () => undefined,
        request,
        ...(constraint === undefined ? {} : { constraint }),
        signal,
        emit,
      })
    } finally {
      this.pool.release(slot)
    }
  }

  private promptTokens(prompt: string | readonly number[]): Token[] {
    const { model } = this.native
    if (typeof prompt !== 'string') return this.checkIds(prompt)
    const tokens = model.tokenize(prompt, true)
    const { bos, shouldPrependBosToken } = model.tokens
    return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens
  }

  /** Lengths at which the prompt's state is worth keeping: after the shared prefix and before the turn to be written. */
  private boundaries(request: WireRequest, prompt: readonly Token[]): number[] {
    const found = new Set<number>()
    if (request.sharedPrefix !== undefined) {
      const prefix = this.promptTokens(request.sharedPrefix)
      let same = 0
      while (same < prefix.length && same < prompt.length - 1 && prefix[same] === prompt[same]) same++
      if (same >= SHORTEST_KEPT_PREFIX) found.add(same)
    }
    const turn = this.lastTurnStart(prompt)
    if (turn >= SHORTEST_KEPT_PREFIX) found.add(turn)
    return [...found].sort((a, b) => a - b)
  }

  /** Index of the last control token that is not the end of a turn, i.e. where the turn to be written begins. */
  private lastTurnStart(prompt: readonly Token[]): number {
    const { model } = this.native
    for (let i = prompt.length - 1; i > 0; i--) {
      const id = prompt[i]!
      if (model.getTokenAttributes(id).control && !model.isEogToken(id)) return i
    }
    return 0
  }

  private checkIds(ids: readonly number[]): Token[] {
    const size = this.native.model.fileInfo.metadata.tokenizer?.ggml.tokens.length ?? 0
    for (const id of ids)
      if (!Number.isInteger(id) || id < 0 || id >= size)
        throw new EngineError('bad-request', `${id} is not a token of this model (0 to ${size - 1}).`)
    return ids.slice() as Token[]
  }

  private checkLength(length: number): void {
    const most = this.native.context.contextSize - 1
    if (length > most)
      throw new EngineError(
        'context-full',
        `The prompt has ${length} tokens and the context holds ${most}. Shorten it, or load the model with a longer context.`,
      )
  }
}
