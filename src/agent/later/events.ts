import type { DueKind, Missed, Ringing } from '../../domains/later/index.js'

/** How a ringing ended: stopped or put off by the owner, or silent after a while by itself. */
export type RingEndHow = 'stopped' | 'timed-out'

/** What an automation or a planned command came to. */
export interface ActionOutcome {
  /** Id of the automation or plan: a1, p2. */
  readonly id: string
  readonly title: string
  /** Why it ran: its time came, a device changed, mail arrived. */
  readonly cause: string
  readonly status: 'done' | 'failed' | 'unapproved'
  /** What the owner is told. */
  readonly text: string
}

/** What happens in the service. Notifications, the terminal and the page are made from these alone. */
export type LaterEvent =
  /** The ledger knows of it already; whoever shows it shows it once. `sound` until `ring.end`, else once. */
  | { readonly type: 'ring'; readonly ring: Ringing; readonly keepsRinging: boolean }
  | { readonly type: 'ring.end'; readonly key: string; readonly kind: DueKind; readonly how: RingEndHow }
  | { readonly type: 'missed'; readonly list: readonly Missed[] }
  | { readonly type: 'action'; readonly outcome: ActionOutcome }
  /** Something could not be read or done; the service goes on. */
  | { readonly type: 'problem'; readonly text: string }

/** Where the service's events come from, for any number of listeners in this process. */
export class LaterEvents {
  readonly #listeners = new Set<(event: LaterEvent) => void>()

  /** Calls back for every event from now on. Returns what ends that. */
  subscribe(listener: (event: LaterEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells every listener. One that throws does not keep the others from hearing. */
  emit(event: LaterEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error))
      }
    }
  }
}
