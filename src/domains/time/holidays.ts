import { Temporal } from 'temporal-polyfill'

const FIXED: { readonly [name: string]: readonly [number, number] } = {
  'new year': [1, 1],
  'new years': [1, 1],
  "new year's": [1, 1],
  'new years day': [1, 1],
  "new year's day": [1, 1],
  'valentines day': [2, 14],
  "valentine's day": [2, 14],
  halloween: [10, 31],
  christmas: [12, 25],
  'christmas day': [12, 25],
  'christmas eve': [12, 24],
  'boxing day': [12, 26],
  'new years eve': [12, 31],
  "new year's eve": [12, 31],
}

/** Names of days that have the same date, or the same rule, everywhere; the longest first. */
export const HOLIDAY_NAMES: readonly string[] = [
  ...Object.keys(FIXED),
  'easter sunday',
  'easter monday',
  'easter',
  'good friday',
].sort((a, b) => b.length - a.length)

/** Easter Sunday of a year in the Gregorian calendar (the anonymous algorithm printed in Meeus, Astronomical Algorithms, chapter 8). */
export function easter(year: number): Temporal.PlainDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const day = (h + l - 7 * m + 33 * month + 19) % 32
  return Temporal.PlainDate.from({ year, month, day })
}

/** The date of a named day in a year, or undefined for a name that is not in {@link HOLIDAY_NAMES}. */
export function holiday(name: string, year: number): Temporal.PlainDate | undefined {
  if (Object.hasOwn(FIXED, name)) {
    const [month, day] = FIXED[name] as readonly [number, number]
    return Temporal.PlainDate.from({ year, month, day })
  }
  if (name === 'easter' || name === 'easter sunday') return easter(year)
  if (name === 'easter monday') return easter(year).add({ days: 1 })
  return name === 'good friday' ? easter(year).subtract({ days: 2 }) : undefined
}
