import type { JsonValue } from '../chat/types.js'

/** A condition on one value that can be read aloud. */
export interface Matcher {
  readonly says: string
  readonly test: (value: JsonValue | undefined) => boolean
}

/** What a field must be: a plain value (texts without case, accents and outer punctuation) or a condition. */
export type Wanted = JsonValue | Matcher

/** Conditions by field; fields that are not named may be anything. */
export type Where = { readonly [field: string]: Wanted }

/** A text in one spelling: no case or accents, one blank between words, points and colons only inside numbers. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/[.:,](?!\d)|(?<!\d)[.:,]/g, ' ')
    .replace(/[^\p{L}\p{N}.:,@-]+/gu, ' ')
    .trim()
}

/** True when the words of `part` stand one after the other in `text`, as whole words. */
export function holds(text: string, part: string): boolean {
  return ` ${plain(text)} `.includes(` ${plain(part)} `)
}

/** All of these phrases occur in the text. */
export function says(...phrases: readonly string[]): Matcher {
  return {
    says: `says ${phrases.map((phrase) => JSON.stringify(phrase)).join(' and ')}`,
    test: (value) => typeof value === 'string' && phrases.every((phrase) => holds(value, phrase)),
  }
}

/** All words of these phrases occur in the text or list, in any order. */
export function mentions(...phrases: readonly string[]): Matcher {
  const words = phrases.flatMap((phrase) => plain(phrase).split(' '))
  return {
    says: `mentions ${phrases.join(', ')}`,
    test: (value) => {
      const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
      return words.every((word) => holds(text, word))
    },
  }
}

/** One of several values. */
export function oneOf(...values: readonly JsonValue[]): Matcher {
  return { says: `is ${values.map(String).join(' or ')}`, test: (value) => values.some((one) => equal(value, one)) }
}

/** A number at most `slack` away. */
export function near(number: number, slack = 0.01): Matcher {
  return { says: `is about ${number}`, test: (value) => typeof value === 'number' && Math.abs(value - number) <= slack }
}

/** A list with exactly these texts, in any order. */
export function exactly(items: readonly string[]): Matcher {
  const sorted = (list: readonly string[]) => list.map(plain).sort().join('\n')
  return {
    says: `is exactly ${items.join(', ') || 'empty'}`,
    test: (value) => Array.isArray(value) && sorted(value.map(String)) === sorted(items),
  }
}

/** Any value that is there. */
export const anything: Matcher = { says: 'is there', test: (value) => value !== undefined && value !== '' }

const isMatcher = (wanted: Wanted): wanted is Matcher =>
  typeof wanted === 'object' && wanted !== null && 'test' in wanted && typeof wanted.test === 'function'

function equal(value: JsonValue | undefined, wanted: JsonValue): boolean {
  if (typeof wanted === 'string') return typeof value === 'string' && plain(value) === plain(wanted)
  return JSON.stringify(value) === JSON.stringify(wanted)
}

/** Whether one value is as wanted. */
export function fits(value: JsonValue | undefined, wanted: Wanted): boolean {
  return isMatcher(wanted) ? wanted.test(value) : equal(value, wanted)
}

/** Whether all named fields are as wanted. */
export function fitsAll(row: { readonly [field: string]: JsonValue } | undefined, where: Where): boolean {
  return row !== undefined && Object.entries(where).every(([field, wanted]) => fits(row[field], wanted))
}

/** Conditions in words. */
export function sayWhere(where: Where): string {
  return Object.entries(where)
    .map(([field, wanted]) => `${field} ${isMatcher(wanted) ? wanted.says : `is ${JSON.stringify(wanted)}`}`)
    .join(', ')
}
