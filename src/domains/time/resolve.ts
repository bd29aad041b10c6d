import { Temporal } from 'temporal-polyfill'
import { chronoWhen } from './chrono.js'
import { type ClockMatch, type ClockTime, findClock, PARTS, type Part } from './clock.js'
import { type DateMatch, findDate, type Prefer } from './dates.js'
import { zoned } from './describe.js'
import { contentLeft, normaliseWhen } from './normalise.js'
import { firstOccurrence } from './occurrence.js'
import { findOffset, type OffsetMatch } from './offsets.js'
import { findRecurrence } from './recurrence.js'
import type { ResolvedWhen, When, WhenOptions } from './types.js'

/** Scanner over a phrase: what was understood is cut out and replaced by a mark, so that no word counts twice. */
class Phrase {
  constructor(public text: string) {}
  cut(index: number, length: number, keep = ''): void {
    this.text = `${this.text.slice(0, index)} ¤ ${keep} ${this.text.slice(index + length)}`.replace(/\s+/g, ' ').trim()
  }
}

const PART_PATTERN =
  /\b(tonight|(?:(?:this|in the|at|during the|the|next|last|on the|by|late|early|following) )*(morning|afternoon|evening|night)s?)\b/

interface PartMatch {
  readonly part: Part
  readonly shift: number
  readonly named: boolean
}

const readPart = (phrase: Phrase): PartMatch | undefined => {
  const m = PART_PATTERN.exec(phrase.text)
  if (!m) return undefined
  phrase.cut(m.index, m[0].length)
  const part: Part = m[1] === 'tonight' ? 'night' : (m[2] as Part)
  const shift = /\b(next|following)\b/.test(m[0]) ? 1 : /\blast\b/.test(m[0]) ? -1 : 0
  return { part, shift, named: m[1] === 'tonight' || /\b(this|next|last)\b/.test(m[0]) }
}

const readClockFrom = (phrase: Phrase): ClockMatch | undefined => {
  const clear = findClock(phrase.text, false)
  const found = clear ?? findClock(phrase.text, true)
  if (!found) return undefined
  const rest = `${phrase.text.slice(0, found.index)} ${phrase.text.slice(found.index + found.matched.length)}`
  // A lone number is a time only where nothing else is left that it could count.
  if (clear === undefined && contentLeft(rest) !== '') return undefined
  phrase.cut(found.index, found.matched.length)
  return found
}

/** An instant for a wall time, with what the clock change did to it. */
export function wallTime(
  date: Temporal.PlainDate,
  time: ClockTime,
  zone: string,
): { instant: Date; shifted?: 'gap' | 'overlap' } {
  const plain = date.toPlainDateTime({ hour: time.hour, minute: time.minute, second: time.second })
  const first = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const second = plain.toZonedDateTime(zone, { disambiguation: 'later' })
  if (first.epochMilliseconds === second.epochMilliseconds) return { instant: new Date(first.epochMilliseconds) }
  const gap = !second.toPlainDateTime().equals(plain)
  return {
    instant: new Date(gap ? second.epochMilliseconds : first.epochMilliseconds),
    shifted: gap ? 'gap' : 'overlap',
  }
}

const dayStart = (date: Temporal.PlainDate, zone: string): Date =>
  new Date(date.toZonedDateTime(zone).epochMilliseconds)

/** Readings of a time that was said without "am" or "pm", the likelier first. */
const readings = (time: ClockTime, part: Part | undefined, hours: 'alarm' | 'event'): readonly ClockTime[] => {
  if (time.sure) return [time]
  const am = { ...time, hour: time.hour % 12, sure: true }
  const pm = { ...am, hour: am.hour + 12 }
  if (part === 'morning') return [am]
  if (part === 'night') return am.hour < 5 && am.hour > 0 ? [am] : am.hour === 0 ? [am] : [pm]
  if (part !== undefined) return [pm]
  const early = hours === 'alarm' ? am.hour >= 4 : am.hour >= 7
  return early && am.hour > 0 ? [am, pm] : [pm, am]
}

interface Setting {
  readonly now: Date
  readonly zone: string
  readonly today: Temporal.PlainDate
  readonly prefer: Prefer
  readonly hours: 'alarm' | 'event'
}

