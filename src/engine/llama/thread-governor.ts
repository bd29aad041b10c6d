/** Batches until other thread counts are tried for the first time, and after a change for the better. */
const SOON = 8
/** The longest pause between two tries: on a busy machine one try can cost seconds. */
const LONGEST = 4096
/** A batch that takes so many times the fastest one of its kind is a sign that something changed. */
const ALARM = 4
/** Weight of the newest measurement of the count in use. */
const WEIGHT = 0.3

interface Lane {
  /** Milliseconds per token by candidate; undefined until measured. */
  readonly speed: (number | undefined)[]
  fastest: number
  current: number
  /** The candidate that is being tried for one batch. */
  trying: number | undefined
  next: number
  since: number
  pause: number
}

/**
 * Chooses how many threads compute. llama.cpp's threads wait for each other at every operation by spinning; when other
 * programs hold the cores, two threads can be a hundred times slower than one. So what a count really achieves is measured,
 * for single tokens and for prompts apart; the best is used, and the others are tried for a batch now and then, the less
 * often the more they disappoint.
 */
export class ThreadGovernor {
  private readonly candidates: readonly number[]
  private readonly lanes: readonly [Lane, Lane]

  /** `most`: threads on an idle machine. `busy`: begin with one. */
  constructor(most: number, busy: boolean) {
    this.candidates = [...new Set([most, Math.ceil(most / 2), 1])]
    const lane = (): Lane => ({
      speed: this.candidates.map(() => undefined),
      fastest: Number.POSITIVE_INFINITY,
      current: busy ? this.candidates.length - 1 : 0,
      trying: undefined,
      next: 0,
      since: 0,
      pause: SOON,
    })
    this.lanes = [lane(), lane()]
  }

  /** Threads for a batch of so many tokens. */
  threads(tokens: number): number {
    const lane = this.lane(tokens)
    return this.candidates[lane.trying ?? lane.current]!
  }

  /** Tells how long a batch with the threads just given took. */
  measured(tokens: number, ms: number): void {
    if (this.candidates.length === 1) return
    const lane = this.lane(tokens)
    const now = ms / tokens
    lane.fastest = Math.min(lane.fastest, now)
    if (lane.trying !== undefined) {
      const better = now < (lane.speed[lane.current] ?? Number.POSITIVE_INFINITY)
      lane.speed[lane.trying] = now
      if (better) lane.current = lane.trying
      lane.pause = better ? SOON : Math.min(LONGEST, lane.pause * 2)
      lane.trying = undefined
      lane.since = 0
      return
    }
    const before = lane.speed[lane.current]
    lane.speed[lane.current] = before === undefined ? now : before + WEIGHT * (now - before)
    lane.since++
    const alarm = lane.since >= Math.min(SOON / 2, lane.pause) && now > ALARM * lane.fastest
    if (lane.since < lane.pause && !alarm) return
    if (alarm) lane.pause = SOON
    lane.next = (lane.next + 1) % this.candidates.length
    if (lane.next === lane.current) lane.next = (lane.next + 1) % this.candidates.length
    lane.trying = lane.next
  }

  private lane(tokens: number): Lane {
    return this.lanes[tokens > 4 ? 1 : 0]
  }
}
