import { findSpan, type Span } from './duration.js'

/** A length of time counted from now. */
export interface OffsetMatch {
  readonly span: Span
  /** A point ahead, a point behind, the stretch up to now, the stretch from now, or a length without direction. */
  readonly mode: 'ahead' | 'ago' | 'past-range' | 'next-range' | 'bare'
  readonly matched: string
  readonly index: number
}

const before = (text: string, words: string): RegExpExecArray | null =>
  new RegExp(String.raw`\b(?:${words}) $`).exec(text)

/** Finds "in 20 minutes", "an hour from now", "two days ago", "the last 5 hours", "next 2 hours", or a bare length. */
export function findOffset(text: string): OffsetMatch | undefined {
  const current = /\b(this|the current|next|last|past|previous) (hour|minute|half hour|second)\b/.exec(text)
  if (current) {
    const minutes = current[2] === 'half hour' ? 30 : current[2] === 'minute' ? 1 : current[2] === 'second' ? 0 : 60
    const span: Span = { years: 0, months: 0, weeks: 0, days: 0, hours: 0, minutes, seconds: 0 }
    return {
      span,
      mode: /last|past|previous/.test(current[1] ?? '') ? 'past-range' : 'next-range',
      matched: current[0],
      index: current.index,
    }
  }
  const found = findSpan(text)
  if (!found) return undefined
  const head = text.slice(0, found.index)
  const tail = text.slice(found.index + found.matched.length)
  const cut = (mode: OffsetMatch['mode'], lead: string | undefined, trail: string | undefined): OffsetMatch => ({
    span: found.span,
    mode,
    index: found.index - (lead?.length ?? 0),
    matched: `${lead ?? ''}${found.matched}${trail ?? ''}`,
  })
  const onlyDays = found.span.hours + found.span.minutes + found.span.seconds === 0
  const ago = /^ (?:ago|earlier|back)\b/.exec(tail)
  if (ago) return cut('ago', undefined, ago[0])
  // "a week from friday" and "two days after today" belong to the dates.
  if (/^ (?:from|after) (?!now\b|this (?:moment|time))/.test(tail)) return undefined
  if (/^ (?:before|prior|till|until|to)\b/.test(tail)) return undefined
  const later = /^ (?:from (?:now|this moment|this time)|later|hence|ahead|in advance)\b/.exec(tail)
  const lead = before(head, 'in|after|within|with in|in about|in around|in the next|for the next|within the next')
  if (later) return cut('ahead', lead?.[0], later[0])
  if (lead && !/next/.test(lead[0])) return cut('ahead', lead[0], undefined)
  const range = before(head, '(?:(?:in|for|over|within|during) )?(?:the )?(?:next|coming|following)')
  if (range && !onlyDays) return cut('next-range', range[0], undefined)
  const past = before(head, '(?:(?:in|for|over|within|during) )?(?:the )?(?:last|past|previous)')
  if (past && !onlyDays) return cut('past-range', past[0], undefined)
  if (range || past) return undefined
  const dialect = before(head, 'before')
  if (dialect) return cut('ago', dialect[0], undefined)
  return cut('bare', before(head, 'for')?.[0], undefined)
}
