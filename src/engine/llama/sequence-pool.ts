import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'

/** One sequence of the context and where its state can be rolled back to without evaluating anything again. */
export interface Slot {
  readonly sequence: LlamaContextSequence
  /** Lengths at which a checkpoint was taken, ascending; only recurrent models need them. */
  checkpoints: number[]
  busy: boolean
  lastUsed: number
}

/** Most checkpoints kept per sequence; each holds one recurrent state (19 MiB for the 0.8B shape). */
const MOST_CHECKPOINTS = 12

/** Hands out the sequences of a context, each request the idle one that already holds most of its prompt. */
export class SequencePool {
  private readonly slots: Slot[] = []
  private readonly waiting: (() => void)[] = []
  private clock = 0

  constructor(context: LlamaContext, parallel: number) {
    for (let i = 0; i < parallel; i++)
      this.slots.push({
        sequence: context.getSequence({ checkpoints: { max: MOST_CHECKPOINTS, interval: false } }),
        checkpoints: [],
        busy: false,
        lastUsed: 0,
      })
  }

  /** Waits for an idle sequence; requests are served in the order they came. */
  async acquire(tokens: readonly Token[]): Promise<Slot> {
    while (this.waiting.length > 0 && this.idle().length === 0) await this.turn()
    let free = this.idle()
    while (free.length === 0) {
      await this.turn()
      free = this.idle()
    }
    const slot = free
      .map((slot) => ({ slot, reuse: reusable(slot, tokens) }))
      .sort((a, b) => b.reuse - a.reuse || a.slot.lastUsed - b.slot.lastUsed)[0]!.slot
    slot.busy = true
    slot.lastUsed = ++this.clock
    return slot
  }

  /** Gives a sequence back. */
  release(slot: Slot): void {
    slot.busy = false
    this.waiting.shift()?.()
  }

  private idle(): Slot[] {
    return this.slots.filter((slot) => !slot.busy)
  }

  private turn(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}

/** Number of leading tokens of `tokens` whose state the slot can offer. At least one token is left to evaluate. */
export function reusable(slot: Slot, tokens: readonly Token[]): number {
  const held = slot.sequence.contextTokens
  let same = 0
  while (same < held.length && same < tokens.length - 1 && held[same] === tokens[same]) same++
  if (same === held.length || !slot.sequence.needsCheckpoints) return same
  return slot.checkpoints.filter((at) => at <= same).at(-1) ?? 0
}

/** Rolls the slot back to its first `length` tokens, a length that `reusable` returned. */
export async function rollBack(slot: Slot, length: number): Promise<void> {
  const { sequence } = slot
  if (length < sequence.nextTokenIndex)
    await sequence.eraseContextTokenRanges([{ start: length, end: sequence.nextTokenIndex }])
  slot.checkpoints = slot.checkpoints.filter((at) => at <= length)
}

/** Remembers the present state of a recurrent model; free for the others. */
export async function takeCheckpoint(slot: Slot): Promise<void> {
  const { sequence } = slot
  const at = sequence.nextTokenIndex
  if (!sequence.needsCheckpoints || at === 0 || slot.checkpoints.at(-1) === at) return
  await sequence.takeCheckpoint()
  slot.checkpoints = [...slot.checkpoints, at].slice(-MOST_CHECKPOINTS)
}
