import type { Due, DueSource } from './due.js'
import { judge, type LastLook, lookSpan } from './judge.js'
import type { Found, Ledger } from './ledger.js'

/** How often a look that found nothing is written down: seldom, to let disks sleep. A look begins a little earlier anyway. */
const NOTE_EVERY_MS = 60_000

/**
 * Looks again and again for what fell due, and writes it down. Holds no time of its own: the wall clock and the zone come
 * with every look and may do anything between two looks (suspend, clock set, zone changed).
 */
export class Scheduler {
  #awakeSince: number | undefined
  #last: LastLook | undefined
  #noted = 0

  constructor(
    readonly ledger: Ledger,
    private readonly sources: readonly DueSource[],
  ) {}

  /**
   * One look. What it returns as rung is to be rung now; it is in the ledger already, and no other look returns it again.
   * @param now wall clock, milliseconds since 1970
   * @param zone IANA zone of the owner
   */
  async look(now: number, zone: string): Promise<Found> {
    const last = this.#last ?? this.ledger.last()
    const span = lookSpan(last, now, zone)
    if (this.#awakeSince === undefined || span.back) this.#awakeSince = Math.min(this.#awakeSince ?? now, now)
    const awakeSince = this.#awakeSince
    const rung: Due[] = []
    const missed: Due[] = []
    for (const due of await this.#all(span.floatingFrom, now, zone)) {
      if (due.at > now || due.at < (due.floating ? span.floatingFrom : span.from)) continue
      if (this.ledger.fired(due.key) !== undefined) continue
      const verdict = judge(due, now, awakeSince)
      if (verdict === 'ring') rung.push(due)
      else if (verdict === 'missed') missed.push(due)
    }
    const look = { at: now, zone }
    this.#last = look
    const changed = rung.length > 0 || missed.length > 0 || span.back || last?.zone !== zone
    if (!changed && now - this.#noted < NOTE_EVERY_MS) return { rung: [], missed: [] }
    this.#noted = now
    if (!changed) {
      this.ledger.looked(look)
      return { rung: [], missed: [] }
    }
    return this.ledger.commit(rung, missed, look, span.back)
  }

  /** When the next thing falls due, looked for until `to`; undefined when nothing does. Milliseconds since 1970. */
  async next(now: number, to: number, zone: string): Promise<number | undefined> {
    const times = (await this.#all(now, to, zone)).filter((due) => due.at > now && due.at <= to).map((due) => due.at)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  async #all(from: number, to: number, zone: string): Promise<Due[]> {
    const lists = await Promise.all(this.sources.map(async (source) => source.between(from, to, zone)))
    return lists.flat().sort((a, b) => a.at - b.at)
  }
}
