import { loadavg } from 'node:os'
import type { EngineEvent } from '../contract.js'
import { EngineError } from '../errors.js'
import { Batcher } from './batcher.js'
import { GrammarShelf } from './call-constraint.js'
import { fingerprint } from './fingerprint.js'
import { Generation } from './generation.js'
import { NativeModel } from './native-model.js'
import type { LoadedModel, LoadOptions, WireRequest } from './protocol.js'
import { scoreTokens } from './score.js'
import { Sequence } from './sequence.js'
import { SequencePool } from './sequence-pool.js'
import { StateCache } from './state-cache.js'
import { ThreadGovernor } from './thread-governor.js'

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
    private readonly options: LoadOptions,
    private readonly cache: StateCache | undefined,
  ) {
    const governor = options.fixedThreads
      ? undefined
      : new ThreadGovernor(options.threads, loadavg()[0]! > options.threads)
    const batcher = new Batcher(native.context, Math.max(options.batch, options.parallel), governor)
    this.pool = new SequencePool(Array.from({ length: options.parallel }, (_, id) => new Sequence(native, batcher, id)))
    this.grammars = new GrammarShelf(native)
  }

  /** Loads the model. Throws EngineError. */
  static async load(options: LoadOptions): Promise<NativeHost> {
    const native = await NativeModel.load(options)
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
    const sequence = await this.pool.acquire(prompt)
    try {
      await sequence.clear()
      return await scoreTokens(this.native, sequence, prompt, from, this.options.batch, signal)
    } finally {
      this.pool.release(sequence)
    }
  }

  tokenize(text: string, special: boolean): number[] {
    return this.native.tokenize(text, special)
  }

  async close(): Promise<void> {
    await this.cache?.settled()
    await this.native.close()
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
    const constraint = request.grammar === undefined ? undefined : this.grammars.constrain(request.grammar)
    const sequence = await this.pool.acquire(prompt)
    try {
      let cached = sequence.reusable(prompt)
      if (cached < shared) {
        await this.restore(sequence, prompt.slice(0, shared))
        cached = sequence.reusable(prompt)
      }
      await sequence.rollBack(cached)
      await new Generation({
        native: this.native,
        sequence,
        prompt,
        cached,
        boundaries,
        onBoundary: async (length) => {
          if (length === shared) await this.keep(sequence, prompt.slice(0, shared))
        },
        request,
        batch: this.options.batch,
        ...(constraint === undefined ? {} : { constraint }),
        signal,
        emit,
      }).run()
    } catch (error) {
      // How far the native side got is unknown: nothing of this sequence may be built upon.
      await sequence.clear()
      throw error
    } finally {
      this.pool.release(sequence)
    }
  }

  private promptTokens(prompt: string | readonly number[]): number[] {
    if (typeof prompt !== 'string') return this.checkIds(prompt)
    const { model } = this.native
    const tokens = this.native.tokenize(prompt, true)
    const bos = model.tokenBos()
    return model.shouldPrependBosToken() && bos >= 0 && tokens[0] !== bos ? [bos, ...tokens] : tokens
  }

  /** Number of leading tokens that other requests share. */
  private sharedLength(request: WireRequest, prompt: readonly number[]): number {
    if (request.sharedPrefix === undefined) return 0
    const prefix = this.promptTokens(request.sharedPrefix)
    let same = 0
    while (same < prefix.length && same < prompt.length - 1 && prefix[same] === prompt[same]) same++
    return same
  }

  /** Brings a prefix back from disk where it is kept there. */
  private async restore(sequence: Sequence, prefix: readonly number[]): Promise<void> {
    if (this.cache === undefined || prefix.length < SHORTEST_SAVED_PREFIX) return
    const path = await this.cache.find(prefix)
    if (path !== undefined && !(await sequence.restore(path, prefix))) await this.cache.remove(prefix)
  }

  /** Keeps the state that the sequence holds now, which is that of `prefix`, on disk. */
  private async keep(sequence: Sequence, prefix: readonly number[]): Promise<void> {
    if (this.cache === undefined || prefix.length < SHORTEST_SAVED_PREFIX) return
    await this.cache.save(prefix, (path) => sequence.save(path))
  }

  /** Index of the last control token that is not the end of a turn, i.e. where the turn to be written begins. */
  private lastTurnStart(prompt: readonly number[]): number {
    for (let i = prompt.length - 1; i > 0; i--) {
      const id = prompt[i]!
      if (this.native.isControl(id) && !this.native.model.isEogToken(id)) return i
    }
    return 0
  }

  private checkIds(ids: readonly number[]): number[] {
    const size = this.native.vocabulary
    for (const id of ids)
      if (!Number.isInteger(id) || id < 0 || id >= size)
        throw new EngineError('bad-request', `${id} is not a token of this model (0 to ${size - 1}).`)
    return [...ids]
  }

  private checkLength(length: number): void {
    const most = this.native.info.contextLength - 1
    if (length > most)
      throw new EngineError(
        'context-full',
        `The prompt has ${length} tokens and the context holds ${most}. Shorten it, or load the model with a longer context.`,
      )
  }
}
