import { setImmediate as nextTick } from 'node:timers/promises'
import { EngineError } from '../errors.js'
import type { AddonContext } from './addon.js'
import type { ThreadGovernor } from './thread-governor.js'

/** Tokens that one sequence wants evaluated. */
interface Job {
  readonly sequence: number
  position: number
  tokens: Uint32Array
  /** Offsets within `tokens` whose logits are read. */
  logitsAt: readonly number[]
  readonly onLogits: (batchPosition: number, offset: number) => Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Offset of `tokens[0]` in what was asked for. */
  done: number
}

const NONE: readonly number[] = []

/**
 * Puts what all sequences want evaluated into common batches and runs them one after another. Single tokens (sequences that
 * are writing) go first, prompts share the rest, so a long prompt does not stop what others are writing.
 */
export class Batcher {
  private readonly queue: Job[] = []
  private running = false
  private lock: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly context: AddonContext,
    private readonly size: number,
    /** Absent: as many threads as the context was made with. */
    private readonly governor: ThreadGovernor | undefined,
  ) {}

  /**
   * Evaluates tokens of a sequence from `position` on. `onLogits` is called for each wanted offset right after the batch that
   * holds it, while its logits can still be read.
   */
  evaluate(
    sequence: number,
    position: number,
    tokens: readonly number[],
    logitsAt: readonly number[] = NONE,
    onLogits: (batchPosition: number, offset: number) => Promise<void> = async () => undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({
        sequence,
        position,
        tokens: Uint32Array.from(tokens),
        logitsAt,
        onLogits,
        resolve,
        reject,
        done: 0,
      })
      if (!this.running) void this.run()
    })
  }

  /** Runs an action while no batch is being evaluated; native calls on one context must not overlap. */
  exclusive<T>(action: () => Promise<T> | T): Promise<T> {
    const mine = this.lock.then(action)
    this.lock = mine.catch(() => undefined)
    return mine
  }

  private async run(): Promise<void> {
    this.running = true
    while (this.queue.length > 0) {
      await this.exclusive(() => this.batch())
      // One turn of the event loop: whoever got a token has asked for the next by then, and messages get through.
      await nextTick()
    }
    this.running = false
  }

  private async batch(): Promise<void> {
    const chosen = this.choose()
    const parts: { readonly job: Job; readonly logitsAt: readonly number[]; readonly positions: Uint32Array }[] = []
    try {
      const total = chosen.reduce((sum, { count }) => sum + count, 0)
      this.context.initBatch(total)
      for (const { job, count } of chosen) {
        const logitsAt = job.logitsAt.filter((at) => at < count)
        const positions = this.context.addToBatch(
          job.sequence,
          job.position,
          job.tokens.subarray(0, count),
          Uint32Array.from(logitsAt),
        )
        parts.push({ job, logitsAt, positions })
      }
      if (this.governor !== undefined) this.context.setThreads(this.governor.threads(total))
      const started = performance.now()
      await this.context.decodeBatch()
      this.governor?.measured(total, performance.now() - started)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      for (const { job } of chosen) {
        this.queue.splice(this.queue.indexOf(job), 1)
        job.reject(new EngineError('internal', `llama.cpp could not evaluate a batch: ${reason}`, { cause: error }))
      }
      return
    }
    await Promise.all(
      parts.map(async ({ job, logitsAt, positions }) => {
        try {
          for (const [i, at] of logitsAt.entries()) await job.onLogits(positions[i]!, job.done + at)
        } catch (error) {
          this.queue.splice(this.queue.indexOf(job), 1)
          job.reject(error)
        }
      }),
    )
    for (const { job, count } of chosen) {
      if (!this.queue.includes(job)) continue
      if (count === job.tokens.length) {
        this.queue.splice(this.queue.indexOf(job), 1)
        job.resolve()
      } else {
        job.tokens = job.tokens.subarray(count)
        job.logitsAt = job.logitsAt.filter((at) => at >= count).map((at) => at - count)
        job.position += count
        job.done += count
      }
    }
  }

  private choose(): { readonly job: Job; readonly count: number }[] {
    const ordered = [...this.queue].sort((a, b) => Number(a.tokens.length > 1) - Number(b.tokens.length > 1))
    let room = this.size
    let left = ordered.length
    const out: { job: Job; count: number }[] = []
    for (const job of ordered) {
      if (room === 0) break
      const count = Math.min(job.tokens.length, Math.max(1, Math.floor(room / left)))
      out.push({ job, count })
      room -= count
      left--
    }
    return out
  }
}