/** Chooses the day and the reading of a time when no day, or a movable one, was said. */
const place = (time: ClockTime, date: DateMatch | undefined, part: PartMatch | undefined, s: Setting) => {
  const options = readings(time, part?.part, s.hours)
  const base = (date?.start ?? s.today).add({ days: part?.shift ?? 0 })
  const at = (day: Temporal.PlainDate, t: ClockTime) =>
    wallTime(part?.part === 'night' && t.hour < 5 && !date?.fixed ? day.add({ days: 1 }) : day, t, s.zone)
  if (date?.fixed || part?.named || s.prefer === 'none') return at(base, options[0] as ClockTime)
  if (date !== undefined) {
    const first = at(base, options[0] as ClockTime)
    if (s.prefer !== 'future' || first.instant > s.now) return first
    const other = options[1] ? at(base, options[1]) : undefined
    if (other && other.instant > s.now) return other
    return at(base.add(date.weekly ? { days: 7 } : { years: 1 }), options[0] as ClockTime)
  }
  if (s.prefer === 'past') {
    const all = options
      .flatMap((t) => [at(base, t), at(base.subtract({ days: 1 }), t)])
      .filter((x) => x.instant <= s.now)
    return all.reduce((a, b) => (b.instant > a.instant ? b : a), all[0] ?? at(base, options[0] as ClockTime))
  }
  const ahead = options.flatMap((t) => [at(base, t), at(base.add({ days: 1 }), t)]).filter((x) => x.instant > s.now)
  // An event at "nine" said at noon is not meant for the small hours.
  const waking =
    s.hours === 'event' ? ahead.filter((x) => zoned(x.instant, s.zone).hour >= 7 || options.length === 1) : ahead
  const pool = waking.length > 0 ? waking : ahead
  return pool.reduce(
    (a, b) => (b.instant < a.instant ? b : a),
    pool[0] ?? at(base.add({ days: 1 }), options[0] as ClockTime),
  )
}

const offsetResult = (
  offset: OffsetMatch,
  s: Setting,
): Pick<ResolvedWhen, 'start' | 'end' | 'allDay' | 'grain' | 'dayNamed'> => {
  const from = zoned(s.now, s.zone)
  const fine = offset.span.hours + offset.span.minutes + offset.span.seconds > 0
  const back = offset.mode === 'ago' || offset.mode === 'past-range' || (offset.mode === 'bare' && s.prefer === 'past')
  const other = new Date((back ? from.subtract(offset.span) : from.add(offset.span)).epochMilliseconds)
  const range = offset.mode === 'past-range' || offset.mode === 'next-range' || (offset.mode === 'bare' && back)
  const grain = offset.span.seconds > 0 ? 'second' : 'minute'
  if (range)
    return back
      ? { start: other, end: s.now, allDay: false, grain, dayNamed: false }
      : { start: s.now, end: other, allDay: false, grain, dayNamed: false }
  if (fine) return { start: other, allDay: false, grain, dayNamed: false }
  const day = zoned(other, s.zone).toPlainDate()
  return {
    start: dayStart(day, s.zone),
    end: dayStart(day.add({ days: 1 }), s.zone),
    allDay: true,
    grain: 'day',
    dayNamed: true,
  }
}

const NOW =
  /\b(?:right now|just now|now|immediately|straight away|at once|this (?:time|moment|very moment)|(?:at )?the moment|current time|same time|asap)\b/
