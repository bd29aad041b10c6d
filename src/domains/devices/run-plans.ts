import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { failed } from '../result.js'
import type { Item, Records } from '../store/index.js'
import { type Plan, planSchema } from './plans.js'

/** A plan whose time has come. */
export interface DuePlan {
  readonly id: string
  readonly tool: string
  /** What it does, in words for the owner. */
  readonly what: string
  readonly at: Date
  /** Milliseconds that it is late: while nothing ran, or after a crash. */
  readonly lateMs: number
}

/** The moment and place of a run. */
export type PlanContext = Pick<ToolContext, 'now' | 'signal'>

/** A run that began more recently belongs to a living process. */
const RUNNING_MS = 60_000

/**
 * The commands that wait for their time. Whoever has a clock (the background service) asks {@link due} and runs each by
 * {@link run}; every occurrence happens at most once, across processes, crashes and restarts, because it has one
 * idempotency key, and what is not known to have happened is not done again.
 */
export class Plans {
  constructor(
    private readonly records: Records,
    private readonly tools: readonly Tool[],
  ) {}

  /** All plans, also those that are over. */
  all(): readonly Item<Plan>[] {
    return this.records.all('plans', planSchema)
  }

  /** Plans whose time has come and that are not over, oldest first. A run that was cut off by a crash is among them. */
  due(now: Date): readonly DuePlan[] {
    return this.all()
      .filter(
        ({ data }) =>
          Date.parse(data.at) <= now.getTime() &&
          (data.state === 'waiting' ||
            (data.state === 'running' && now.getTime() - Date.parse(data.since ?? data.at) >= RUNNING_MS)),
      )
      .map(({ id, data }) => ({
        id,
        tool: data.tool,
        what: data.what ?? data.tool,
        at: new Date(data.at),
        lateMs: now.getTime() - Date.parse(data.at),
      }))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
  }

  /** When the next waiting plan is due; undefined when none waits. */
  next(): Date | undefined {
    const times = this.all().flatMap(({ data }) => (data.state === 'waiting' ? [Date.parse(data.at)] : []))
    return times.length === 0 ? undefined : new Date(Math.min(...times))
  }

  /**
   * Runs a plan that is due, and moves one that repeats to its next time. A repetition for the same occurrence does
   * nothing. A failure is a result; the plan is then over (or waits for its next time), and `said` keeps why.
   */
  async run(id: string, context: PlanContext): Promise<ToolResult> {
    const { records } = this
    const now = context.now()
    const claimed = records.transaction((): { readonly plan: Plan; readonly again: boolean } | ToolResult => {
      const plan = records.get('plans', id, planSchema)
      if (plan === undefined) return failed(`There is no plan ${id}.`)
      if (plan.state !== 'waiting' && plan.state !== 'running') return failed(`Plan ${id} is over.`)
      if (Date.parse(plan.at) > now.getTime()) return failed(`Plan ${id} is not due yet.`)
      if (plan.state === 'running' && now.getTime() - Date.parse(plan.since ?? plan.at) < RUNNING_MS)
        return failed(`Plan ${id} is being run.`)
      records.put('plans', id, { ...plan, state: 'running', since: now.toISOString() })
      return { plan, again: plan.state === 'running' }
    })
    if ('ok' in claimed) return claimed
    const { plan, again } = claimed
    const tool = this.tools.find((t) => t.name === plan.tool)
    if (tool === undefined || tool.effect(plan.args) === 'irreversible')
      return this.#end(id, plan, 'failed', failed(`Plan ${id} cannot be run by itself.`), now)
    const key = `plan:${id}:${plan.at}`
    const toolContext: ToolContext = {
      now: context.now,
      timeZone: plan.zone,
      request: '',
      idempotencyKey: key,
      ...(context.signal ? { signal: context.signal } : {}),
    }
    try {
      if (again) {
        const found = await tool.reconcile?.(key, plan.args, toolContext).catch(() => undefined)
        if (found?.ok) return this.#end(id, plan, 'done', found, now)
        if (found === undefined)
          return this.#end(
            id,
            plan,
            'unknown',
            failed(`It is not known whether plan ${id} (${plan.what ?? plan.tool}) happened; it was not done again.`),
            now,
          )
      }
      const result = await tool.run(plan.args, toolContext)
      return this.#end(id, plan, result.ok ? 'done' : 'failed', result, now)
    } catch (error) {
      this.#end(id, plan, 'failed', failed(error instanceof Error ? error.message : String(error)), now)
      throw error
    }
  }

  /** Gives up an occurrence that is too late to be done, and moves a repeating plan to its next time. */
  miss(id: string, now: Date): void {
    const plan = this.records.get('plans', id, planSchema)
    if (plan?.state === 'waiting' && Date.parse(plan.at) <= now.getTime())
      this.#end(id, plan, 'missed', failed('It fell due while nothing ran.'), now)
  }

  #end(id: string, plan: Plan, state: Plan['state'], result: ToolResult, now: Date): ToolResult {
    const next = plan.rule === undefined ? undefined : nextTime(plan, now)
    const { since: _, ...rest } = plan
    const said = result.content.split('\n')[0] ?? ''
    this.records.transaction(() => {
      // Somebody may have cancelled it meanwhile.
      if (this.records.get('plans', id, planSchema) === undefined) return
      this.records.put(
        'plans',
        id,
        next === undefined ? { ...rest, state, said } : { ...rest, at: next.toISOString(), state: 'waiting', said },
      )
    })
    return result
  }
}

/** Most occurrences that are looked at for the next one: a year of minutes would be more than anybody plans. */
const MOST = 100_000

/** The first time of a repeating plan after now and after its present one, on the wall clock of its zone. */
export function nextTime(plan: Pick<Plan, 'at' | 'zone' | 'rule'>, now: Date): Date | undefined {
  if (plan.rule === undefined) return undefined
  const after = Math.max(now.getTime(), Date.parse(plan.at))
  const wall = Temporal.Instant.fromEpochMilliseconds(Date.parse(plan.at)).toZonedDateTimeISO(plan.zone)
  const start = ICAL.Time.fromDateTimeString(wall.toPlainDateTime().toString({ smallestUnit: 'second' }))
  const iterator = ICAL.Recur.fromString(plan.rule).iterator(start)
  for (let i = 0; i < MOST; i++) {
    const at = iterator.next()
    if (!at) return undefined
    const time = Temporal.PlainDateTime.from(at.toString()).toZonedDateTime(plan.zone).epochMilliseconds
    if (time > after) return new Date(time)
  }
  return undefined
}
