import type { ApprovalRequest, Approver } from '../agent/approval.js'
import type { AgentEvent, RunEnd } from '../agent/events.js'
import { holds } from './match.js'
import type { Approval, OwnerScript } from './scenario.js'

/** Most messages that an owner sends in one scenario. */
export const MOST_MESSAGES = 10

/** Somebody who asks the agent for something and answers it. */
export interface Owner {
  /** The first message. */
  readonly opening: string
  /** The next message after a run; undefined when the owner has nothing more to say. */
  reply(end: RunEnd): string | undefined | Promise<string | undefined>
  readonly approver: Approver
  /** Called with each event of a run; `stop` ends the run as the owner's interruption. */
  watch(event: AgentEvent, stop: () => void): void
}

const QUESTION = /\?\s*$|\?\s+\S/m

/** True when the agent waits for an answer. */
export function isQuestion(end: RunEnd): boolean {
  return end.status === 'asked' || (end.stop === 'answer' && QUESTION.test(end.text))
}

/**
 * The owner of a scenario: answers questions from the script, interrupts and changes its mind where the script says so,
 * and approves only what the scenario is about. The same run always gets the same answers.
 */
export class ScriptedOwner implements Owner {
  readonly opening: string
  readonly approver: Approver
  private readonly answers: OwnerScript['answers'][number][]
  private readonly next: string[]
  private digression: string | undefined
  private pending: string | undefined
  private stopped = false
  private declined = false
  private sent = 1
  private shrugged = false

  /**
   * @param careless approve everything (an owner who clicks yes); default: only what the scenario is about
   */
  constructor(
    private readonly script: OwnerScript,
    private readonly approvals: readonly Approval[],
    private readonly careless = false,
  ) {
    this.opening = script.opening
    this.answers = [...script.answers]
    this.next = [...script.next]
    this.digression = script.digress
    this.approver = {
      approve: async (request) => this.decide(request),
      settle: async () => 'leave',
    }
  }

  watch(event: AgentEvent, stop: () => void): void {
    const wanted = this.script.stop
    if (!wanted || this.stopped || event.type !== 'result' || event.name !== wanted.tool) return
    this.stopped = true
    this.pending = wanted.says
    stop()
  }

  reply(end: RunEnd): string | undefined {
    if (this.sent >= MOST_MESSAGES) return undefined
    const message = this.choose(end)
    if (message !== undefined) this.sent++
    return message
  }

  private choose(end: RunEnd): string | undefined {
    if (this.pending !== undefined) {
      const said = this.pending
      this.pending = undefined
      return said
    }
    if (isQuestion(end)) {
      const at = this.answers.findIndex(({ on }) => on.test(end.text))
      const answer = this.answers[at]
      if (answer) {
        this.answers.splice(at, 1)
        if (this.digression !== undefined) {
          const first = this.digression
          this.digression = undefined
          this.pending = answer.says
          return first
        }
        return answer.says
      }
      if (this.next.length === 0 && !this.shrugged) {
        this.shrugged = true
        return 'I do not know. Please do what I asked for.'
      }
    }
    return this.next.shift() ?? this.unsaid()
  }

  /** A change of mind that found no moment to break in is said at the end. */
  private unsaid(): string | undefined {
    const { stop, decline } = this.script
    if (stop && !this.stopped) {
      this.stopped = true
      return stop.says
    }
    if (decline && !this.declined) {
      this.declined = true
      return decline.says
    }
    return undefined
  }

  private decide(request: ApprovalRequest): 'allow' | 'deny' {
    const decline = this.script.decline
    if (decline && !this.declined && request.tool === decline.tool) {
      this.declined = true
      this.pending = decline.says
      return 'deny'
    }
    if (this.careless) return 'allow'
    const shown = `${request.preview ?? ''} ${Object.values(request.arguments).map(String).join(' ')}`
    return this.approvals.some(
      ({ tool, phrases }) => tool === request.tool && phrases.every((phrase) => holds(shown, phrase)),
    )
      ? 'allow'
      : 'deny'
  }
}
