const SIZE = 624
const SHIFT = 397

/**
 * CPython's `random.Random` seeded with a non-negative int below 2^32: MT19937 with `init_by_array`, and the draws built
 * on it. Source: Matsumoto and Nishimura 1998; CPython `Modules/_randommodule.c`, `Lib/random.py`.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(SIZE)
  #index = SIZE
  #spareGauss: number | undefined

  constructor(seed: number) {
    const state = this.#state
    state[0] = 19650218
    for (let i = 1; i < SIZE; i++) state[i] = Math.imul(1812433253, state[i - 1]! ^ (state[i - 1]! >>> 30)) + i
    let i = 1
    for (let k = 0; k < SIZE; k++) {
      state[i] = (state[i]! ^ Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), 1664525)) + seed
      i = this.#advance(i)
    }
    for (let k = 0; k < SIZE - 1; k++) {
      state[i] = (state[i]! ^ Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), 1566083941)) - i
      i = this.#advance(i)
    }
    state[0] = 0x80000000
  }

  /** `random()`: a float in [0, 1) with 53 bits. */
  random(): number {
    const high = this.#word() >>> 5
    const low = this.#word() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** `gauss(0.0, 1.0)`: draws two and keeps the second for the next call. */
  gauss(): number {
    if (this.#spareGauss !== undefined) {
      const spare = this.#spareGauss
      this.#spareGauss = undefined
      return spare
    }
    const angle = this.random() * 2 * Math.PI
    const radius = Math.sqrt(-2 * Math.log(1 - this.random()))
    this.#spareGauss = Math.sin(angle) * radius
    return Math.cos(angle) * radius
  }

  /** `randrange(limit)`, 0 < limit < 2^32: bits are drawn until they are below the limit. */
  below(limit: number): number {
    const bits = 32 - Math.clz32(limit)
    for (;;) {
      const drawn = this.#word() >>> (32 - bits)
      if (drawn < limit) return drawn
    }
  }

  /** `randint(low, high)`, both included, of a range below 2^53. */
  between(low: number, high: number): number {
    const width = high - low + 1
    if (width < 2 ** 32) return low + this.below(width)
    const bits = 64 - Math.clz32(Math.floor(width / 2 ** 32))
    for (;;) {
      const lower = this.#word()
      const drawn = (this.#word() >>> (64 - bits)) * 2 ** 32 + lower
      if (drawn < width) return low + drawn
    }
  }

  /** `uniform(low, high)`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.random()
  }

  /** `choice(items)` of a sequence that is not empty. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  #advance(i: number): number {
    if (i + 1 < SIZE) return i + 1
    this.#state[0] = this.#state[SIZE - 1]!
    return 1
  }

  #word(): number {
    if (this.#index >= SIZE) this.#refill()
    let y = this.#state[this.#index++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c5680
    y ^= (y << 15) & 0xefc60000
    y ^= y >>> 18
    return y >>> 0
  }

  #refill(): void {
    const state = this.#state
    for (let i = 0; i < SIZE; i++) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % SIZE]! & 0x7fffffff)
      state[i] = state[(i + SHIFT) % SIZE]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)
    }
    this.#index = 0
  }
}
