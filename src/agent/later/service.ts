import type { Device } from '../../domains/devices/device.js'
import type { Plans } from '../../domains/devices/run-plans.js'
import {
  type Arrived,
  AutomationDues,
  allAutomations,
  type DueSource,
  keyId,
  Ledger,
  noticeDevices,
  noticeMail,
  type Ringing,
  removeAutomation,
  Scheduler,
} from '../../domains/later/index.js'
import { RING_GRACE_MS, START_GRACE_MS } from '../../domains/later/judge.js'
import type { Records } from '../../domains/store/index.js'
import type { Agent } from '../agent.js'
import type { LaterEvents } from './events.js'
import { recordHappening } from './recorded.js'
import { runFixed, runOnce, type UnattendedEnd, type UnattendedOptions } from './unattended-run.js'
import { clockOf, sayHappening, sayMissed } from './words.js'

/** How long something rings unless it is stopped, milliseconds; reminders are shown and do not ring on. */
const RING_MS = { alarm: 600_000, timer: 120_000, reminder: 0, automation: 0 } as const
/** An automation that could not begin for so long after it was set off does not begin any more. */
const BEGIN_MS = 600_000
/** Mail older than this is no news. */
const LATEST_MAIL_MS = 2 * 86_400_000

/** What the service looks at and works with. */
export interface LaterServiceOptions {
  readonly records: Records
  /** Alarms, timers, reminders. */
  readonly calendar: DueSource
  /** Planned device commands. */
  readonly plans?: Pick<Plans, 'due' | 'run' | 'miss' | 'next'>
  /** How fixed actions run; its journal takes what rang, too. */
  readonly fixed: UnattendedOptions
  /** Opens the model for a request of an automation. */
  readonly openAgent?: () => Promise<{ readonly agent: Agent; close(): Promise<void> }>
  /** Devices that are at hand without a connection. */
  readonly localDevices?: () => readonly Device[] | undefined
  /** Mail that came since a time; undefined when it is not the moment to look. */
  readonly mail?: (since: Date) => Promise<readonly Arrived[] | undefined>
  readonly events: LaterEvents
  readonly now: () => Date
  readonly zone: () => string
}

/**
 * Rings, reminds, and runs automations and planned commands. Holds no timers: whoever drives it calls {@link tick} at
 * least every second, and never two at a time.
 */
export class LaterService {
  readonly ledger: Ledger
  readonly #scheduler: Scheduler
  #started = false
  #mailLive = false
  #localLive = false
  /** What this process rings, by key. */
  readonly #rings = new Map<string, Ringing & { readonly until: number }>()
  #work: Promise<void> = Promise.resolve()
  readonly #working = new Set<string>()
  #lastProblem = ''

  constructor(private readonly options: LaterServiceOptions) {
    this.ledger = new Ledger(options.records)
    this.#scheduler = new Scheduler(this.ledger, [options.calendar, new AutomationDues(options.records)])
  }

