import { type ResolvedWhen, resolveWhen, zoned } from '../time/index.js'
import { meansAll } from '../words/args.js'
import { findNamed, keyWords } from '../words/match.js'
import type { Occurrence } from './expand.js'

const DAY = 86_400_000

/** Words that name the kind of a thing and not one thing. */
const GENERIC = new Set(
  'alarm timer event meeting appointment reminder calendar schedule entry all every everything any anything one thing wake up call morning evening next upcoming last agenda plan it set item first'.split(
    ' ',
  ),
)

/** What is left of a title once the words for the kind are gone; '' means "any". */
export function specific(title: string | undefined): string {
  if (title === undefined) return ''
  const words = keyWords(title).filter((w) => !GENERIC.has(w))
  return words.length === 0 ? '' : title
}

/** Occurrences whose title (or place or people) the phrase names. */
export function named(list: readonly Occurrence[], phrase: string): readonly Occurrence[] {
  const direct = findNamed(phrase, list, (o) => [o.title]).matches
  if (direct.length > 0) return direct
  const words = keyWords(phrase).filter((w) => !GENERIC.has(w))
  const wide = list.filter((o) => {
    const all = keyWords(`${o.title} ${o.place} ${o.people}`)
    return words.length > 0 && words.every((w) => all.includes(w))
  })
  return wide
}

/** Readings of a phrase that narrows a search; both halves of the day where none was said. */
export function filterTimes(phrase: string, now: Date, zone: string): readonly ResolvedWhen[] {
  const out: ResolvedWhen[] = []
  for (const hours of ['event', 'alarm'] as const) {
    const when = resolveWhen(phrase, { now, zone, prefer: 'none', hours })
    if (when.kind === 'resolved') out.push(when)
    if (when.kind === 'ambiguous') out.push(...when.options)
  }
  return out
}

const weekdays = (rule: string): readonly number[] => {
  const days = /BYDAY=([^;]+)/.exec(rule)?.[1]?.split(',') ?? []
  return days.map((d) => ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'].indexOf(d.slice(-2)) + 1)
}

/** Whether an occurrence fits a time phrase: inside its span, at its minute, at its time of day, or on its weekdays. */
export function fitsTime(o: Occurrence, when: ResolvedWhen): boolean {
  const start = o.start.getTime()
  const local = zoned(o.start, when.zone)
  const asked = zoned(when.start, when.zone)
  const sameClock = local.hour === asked.hour && local.minute === asked.minute
  if (when.recurrence) {
    const days = weekdays(when.recurrence)
    return (days.length === 0 || days.includes(local.dayOfWeek)) && (when.allDay || when.grain === 'part' || sameClock)
  }
  if (when.bound === 'before' && when.end) return start < when.end.getTime()
  if (when.bound === 'after') return start >= when.start.getTime()
  if (when.end) {
    if (!when.dayNamed && when.grain === 'part') {
      const hour = local.hour
      const to = zoned(new Date(when.end.getTime() - 1), when.zone).hour
      return hour >= asked.hour && hour <= to
    }
    return start < when.end.getTime() && (o.end.getTime() > when.start.getTime() || start >= when.start.getTime())
  }
  return when.dayNamed ? Math.abs(start - when.start.getTime()) < 60_000 : sameClock
}

/** Occurrences that a title and a time phrase select; an unread time phrase is told. */
export function select(
  list: readonly Occurrence[],
  ask: {
    readonly title?: string | undefined
    readonly when?: string | undefined
    readonly now: Date
    readonly zone: string
  },
): { readonly found: readonly Occurrence[]; readonly unread?: string } {
  let found = list
  if (
    ask.when !== undefined &&
    !/^(?:all|any|every|everything|next|first|the (?:next|first)(?: one)?)$/i.test(ask.when.trim())
  ) {
    const times = filterTimes(ask.when, ask.now, ask.zone)
    const phrase = ask.when
    if (times.length === 0) {
      const title = meansAll(phrase) ? list : named(list, phrase)
      if (title.length === 0) return { found: [], unread: phrase }
      found = title
    } else found = found.filter((o) => times.some((t) => fitsTime(o, t)))
  }
  const title = specific(ask.title)
  if (title !== '') found = named(found, title)
  return { found }
}

/** The first coming occurrence of each entry. */
export function once(list: readonly Occurrence[]): readonly Occurrence[] {
  const seen = new Set<string>()
  return list.filter((o) => !seen.has(`${o.calendar} ${o.uid}`) && seen.add(`${o.calendar} ${o.uid}`))
}

/** The span in which a search looks, given its time phrase: that phrase, else the coming `days`. */
export function searchSpan(when: string | undefined, now: Date, zone: string, days: number): { from: Date; to: Date } {
  const times = when === undefined ? [] : filterTimes(when, now, zone)
  if (times.length === 0) return { from: now, to: new Date(now.getTime() + days * DAY) }
  const starts = times.map((t) => t.start.getTime())
  const ends = times.map((t) =>
    t.bound === 'after' || t.recurrence || !t.dayNamed
      ? now.getTime() + days * DAY
      : (t.end?.getTime() ?? t.start.getTime() + 60_000),
  )
  const open = times.some((t) => t.bound === 'after' || t.recurrence || !t.dayNamed)
  return {
    from: new Date(Math.min(...starts, ...(open ? [now.getTime()] : []))),
    to: new Date(Math.max(...ends, ...times.map((t) => t.start.getTime() + 60_000))),
  }
}
