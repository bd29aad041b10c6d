import { Temporal } from 'temporal-polyfill'
import { HOLIDAY_NAMES, holiday } from './holidays.js'
import { MONTH, monthNumber, WEEKDAY, weekdayNumber } from './weekdays.js'

/** Which reading wins when a date lies on either side of today. */
export type Prefer = 'future' | 'past' | 'none'

/** How fine a phrase was. */
export type Grain = 'second' | 'minute' | 'part' | 'day' | 'weekend' | 'week' | 'month' | 'year'

/** A day or a run of days, end exclusive. */
export interface DateMatch {
  readonly start: Temporal.PlainDate
  readonly end: Temporal.PlainDate
  readonly grain: Grain
  readonly index: number
  readonly matched: string
  /** The same words read with day and month exchanged, when both are dates. */
  readonly other?: Temporal.PlainDate
  readonly bound?: 'after' | 'before'
  /** True when a year, a week or "today" fixed it: no later year may be tried. */
  readonly fixed: boolean
  /** True for a weekday named alone: when its time has passed today, the next week is meant. */
  readonly weekly?: boolean
}

type Found = Omit<DateMatch, 'index' | 'matched' | 'bound'> | undefined
type PlainDate = Temporal.PlainDate

const day = (date: PlainDate, fixed = true): Found => ({ start: date, end: date.add({ days: 1 }), grain: 'day', fixed })
const monday = (date: PlainDate): PlainDate => date.subtract({ days: date.dayOfWeek - 1 })
const week = (date: PlainDate, n = 1): Found => ({
  start: date,
  end: date.add({ weeks: n }),
  grain: 'week',
  fixed: true,
})
const month = (date: PlainDate): Found => ({
  start: date.with({ day: 1 }),
  end: date.with({ day: 1 }).add({ months: 1 }),
  grain: 'month',
  fixed: true,
})
const year = (n: number): Found =>
  n >= 1000 && n <= 9999
    ? {
        start: new Temporal.PlainDate(n, 1, 1),
        end: new Temporal.PlainDate(n, 1, 1).add({ years: 1 }),
        grain: 'year',
        fixed: true,
      }
    : undefined

const make = (y: number, m: number, d: number): PlainDate | undefined => {
  try {
    return Temporal.PlainDate.from({ year: y, month: m, day: d }, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

const fullYear = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const n = Number(text.replace(/ /g, ''))
  return n < 100 ? 2000 + n : n
}

/** Day and month without a year: the one nearest on the preferred side of today. */
const yearless = (today: PlainDate, m: number, d: number, prefer: Prefer): Found => {
  for (let k = 0; k <= 8; k++) {
    const date = make(today.year + (prefer === 'past' ? -k : k), m, d)
    if (date === undefined) continue
    const order = Temporal.PlainDate.compare(date, today)
    if (prefer === 'past' ? order <= 0 : prefer === 'none' || order >= 0) return day(date, false)
  }
  return undefined
}

/** "the 22nd": the nearest month on the preferred side that has such a day. */
const dayOfMonth = (today: PlainDate, d: number, prefer: Prefer): Found => {
  for (let k = 0; k <= 12; k++) {
    const at = today.with({ day: 1 }).add({ months: prefer === 'past' ? -k : k })
    const date = make(at.year, at.month, d)
    if (date === undefined) continue
    const order = Temporal.PlainDate.compare(date, today)
    if (prefer === 'past' ? order <= 0 : order >= 0) return day(date, false)
  }
  return undefined
}

const weekdayOf = (today: PlainDate, name: string, which: string, prefer: Prefer): Found => {
  const n = weekdayNumber(name)
  const ahead = (n - today.dayOfWeek + 7) % 7
  if (which === 'last' || which === 'past' || which === 'previous')
    return day(today.subtract({ days: (today.dayOfWeek - n + 7) % 7 || 7 }))
  if (which === 'next' || which === 'following') return day(monday(today).add({ days: 7 + n - 1 }))
  if (which === '' && prefer === 'past') return day(today.subtract({ days: (today.dayOfWeek - n + 7) % 7 || 7 }))
  const found = day(today.add({ days: ahead }), false)
  return found && { ...found, weekly: true }
}

const nthWeekday = (first: PlainDate, n: number, name: string): Found => {
  const weekday = weekdayNumber(name)
  if (n > 0) {
    const date = first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (n - 1) })
    return date.month === first.month ? day(date) : undefined
  }
  const last = first.add({ months: 1 }).subtract({ days: 1 })
  return day(last.subtract({ days: (last.dayOfWeek - weekday + 7) % 7 }))
}

