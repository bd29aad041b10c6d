import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Implementation } from '../implement.js'
import { reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { parseDuration, type ResolvedWhen, resolveWhen, sayDuration, sayWhen, spanMilliseconds } from '../time/index.js'
import { meansAll, text } from '../words/args.js'
import { countWords, listWords } from '../words/match.js'
import type { CalendarStore } from './calendar-store.js'
import { moveOccurrence, removeOccurrences } from './change.js'
import { calendarEffect, undoOf } from './effects.js'
import type { Occurrence } from './expand.js'
import { type RingDesk, stopRinging } from './ring-desk.js'
import { occurrenceData, sayLine, sayOccurrence } from './say.js'
import { once, searchSpan, select, specific } from './select.js'

const YEAR = 366

const label = (o: Occurrence): string => (o.title === 'Alarm' ? 'Alarm' : `Alarm "${o.title}"`)

/** One exact time for an alarm, or the question that is left. */
export function exactTime(phrase: string | undefined, what: string, context: ToolContext): ResolvedWhen | ToolResult {
  if (phrase === undefined) return asked(`When should the ${what} ring?`)
  const now = context.now()
  const when = resolveWhen(phrase, { now, zone: context.timeZone, hours: 'alarm' })
  if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". When should the ${what} ring?`)
  if (when.kind === 'ambiguous') return asked(when.question)
  if (when.allDay || when.grain === 'part' || when.bound === 'before')
    return asked(
      `At what time ${when.recurrence ? '' : `on ${sayWhen({ ...when, allDay: true, ...(when.end ? {} : { end: when.start }) }, now)} `}should the ${what} ring?`.replace(
        'on before',
        'before',
      ),
    )
  if (when.start <= now && !when.recurrence)
    return failed(`${sayWhen(when, now)} is over already; give a time that is still ahead.`)
  return when
}

const isResult = (x: ResolvedWhen | ToolResult): x is ToolResult => 'ok' in x

/** Alarms that are still going to ring. */
export function comingAlarms(store: CalendarStore, context: ToolContext, to?: Date): readonly Occurrence[] {
  const now = context.now()
  return store
    .occurrences(now, to ?? new Date(now.getTime() + YEAR * 86_400_000), context.timeZone, ['alarm'])
    .filter((o) => o.start >= now)
}

const chosen = (store: CalendarStore, args: JsonObject, context: ToolContext) => {
  const span = searchSpan(text(args, 'when'), context.now(), context.timeZone, YEAR)
  const all = comingAlarms(store, context, span.to > context.now() ? span.to : undefined)
  const picked = select(all, {
    title: text(args, 'label'),
    when: text(args, 'when'),
    now: context.now(),
    zone: context.timeZone,
  })
  return { all: once(all), found: once(picked.found), unread: picked.unread }
}

const noMatch = (all: readonly Occurrence[], unread: string | undefined, context: ToolContext): ToolResult => {
  if (all.length === 0) return failed('No alarm is set.')
  const list = listWords(all.slice(0, 5).map((o) => sayOccurrence(o, context.now(), context.timeZone)))
  return failed(
    `${unread === undefined ? 'No alarm fits that' : `I did not understand "${unread}"`}; set ${all.length === 1 ? 'is' : 'are'} ${list}.`,
  )
}

const tellSet = (found: readonly Occurrence[], _removed: boolean, context: ToolContext): ToolResult => {
  const o = found[0]
  return o
    ? done(`${label(o)} set for ${sayOccurrence(o, context.now(), context.timeZone)}.`, { data: occurrenceData(o) })
    : done('The alarm was set.')
}

const tellCancelled = (found: readonly Occurrence[], _removed: boolean, context: ToolContext): ToolResult => {
  const first = found[0]
  if (first && found.length === 1)
    return done(`${label(first)} for ${sayOccurrence(first, context.now(), context.timeZone)} is cancelled.`)
  return done(`${countWords(found.length, 'alarm')} cancelled.`, {
    lines: found.map((o) => sayLine(o, context.now(), context.timeZone)),
  })
}

/** Asks which of several is meant. */
export function whichOf(found: readonly Occurrence[], noun: string, context: ToolContext): ToolResult {
  const list = found
    .slice(0, 6)
    .map(
      (o) =>
        `${noun === 'alarm' && o.title === 'Alarm' ? '' : `${o.title}, `}${sayOccurrence(o, context.now(), context.timeZone)}`,
    )
  const more = found.length > 6 ? `, or one of ${found.length - 6} more` : ''
  return asked(`Which ${noun}: ${list.join('; or ')}${more}?`)
}

/**
 * alarm_set, alarm_list, alarm_cancel, alarm_change and alarm_snooze.
 * @param desk what rings at the moment, when a service may ring
 */
export function alarmTools(store: CalendarStore, desk?: RingDesk): { readonly [name: string]: Implementation } {
  const set = calendarEffect(store, tellSet, async (args, context) => {
    const repeat = text(args, 'repeat')
    const useful =
      repeat !== undefined && !/^(?:true|false|yes|no|none|never|once|repeat|recurring|repeating)$/i.test(repeat)
        ? repeat
        : undefined
    const phrase = [text(args, 'when'), useful].filter((x) => x !== undefined).join(' ') || undefined
    const when = exactTime(phrase, 'alarm', context)
    if (isResult(when)) return when
    const now = context.now()
    const given = text(args, 'label')
    const title = given === undefined || specific(given) === '' ? 'Alarm' : given
    const uid = `${randomUUID()}@botpsy`
    const undo = await store.create({
      uid,
      kind: 'alarm',
      title,
      start: when.start,
      allDay: false,
      zone: context.timeZone,
      key: context.idempotencyKey,
      created: now,
      ...(when.recurrence ? { rule: when.recurrence } : {}),
    })
    const name = title === 'Alarm' ? 'Alarm' : `Alarm "${title}"`
    return done(
      `${name} set for ${sayWhen({ ...when, ...(when.end ? { end: undefined } : {}) } as ResolvedWhen, now)}.`,
      {
        data: { uid, start: when.start.toISOString(), ...(when.recurrence ? { rule: when.recurrence } : {}) },
        undo: undoOf([undo]),
      },
    )
  })

  const list = reads((args, context) => {
    const { all, found, unread } = chosen(store, args, context)
    if (all.length === 0) return done('No alarm is set.', { data: [] })
    if (found.length === 0)
      return unread === undefined
        ? done(
            `No alarm is set for that; ${all.length === 1 ? 'there is one' : `there are ${all.length}`} at other times.`,
            { lines: all.map((o) => sayLine(o, context.now(), context.timeZone)), data: [] },
          )
        : noMatch(all, unread, context)
    const only = found[0]
    const head =
      only && found.length === 1
        ? `${only.title === 'Alarm' ? 'An alarm' : label(only)} is set for ${sayOccurrence(only, context.now(), context.timeZone)}.`
        : `${countWords(found.length, 'alarm')} are set: ${listWords(found.slice(0, 5).map((o) => sayOccurrence(o, context.now(), context.timeZone)))}.`
    return done(head, {
      lines: found.length > 1 ? found.map((o) => sayLine(o, context.now(), context.timeZone)) : [],
      data: found.map(occurrenceData),
    })
  })

  const cancel = calendarEffect(store, tellCancelled, async (args, context) => {
    const { all, found, unread } = chosen(store, args, context)
    const unnamed = text(args, 'when') === undefined && text(args, 'label') === undefined
    // Whoever says "turn off the alarm" while one rings means that one.
    if ((unnamed && !meansAll(context.request)) || found.length === 0) {
      const stopped = stopRinging(desk, 'alarm')
      if (stopped > 0) return done(stopped === 1 ? 'The alarm is off.' : 'The alarms are off.')
    } else if (meansAll(context.request)) stopRinging(desk, 'alarm')
    if (found.length === 0) return noMatch(all, unread, context)
    const everything = [text(args, 'when'), text(args, 'label'), context.request].some(meansAll)
    let target = found
    if (found.length > 1 && !everything) {
      if (/\b(?:just|last|latest|recent)\b/i.test(context.request))
        target = [...found].sort((a, b) => (b.created?.getTime() ?? 0) - (a.created?.getTime() ?? 0)).slice(0, 1)
      else if (/\b(?:next|first|earliest)\b/i.test(context.request)) target = found.slice(0, 1)
      else if (!/\balarms\b/i.test(context.request) || text(args, 'when') === undefined)
        return whichOf(found, 'alarm', context)
    }
    const day = text(args, 'when')
    const single = day !== undefined && !/\b(?:every|each|all)\b/i.test(day) && resolveNamesDay(day, context)
    const undo = await removeOccurrences(store, target, single, context)
    return {
      ...tellCancelled(
        target.map((o) => (single ? withoutRule(o) : o)),
        true,
        context,
      ),
      undo: undoOf(undo),
    }
  })

  const change = calendarEffect(store, tellSet, async (args, context) => {
    const { all, found, unread } = chosen(store, args, context)
    if (found.length === 0) return noMatch(all, unread, context)
    if (found.length > 1) return whichOf(found, 'alarm', context)
    const to = text(args, 'to')
    if (to === undefined) return asked('To what time should the alarm move?')
    const target = found[0] as Occurrence
    const moved = await moveOccurrence(store, target, to, { hours: 'alarm', whole: true }, context)
    return 'ok' in moved
      ? moved
      : done(`${label(target)} moved to ${sayOccurrence(moved.occurrence, context.now(), context.timeZone)}.`, {
          data: occurrenceData(moved.occurrence),
          undo: undoOf(moved.undo),
        })
  })

  const snooze = calendarEffect(store, tellSet, async (args, context) => {
    const now = context.now()
    const span = parseDuration(text(args, 'duration') ?? text(args, 'when') ?? '10 minutes')
    if (span === undefined) return asked('For how long should the alarm be snoozed?')
    const ringing = desk
      ?.ringing()
      .filter((ring) => ring.kind === 'alarm' || ring.kind === 'timer')
      .at(-1)
    const rang = store
      .occurrences(new Date(now.getTime() - 3_600_000), new Date(now.getTime() + 1000), context.timeZone, [
        'alarm',
        'timer',
      ])
      .filter((o) => (ringing === undefined ? o.kind === 'alarm' : o.uid === ringing.ref))
      .at(-1)
    if (rang === undefined) return failed('No alarm has rung in the last hour, so there is nothing to snooze.')
    const start = new Date(now.getTime() + spanMilliseconds(span))
    const uid = `${randomUUID()}@botpsy`
    const undo = await store.create({
      uid,
      kind: 'alarm',
      title: ringing?.title ?? rang.title,
      start,
      allDay: false,
      zone: context.timeZone,
      key: context.idempotencyKey,
      created: now,
      snoozes: rang.uid,
    })
    if (ringing) desk?.stop(ringing.key)
    return done(
      `Snoozed for ${sayDuration(spanMilliseconds(span))}; the alarm rings again on ${sayOccurrence({ ...withoutRule(rang), start, end: start }, now, context.timeZone)}.`,
      { data: { uid, start: start.toISOString() }, undo: undoOf([undo]) },
    )
  })

  return { alarm_set: set, alarm_list: list, alarm_cancel: cancel, alarm_change: change, alarm_snooze: snooze }
}

/** Whether a phrase names one day, so that only that occurrence of a series is meant. */
export function resolveNamesDay(phrase: string, context: ToolContext): boolean {
  const when = resolveWhen(phrase, { now: context.now(), zone: context.timeZone })
  return when.kind === 'resolved' && when.dayNamed && when.recurrence === undefined
}

/** The occurrence on its own. */
export function withoutRule(o: Occurrence): Occurrence {
  const { rule: _, ...rest } = o
  return rest
}
