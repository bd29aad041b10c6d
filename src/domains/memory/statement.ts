import { WEEKDAY, weekdayNumber } from '../time/weekdays.js'
import { keyWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'

/** Hours of a day in which the owner works; minutes after midnight, days from 1 (Monday) to 7. */
export interface WorkingHours {
  readonly from: number
  readonly to: number
  /** Absent when the owner named no days. */
  readonly days?: readonly number[]
}

/** What one line of the memory says, as far as it can be used. */
export type Fact =
  /** One name stands for another: "boss" for "Anna", "otto" for "living room lamp". */
  | { readonly kind: 'alias'; readonly name: string; readonly meaning: string }
  | { readonly kind: 'home'; readonly place: string }
  | { readonly kind: 'hours'; readonly hours: WorkingHours }
  /** Kept and shown, but nothing follows from it. */
  | { readonly kind: 'note' }

/** The spelling in which names are compared. */
export const nameKey = (name: string): string => keyWords(name).join(' ')

const tidy = (text: string): string =>
  text
    .replace(/^["'“‘]+|["'”’.,;!\s]+$/gu, '')
    .replace(/^(?:the|a|an|our)\s+/i, '')
    .trim()

const alias = (name: string, meaning: string): Fact => {
  const [from, to] = [tidy(name), tidy(meaning)]
  if (nameKey(from) === '' || to === '' || nameKey(from) === nameKey(to)) return { kind: 'note' }
  return { kind: 'alias', name: from, meaning: to }
}

/** Ways of saying that a name stands for something; the groups are name and meaning. */
const ALIASES: readonly (readonly [RegExp, (a: string, b: string) => Fact])[] = [
  [/^(?:when|if) i say (.+?),? i mean (.+)$/i, (a, b) => alias(a, b)],
  [/^by (.+?) i mean (.+)$/i, (a, b) => alias(a, b)],
  [/^(?:i|we) (?:always )?call (.+) ["“']([^"”']+)["”']$/i, (a, b) => alias(b, a)],
  [/^(?:i|we) (?:always )?call (?:the|my|our) (.+) (\S+)$/i, (a, b) => alias(b, a)],
  [/^(?:the|my|our) (.+?)(?:['’]s name)? is (?:called|named) (.+)$/i, (a, b) => either(a, b)],
  [/^my (.+?)['’]s name is (.+)$/i, (a, b) => alias(a, b)],
  [/^(.+?) (?:means|stands for) (.+)$/i, (a, b) => alias(a, b)],
  [/^my (.+?) (?:is|are|=) (.+)$/i, (a, b) => alias(a, b)],
  [/^(.+?) (?:is|are) my (.+)$/i, (a, b) => alias(b, a)],
  [/^(.+?) (?:is|=) (?:the|our) (.+)$/i, (a, b) => alias(a, b)],
]

/** "the living room lamp is called Otto" names a thing, "my boss is called Anna" a person: the new name is the one that was made up. */
function either(subject: string, name: string): Fact {
  return /\b(?:lamps?|lights?|bulb|plug|socket|speaker|tv|television|vacuum|robot|machine|door|lock|heating|thermostat|fan|blinds?|cover)\b/i.test(
    subject,
  )
    ? alias(name, subject)
    : alias(subject, name)
}

/** Reads one statement. Never throws; what is not understood is a note. */
export function readStatement(statement: string): Fact {
  const said = statement.trim().replace(/[.!]+$/, '')
  const hours = readHours(said)
  if (hours !== undefined) return { kind: 'hours', hours }
  const home =
    /^(?:my |our )?(?:home|house|home address|address)(?: address)?\s*(?:is|:|=)\s*(?:in |at )?(.+)$/i.exec(said) ??
    /^(?:i|we) live (?:in|at) (.+)$/i.exec(said)
  if (home?.[1]) return { kind: 'home', place: tidy(home[1]) }
  for (const [pattern, fact] of ALIASES) {
    const found = pattern.exec(said)
    if (found?.[1] && found[2]) return fact(found[1], found[2])
  }
  return { kind: 'note' }
}

const TIME = "(?:\\d{1,2}(?:[:.]\\d{2})?|[a-z]+(?: thirty)?)\\s*(?:[ap]\\.?m\\.?|o[’']?clock)?"
const SPAN = new RegExp(`(?:from |between )?(${TIME})\\s*(?:to|-|–|until|till|and)\\s*(${TIME})`, 'i')

function readHours(said: string): WorkingHours | undefined {
  const about = /^(?:my |our )?(?:working|work|office) hours\s*(?:are|is|:|=)?\s*(.+)$|^i work (.+)$/i.exec(said)
  const rest = about?.[1] ?? about?.[2]
  if (rest === undefined) return undefined
  const days = readDays(rest)
  const span = SPAN.exec(
    rest.replace(new RegExp(`\\b${WEEKDAY}\\b\\s*(?:to|-|–|through|until)\\s*\\b${WEEKDAY}\\b`, 'gi'), ' '),
  )
  if (!span?.[1] || !span[2]) return undefined
  const from = minutes(span[1])
  let to = minutes(span[2])
  if (from === undefined || to === undefined) return undefined
  // "nine to five": the end is in the afternoon.
  if (to <= from && to <= 12 * 60) to += 12 * 60
  if (to <= from || to > 24 * 60) return undefined
  return { from, to, ...(days.length > 0 ? { days } : {}) }
}

function minutes(time: string): number | undefined {
  const found = /^(.*?)\s*([ap])?\.?(?:m\.?|o[’']?clock)?$/i.exec(time.trim())
  const half = /^(\S+) thirty$/i.exec(found?.[1] ?? '')
  const [whole = '', part = half ? '30' : '0'] = (half?.[1] ?? found?.[1] ?? '').split(/[:.]/)
  const named: { readonly [word: string]: number } = { noon: 12, midnight: 24, midday: 12 }
  const hour = Object.hasOwn(named, whole.toLowerCase()) ? named[whole.toLowerCase()] : parseNumber(whole)
  const minute = Number(part)
  if (hour === undefined || !Number.isInteger(hour) || hour < 0 || hour > 24 || !(minute >= 0 && minute < 60))
    return undefined
  const half12 = found?.[2]?.toLowerCase()
  const clock = half12 === 'p' && hour < 12 ? hour + 12 : half12 === 'a' && hour === 12 ? 0 : hour
  return clock * 60 + minute
}

function readDays(text: string): readonly number[] {
  const range = new RegExp(`\\b(${WEEKDAY})\\b\\s*(?:to|-|–|through|until)\\s*\\b(${WEEKDAY})\\b`, 'i').exec(text)
  if (range?.[1] && range[2]) {
    const [first, last] = [weekdayNumber(range[1].toLowerCase()), weekdayNumber(range[2].toLowerCase())]
    const length = ((last - first + 7) % 7) + 1
    return Array.from({ length }, (_, i) => ((first - 1 + i) % 7) + 1).sort()
  }
  if (/\b(?:weekdays|workdays|working days|week days)\b/i.test(text)) return [1, 2, 3, 4, 5]
  const named = text.match(new RegExp(`\\b${WEEKDAY}s?\\b`, 'gi')) ?? []
  return [...new Set(named.map((name) => weekdayNumber(name.toLowerCase())))].sort()
}