const step = (which: string): number =>
  which === 'next' || which === 'following' || which === 'coming' ? 1 : /last|past|previous/.test(which) ? -1 : 0

const monthStart = (today: PlainDate, text: string, prefer: Prefer): PlainDate => {
  const m = /(this|next|last|the|every)? ?(?:month)/.exec(text)
  if (m) return today.with({ day: 1 }).add({ months: step(m[1] ?? '') })
  const named = today.with({ day: 1, month: monthNumber(text) })
  if (prefer === 'past') return Temporal.PlainDate.compare(named, today) <= 0 ? named : named.subtract({ years: 1 })
  return Temporal.PlainDate.compare(named.add({ months: 1 }), today) > 0 ? named : named.add({ years: 1 })
}

interface Setting {
  readonly today: PlainDate
  readonly prefer: Prefer
  readonly order: 'dmy' | 'mdy' | undefined
}

type Rule = readonly [string, (m: RegExpExecArray, s: Setting) => Found]

const NTH = String.raw`(\d{1,2})(?:st|nd|rd|th)`
const YEAR = String.raw`((?:1[89]|2[01])\d{2}|(?:19|20) \d{2})`
const WHICH = '(this|next|last|past|previous|coming|this coming|following|upcoming)'

const RULES: readonly Rule[] = [
  [String.raw`(\d{4})-(\d{2})-(\d{2})`, (m) => wrap(make(Number(m[1]), Number(m[2]), Number(m[3])))],
  [
    String.raw`(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}|\d{2}))?`,
    (m, s) => {
      const y = fullYear(m[3])
      const read = (d: number, mo: number) =>
        y === undefined ? yearless(s.today, mo, d, s.prefer) : wrap(make(y, mo, d))
      const dmy = read(Number(m[1]), Number(m[2]))
      const mdy = read(Number(m[2]), Number(m[1]))
      if (s.order === 'dmy' || mdy === undefined) return dmy ?? mdy
      if (s.order === 'mdy' || dmy === undefined) return mdy
      return m[1] === m[2] ? dmy : { ...dmy, other: mdy.start }
    },
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)? (?:to|-|until|till|through) (\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH})`,
    (m, s) => {
      const first = dated(s, m[3] ?? '', Number(m[1]), undefined)
      const last = first && make(first.start.year, first.start.month, Number(m[2]))
      return first && last && Temporal.PlainDate.compare(first.start, last) < 0
        ? { ...first, end: last.add({ days: 1 }) }
        : undefined
    },
  ],
  [
    String.raw`(\d+|an?|one) (week|day|month)s? (?:from|after) (${WEEKDAY}|today|tomorrow|this day)`,
    (m, s) => {
      const base =
        m[3] === 'tomorrow'
          ? s.today.add({ days: 1 })
          : m[3] === 'today' || m[3] === 'this day'
            ? s.today
            : weekdayOf(s.today, m[3] ?? '', '', 'future')?.start
      const n = Math.min(Number(m[1]) || 1, 9999)
      return base && day(base.add({ [`${m[2]}s`]: n }))
    },
  ],
  ['day after tomorrow', (_, s) => day(s.today.add({ days: 2 }))],
  ['day before yesterday', (_, s) => day(s.today.subtract({ days: 2 }))],
  [
    '(?:today|(?:the )?end of (?:the|this) day|this day|this date|(?:the )?current (?:day|date))',
    (_, s) => day(s.today),
  ],
  ['tomorrow', (_, s) => day(s.today.add({ days: 1 }))],
  ['yesterday', (_, s) => day(s.today.subtract({ days: 1 }))],
  [
    `(?:(${WEEKDAY}) )?(?:the )?${NTH} (?:day )?(?:of )?(${MONTH})(?: (?:of )?(?:the )?(?:year )?${YEAR})?`,
    (m, s) => dated(s, m[3] ?? '', Number(m[2]), m[4]),
  ],
  [
    String.raw`(?:(${WEEKDAY}) )?(\d{1,2}) (?:of )?(${MONTH})(?: (?:of )?${YEAR})?`,
    (m, s) => dated(s, m[3] ?? '', Number(m[2]), m[4]),
  ],
  [
    String.raw`(?:(${WEEKDAY}) )?(${MONTH}) (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?!\d|:|\.\d| ?[ap]m| oclock)(?: (?:of )?${YEAR})?`,
    (m, s) => dated(s, m[2] ?? '', Number(m[3]), m[4]),
  ],
  [
    String.raw`(?:the )?(last|\d(?:st|nd|rd|th)) (${WEEKDAY}) (?:of|in) ((?:(?:the|this|next|last) )?month|${MONTH})`,
    (m, s) =>
      nthWeekday(
        monthStart(s.today, m[3] ?? '', s.prefer),
        m[1] === 'last' ? -1 : Number.parseInt(m[1] ?? '1', 10),
        m[2] ?? '',
      ),
  ],
  [
    String.raw`(?:the )?(last|\d(?:st|nd|rd|th)) week (?:of|in) ((?:(?:the|this|next|last) )?month|${MONTH})`,
    (m, s) => {
      const first = monthStart(s.today, m[2] ?? '', s.prefer)
      return m[1] === 'last'
        ? week(first.add({ months: 1 }).subtract({ days: 7 }))
        : week(first.add({ days: 7 * (Number.parseInt(m[1] ?? '1', 10) - 1) }))
    },
  ],
  [
    `(?:the )?last day (?:of|in) ((?:(?:the|this|next|last) )?month|${MONTH})`,
    (m, s) =>
      day(
        monthStart(s.today, m[1] ?? '', s.prefer)
          .add({ months: 1 })
          .subtract({ days: 1 }),
      ),
  ],
  [
    `(?:the )?${NTH} (?:day )?(?:of|in) ((?:the|this|next|last) month)`,
    (m, s) => {
      const first = monthStart(s.today, m[2] ?? '', s.prefer)
      return wrap(make(first.year, first.month, Number(m[1])))
    },
  ],
  [`(${WEEKDAY}) (?:the )?${NTH}`, (m, s) => dayOfMonth(s.today, Number(m[2]), s.prefer)],
  [
    `(${WEEKDAY}) (?:(?:of )?(next|this|last) week|week)`,
    (m, s) =>
      day(monday(s.today).add({ days: 7 * (m[2] === undefined ? 1 : step(m[2])) + weekdayNumber(m[1] ?? '') - 1 })),
  ],
  [
    `(next|this|last) week(?: on)? (${WEEKDAY})`,
    (m, s) => day(monday(s.today).add({ days: 7 * step(m[1] ?? '') + weekdayNumber(m[2] ?? '') - 1 })),
  ],
  [`(?:${WHICH} )?(${WEEKDAY})`, (m, s) => weekdayOf(s.today, m[2] ?? '', m[1] ?? '', s.prefer)],
  [
    `(?:${WHICH} |over the |the )?weekend`,
    (m, s) => {
      const saturday = monday(s.today).add({
        days: 5 + 7 * (m[1] === 'next' || m[1] === 'following' ? 1 : step(m[1] ?? '') < 0 ? -1 : 0),
      })
      return { start: saturday, end: saturday.add({ days: 2 }), grain: 'weekend', fixed: true }
    },
  ],
  [
    `(?:the )?rest of the (week|month|year)|later this (week|month|year)`,
    (m, s) => {
      const unit = m[1] ?? m[2]
      const end =
        unit === 'week'
          ? monday(s.today).add({ weeks: 1 })
          : unit === 'month'
            ? s.today.with({ day: 1 }).add({ months: 1 })
            : new Temporal.PlainDate(s.today.year + 1, 1, 1)
      return { start: s.today, end, grain: unit as Grain, fixed: true }
    },
  ],
  [
    `(?:the )?end of (?:the |this )?(week|month|year)`,
    (m, s) =>
      day(
        m[1] === 'week'
          ? monday(s.today).add({ days: 6 })
          : m[1] === 'month'
            ? s.today.with({ day: s.today.daysInMonth })
            : new Temporal.PlainDate(s.today.year, 12, 31),
      ),
  ],
  [
    String.raw`(?:the )?(?:next|coming|following) (few|couple(?: of)?|\d+) (day|week|month|year)s`,
    (m, s) => {
      const n = count(m[1] ?? '')
      return { start: s.today, end: s.today.add({ [`${m[2]}s`]: n }), grain: m[2] as Grain, fixed: true }
    },
  ],
  [
    String.raw`(?:the )?(?:last|past|previous) (few|couple(?: of)?|\d+) (day|week|month|year)s`,
    (m, s) => {
      const n = count(m[1] ?? '')
      return {
        start: s.today.subtract({ [`${m[2]}s`]: n }),
        end: s.today.add({ days: 1 }),
        grain: m[2] as Grain,
        fixed: true,
      }
    },
  ],
  [
    `(?:the )?(?:${WHICH} |this past |the )?week`,
    (m, s) =>
      week(
        monday(s.today).add({
          weeks: step(m[1] === 'coming' || m[1] === 'upcoming' || m[1] === 'this coming' ? 'next' : (m[1] ?? '')),
        }),
      ),
  ],
  [`(?:the )?${WHICH} month`, (m, s) => month(s.today.with({ day: 1 }).add({ months: step(m[1] ?? '') }))],
  [`(?:this past|last|previous) year`, (_, s) => year(s.today.year - 1)],
  [`(?:the )?(?:(this|next|coming) )?year`, (m, s) => year(s.today.year + step(m[1] ?? ''))],
  [
    `(${HOLIDAY_NAMES.join('|')})(?: (?:of |in )?${YEAR})?`,
    (m, s) => {
      const y = fullYear(m[2])
      for (const k of [0, 1]) {
        const date = holiday(m[1] ?? '', y ?? s.today.year + (s.prefer === 'past' ? -k : k))
        if (!date) return undefined
        const order = Temporal.PlainDate.compare(date, s.today)
        if (y !== undefined || (s.prefer === 'past' ? order <= 0 : order >= 0)) return day(date)
      }
      return undefined
    },
  ],
  [
    `(?:(?:the )?(this|next|last|coming) )?(${MONTH})(?: (?:of )?${YEAR})?`,
    (m, s) => {
      const y = fullYear(m[3])
      const first =
        y === undefined
          ? monthStart(s.today, m[2] ?? '', m[1] === 'last' ? 'past' : s.prefer)
          : make(y, monthNumber(m[2] ?? ''), 1)
      return first && month(first)
    },
  ],
  [
    `(?:the )?${NTH}(?! (?:${WEEKDAY}|week|day|of|alarm|one|event|meeting))`,
    (m, s) => dayOfMonth(s.today, Number(m[1]), s.prefer),
  ],
  [`(?:in |the year )?${YEAR}(?! ?(?:hours|[ap]m))`, (m) => year(Number((m[1] ?? '').replace(/ /g, '')))],
]

const count = (text: string): number =>
  text === 'few' ? 3 : text.startsWith('couple') ? 2 : Math.min(Number(text), 9999)

function wrap(date: PlainDate | undefined): Found {
  return date && day(date)
}

function dated(s: Setting, monthName: string, d: number, yearText: string | undefined): Found {
  const y = fullYear(yearText)
  return y === undefined
    ? yearless(s.today, monthNumber(monthName), d, s.prefer)
    : wrap(make(y, monthNumber(monthName), d))
}

const COMPILED = RULES.map(
  ([source, build]) =>
    [
      new RegExp(
        String.raw`(?<![\w¤])(?:(after|since|before|until|till|by|on|from|for|during|in|of|at) )?(?:${source})(?![\w])`,
      ),
      build,
    ] as const,
)

/** Finds the first rule's date in normalised text: "march 16th", "next friday", "the 22nd", "this weekend", "2026-12-01". */
export function findDate(text: string, setting: Setting): DateMatch | undefined {
  for (const [pattern, build] of COMPILED) {
    const m = pattern.exec(text)
    if (!m) continue
    const word = m[1]
    // The outer group shifts the rule's own groups by one.
    const inner = Object.assign([m[0], ...m.slice(2)], {
      index: m.index,
      input: m.input,
      groups: m.groups,
    }) as unknown as RegExpExecArray
    const found = build(inner, setting)
    if (!found) continue
    const bound =
      word === 'after' || word === 'since'
        ? 'after'
        : word === 'before' || word === 'until' || word === 'till' || word === 'by'
          ? 'before'
          : undefined
    return { ...found, index: m.index, matched: m[0], ...(bound ? { bound } : {}) }
  }
  return undefined
}
