import { digitise } from '../words/numbers.js'

/** Words that carry no time and may surround one. */
export const FILLER = new Set(
  (
    'a an the at on in for of by to and is it that this my me please around about approximately roughly exactly sharp from now ' +
    'oclock time due set date day with going be will what whats be just only again some any all during within over ' +
    'through starting beginning local right then until till as well advance'
  ).split(' '),
)

/**
 * Brings a time phrase into one spelling: lower case, digits for number words, `am`/`pm`, `oclock`, no possessives
 * ("today's" → `today`), blanks between words.
 */
export function normaliseWhen(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’´`]/g, "'")
    .replace(/[–—]/g, '-')
    .slice(0, 400)
    .replace(/\bo\s?'?\s?clock\b/g, 'oclock')
    .replace(/(^|[\s\d])([ap])\s?\.?\s?m\b\.?/g, '$1 $2m')
    .replace(/\b(today|tomorrow|tonight|yesterday|week|weekend|month|year|day)'s\b/g, '$1')
    .replace(/\b(today|tomorrow|yesterday)s\b/g, '$1')
    .replace(/\b(this|next|last|coming) (week|month|year|weekend)s\b/g, '$1 $2')
    .replace(/(\d)\s*(?:hrs?|h)\b/g, '$1 hours')
    .replace(/(\d)\s*mins?\b/g, '$1 minutes')
    .replace(/(\d)\s*secs?\b/g, '$1 seconds')
    .replace(/(\d)hours (\d)/g, '$1 hours $2')
    .replace(/\bmins?\b/g, 'minutes')
    .replace(/\bsecs\b/g, 'seconds')
    .replace(/\bhrs?\b/g, 'hours')
    .replace(/\bsecond (?=(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/g, '2nd ')
    .replace(
      /\b(the|every|each) second(?! ?(?:of|after) (?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(?= (?:of|mon|tue|wed|thu|fri|sat|sun)|$)/g,
      '$1 2nd',
    )
    .replace(/\b(mon|tues|wednes|thurs|fri|satur|sun)day's\b/g, '$1day')
    .replace(/\bremainder of\b/g, 'rest of')
    .replace(/\b(?:mid ?day|noontime|noon time)\b/g, 'noon')
    .replace(/\bev(?:e)?nings?\b/g, (m) => (m.endsWith('s') ? 'evenings' : 'evening'))
    .replace(/\b(?:to|2) ?morrow\b/g, 'tomorrow')
    .replace(/\bto night\b/g, 'tonight')
    .replace(/\btonite\b/g, 'tonight')
    .replace(/\bweek days?\b/g, 'weekday')
    .replace(/\bweek end(s?)\b/g, 'weekend$1')
    .replace(/\bevery ?day\b/g, 'daily')
    .replace(/[,;!?"()]+|\.(?=\s|$)/g, ' ')
  return digitise(plain).replace(/\s+/g, ' ').trim()
}

/** What is left of a phrase after the parts that were understood were cut out; filler words do not count. */
export function contentLeft(rest: string): string {
  return rest
    .replace(/[¤]/g, ' ')
    .split(/\s+/)
    .filter((w) => w !== '' && !FILLER.has(w) && /[\p{L}\p{N}]/u.test(w))
    .join(' ')
}
