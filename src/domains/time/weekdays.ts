/** Weekday names in ISO order, Monday first. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** Month names in order, January first. */
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const

/** RFC 5545 weekday codes in ISO order. */
export const DAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** Pattern source of a weekday, full or short; no groups. */
export const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?'

/** Pattern source of a month, full or short; no groups. "may" and "march" stay words that dates.ts must look at. */
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

/** ISO number (1 Monday … 7 Sunday) of a weekday name, long or short; 0 when it is none. */
export function weekdayNumber(name: string): number {
  return WEEKDAYS.findIndex((d) => d.startsWith(name.slice(0, 3))) + 1
}

/** Number (1 … 12) of a month name, long or short; 0 when it is none. */
export function monthNumber(name: string): number {
  return MONTHS.findIndex((m) => m.startsWith(name.slice(0, 3))) + 1
}
