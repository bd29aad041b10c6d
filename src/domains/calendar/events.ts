import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { PARTS, type ResolvedWhen, resolveWhen, sayWhen, zoned } from '../time/index.js'
import { meansAll, text } from '../words/args.js'
import { countWords, listWords } from '../words/match.js'
import { resolveNamesDay, whichOf, withoutRule } from './alarms.js'
import type { CalendarStore } from './calendar-store.js'
import { moveOccurrence, newStart, PartlyDone, removeOccurrences } from './change.js'
import { calendarEffect, undoOf } from './effects.js'
import { uidOf } from './entry.js'
import type { Occurrence } from './expand.js'
import { fromOutside, occurrenceData, sayLine, sayOccurrence, sayShort } from './say.js'
import { named, once, searchSpan, select, specific } from './select.js'

const DAY = 86_400_000
const HOUR = 3_600_000

const WHOLE = /\b(?:series|every|each|all|whole|recurring|always|permanently)\b/i

/** The event's time: a part of the day becomes its usual hour, a point gets an hour of length. */
function eventTime(when: ResolvedWhen): {
  readonly start: Date
  readonly end: Date
  readonly allDay: boolean
  readonly note: string
} {
  if (when.allDay) {
    const next = new Date(zoned(when.start, when.zone).add({ days: 1 }).epochMilliseconds)
    return { start: when.start, end: when.end ?? next, allDay: true, note: '' }
  }
  if (when.grain === 'part' && when.part && !when.recurrence) {
    const hour = PARTS[when.part].usual
    const start = new Date(zoned(when.start, when.zone).with({ hour, minute: 0 }).epochMilliseconds)
    return {
      start,
      end: new Date(start.getTime() + HOUR),
      allDay: false,
      note: ` I took the ${when.part} as ${hour}:00.`,
    }
  }
  return { start: when.start, end: when.end ?? new Date(when.start.getTime() + HOUR), allDay: false, note: '' }
}

const clean = (repeat: string | undefined): string | undefined =>
  repeat !== undefined && /^(?:true|false|yes|no|none|never|once)$/i.test(repeat) ? undefined : repeat

const tellMade: (found: readonly Occurrence[], removed: boolean, context: ToolContext) => ToolResult = (
  [o],
  _removed,
  context,
) =>
  done(
    o
      ? `"${o.title}" is in the calendar on ${sayOccurrence(o, context.now(), context.timeZone)}.`
      : 'That is in the calendar.',
    o ? { data: occurrenceData(o) } : {},
  )

const events = (store: CalendarStore, from: Date, to: Date, context: ToolContext) =>
  store.occurrences(from, to, context.timeZone, ['event'])

interface Picked {
  readonly found: readonly Occurrence[]
  readonly unread?: string
  readonly past: boolean
}

/** Events that the arguments name: in the span that was said, else the coming year, else the past one. */
function pick(store: CalendarStore, args: JsonObject, context: ToolContext, days: number): Picked {
  const now = context.now()
  const when = text(args, 'when')
  const title = text(args, 'title')
  const narrow = (list: readonly Occurrence[]) => {
    const picked = select(list, { title, when, now, zone: context.timeZone })
    let found = picked.found
    for (const name of ['people', 'place'] as const) {
      const phrase = text(args, name)
      if (phrase !== undefined && specific(phrase) !== '') found = named(found, phrase)
    }
    return { found, ...(picked.unread === undefined ? {} : { unread: picked.unread }) }
  }
  const span = searchSpan(when, now, context.timeZone, days)
  const ahead = narrow(events(store, span.from, span.to, context))
  if (ahead.found.length > 0 || when !== undefined || specific(title) === '') return { ...ahead, past: false }
  const later = narrow(events(store, now, new Date(now.getTime() + 400 * DAY), context))
  if (later.found.length > 0) return { ...later, past: false }
  return { ...narrow(events(store, new Date(now.getTime() - 400 * DAY), now, context)), past: true }
}

const nothing = (args: JsonObject, unread: string | undefined, context: ToolContext): string => {
  if (unread !== undefined) return `I did not understand the time "${unread}", and no event is called that.`
  const title = specific(text(args, 'title'))
  const when = text(args, 'when')
  const read =
    when === undefined ? undefined : resolveWhen(when, { now: context.now(), zone: context.timeZone, prefer: 'none' })
  const at =
    read?.kind === 'resolved'
      ? ` on ${sayWhen(read, context.now())}`.replace(' on before', ' before').replace(' on from', ' from')
      : ''
  const who = text(args, 'people')
  return `There is nothing${title === '' ? '' : ` called "${title}"`}${who === undefined ? '' : ` with ${who}`} in the calendar${at}.`
}

