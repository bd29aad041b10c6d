/** A time of day as it was said. */
export interface ClockTime {
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** False when only "six" was said and 06:00 and 18:00 are both possible. */
  readonly sure: boolean
}

/** Parts of the day with their usual bounds (hour of day, end exclusive; 24 is midnight) and the hour people mean by them. */
export const PARTS = {
  morning: { from: 6, to: 12, usual: 9 },
  afternoon: { from: 12, to: 18, usual: 14 },
  evening: { from: 18, to: 22, usual: 19 },
  night: { from: 20, to: 24, usual: 21 },
} as const

/** A part of the day. */
export type Part = keyof typeof PARTS

/** Two times joined ("three to five") or one, and how it bounds ("after six"). */
export interface ClockMatch {
  readonly time: ClockTime
  readonly end?: ClockTime
  readonly bound?: 'after' | 'before'
  readonly index: number
  readonly matched: string
}

type Half = 'am' | 'pm' | undefined

const clock = (hour: number, minute: number, half: Half, second = 0, written24 = false): ClockTime | undefined => {
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && (minute > 0 || half !== undefined))) return undefined
  if (half !== undefined && hour > 12) return half === 'pm' ? { hour, minute, second, sure: true } : undefined
  if (half === 'am') return { hour: hour % 12, minute, second, sure: true }
  if (half === 'pm') return { hour: (hour % 12) + 12, minute, second, sure: true }
  return { hour: hour % 24, minute, second, sure: hour === 0 || hour > 12 || written24 }
}

const asHalf = (text: string | undefined): Half => (text === 'am' || text === 'pm' ? text : undefined)

/** One time as a pattern without groups, for use inside larger patterns. */
const HOUR = String.raw`(?:noon|midnight|(?:quarter|half|\d{1,2}(?: minutes)?) (?:past|after|to|till|before|of) (?:\d{1,2}|noon|midnight)(?: oclock)?(?: ?[ap]m)?|\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]m)?|\d{3,4}(?: hours)?(?: ?[ap]m)?|\d{1,2} [0-5]\d(?! ?(?:minutes|hours|days|weeks|seconds|months|percent))(?: ?[ap]m)?|\d{1,2}(?: oclock)?(?: ?[ap]m)?(?! ?(?:minutes?|hours?|days?|weeks?|seconds?|months?|years?|percent|st|nd|rd|th)))`

/** Reads exactly one time of day from normalised text ("6 15 pm", "quarter past 6", "noon", "1300", "8 oclock"). */
export function readClock(text: string): ClockTime | undefined {
  const s = text.trim()
  if (s === 'noon') return { hour: 12, minute: 0, second: 0, sure: true }
  if (s === 'midnight') return { hour: 0, minute: 0, second: 0, sure: true }
  let m =
    /^(quarter|half|\d{1,2})(?: minutes)? (past|after|to|till|before|of) (\d{1,2}|noon|midnight)(?: oclock)?(?: ?([ap]m))?$/.exec(
      s,
    )
  if (m) {
    const minutes = m[1] === 'quarter' ? 15 : m[1] === 'half' ? 30 : Number(m[1])
    const base = m[3] === 'noon' ? 12 : m[3] === 'midnight' ? 24 : Number(m[3])
    if (base > 24 || minutes > 59) return undefined
    const past = m[2] === 'past' || m[2] === 'after'
    const half = asHalf(m[4])
    // "quarter to one pm" is 12:45: the half of the day belongs to the hour that was named.
    const named = clock(base, 0, m[3] === 'noon' || m[3] === 'midnight' ? undefined : half)
    if (named === undefined) return undefined
    const total = (named.hour * 60 + (past ? minutes : -minutes) + 1440) % 1440
    const sure = named.sure || m[3] === 'noon' || m[3] === 'midnight'
    return {
      hour: !sure && total >= 780 ? Math.floor(total / 60) - 12 : Math.floor(total / 60),
      minute: total % 60,
      second: 0,
      sure,
    }
  }
  m = /^(\d{1,2})[:.](\d{2})(?::(\d{2}))?(?: ?([ap]m))?$/.exec(s)
  if (m) return clock(Number(m[1]), Number(m[2]), asHalf(m[4]), Number(m[3] ?? 0), /^0/.test(m[1] ?? ''))
  m = /^(\d{1,2})(\d{2})(?: hours)?(?: ?([ap]m))?$/.exec(s)
  if (m && s.replace(/\D/g, '').length >= 3) return clock(Number(m[1]), Number(m[2]), asHalf(m[3]), 0, /^0/.test(s))
  m = /^(\d{1,2}) ([0-5]\d)(?: ?([ap]m))?$/.exec(s)
  if (m) return clock(Number(m[1]), Number(m[2]), asHalf(m[3]))
  m = /^(\d{1,2})(?: oclock)?(?: ?([ap]m))?$/.exec(s)
  return m ? clock(Number(m[1]), 0, asHalf(m[2])) : undefined
}

const lend = (from: ClockTime, to: ClockTime): ClockTime => {
  // "eight to ten pm" is 20:00–22:00, "eleven to one pm" 11:00–13:00.
  if (from.sure || !to.sure) return from
  const late = (from.hour % 12) + 12
  const minutes = (t: ClockTime, hour: number) => hour * 60 + t.minute
  if (to.hour >= 12)
    return { ...from, hour: minutes(from, late) < minutes(to, to.hour) ? late : from.hour % 12, sure: true }
  return { ...from, hour: from.hour % 12, sure: true }
}

/** Finds the first time of day, or pair of times, in normalised text. `bare` admits "six" without "at", "am" or minutes. */
export function findClock(text: string, bare: boolean): ClockMatch | undefined {
  const pair = new RegExp(String.raw`\b(?:between |from )?(${HOUR}) ?(?:to|and|until|till|-) ?(${HOUR})\b`).exec(text)
  // "ten to seven" is a time of its own.
  if (pair && !/^(?:5|10|20|25|quarter|15) to \d{1,2}(?: oclock)?(?: ?[ap]m)?$/.test(pair[0])) {
    const from = readClock(pair[1] ?? '')
    let to = readClock(pair[2] ?? '')
    if (from && to) {
      if (from.sure && !to.sure && from.hour >= 12 && to.hour < 12) to = { ...to, hour: to.hour + 12, sure: true }
      return { time: lend(from, to), end: to, index: pair.index, matched: pair[0] }
    }
  }
  const single = new RegExp(
    String.raw`\b(at |after |before |by |until |till |from |past |since |around |about )?(${HOUR})\b`,
    'g',
  )
  for (let m = single.exec(text); m; m = single.exec(text)) {
    const body = m[2] ?? ''
    const time = readClock(body)
    const plain = /^\d+( \d\d)?$/.test(body)
    if (!time || (plain && !bare && (m[1] ?? '') === '')) continue
    const word = (m[1] ?? '').trim()
    const bound =
      word === 'after' || word === 'from' || word === 'since' || word === 'past'
        ? 'after'
        : word === 'before' || word === 'by' || word === 'until' || word === 'till'
          ? 'before'
          : undefined
    return { time, ...(bound ? { bound } : {}), index: m.index, matched: m[0] }
  }
  return undefined
}
