import { parseNumber } from '../words/numbers.js'

/** Currency words and signs; ISO 4217 codes are known by themselves. */
const NAMES: { readonly [word: string]: string } = {
  dollar: 'USD',
  buck: 'USD',
  'us dollar': 'USD',
  'american dollar': 'USD',
  $: 'USD',
  euro: 'EUR',
  '€': 'EUR',
  pound: 'GBP',
  quid: 'GBP',
  sterling: 'GBP',
  'british pound': 'GBP',
  '£': 'GBP',
  yen: 'JPY',
  'japanese yen': 'JPY',
  '¥': 'JPY',
  yuan: 'CNY',
  renminbi: 'CNY',
  rupee: 'INR',
  'indian rupee': 'INR',
  '₹': 'INR',
  franc: 'CHF',
  'swiss franc': 'CHF',
  forint: 'HUF',
  zloty: 'PLN',
  ruble: 'RUB',
  rouble: 'RUB',
  won: 'KRW',
  peso: 'MXN',
  'mexican peso': 'MXN',
  real: 'BRL',
  'canadian dollar': 'CAD',
  'australian dollar': 'AUD',
  krona: 'SEK',
  'swedish krona': 'SEK',
  krone: 'NOK',
  lira: 'TRY',
  dirham: 'AED',
  rand: 'ZAR',
}

const codes = new Set(Intl.supportedValuesOf('currency'))

/** ISO 4217 code of a currency that was named, undefined when none is known. */
export function currencyCode(phrase: string | undefined): string | undefined {
  if (phrase === undefined) return undefined
  const s = phrase
    .toLowerCase()
    .replace(/^(?:the|in|to|into|from)\s+/, '')
    .trim()
  const upper = s.toUpperCase()
  if (/^[A-Z]{3}$/.test(upper) && codes.has(upper)) return upper
  for (const form of [s, s.replace(/s$/, ''), s.replace(/\bu\.? ?s\.?(?: a\.?)?\b/, 'us').replace(/s$/, '')])
    if (Object.hasOwn(NAMES, form)) return NAMES[form]
  return undefined
}

/** An amount of money with its currency, where one was said. */
export interface Money {
  readonly amount: number
  readonly currency?: string
}

/** Reads "$12.50", "twelve euros", "1,200 HUF", "three fifty"; undefined when there is no number. */
export function parseMoney(phrase: string): Money | undefined {
  const s = phrase.toLowerCase().trim()
  const sign = /[$€£¥₹]/.exec(s)?.[0]
  const plain = s
    .replace(/[$€£¥₹]/g, ' ')
    .replace(/(\d),(\d{2})(?!\d)/g, '$1.$2')
    .trim()
  const cents = /^(.+?)\s*(?:dollars?|euros?|pounds?|bucks?)\s*(?:and\s+)?(.+?)(?:\s*(?:cents?|pence|p))?$/.exec(plain)
  if (cents) {
    const [whole, part] = [parseNumber(cents[1] ?? ''), parseNumber(cents[2] ?? '')]
    const currency = currencyCode(/dollar|euro|pound|buck/.exec(plain)?.[0])
    if (whole !== undefined && part !== undefined && part < 100)
      return { amount: whole + part / 100, ...(currency ? { currency } : {}) }
  }
  const words = plain.split(/\s+/)
  for (let cut = words.length; cut > 0; cut--) {
    const amount = parseNumber(words.slice(0, cut).join(' '))
    if (amount === undefined) continue
    const rest = words.slice(cut).join(' ')
    const currency = currencyCode(sign) ?? currencyCode(rest)
    return { amount, ...(currency ? { currency } : {}) }
  }
  const code = currencyCode(words[0])
  const amount = code === undefined ? undefined : parseNumber(words.slice(1).join(' '))
  return amount === undefined || code === undefined ? undefined : { amount, currency: code }
}

/** "12.50 EUR". */
export function sayMoney(amount: number, currency: string | undefined): string {
  const rounded = Math.round(amount * 100) / 100
  return `${Number.isInteger(rounded) ? rounded : rounded.toFixed(2)}${currency ? ` ${currency}` : ''}`
}
