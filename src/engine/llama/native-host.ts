import type { Token } from 'node-llama-cpp'
import type { EngineEvent } from '../contract.js'
import { EngineError } from '../errors.js'
import { GrammarShelf } from './call-constraint.js'
import { fingerprint } from './fingerprint.js'
import { runGeneration } from './generation.js'
import { loadNativeModel, type NativeModel } from './native-model.js'
import type { LoadedModel, LoadOptions, WireRequest } from './protocol.js'
import { scoreTokens } from './score.js'
import { reusable, rollBack, SequencePool, type Slot, takeCheckpoint } from './sequence-pool.js'
import { StateCache } from './state-cache.js'

/** Prefixes shorter than this are cheaper to evaluate than to keep in memory. */
const SHORTEST_KEPT_PREFIX = 64
/** The same for the disk. */
const SHORTEST_SAVED_PREFIX = 128

/** The loaded model and everything that requests need of it; lives in the native process. */
export class NativeHost {
  private readonly pool: SequencePool
  private readonly grammars: GrammarShelf
  /** Ends of the queues of conversations: requests with one cache key run one after another. */
  private readonly queues = new Map<string, Promise<void>>()

  private constructor(
    private readonly native: NativeModel,
    options: LoadOptions,
    private readonly cache: StateCache | undefined,
  ) {
    this.pool = new SequencePool(native.context, options.parallel)
    this.grammars = new GrammarShelf(native.model)
  }

  /** Loads the model. Throws EngineError. */
  static async load(options: LoadOptions): Promise<NativeHost> {
    const native = await loadNativeModel(options)
    if (options.cacheFolder === undefined) return new NativeHost(native, options, undefined)
    const files = [options.gguf, ...options.lora.map((adapter) => adapter.file)]
    const scales = options.lora.map((adapter) => adapter.scale).join(',')
    const build = `node-llama-cpp ${native.build} ${process.platform}-${process.arch} ${native.info.device} ${scales}`
    const cache = new StateCache(options.cacheFolder, await fingerprint(files, build), options.cacheBytes)
    return new NativeHost(native, options, cache)
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
    await this.cache?.settled()
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
    const shared = this.sharedLength(request, prompt)
    const turn = this.lastTurnStart(prompt)
    const boundaries = [...new Set([shared, turn])].filter((at) => at >= SHORTEST_KEPT_PREFIX).sort((a, b) => a - b)
    const constraint = request.grammar === undefined ? undefined : await this.grammars.constrain(request.grammar)
    const slot = await this.pool.acquire(prompt)
    try {
      let cached = reusable(slot, prompt)
      if (cached < shared && (await this.restore(slot, prompt.slice(0, shared)))) cached = shared
      else await rollBack(slot, cached)
      await runGeneration({
        native: this.native,
        slot,
        prompt,
        cached,
        boundaries,
        onBoundary: async (length) => {
          if (length === shared) await this.keep(slot, prompt.slice(0, shared))
        },
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

  /** Number of leading tokens that other requests share. */
  private sharedLength(request: WireRequest, prompt: readonly Token[]): number {
    if (request.sharedPrefix === undefined) return 0
    const prefix = this.promptTokens(request.sharedPrefix)
    let same = 0
    while (same < prefix.length && same < prompt.length - 1 && prefix[same] === prompt[same]) same++
    return same
  }

  /** Brings a prefix back from disk; false when there is none. */
  private async restore(slot: Slot, prefix: readonly Token[]): Promise<boolean> {
    if (this.cache === undefined || prefix.length < SHORTEST_SAVED_PREFIX) return false
    const path = await this.cache.find(prefix)
    if (path === undefined) return false
    // Also forgets the checkpoints of what the slot held: they must not outlive it.
    await rollBack(slot, 0)
    try {
      await slot.sequence.loadStateFromFile(path, { acceptRisk: true })
      const held = slot.sequence.contextTokens
      if (held.length === prefix.length && prefix.every((id, i) => held[i] === id)) {
        await takeCheckpoint(slot)
        return true
      }
    } catch {
      // Not usable here, e.g. written under another context length: evaluated anew below.
    }
    await this.cache.remove(prefix)
    await slot.sequence.clearHistory()
    return false
  }

  /** Keeps the state that the slot holds now, which is that of `prefix`, on disk. */
  private async keep(slot: Slot, prefix: readonly Token[]): Promise<void> {
    if (this.cache === undefined || prefix.length < SHORTEST_SAVED_PREFIX) return
    await this.cache.save(prefix, (path) => slot.sequence.saveStateToFile(path))
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
