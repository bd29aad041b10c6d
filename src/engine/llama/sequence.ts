import { EngineError } from '../errors.js'
import type { AddonCheckpoint, AddonSampler, SamplerConfig } from './addon.js'
import type { Batcher } from './batcher.js'
import type { NativeModel } from './native-model.js'

/** Most checkpoints kept per sequence; each holds one recurrent state (19 MiB for the 0.8B shape). */
const MOST_CHECKPOINTS = 12

/** A sampled token. */
export interface Sampled {
  readonly token: number
  /** Probability among what the settings left over; present when asked for. */
  readonly probability?: number
}

/** One sequence of the context: the tokens whose state it holds, and the ways to extend it and to go back. */
export class Sequence {
  private held: number[] = []
  private checkpoints: { readonly at: number; readonly native: AddonCheckpoint }[] = []

  constructor(
    private readonly native: NativeModel,
    private readonly batcher: Batcher,
    private readonly id: number,
  ) {}

  /** Tokens whose state is held, the first first. */
  get tokens(): readonly number[] {
    return this.held
  }

  /** How many leading tokens of `wanted` need not be evaluated again; at least one is left over. */
  reusable(wanted: readonly number[]): number {
    const { held } = this
    let same = 0
    while (same < held.length && same < wanted.length - 1 && held[same] === wanted[same]) same++
    if (same === held.length || !this.native.recurrent) return same
    return this.checkpoints.findLast(({ at }) => at <= same)?.at ?? 0
  }

  /** Goes back to the first `length` tokens, a length that `reusable` returned, or 0. */
  async rollBack(length: number): Promise<void> {
    if (length < this.held.length && !(await this.tryRollBack(length)) && length > 0)
      throw new EngineError('internal', `The state of a sequence could not be cut back to ${length} tokens.`)
    this.held.length = Math.min(this.held.length, length)
    this.dropCheckpoints(({ at }) => at <= length)
  }

  /** Evaluates tokens without looking at what follows them. */
  async append(tokens: readonly number[]): Promise<void> {
    await this.batcher.evaluate(this.id, this.held.length, tokens)
    this.held.push(...tokens)
  }

  /** Evaluates tokens and samples what follows the last one; undefined when nothing could be sampled. */
  async appendAndSample(
    tokens: readonly number[],
    sampler: AddonSampler,
    config: SamplerConfig,
    probability: boolean,
  ): Promise<Sampled | undefined> {
    const { context } = this.native
    let sampled: Sampled | undefined
    await this.batcher.evaluate(this.id, this.held.length, tokens, [tokens.length - 1], async (position) => {
      sampler.applyConfig(config)
      if (probability) {
        const [token, , confidence] = await context.sampleToken(position, sampler, false, true)
        if (token >= 0) sampled = { token, probability: confidence ?? 0 }
      } else {
        const token = await context.sampleToken(position, sampler)
        if (token >= 0) sampled = { token }
      }
    })
    this.held.push(...tokens)
    return sampled
  }

  /**
   * Evaluates tokens and hands over the distribution after each of the wanted offsets, as (token, probability) pairs laid
   * out one after the other.
   */
  async appendAndSee(
    tokens: readonly number[],
    offsets: readonly number[],
    sampler: AddonSampler,
    see: (offset: number, pairs: readonly number[]) => void,
  ): Promise<void> {
    await this.batcher.evaluate(this.id, this.held.length, tokens, offsets, async (position, offset) => {
      const [, pairs] = await this.native.context.sampleToken(position, sampler, true, false)
      see(offset, pairs ?? [])
    })
    this.held.push(...tokens)
  }

  /** Remembers the present state of a recurrent model; free for the others. */
  async takeCheckpoint(): Promise<void> {
    const at = this.held.length
    if (!this.native.recurrent || at === 0 || this.checkpoints.at(-1)?.at === at) return
    const native = new this.native.addon.AddonContextSequenceCheckpoint()
    await this.batcher.exclusive(() => native.init(this.native.context, this.id))
    this.checkpoints.push({ at, native })
    if (this.checkpoints.length > MOST_CHECKPOINTS) this.checkpoints.shift()?.native.dispose()
  }

  /** Writes the present state to a file. */
  async save(path: string): Promise<void> {
    const tokens = Uint32Array.from(this.held)
    await this.batcher.exclusive(() => this.native.context.saveSequenceStateToFile(path, this.id, tokens))
  }

  /** Takes the state of exactly `tokens` from a file; false, and empty, when it holds another or cannot be read. */
  async restore(path: string, tokens: readonly number[]): Promise<boolean> {
    await this.clear()
    try {
      const found = await this.batcher.exclusive(() =>
        this.native.context.loadSequenceStateFromFile(path, this.id, this.native.info.contextLength),
      )
      if (found.length === tokens.length && tokens.every((id, i) => found[i] === id)) {
        this.held = [...tokens]
        await this.takeCheckpoint()
        return true
      }
    } catch {
      // Written under other settings: the caller evaluates the tokens instead.
    }
    await this.clear()
    return false
  }

  private async tryRollBack(length: number): Promise<boolean> {
    const { context } = this.native
    if (length > 0 && this.native.recurrent) {
      const checkpoint = this.checkpoints.find(({ at }) => at === length)
      if (checkpoint === undefined) return false
      return this.batcher.exclusive(() => context.restoreCheckpoint(checkpoint.native, length - 1))
    }
    if (length === 0) {
      await this.clear()
      return true
    }
    return this.batcher.exclusive(() => context.removeTokenCellsFromSequence(this.id, length, -1))
  }

  /** Forgets everything. */
  async clear(): Promise<void> {
    await this.batcher.exclusive(() => this.native.context.disposeSequence(this.id))
    this.held = []
    this.dropCheckpoints(() => false)
  }

  private dropCheckpoints(keep: (checkpoint: { readonly at: number }) => boolean): void {
    for (const checkpoint of this.checkpoints) if (!keep(checkpoint)) checkpoint.native.dispose()
    this.checkpoints = this.checkpoints.filter(keep)
  }
}
