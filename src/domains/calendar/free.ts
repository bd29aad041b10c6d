import type { ToolContext } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, done } from '../result.js'
import {
  parseDuration,
  resolveWhen,
  sayClock,
  sayDay,
  sayDuration,
  sayWhen,
  spanMilliseconds,
  zoned,
} from '../time/index.js'
import { text } from '../words/args.js'
import { listWords } from '../words/match.js'
import type { CalendarStore } from './calendar-store.js'
import { fromOutside, sayShort } from './say.js'

/** Minutes of a day between which free time is looked for when the owner told no working hours. */
const OPEN: NonNullable<ToolContext['workingHours']> = { from: 8 * 60, to: 20 * 60 }

const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`

interface Gap {
  readonly start: Date
  readonly end: Date
}

const later = (a: Date, b: Date): Date => (a.getTime() > b.getTime() ? a : b)
const earlier = (a: Date, b: Date): Date => (a.getTime() < b.getTime() ? a : b)

const minus = (span: Gap, busy: readonly Gap[]): readonly Gap[] => {
  const gaps: Gap[] = []
  let at = span.start
  for (const b of [...busy].sort((x, y) => x.start.getTime() - y.start.getTime())) {
    if (b.start > at) gaps.push({ start: at, end: earlier(b.start, span.end) })
    if (b.end > at) at = b.end
    if (at >= span.end) return gaps
  }
  return at < span.end ? [...gaps, { start: at, end: span.end }] : gaps
}

/** calendar_free: gaps between events, by day in the working hours, else from eight to eight; a time that was said is answered with yes or no. */
export function freeTools(store: CalendarStore): { readonly [name: string]: Implementation } {
  return {
    calendar_free: reads((args, context) => {
      const now = context.now()
      const zone = context.timeZone
      const phrase = text(args, 'when')
      const when = resolveWhen(phrase ?? 'next 7 days', { now, zone })
      if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". When should it be?`)
      if (when.kind === 'ambiguous') return asked(when.question)
      const need = parseDuration(text(args, 'duration') ?? '')
      const least = need === undefined ? 30 * 60_000 : spanMilliseconds(need)
      const busyIn = (from: Date, to: Date) =>
        store.occurrences(from, to, zone, ['event']).filter((o) => !o.allDay && o.end > o.start)
      if (!when.allDay && when.grain !== 'part' && when.bound === undefined) {
        const end = when.end ?? new Date(when.start.getTime() + (need === undefined ? 3_600_000 : least))
        const busy = busyIn(when.start, end)
        const said = sayWhen({ ...when, end }, now)
        const told = done(
          busy.length === 0
            ? `Yes, you are free on ${said}.`
            : `No, on ${said} there is ${listWords(busy.map((o) => sayShort(o, now, zone)))}.`,
          { data: { free: busy.length === 0 } },
        )
        return fromOutside(told, busy)
      }
      const open = context.workingHours ?? OPEN
      const until = when.end ?? new Date(when.start.getTime() + 7 * 86_400_000)
      const gaps: Gap[] = []
      let day = zoned(later(when.start, now), zone).startOfDay()
      for (let k = 0; k < 62 && day.epochMilliseconds < until.getTime(); k++, day = day.add({ days: 1 })) {
        if (open.days !== undefined && !open.days.includes(day.dayOfWeek)) continue
        const at = (minutes: number) => day.with({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 })
        const close = open.to >= 24 * 60 ? day.add({ days: 1 }) : at(open.to)
        const start = later(later(new Date(at(open.from).epochMilliseconds), now), when.start)
        const end = new Date(Math.min(close.epochMilliseconds, until.getTime()))
        if (end > start)
          gaps.push(
            ...minus({ start, end }, busyIn(start, end)).filter((g) => g.end.getTime() - g.start.getTime() >= least),
          )
      }
      const say = (g: Gap) =>
        `${sayDay(g.start, zone, now)} from ${sayClock(g.start, zone)} to ${sayClock(g.end, zone)}`
      const data = gaps.slice(0, 40).map((g) => ({ start: g.start.toISOString(), end: g.end.toISOString() }))
      if (gaps.length === 0)
        return done(
          `There is no free time of ${sayDuration(least)} between ${clock(open.from)} and ${clock(open.to)} then.`,
          {
            data,
          },
        )
      return done(`You are free on ${listWords(gaps.slice(0, 4).map(say))}${gaps.length > 4 ? ' and more' : ''}.`, {
        lines: gaps.length > 4 ? gaps.slice(0, 20).map((g) => `- ${say(g)}`) : [],
        data,
      })
    }),
  }
}
