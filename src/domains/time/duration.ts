import { digitise } from '../words/numbers.js'

/** Calendar-aware length of time; months and years have no fixed number of milliseconds. */
export interface Span {
  readonly years: number
  readonly months: number
  readonly weeks: number
  readonly days: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

type Unit = keyof Span

const NONE: Span = { years: 0, months: 0, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 }

const SMALLER: { readonly [unit in Unit]?: readonly [Unit, number] } = {
  years: ['months', 12],
  months: ['weeks', 4],
  weeks: ['days', 7],
  days: ['hours', 24],
  hours: ['minutes', 60],
  minutes: ['seconds', 60],
}

/** A number followed by a unit, as one pattern source; groups: number, unit. */
const AMOUNT = String.raw`(\d+(?:\.\d+)?|an?|one|half an?|half|a couple of|a couple|couple of|a few|few|several|an? quarter(?: of)? an?|quarter(?: of)? an?|\d+ and a half|\d+ 1/2|a half)`
const UNIT = '(years?|months?|weeks?|days?|hours?|minutes?|seconds?|fortnights?)'

const amountOf = (text: string): number => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const half = /^(\d+) (?:and a half|1\/2)$/.exec(text)
  if (half) return Number(half[1]) + 0.5
  if (text.includes('quarter')) return 0.25
  if (text.includes('half')) return 0.5
  if (text.includes('couple')) return 2
  if (text.includes('few') || text.includes('several')) return 3
  return 1
}

const add = (span: Span, unit: Unit, amount: number): Span => {
  const whole = Math.trunc(amount)
  const part = amount - whole
  const next = { ...span, [unit]: span[unit] + whole }
  const smaller = SMALLER[unit]
  if (part === 0) return next
  // Fractions below a second do not matter to anybody who speaks.
  return smaller === undefined
    ? { ...next, [unit]: next[unit] + Math.round(part) }
    : add(next, smaller[0], Math.round(part * smaller[1] * 1000) / 1000)
}

/** The digits form that {@link findSpan} reads: "twenty second" keeps its unit. */
export function normaliseSpan(text: string): string {
  return digitise(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .slice(0, 400)
      .replace(/-(?=[a-z])/g, ' ')
      .replace(
        /(\d+)\s*(?:hours?|hrs?|h)(?:\s*(\d+)\s*(?:minutes?|mins?|m)?)?(?=[\s,.]|$)/g,
        (_, h: string, m?: string) => (m ? `${h} hours ${m} minutes` : `${h} hours`),
      )
      .replace(/(\d+)\s*(?:minutes?|mins?|m)(?=[\s\d,.]|$)/g, '$1 minutes ')
      .replace(/(\d+)\s*(?:seconds?|secs?|s)(?=[\s,.]|$)/g, '$1 seconds ')
      .replace(/\bmins?\b/g, 'minutes')
      .replace(/\bsecs?\b/g, 'seconds')
      .replace(/\bhrs?\b/g, 'hours')
      .replace(/,/g, ' '),
    { ordinals: false },
  )
    .replace(/\s+/g, ' ')
    .trim()
}

/** The first length of time in normalised text, with the text it was read from. */
export function findSpan(
  text: string,
): { readonly span: Span; readonly matched: string; readonly index: number } | undefined {
  const one = new RegExp(String.raw`\b${AMOUNT} ?${UNIT}( and a (half|quarter))?\b`, 'g')
  const clock = /\b(\d{1,2}):(\d{2})(?::(\d{2}))? (hours|minutes)\b/.exec(text)
  if (clock) {
    const parts = [clock[1], clock[2], clock[3]].map((p) => Number(p ?? 0)) as [number, number, number]
    const span =
      clock[4] === 'hours'
        ? { ...NONE, hours: parts[0], minutes: parts[1], seconds: parts[2] }
        : { ...NONE, minutes: parts[0], seconds: parts[1] }
    return { span, matched: clock[0], index: clock.index }
  }
  let span: Span | undefined
  let start = 0
  let end = -1
  let lastUnit: Unit | undefined
  for (let m = one.exec(text); m; m = one.exec(text)) {
    if (span !== undefined && !/^(?: ?and| ?,)? ?$/.test(text.slice(end, m.index))) break
    if (span === undefined) {
      span = NONE
      start = m.index
    }
    const word = (m[2] ?? '').replace(/s$/, '')
    const unit: Unit = word === 'fortnight' ? 'weeks' : (`${word}s` as Unit)
    const amount = amountOf(m[1] ?? '') * (word === 'fortnight' ? 2 : 1)
    span = add(span, unit, amount + (m[4] === 'half' ? 0.5 : m[4] === 'quarter' ? 0.25 : 0))
    end = m.index + m[0].length
    lastUnit = unit
  }
  if (span === undefined) return undefined
  // "one hour thirty": the bare number counts the next smaller unit.
  const tail = /^ (?:and )?(\d{1,2})$/.exec(text.slice(end))
  const smaller = lastUnit === undefined ? undefined : SMALLER[lastUnit]
  if (tail && smaller) {
    span = add(span, smaller[0], Number(tail[1]))
    end += tail[0].length
  }
  return { span, matched: text.slice(start, end), index: start }
}

/**
 * The length of time a phrase names: "an hour and a half", "90 seconds", "1h30", "two and a half hours"; undefined when
 * none is named, it is zero or negative.
 */
export function parseDuration(text: string): Span | undefined {
  if (/^\s*(?:[-−]\s*\d|minus\b|negative\b)/i.test(text)) return undefined
  const found = findSpan(normaliseSpan(text))
  return found !== undefined && Object.values(found.span).some((n) => n > 0) ? found.span : undefined
}

/** Milliseconds of a span, months counted as 30 days and years as 365. */
export function spanMilliseconds(span: Span): number {
  const days = span.years * 365 + span.months * 30 + span.weeks * 7 + span.days
  return (((days * 24 + span.hours) * 60 + span.minutes) * 60 + span.seconds) * 1000
}

/** "1 hour 30 minutes" for a number of milliseconds; seconds only below one hour. */
export function sayDuration(milliseconds: number): string {
  const total = Math.max(0, Math.round(milliseconds / 1000))
  const parts: string[] = []
  const put = (n: number, unit: string) => n > 0 && parts.push(`${n} ${unit}${n === 1 ? '' : 's'}`)
  put(Math.floor(total / 86_400), 'day')
  put(Math.floor(total / 3600) % 24, 'hour')
  put(Math.floor(total / 60) % 60, 'minute')
  if (total < 3600) put(total % 60, 'second')
  return parts.join(' ') || '0 seconds'
}