const SPOKEN_ISO = /\b(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(z|[+-]\d{2}:?\d{2})?(?![\d:])/

const iso = (text: string, zone: string): ResolvedWhen | undefined => {
  const m = SPOKEN_ISO.exec(text.toLowerCase())
  if (!m) return undefined
  try {
    const local = Temporal.PlainDateTime.from(`${m[1]}T${m[2]}`)
    const shared = {
      kind: 'resolved',
      allDay: false,
      grain: 'minute',
      dayNamed: true,
      matched: m[0],
      rest: contentLeft(text.toLowerCase().replace(m[0], ' ')),
      zone,
    } as const
    if (m[3] !== undefined)
      return { ...shared, start: new Date(Temporal.Instant.from(`${m[1]}T${m[2]}${m[3]}`).epochMilliseconds) }
    const at = wallTime(
      local.toPlainDate(),
      { ...local, hour: local.hour, minute: local.minute, second: local.second, sure: true },
      zone,
    )
    return { ...shared, start: at.instant, ...(at.shifted ? { shifted: at.shifted } : {}) }
  } catch {
    return undefined
  }
}

/**
 * Resolves a time in the owner's own words, or ISO 8601, to instants in the owner's zone. Never throws on bad text.
 * @throws {RangeError} when `options.zone` is not an IANA zone.
 */
export function resolveWhen(text: string, options: WhenOptions): When {
  const { now, zone } = options
  const direct = iso(text, zone)
  if (direct) return direct
  const s: Setting = {
    now,
    zone,
    today: zoned(now, zone).toPlainDate(),
    prefer: options.prefer ?? 'future',
    hours: options.hours ?? 'event',
  }
  const normal = normaliseWhen(text)
  const phrase = new Phrase(normal)
  const recurrence = findRecurrence(phrase.text)
  if (recurrence) phrase.cut(recurrence.index, recurrence.matched.length, recurrence.keep)
  const offset = findOffset(phrase.text)
  const explicit = offset !== undefined && offset.mode !== 'bare'
  if (explicit) phrase.cut(offset.index, offset.matched.length)
  let date = findDate(phrase.text, { today: s.today, prefer: s.prefer, order: options.order })
  if (date) {
    const after = phrase.text.slice(date.index + date.matched.length)
    phrase.cut(date.index, date.matched.length)
    const joint = /^ (?:to|until|till|through|thru|-|and) /.exec(after)
    const second =
      joint && findDate(after.slice(joint[0].length), { today: date.start, prefer: 'future', order: options.order })
    // "march to 2026", said in November 2026, names an end that lies before its start: that is no span.
    if (joint && second && second.index === 0 && Temporal.PlainDate.compare(second.end, date.start) > 0) {
      phrase.cut(phrase.text.indexOf('¤') + 1, joint[0].length + second.matched.length)
      date = { ...date, end: second.end, fixed: true }
    }
  }
  const part = readPart(phrase)
  const instant = NOW.exec(phrase.text)
  const clockMatch = readClockFrom(phrase)
  if (instant) phrase.text = phrase.text.replace(instant[0], '¤')
  const bare = !explicit && offset && !date && !part && !clockMatch && !recurrence ? findOffset(phrase.text) : undefined
  if (bare) phrase.cut(bare.index, bare.matched.length)
  const rest = contentLeft(phrase.text)
  const shared = { kind: 'resolved' as const, matched: normal, rest, zone }

  const built = ((): Omit<ResolvedWhen, keyof typeof shared> | undefined => {
    if (recurrence)
      return firstOccurrence(
        recurrence.rule,
        s,
        date,
        part?.part,
        clockMatch && { ...clockMatch, time: readings(clockMatch.time, part?.part, s.hours)[0] as ClockTime },
      )
    const span = explicit ? offset : bare
    if (span && clockMatch && span.span.hours + span.span.minutes + span.span.seconds === 0) {
      const day = zoned(offsetResult(span, s).start, zone).toPlainDate()
      const at = wallTime(day, readings(clockMatch.time, part?.part, s.hours)[0] as ClockTime, zone)
      return {
        start: at.instant,
        allDay: false,
        grain: 'minute',
        dayNamed: true,
        ...(at.shifted ? { shifted: at.shifted } : {}),
      }
    }
    if (span) return offsetResult(span, s)
    if (clockMatch) return timed(clockMatch, date, part, s)
    if (instant && date?.grain === 'day') {
      const local = zoned(now, zone)
      const at = wallTime(date.start, { hour: local.hour, minute: local.minute, second: 0, sure: true }, zone)
      return {
        start: at.instant,
        allDay: false,
        grain: 'minute',
        dayNamed: true,
        ...(at.shifted ? { shifted: at.shifted } : {}),
      }
    }
    if (part) return partOf(part, date, s)
    if (date) return daily(date, s)
    return instant ? { start: now, allDay: false, grain: 'second', dayNamed: false } : undefined
  })()
  if (!built) return chronoWhen(text, options) ?? { kind: 'unknown', rest }
  const result: ResolvedWhen = { ...shared, ...built }
  if (date?.other === undefined) return result
  const flipped = resolveWhen(text, { ...options, order: 'mdy' })
  const straight = resolveWhen(text, { ...options, order: 'dmy' })
  if (flipped.kind !== 'resolved' || straight.kind !== 'resolved') return result
  const name = (w: ResolvedWhen) =>
    zoned(w.start, zone).toPlainDate().toLocaleString('en-GB', { day: 'numeric', month: 'long' })
  return {
    kind: 'ambiguous',
    question: `Do you mean ${name(straight)} or ${name(flipped)}?`,
    options: [straight, flipped],
  }
}

function timed(
  match: ClockMatch,
  date: DateMatch | undefined,
  part: PartMatch | undefined,
  s: Setting,
): Omit<ResolvedWhen, 'kind' | 'matched' | 'rest' | 'zone'> {
  const from = place(match.time, date, part, s)
  const base = {
    allDay: false,
    grain: match.time.second ? 'second' : 'minute',
    dayNamed: date !== undefined || part?.named === true,
    ...(part ? { part: part.part } : {}),
  } as const
  const shifted = from.shifted ? { shifted: from.shifted } : {}
  if (match.bound === 'before')
    return {
      ...base,
      ...shifted,
      start: from.instant > s.now ? s.now : dayStart(zoned(from.instant, s.zone).toPlainDate(), s.zone),
      end: from.instant,
      bound: 'before',
    }
  if (match.end === undefined)
    return { ...base, ...shifted, start: from.instant, ...(match.bound ? { bound: match.bound } : {}) }
  const day = zoned(from.instant, s.zone).toPlainDate()
  const first = zoned(from.instant, s.zone).hour
  const reads = match.end.sure
    ? [match.end]
    : [
        { ...match.end, hour: match.end.hour % 12 },
        { ...match.end, hour: (match.end.hour % 12) + 12 },
      ]
  const ends = [
    ...reads.map((t) => wallTime(day, t, s.zone).instant),
    ...reads.map((t) => wallTime(day.add({ days: 1 }), t, s.zone).instant),
  ]
  const end = ends.filter((e) => e > from.instant).sort((a, b) => a.getTime() - b.getTime())[0]
  return { ...base, ...shifted, start: from.instant, ...(end && first >= 0 ? { end } : {}) }
}

function partOf(
  part: PartMatch,
  date: DateMatch | undefined,
  s: Setting,
): Omit<ResolvedWhen, 'kind' | 'matched' | 'rest' | 'zone'> {
  const bounds = PARTS[part.part]
  const span = (day: Temporal.PlainDate) => {
    const start = wallTime(day, { hour: bounds.from, minute: 0, second: 0, sure: true }, s.zone).instant
    const end =
      bounds.to === 24
        ? dayStart(day.add({ days: 1 }), s.zone)
        : wallTime(day, { hour: bounds.to, minute: 0, second: 0, sure: true }, s.zone).instant
    return { start, end }
  }
  let day = (date?.start ?? s.today).add({ days: part.shift })
  if (!date && !part.named && s.prefer === 'future' && span(day).end <= s.now) day = day.add({ days: 1 })
  if (!date && !part.named && s.prefer === 'past' && span(day).start > s.now) day = day.subtract({ days: 1 })
  return { ...span(day), allDay: false, grain: 'part', part: part.part, dayNamed: date !== undefined || part.named }
}

function daily(date: DateMatch, s: Setting): Omit<ResolvedWhen, 'kind' | 'matched' | 'rest' | 'zone'> {
  const base = { allDay: true, grain: date.grain, dayNamed: true } as const
  if (date.bound === 'after') return { ...base, start: dayStart(date.end, s.zone), bound: 'after' }
  if (date.bound === 'before') {
    const end = dayStart(date.start, s.zone)
    return { ...base, start: new Date(Math.min(end.getTime(), s.now.getTime())), end, bound: 'before' }
  }
  return { ...base, start: dayStart(date.start, s.zone), end: dayStart(date.end, s.zone) }
}