/** calendar_create, calendar_search, calendar_move and calendar_cancel. */
export function eventTools(store: CalendarStore): { readonly [name: string]: Implementation } {
  const plan = (args: JsonObject, context: ToolContext) => {
    const title =
      text(args, 'title') ?? (text(args, 'people') === undefined ? undefined : `Meeting with ${text(args, 'people')}`)
    if (title === undefined) return asked('What is the event called?')
    const phrase = [text(args, 'when'), clean(text(args, 'repeat'))].filter((x) => x !== undefined).join(' ')
    if (phrase === '') return asked(`When is ${title}?`)
    const now = context.now()
    const when = resolveWhen(phrase, { now, zone: context.timeZone })
    if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". When is ${title}?`)
    if (when.kind === 'ambiguous') return asked(when.question)
    if (when.allDay && when.grain !== 'day' && when.grain !== 'weekend' && !when.recurrence)
      return asked(`On which day ${when.grain === 'week' ? 'of that week' : ''} is ${title}?`.replace('  ', ' '))
    if (when.bound === 'before') return asked(`At what time is ${title}?`)
    const time = eventTime(when)
    return { title, when, time, said: sayWhen({ ...when, start: time.start, end: time.end, allDay: time.allDay }, now) }
  }
  const create = calendarEffect(store, tellMade, async (args, context) => {
    const planned = plan(args, context)
    if ('ok' in planned) return planned
    const { title, when, time, said } = planned
    const now = context.now()
    const uid = uidOf(context.idempotencyKey)
    const place = text(args, 'place')
    const people = text(args, 'people')
    const busy = time.allDay ? [] : events(store, time.start, time.end, context).filter((o) => !o.allDay)
    const undo = await store.create({
      uid,
      kind: 'event',
      title,
      start: time.start,
      end: time.end,
      allDay: time.allDay,
      zone: context.timeZone,
      key: context.idempotencyKey,
      created: now,
      ...(when.recurrence ? { rule: when.recurrence } : {}),
      ...(place ? { place } : {}),
      ...(people ? { people } : {}),
      ...(/\bremind(?:er|ers|s|ed)?\b/i.test(`${context.request} ${title}`) ? { remind: true } : {}),
    })
    const over = time.end <= now && !when.recurrence ? ' That is in the past.' : ''
    const clash = busy.length > 0 ? ` It overlaps with ${listWords(busy.slice(0, 3).map((o) => o.title))}.` : ''
    const guests =
      people === undefined
        ? ''
        : ` ${store.server ? 'Invitations are not sent from here' : 'No calendar server is connected'}, so ${people} got no invitation.`
    const made = done(`"${title}" is in the calendar on ${said}.${time.note}${over}${clash}${guests}`, {
      data: {
        uid,
        title,
        start: time.start.toISOString(),
        end: time.end.toISOString(),
        allDay: time.allDay,
        ...(when.recurrence ? { rule: when.recurrence } : {}),
      },
      undo: undoOf([undo]),
    })
    return fromOutside(made, busy.slice(0, 3))
  })

  const search = reads((args, context) => {
    const { found, unread, past } = pick(store, args, context, 31)
    const { now, timeZone } = { now: context.now(), timeZone: context.timeZone }
    if (found.length === 0) return done(nothing(args, unread, context), { data: [] })
    if (past) {
      const last = found[found.length - 1] as Occurrence
      const told = done(`Nothing is ahead; the last was ${sayShort(last, now, timeZone)}.`, {
        lines: [sayLine(last, now, timeZone)],
        data: [occurrenceData(last)],
      })
      return fromOutside(told, [last])
    }
    const first = found[0] as Occurrence
    const nextOnly =
      /\bnext\b/i.test(text(args, 'title') ?? '') || /^(?:the )?next(?: one)?$/i.test(text(args, 'when') ?? '')
    if (found.length === 1 || nextOnly) {
      const more = `${first.place ? `, at ${first.place}` : ''}${first.people ? `, with ${first.people}` : ''}`
      const told = done(`${first.title} is on ${sayOccurrence(withoutRule(first), now, timeZone)}${more}.`, {
        data: [occurrenceData(first)],
      })
      return fromOutside(told, [first])
    }
    const shown = found.slice(0, 30)
    const short = listWords(shown.slice(0, 5).map((o) => sayShort(o, now, timeZone)))
    const told = done(`There are ${found.length} events: ${short}${found.length > 5 ? ' and more' : ''}.`, {
      lines: shown.map((o) => sayLine(withoutRule(o), now, timeZone)),
      data: shown.map(occurrenceData),
    })
    return fromOutside(told, shown)
  })

  const move = calendarEffect(store, tellMade, async (args, context) => {
    const to = text(args, 'to')
    const { found, unread } = pick(store, args, context, 366)
    const list = once(found)
    if (list.length === 0) return failed(nothing(args, unread, context))
    if (list.length > 1) return fromOutside(whichOf(list, 'event', context), list.slice(0, 6))
    if (to === undefined) return asked('To what time should it move?')
    const target = list[0] as Occurrence
    const day = text(args, 'when')
    if (target.rule && day === undefined && !WHOLE.test(context.request))
      return fromOutside(
        asked(
          `${target.title} repeats. Should only the one on ${sayOccurrence(withoutRule(target), context.now(), context.timeZone)} move, or the whole series?`,
        ),
        [target],
      )
    const moved = await moveOccurrence(
      store,
      target,
      to,
      { hours: 'event', whole: WHOLE.test(context.request) && day === undefined },
      context,
    )
    if ('ok' in moved) return fromOutside(moved, [target])
    const o = moved.occurrence
    const told = done(`${target.title} moved to ${sayOccurrence(o, context.now(), context.timeZone)}.`, {
      data: occurrenceData(o),
      undo: undoOf(moved.undo),
    })
    return fromOutside(told, [target])
  })

  const tellCancelled = (found: readonly Occurrence[], _removed: boolean, context: ToolContext): ToolResult => {
    const first = found[0]
    if (first && found.length === 1)
      return done(`${first.title} on ${sayOccurrence(first, context.now(), context.timeZone)} is cancelled.`)
    return done(`${countWords(found.length, 'event')} cancelled.`, {
      lines: found.map((o) => sayLine(o, context.now(), context.timeZone)),
    })
  }

  const cancel = calendarEffect(store, tellCancelled, async (args, context) => {
    const { found, unread, past } = pick(store, args, context, 366)
    const list = once(past ? [] : found)
    if (list.length === 0) return failed(nothing(args, unread, context))
    const all = [text(args, 'title'), text(args, 'when'), context.request].some(meansAll)
    const next =
      /\b(?:next|first)\b/i.test(`${text(args, 'title') ?? ''} ${context.request}`) &&
      !/\bnext (?:week|month|year|mon|tue|wed|thu|fri|sat|sun)/i.test(context.request)
    if (list.length > 1 && !all && !next) return fromOutside(whichOf(list, 'event', context), list.slice(0, 6))
    const target = list.length > 1 && !all ? list.slice(0, 1) : list
    const day = text(args, 'when')
    const single = day !== undefined && resolveNamesDay(day, context)
    const only = target[0]
    if (only?.rule && target.length === 1 && !single && !WHOLE.test(context.request))
      return fromOutside(
        asked(
          `${only.title} repeats. Should only the one on ${sayOccurrence(withoutRule(only), context.now(), context.timeZone)} be cancelled, or the whole series?`,
        ),
        [only],
      )
    const alone = target.map((o) => (single ? withoutRule(o) : o))
    try {
      const undo = await removeOccurrences(store, target, single, context)
      return fromOutside({ ...tellCancelled(alone, true, context), undo: undoOf(undo) }, target)
    } catch (error) {
      if (!(error instanceof PartlyDone)) throw error
      const told = tellCancelled(alone.slice(0, error.undo.length), true, context)
      const rest = `The other ${alone.length - error.undo.length} stayed: ${error.message}`
      return fromOutside({ ...told, content: `${told.content}\n${rest}`, undo: undoOf(error.undo) }, target)
    }
  })

  /** The events that a change is about, for its approval. */
  const about = (verb: string, args: JsonObject, context: ToolContext): string | ToolResult => {
    const { found, unread } = pick(store, args, context, 366)
    if (found.length === 0) return failed(nothing(args, unread, context))
    const { now, timeZone } = { now: context.now(), timeZone: context.timeZone }
    const to = text(args, 'to')
    const only = once(found)[0]
    if (to !== undefined && only && once(found).length === 1) {
      // The owner approves a resolved time, not words.
      const target = newStart(only, to, 'event', context)
      if ('ok' in target) return fromOutside(target, [only])
      const end = target.end ?? new Date(target.start.getTime() + (only.end.getTime() - only.start.getTime()))
      const moved = { ...withoutRule(only), start: target.start, end, allDay: target.allDay }
      return `${verb} ${only.title} on ${sayOccurrence(only, now, timeZone)} to ${sayOccurrence(moved, now, timeZone)}.`
    }
    return `${verb} ${listWords(
      once(found)
        .slice(0, 5)
        .map((o) => `${o.title} on ${sayOccurrence(o, now, timeZone)}`),
      'or',
    )}${to === undefined ? '' : ` to ${to}`}.`
  }

  return {
    calendar_create: {
      ...create,
      preview: (args, context) => {
        const planned = plan(args, context)
        if ('ok' in planned) return planned
        const people = text(args, 'people')
        return `Put "${planned.title}" in the calendar on ${planned.said}${people === undefined ? '' : `, with ${people}`}.${planned.time.note}`
      },
    },
    calendar_search: search,
    calendar_move: { ...move, preview: (args, context) => about('Move', args, context) },
    calendar_cancel: { ...cancel, preview: (args, context) => about('Cancel', args, context) },
  }
}
