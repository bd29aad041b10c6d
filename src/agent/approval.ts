import type { JsonObject } from '../chat/types.js'
import type { Effect, Egress, Field } from '../tools/contract.js'
import { canonicalJson, hashOf } from './canonical.js'
import type { Origin } from './provenance.js'

/** Milliseconds that an approval may take and stays good for. */
export const APPROVAL_LIFETIME_MS = 10 * 60 * 1000
/** Most times that one run asks; then it stops and says so. */
export const MOST_ASKS = 5

/** How far a clock may be corrected backwards without an approval becoming void. */
const CLOCK_SLACK_MS = 60 * 1000

/** Everything that the owner sees before saying yes. */
export interface ApprovalRequest {
  readonly run: string
  readonly call: string
  readonly tool: string
  readonly field: Field
  readonly description: string
  readonly effect: Effect
  readonly arguments: JsonObject
  /** Where each argument came from. */
  readonly origins: ReadonlyMap<string, Origin>
  readonly egress: Egress | undefined
  /** What is wrong with how an argument looks (look-alike letters and the like), by argument. */
  readonly warnings?: ReadonlyMap<string, string>
  /** Why the host asks. */
  readonly why: string
  /** What the tool says it will do, with resolved times and recipients, when it can tell beforehand. */
  readonly preview: string | undefined
  /** Binds the answer to exactly this call in this run. */
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The owner's answer; `nobody` when no terminal, page or notification can give one. */
export type ApprovalAnswer = 'allow' | 'deny' | 'nobody'

/** Something that can put questions to the owner. */
export interface Approver {
  approve(request: ApprovalRequest, signal?: AbortSignal): Promise<ApprovalAnswer>
  /**
   * After a crash, for a call of which nobody knows whether it happened: run it (again), or leave it.
   * Without this, or with `nobody`, it is left.
   */
  settle?(
    call: { readonly tool: string; readonly arguments: JsonObject; readonly description: string },
    signal?: AbortSignal,
  ): Promise<'run' | 'leave' | 'nobody'>
}

/** Answers every request with `nobody`: for scripts and pipes. */
export const NOBODY: Approver = { approve: async () => 'nobody' }

/** The hash that an approval is bound to: tool, canonical arguments and run. */
export function approvalHash(tool: string, args: JsonObject, run: string): string {
  return hashOf('approval', tool, canonicalJson(args), run)
}

/** What became of an ask. */
export type Approved =
  | { readonly answer: 'allow' }
  | { readonly answer: 'deny' | 'nobody' | 'expired'; readonly asked: boolean }
  | { readonly answer: 'limit'; readonly asked: false }

/** What the journal already knows of one approval. */
export interface RecordedApproval {
  readonly hash: string
  readonly answer: 'allow' | 'deny' | 'nobody' | 'expired'
  readonly expiresAt: number
}

/**
 * The approvals of one run: each is used once, is bound to its hash and expires; what was refused is not asked again;
 * after {@link MOST_ASKS} asks the run asks no more.
 */
export class ApprovalDesk {
  #asks = 0
  readonly #granted = new Map<string, number>()
  readonly #refused = new Set<string>()

  constructor(
    private readonly approver: Approver,
    private readonly clock: () => number,
  ) {}

  /** Number of asks so far. */
  get asks(): number {
    return this.#asks
  }

  /** Takes over what a run said before a crash; `used` are hashes whose call has an intent already. */
  restore(approvals: readonly RecordedApproval[], asks: number, used: ReadonlySet<string>): void {
    this.#asks = asks
    for (const { hash, answer, expiresAt } of approvals) {
      if (answer === 'deny') this.#refused.add(hash)
      else if (answer === 'allow' && !used.has(hash)) this.#granted.set(hash, expiresAt)
    }
  }

  /**
   * Asks the owner, unless a recorded answer settles it.
   * @param onAsk called before the question is shown, to record it
   */
  async request(request: ApprovalRequest, onAsk: () => void, signal?: AbortSignal): Promise<Approved> {
    if (this.#refused.has(request.hash)) return { answer: 'deny', asked: false }
    const granted = this.#granted.get(request.hash)
    if (granted !== undefined) {
      this.#granted.delete(request.hash)
      const left = granted - this.clock()
      if (left > 0 && left <= APPROVAL_LIFETIME_MS + CLOCK_SLACK_MS) return { answer: 'allow' }
    }
    if (this.#asks >= MOST_ASKS) return { answer: 'limit', asked: false }
    this.#asks++
    onAsk()
    const asked = this.clock()
    const began = performance.now()
    const answer = await this.approver.approve(request, signal)
    if (answer === 'nobody') return { answer, asked: true }
    const late = performance.now() - began >= request.expiresAt - asked
    // A clock that was set back in the meantime would keep an approval good for as long as one likes.
    if (late || this.clock() >= request.expiresAt || this.clock() < asked - CLOCK_SLACK_MS) {
      return { answer: 'expired', asked: true }
    }
    if (answer === 'deny') this.#refused.add(request.hash)
    return answer === 'allow' ? { answer } : { answer, asked: true }
  }
}
