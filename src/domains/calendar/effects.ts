import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Implementation } from '../implement.js'
import { done, failed } from '../result.js'
import type { CalendarStore, EntryUndo } from './calendar-store.js'
import { newCalendar } from './entry.js'
import { expand, type Occurrence } from './expand.js'
import { fromOutside } from './say.js'

const undoSchema = z.object({
  entries: z.array(
    z.object({
      calendar: z.string(),
      uid: z.string(),
      before: z.string(),
      after: z.string(),
      own: z.boolean().optional(),
    }),
  ),
})

/** The undo member of a result. */
export function undoOf(entries: readonly EntryUndo[]): JsonObject {
  return {
    entries: entries.map(({ calendar, uid, before, after, own }) => ({
      calendar,
      uid,
      before,
      after,
      ...(own === undefined ? {} : { own }),
    })),
  }
}

/** Takes entry changes back, the last first. */
export async function revertEntries(store: CalendarStore, undo: JsonObject): Promise<ToolResult> {
  const parsed = undoSchema.safeParse(undo)
  if (!parsed.success) return failed('That cannot be taken back: its record is unreadable.')
  let changed = 0
  for (const entry of [...parsed.data.entries].reverse()) if ((await store.restore(entry)) === 'changed') changed++
  if (changed > 0)
    return failed(
      changed === parsed.data.entries.length
        ? 'That cannot be taken back, because it was changed again since.'
        : `${changed} of ${parsed.data.entries.length} could not be taken back, because they were changed again since.`,
    )
  return done('Done, that is taken back.')
}

/** What an effect's key says about occurrences: how it is told when the same effect is asked for again. */
export type Telling = (found: readonly Occurrence[], removed: boolean, context: ToolContext) => ToolResult

/**
 * An effect on calendar files: looked up by its key first, so that it happens once; found again after a crash; undone
 * entry by entry.
 */
export function calendarEffect(store: CalendarStore, tell: Telling, run: Implementation['run']): Implementation {
  const past = (key: string, context: ToolContext): ToolResult | undefined => {
    const found = store.findKey(key)
    if (found.length === 0) return undefined
    const all = found.flatMap(({ component, calendar, outside }) => {
      const holder = newCalendar()
      for (const zone of component.parent?.getAllSubcomponents('vtimezone') ?? []) holder.addSubcomponent(zone)
      holder.addSubcomponent(component)
      return expand(holder, calendar, new Date(-8.64e15), new Date(8.64e15), context.timeZone)
        .slice(0, 1)
        .map((o) => (outside === undefined ? o : { ...o, outside }))
    })
    return fromOutside(
      tell(
        all,
        found.every((f) => f.removed),
        context,
      ),
      all,
    )
  }
  return {
    run: async (args, context) => past(context.idempotencyKey, context) ?? (await run(args, context)),
    revert: (undo) => revertEntries(store, undo),
    reconcile: (key, _args, context) => past(key, context),
  }
}
