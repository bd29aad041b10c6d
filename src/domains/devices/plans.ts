import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { asked, done } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'

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
  const id = records.nextId('p')
  records.put('plans', id, {
    tool,
    args: rest,
    at: when.start.toISOString(),
    zone: context.timeZone,
    ...(when.recurrence ? { rule: when.recurrence } : {}),
    state: 'waiting',
  })
  const point = { ...when }
  return done(`Planned as ${id}: ${what} on ${sayWhen(point, now)}.`, {
    lines: ['Planned actions run only while the background service runs.'],
    data: { id, at: when.start.toISOString(), ...(when.recurrence ? { rule: when.recurrence } : {}) },
  })
}
