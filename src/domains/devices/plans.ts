import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { asked, done } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'

/** Said with every plan: what carries it out. */
export const PLANNED = 'Planned actions run only while the background service runs.'

/** A command of a device tool that waits for its time, as it is stored under `plans`. */
export const planSchema = z.object({
  tool: z.string(),
  args: z.record(z.string(), z.json()),
  /** ISO time of the (next) run. */
  at: z.string(),
  zone: z.string(),
  /** RFC 5545 rule; absent for a plan that runs once. */
  rule: z.string().optional(),
  /** What it does, in words for the owner. */
  what: z.string().optional(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'missed', 'unknown']),
  /** ISO time at which a run began; with state `running`. */
  since: z.string().optional(),
  /** What the last run said. */
  said: z.string().optional(),
})

/** See {@link planSchema}. */
export type Plan = z.infer<typeof planSchema>

/** Stores a plan and returns its id. Must run inside an effect or a transaction. */
export function putPlan(records: Records, plan: Omit<Plan, 'state' | 'since' | 'said'>): string {
  const id = records.nextId('p')
  records.put('plans', id, { ...plan, state: 'waiting' })
  return id
}

/**
 * When a command says a later time, notes it as a planned action instead of doing it. Undefined when it is for now.
 * Must run inside an effect.
 */
export function planLater(
  records: Records,
  tool: string,
  args: JsonObject,
  phrase: string | undefined,
  what: string,
  context: ToolContext,
): ToolResult | undefined {
  if (phrase === undefined || /^(?:now|right now|immediately|today|asap|at once|please)$/i.test(phrase.trim()))
    return undefined
  const now = context.now()
  const when = resolveWhen(phrase, { now, zone: context.timeZone, hours: 'alarm' })
  if (when.kind === 'ambiguous') return asked(when.question)
  if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". When should I do it?`)
  if (when.start <= now && !when.recurrence && !(when.end && when.end > now))
    return asked(`${sayWhen(when, now)} is over already. When should I do it?`)
  if (when.grain === 'second' && when.start.getTime() === now.getTime()) return undefined
  if (when.allDay && !when.recurrence) return asked(`At what time on ${sayWhen(when, now)}?`)
  const { when: _, ...rest } = args
  const id = putPlan(records, {
    tool,
    args: rest,
    at: when.start.toISOString(),
    zone: context.timeZone,
    ...(when.recurrence ? { rule: when.recurrence } : {}),
    what,
  })
  return done(`Planned as ${id}: ${what} on ${sayWhen(when, now)}.`, {
    lines: [PLANNED],
    data: { id, at: when.start.toISOString(), ...(when.recurrence ? { rule: when.recurrence } : {}) },
  })
}
