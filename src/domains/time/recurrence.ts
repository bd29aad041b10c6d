import { DAY_CODES, MONTH, WEEKDAY, weekdayNumber } from './weekdays.js'

/** A repetition that was said, as an RFC 5545 rule, and where it stood. */
export interface RecurrenceMatch {
  /** Value of an RRULE property, e.g. `FREQ=WEEKLY;BYDAY=MO,WE`. */
  readonly rule: string
  readonly matched: string
  readonly index: number
  /** Text to leave in place of the match, because it still names a date ("june 5th" of "june 5th every year"). */
  readonly keep?: string
}

const FREQUENCY: { readonly [unit: string]: string } = {
  minute: 'MINUTELY',
  hour: 'HOURLY',
  day: 'DAILY',
  week: 'WEEKLY',
  month: 'MONTHLY',
  year: 'YEARLY',
}

const codes = (days: string): string =>
  [...days.matchAll(new RegExp(WEEKDAY, 'g'))]
    .map((m) => weekdayNumber(m[0]))
    .sort((a, b) => a - b)
    .map((n) => DAY_CODES[n - 1])
    .join(',')

const between = (from: string, to: string): string => {
  const a = weekdayNumber(from)
  const b = weekdayNumber(to)
  const list: string[] = []
  for (let n = a; ; n = (n % 7) + 1) {
    list.push(DAY_CODES[n - 1] as string)
    if (n === b) return list.join(',')
  }
}

type Rule = readonly [RegExp, (m: RegExpExecArray) => { rule: string; keep?: string } | undefined]

const LIST = `${WEEKDAY}s?(?:(?: and | or | & | |, )${WEEKDAY}s?)*`
const EVERY = '(?:every|each|all|on all|once an?|once every)'