  /** One look at everything. Problems of stores and servers are events; the next look tries again. */
  async tick(): Promise<void> {
    const first = !this.#started
    await this.#guarded(async () => {
      if (first) this.ledger.collectCutOff()
      this.#started = true
      await this.#ring()
    })
    await this.#guarded(() => this.#plans(first))
    await this.#guarded(() => this.#localDevices())
    await this.#guarded(() => this.#mail())
    await this.#guarded(() => this.#queue())
    await this.#guarded(() => this.#silence())
    await this.#guarded(() => this.#report())
  }

  /** When something falls due before `to`, milliseconds since 1970. */
  async next(to: number): Promise<number> {
    const now = this.options.now().getTime()
    try {
      const due = await this.#scheduler.next(now, to, this.options.zone())
      const plan = this.options.plans?.next()?.getTime()
      return Math.min(to, due ?? to, plan !== undefined && plan > now ? plan : to)
    } catch {
      return to
    }
  }

  /** A look at real devices, from whoever watches them. */
  noticeDevices(devices: readonly Device[], live: boolean): void {
    noticeDevices(this.ledger, devices, this.options.now().getTime(), live)
  }

  /** Mail that came, from whoever watches a mail server. */
  noticeMail(mails: readonly Arrived[], live: boolean): void {
    noticeMail(this.ledger, mails, this.options.now().getTime(), live)
  }

  /** Whether any automation waits for mail. */
  get watchesMail(): boolean {
    return allAutomations(this.options.records).some(({ data }) => data.trigger.kind === 'mail')
  }

  /** Whether any automation waits for a device. */
  get watchesDevices(): boolean {
    return allAutomations(this.options.records).some(({ data }) => data.trigger.kind === 'device')
  }

  /** Waits for the automations that run. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #ring(): Promise<void> {
    const { now, zone, events, fixed } = this.options
    const at = now().getTime()
    const found = await this.#scheduler.look(at, zone())
    const rung = new Set(found.rung.map((due) => due.key))
    for (const ring of this.ledger.ringing()) {
      if (!rung.has(ring.key)) continue
      const note = ring.note === undefined ? '' : `, ${ring.note}`
      recordHappening(
        fixed.journal,
        `ring:${keyId(ring.key)}`,
        sayHappening(ring),
        `Rang at ${clockOf(ring.at, zone())}${note}.`,
      )
      const until = at + RING_MS[ring.kind]
      const keepsRinging = until > at
      events.emit({ type: 'ring', ring, keepsRinging })
      if (!keepsRinging) this.ledger.stop(ring.key)
      else if (this.ledger.rings(ring.key)) this.#rings.set(ring.key, { ...ring, until })
    }
  }

  /** Ends what was stopped by anybody, and what rang long enough. */
  #silence(): void {
    if (this.#rings.size === 0) return
    const now = this.options.now().getTime()
    const ringing = new Set(this.ledger.ringing().map((ring) => ring.key))
    for (const [key, ring] of this.#rings) {
      const late = now >= ring.until || now < ring.since - RING_GRACE_MS
      if (ringing.has(key) && !late) continue
      this.ledger.stop(key)
      this.#rings.delete(key)
      this.options.events.emit({
        type: 'ring.end',
        key,
        kind: ring.kind,
        how: ringing.has(key) ? 'timed-out' : 'stopped',
      })
    }
  }

  #plans(first: boolean): void {
    const { plans, now } = this.options
    if (plans === undefined) return
    for (const due of plans.due(now())) {
      const key = `plan:${due.id}:${due.at.toISOString()}`
      if (this.#working.has(key)) continue
      if (due.lateMs > (first ? START_GRACE_MS : RING_GRACE_MS)) {
        const missed = { key, at: due.at.getTime(), kind: 'automation', title: due.what, ref: due.id } as const
        const gaveUp = this.options.records.transaction(() => {
          if (!this.#miss(due.id)) return false
          this.ledger.miss({ ...missed, why: 'not-running' })
          return true
        })
        if (gaveUp) continue
      }
      this.#later(key, async () => {
        const result = await plans.run(due.id, { now })
        this.options.events.emit({
          type: 'action',
          outcome: {
            id: due.id,
            title: due.what,
            cause: 'its time came',
            status: result.ok ? 'done' : 'failed',
            text: result.content.split('\n')[0] ?? '',
          },
        })
      })
    }
  }

  /** Gives up a plan that waits; false for one whose run a crash cut off, which must be settled instead. */
  #miss(id: string): boolean {
    const { plans, now } = this.options
    plans?.miss(id, now())
    return plans?.due(now()).every((plan) => plan.id !== id) ?? false
  }

  #localDevices(): void {
    const devices = this.watchesDevices ? this.options.localDevices?.() : undefined
    if (devices === undefined) return
    this.noticeDevices(devices, this.#localLive)
    this.#localLive = true
  }

  async #mail(): Promise<void> {
    const { mail, records, now } = this.options
    if (mail === undefined) return
    const made = allAutomations(records).flatMap(({ data }) =>
      data.trigger.kind === 'mail' ? [Date.parse(data.created)] : [],
    )
    if (made.length === 0) {
      this.#mailLive = true
      return
    }
    const since = Math.max(Math.min(...made), now().getTime() - LATEST_MAIL_MS)
    const arrived = await mail(new Date(since))
    if (arrived === undefined) return
    noticeMail(this.ledger, arrived, now().getTime(), this.#mailLive)
    this.#mailLive = true
  }

  #queue(): void {
    const { now, records, events } = this.options
    for (const row of this.ledger.queue()) {
      if (this.#working.has(row.key)) continue
      this.#later(row.key, async () => {
        const automation = allAutomations(records).find(({ id }) => id === row.automation)?.data
        if (automation === undefined) return this.ledger.finished(row.key)
        const late = now().getTime() - row.at
        const end = await this.#act(automation.action, row.key, row.automation, automation.said, late <= BEGIN_MS)
        const outcome = { id: row.automation, title: automation.said, cause: row.cause }
        if (end.status === 'never')
          this.ledger.miss({
            ...{ key: row.key, at: row.at, kind: 'automation', title: automation.said, ref: row.automation },
            why: 'not-running',
          })
        else {
          const status = end.status === 'done' || end.status === 'unapproved' ? end.status : 'failed'
          events.emit({ type: 'action', outcome: { ...outcome, status, text: end.text } })
        }
        this.ledger.finished(row.key)
        const { trigger } = automation
        if (trigger.kind === 'time' && trigger.rule === undefined) removeAutomation(records, row.automation)
      })
    }
  }

  async #act(
    action: ReturnType<typeof allAutomations>[number]['data']['action'],
    key: string,
    id: string,
    said: string,
    mayBegin: boolean,
  ): Promise<UnattendedEnd> {
    const thread = `automation:${keyId(key)}`
    if (action.kind === 'call') {
      const call = { name: action.tool, arguments: action.args }
      return runFixed(this.options.fixed, thread, `Automation ${id}: ${said}`, call, mayBegin)
    }
    const opened = await this.options.openAgent?.()
    if (opened === undefined) return { status: 'failed', text: 'No model is there to do it.' }
    try {
      return await runOnce(opened.agent, thread, action.text, mayBegin)
    } finally {
      await opened.close()
    }
  }

  /** Does something behind the looks, one after the other, once. */
  #later(key: string, work: () => Promise<void>): void {
    this.#working.add(key)
    this.#work = this.#work
      .then(work)
      .catch((error: unknown) => this.#problem(error))
      .finally(() => this.#working.delete(key))
  }

  #report(): void {
    const { events, fixed, now, zone } = this.options
    const list = this.ledger.untold()
    if (list.length === 0) return
    const lines = list.map((missed) => sayMissed(missed, now(), zone()))
    const run = `missed:${keyId(list.map((missed) => missed.key).join(' '))}`
    recordHappening(fixed.journal, run, 'Fell due while BotPsy did not run', lines.join('\n'))
    events.emit({ type: 'missed', list })
    this.ledger.told(list)
  }

  async #guarded(work: () => Promise<void> | void): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#problem(error)
    }
  }

  /** The same problem again and again is told once. */
  #problem(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (text === this.#lastProblem) return
    this.#lastProblem = text
    this.options.events.emit({ type: 'problem', text })
  }
}
