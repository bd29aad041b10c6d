import type { Sequence } from './sequence.js'

/** Hands out the sequences of a context, each request the idle one that already holds most of its prompt. */
export class SequencePool {
  private readonly idle: { readonly sequence: Sequence; readonly lastUsed: number }[]
  private readonly waiting: (() => void)[] = []
  private clock = 0

  constructor(sequences: readonly Sequence[]) {
    this.idle = sequences.map((sequence) => ({ sequence, lastUsed: 0 }))
  }

  /** Waits for an idle sequence; requests are served in the order they came. Among equals the longest unused is taken. */
  async acquire(tokens: readonly number[]): Promise<Sequence> {
    while (this.idle.length === 0) await new Promise<void>((resolve) => this.waiting.push(resolve))
    const best = this.idle
      .map((entry) => ({ entry, reuse: entry.sequence.reusable(tokens) }))
      .sort((a, b) => b.reuse - a.reuse || a.entry.lastUsed - b.entry.lastUsed)[0]!.entry
    this.idle.splice(this.idle.indexOf(best), 1)
    return best.sequence
  }

  /** Gives a sequence back. */
  release(sequence: Sequence): void {
    this.idle.push({ sequence, lastUsed: ++this.clock })
    this.waiting.shift()?.()
  }
}