const RULES: readonly Rule[] = [
  [
    new RegExp(
      String.raw`\b(?:every|each|the)? ?(\d)(?:st|nd|rd|th) (${WEEKDAY}) (?:of|in) (?:(?:the|every|each) )?month\b(?! (?:of|in))`,
    ),
    (m) => ({ rule: `FREQ=MONTHLY;BYDAY=${m[1]}${DAY_CODES[weekdayNumber(m[2] ?? '') - 1]}` }),
  ],
  [
    new RegExp(String.raw`\b(?:on )?(?:the )?last (${WEEKDAY}) of (?:every|each) month\b`),
    (m) => ({ rule: `FREQ=MONTHLY;BYDAY=-1${DAY_CODES[weekdayNumber(m[1] ?? '') - 1]}` }),
  ],
  [
    /\b(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th) (?:day )?of (?:every|each) month\b/,
    (m) => ({ rule: `FREQ=MONTHLY;BYMONTHDAY=${m[1]}` }),
  ],
  [
    new RegExp(String.raw`\b(?:from )?(${WEEKDAY}) (?:through|thru|to|till|until|-) (${WEEKDAY})\b`),
    (m) => ({ rule: `FREQ=WEEKLY;BYDAY=${between(m[1] ?? '', m[2] ?? '')}` }),
  ],
  [
    new RegExp(
      String.raw`\b(?:on )?(?:${EVERY} )?weekdays?\b(?! evening| morning)|\b(?:on )?(?:${EVERY} )?(?:work|working|business) ?days?\b`,
    ),
    () => ({ rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }),
  ],
  [/\bweekdays?\b/, () => ({ rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' })],
  [/\b(?:on |at )?(?:(?:every|each) weekend|(?:the )?weekends)\b/, () => ({ rule: 'FREQ=WEEKLY;BYDAY=SA,SU' })],
  [
    new RegExp(String.raw`\b${EVERY} (?:other|2nd) (${LIST}|day|week|month|year)\b`),
    (m) => {
      const unit = FREQUENCY[m[1] ?? '']
      return { rule: unit ? `FREQ=${unit};INTERVAL=2` : `FREQ=WEEKLY;INTERVAL=2;BYDAY=${codes(m[1] ?? '')}` }
    },
  ],
  [
    /\bevery (\d{1,3}) (minute|hour|day|week|month|year)s\b/,
    (m) => (Number(m[1]) > 0 ? { rule: `FREQ=${FREQUENCY[m[2] ?? '']};INTERVAL=${m[1]}` } : undefined),
  ],
  [
    new RegExp(
      String.raw`\b(?:${EVERY} year|yearly|annually) (?:on )?(?:the )?((?:\d{1,2}(?:st|nd|rd|th)? (?:of )?)?${MONTH}(?: \d{1,2}(?:st|nd|rd|th)?)?)\b`,
    ),
    (m) => ({ rule: 'FREQ=YEARLY', keep: m[1] ?? '' }),
  ],
  [
    new RegExp(
      String.raw`\b(?:once |twice )?(?:${EVERY}|per) (morning|afternoon|evening|night)s?\b|\b(?:in the )?(morning|afternoon|evening|night)s\b`,
    ),
    (m) => ({ rule: 'FREQ=DAILY', keep: m[1] ?? m[2] ?? '' }),
  ],
  [new RegExp(String.raw`\b${EVERY} (${LIST})\b`), (m) => ({ rule: `FREQ=WEEKLY;BYDAY=${codes(m[1] ?? '')}` })],
  [
    new RegExp(String.raw`\b(?:on )?(${WEEKDAY}s(?:(?: and | or | & | |, )${WEEKDAY}s?)*)\b`),
    // "tues" is short for one Tuesday, not several.
    (m) => (/days\b/.test(m[1] ?? '') ? { rule: `FREQ=WEEKLY;BYDAY=${codes(m[1] ?? '')}` } : undefined),
  ],
  [
    new RegExp(String.raw`\b(?:${EVERY} (minute|hour|week|month|year)s?|(hour|week|month|year)ly)\b`),
    (m) => ({ rule: `FREQ=${FREQUENCY[m[1] ?? m[2] ?? '']}` }),
  ],
  [
    /\b(?:daily|(?:every|each) (?:single )?days?|all days|per day|once a day|all week)\b/,
    () => ({ rule: 'FREQ=DAILY' }),
  ],
  [/\bannually\b/, () => ({ rule: 'FREQ=YEARLY' })],
]

/** Finds a repetition in a normalised phrase: "every weekday", "mondays", "every two weeks", "first monday of the month". */
export function findRecurrence(text: string): RecurrenceMatch | undefined {
  for (const [pattern, make] of RULES) {
    const m = pattern.exec(text)
    const made = m ? make(m) : undefined
    if (m && made) return { ...made, matched: m[0], index: m.index }
  }
  return undefined
}

const EVERY_WORD: { readonly [freq: string]: string } = {
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const LONG = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
} as const

/** Says a rule in words: `FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR` → "every weekday"; an unusual rule is given as it is. */
export function sayRecurrence(rule: string): string {
  const parts = new Map(rule.split(';').map((p) => p.split('=') as [string, string]))
  const freq = EVERY_WORD[parts.get('FREQ') ?? ''] ?? rule
  const n = Number(parts.get('INTERVAL') ?? 1)
  const days = parts.get('BYDAY')
  if (days === 'MO,TU,WE,TH,FR' && n === 1) return 'every weekday'
  if (days === 'SA,SU' && n === 1) return 'every weekend'
  if (days !== undefined) {
    const names = days.split(',').map((d) => {
      const m = /^(-?\d+)?(\w\w)$/.exec(d)
      const nth =
        m?.[1] === undefined
          ? ''
          : m[1] === '-1'
            ? 'last '
            : `${['', 'first', 'second', 'third', 'fourth', 'fifth'][Number(m[1])] ?? m[1]} `
      return `${nth}${LONG[(m?.[2] ?? 'MO') as keyof typeof LONG] ?? d}`
    })
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
    return freq === 'month' ? `every ${list} of the month` : n === 2 ? `every other ${list}` : `every ${list}`
  }
  if (parts.has('BYMONTHDAY')) return `every month on day ${parts.get('BYMONTHDAY')}`
  return n === 1 ? `every ${freq}` : `every ${n} ${freq}s`
}
