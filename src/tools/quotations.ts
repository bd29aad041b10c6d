import { type GbnfBuilder, literal } from './gbnf.js'

/** Most words that may be quoted from, the latest ones: more would make the grammar slow and the choice no better. */
export const MOST_QUOTED = 160

/** A stretch between blanks, cut so that a quotation may leave out the punctuation around a word and a possessive's ending. */
interface Word {
  readonly lead: string
  readonly core: string
  readonly possessive: string
  readonly trail: string
}

function wordsOf(text: string): Word[] {
  return text.split(/\s+/).flatMap((stretch) => {
    const match = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su.exec(stretch)
    if (match === null || stretch === '') return []
    const [, lead = '', middle = '', trail = ''] = match
    if (middle === '') return [{ lead: '', core: stretch, possessive: '', trail: '' }]
    const possessive = /^.+?(['’]s?)$/su.exec(middle + (trail.startsWith("'") ? "'" : ''))?.[1] ?? ''
    return possessive === '' || !middle.endsWith(possessive)
      ? [{ lead, core: middle, possessive: '', trail }]
      : [{ lead, core: middle.slice(0, -possessive.length), possessive, trail }]
  })
}

/**
 * A rule for a quotation from one of the texts, followed by `close`: one or more neighbouring words as they stand there,
 * with or without the punctuation around the first and the last and a possessive's ending.
 *
 * @param texts latest last
 * @returns the rule's name; undefined when the texts hold no word
 */
export function quotationRule(builder: GbnfBuilder, texts: readonly string[], close: string): string | undefined {
  const passages: Word[][] = []
  let left = MOST_QUOTED
  for (const text of [...texts].reverse()) {
    const words = wordsOf(text).slice(-left)
    if (words.length > 0) passages.push(words)
    left -= words.length
    if (left <= 0) break
  }
  if (passages.length === 0) return undefined
  const starts = new Set<string>()
  for (const [p, words] of passages.entries()) {
    for (let i = words.length - 1; i >= 0; i--) {
      const { lead, core, possessive, trail } = words[i]!
      const rest = possessive + trail
      const next = words[i + 1]
      const endings = new Set(['', possessive, rest])
      const onward = next ? [`${literal(`${rest} ${next.lead}${next.core}`)} qe${p}-${i + 1}`] : []
      const ends = [...endings].map((ending) => (ending === '' ? close : `${literal(ending)} ${close}`))
      builder.define(`qe${p}-${i}`, [...ends, ...onward].join(' | '))
      for (const beginning of new Set([core, lead + core])) starts.add(`${literal(beginning)} qe${p}-${i}`)
    }
  }
  return builder.define('quotation', [...starts].join(' | '))
}
