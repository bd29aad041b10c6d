import { seededRandom } from '../../evals/random.js'

/** A source of seeded choices. */
export class Draw {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return this.#random()
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.#random() < probability
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1))
  }

  /** One of the items. @throws RangeError when there is none. */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }

  /** One of the items, by weight. @throws RangeError when there is none. */
  weighted<T>(items: readonly (readonly [T, number])[]): T {
    let left = this.#random() * items.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of items) {
      left -= weight
      if (left < 0) return item
    }
    const last = items.at(-1)
    if (!last) throw new RangeError('nothing to pick from')
    return last[0]
  }

  /** A shuffled copy (Fisher–Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1))
      const kept = copy[i] as T
      copy[i] = copy[j] as T
      copy[j] = kept
    }
    return copy
  }
}
