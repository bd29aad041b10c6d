const UNITS: { readonly [word: string]: number } = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
}

const TENS: { readonly [word: string]: number } = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
}

const SCALES: { readonly [word: string]: number } = { thousand: 1e3, million: 1e6, billion: 1e9 }

const ORDINALS: { readonly [word: string]: number } = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  eleventh: 11,
  twelfth: 12,
  twelveth: 12,
  thirteenth: 13,
  fourteenth: 14,
  fifteenth: 15,
  sixteenth: 16,
  seventeenth: 17,
  eighteenth: 18,
  nineteenth: 19,
  twentieth: 20,
  thirtieth: 30,
}

/** How to turn number words into digits. */
export interface DigitOptions {
  /** Whether "second" after a number may be an ordinal ("twenty second" → 22nd); off for durations. Default true. */
  readonly ordinals?: boolean
}

const own = (table: { readonly [word: string]: number }, word: string | undefined): number | undefined =>
  word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined

const suffix = (n: number): string => {
  if (n % 100 >= 11 && n % 100 <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'
}

/** The English ordinal in digits: 1 → `1st`, 22 → `22nd`. */
export function ordinal(n: number): string {
  return `${n}${suffix(n)}`
}

/**
 * Reads one spoken cardinal or ordinal at `at`: "twenty three", "four hundred and thirty", "two thousand seventeen",
 * "twenty second". Numbers that are merely said one after the other ("six thirty") are separate.
 */
function readNumber(
  words: readonly string[],
  at: number,
  ordinals: boolean,
): { text: string; length: number } | undefined {
  let total = 0
  let current: number | undefined
  let i = at
  // The smallest power that may still be added: after "twenty" only a unit fits, after "hundred" anything below 100.
  let room = Number.POSITIVE_INFINITY
  for (; i < words.length; ) {
    const word = words[i]
    const unit = own(UNITS, word)
    const ten = own(TENS, word)
    const scale = own(SCALES, word)
    if (unit !== undefined && unit < room && (current === undefined || unit > 0)) {
      current = (current ?? 0) + unit
      room = 0
    } else if (ten !== undefined && room > 99) {
      current = (current ?? 0) + ten
      room = 10
    } else if (word === 'hundred' && current !== undefined && current > 0 && current < 100) {
      current *= 100
      room = 100
    } else if (scale !== undefined && current !== undefined && current < 1000) {
      total += current * scale
      current = 0
      room = 1000
    } else if (word === 'and' && (room === 100 || room === 1000) && startsNumber(words[i + 1], ordinals)) {
      // "four hundred and thirty": a joint, not a second number.
    } else {
      const nth = ordinals ? own(ORDINALS, word) : undefined
      if (nth !== undefined && (word !== 'second' || current !== undefined) && nth < room)
        return { text: ordinal(total + (current ?? 0) + nth), length: i + 1 - at }
      break
    }
    i += 1
  }
  return current === undefined ? undefined : { text: String(total + current), length: i - at }
}

const startsNumber = (word: string | undefined, ordinals: boolean): boolean =>
  own(UNITS, word) !== undefined || own(TENS, word) !== undefined || (ordinals && own(ORDINALS, word) !== undefined)

/**
 * Replaces number words by digits and ordinal words by `22nd` forms in lower-case text; everything else stays.
 * "oh" between numbers is a leading zero ("six oh five" → `6 05`).
 */
export function digitise(text: string, options: DigitOptions = {}): string {
  const ordinals = options.ordinals ?? true
  const words = text
    .replace(/([a-z])-([a-z])/g, '$1 $2')
    .replace(/\ba (?=(?:hundred|thousand|million)\b)/g, 'one ')
    .split(/\s+/)
    .filter(Boolean)
  const out: string[] = []
  for (let i = 0; i < words.length; ) {
    const word = words[i] as string
    const next = own(UNITS, words[i + 1])
    if ((word === 'oh' || word === 'o') && /^\d+$/.test(out.at(-1) ?? '') && next !== undefined && next < 10) {
      out.push(`0${next}`)
      i += 2
      continue
    }
    const read = readNumber(words, i, ordinals)
    if (read === undefined) {
      out.push(word)
      i += 1
    } else {
      out.push(read.text)
      i += read.length
    }
  }
  return out.join(' ')
}

/**
 * The number that a phrase names, or undefined: "twenty three", "two and a half", "three point five", "1,200.5",
 * "a dozen", "half", "minus four". The whole phrase must be a number.
 */
export function parseNumber(text: string): number | undefined {
  const cleaned = text
    .toLowerCase()
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .trim()
  let s = digitise(cleaned, { ordinals: false })
    .replace(/^(an?|the)\s+(?=\d|half|dozen|couple|quarter)/, '')
    .replace(/^(minus|negative)\s+/, '-')
  s = s.replace(
    /^(-?\d+) point ((?:\d+ ?)+)$/,
    (_, whole: string, digits: string) => `${whole}.${digits.replace(/ /g, '')}`,
  )
  if (/^-?\d+(\.\d+)?$/.test(s)) return Number(s)
  const half = /^(-?\d+) and (?:a )?(half|quarter)$/.exec(s)
  if (half) return Number(half[1]) + (half[2] === 'half' ? 0.5 : 0.25)
  const fixed: { readonly [word: string]: number } = {
    half: 0.5,
    quarter: 0.25,
    dozen: 12,
    'half a dozen': 6,
    couple: 2,
    hundred: 100,
    thousand: 1000,
  }
  return own(fixed, s)
}
