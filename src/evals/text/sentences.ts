import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarkPath } from '../datasets-place.js'
import { PunktToken } from './punkt-token.js'
import { matchesStart, pyRegex } from './python-regex.js'
import { stripEnd } from './strings.js'

const NON_WORD = String.raw`(?:[)";}\]*:@'({\[\u2018\u2019\u201c\u201d\xab\xbb?!])`
const MULTI = String.raw`(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)`
const WORD_START = String.raw`[^("\x60{\[:;&#*@)}\]\-,]`
const TOKEN = `${MULTI}|(?=${WORD_START})\\S+?(?=\\s|$|${NON_WORD}|${MULTI}|,(?=$|\\s|${NON_WORD}|${MULTI}))|\\S`
const CANDIDATE = `[.?!](?=(?P<after>${NON_WORD}|\\s+(?P<next>\\S+)))`
const CLOSING = String.raw`["')\]}\u2018\u2019\u201c\u201d\xab\xbb]+?(?:\s+|(?=--)|$)`
/** Marks that begin no sentence. */
const NO_START = new Set([';', ':', ',', '.', '!', '?'])

const MID_UPPER = 4
const BEGIN_LOWER = 16
const UPPER = 2 + 4 + 8
const LOWER = 16 + 32 + 64

interface Span {
  readonly start: number
  readonly end: number
}

interface Candidate {
  /** Offset after the mark. */
  readonly end: number
  /** Word before, mark, and what follows: the text that is judged. */
  readonly context: string
  /** Where the next sentence would begin. */
  readonly nextStart: number
}

/**
 * NLTK's sentence splitter: Punkt (Kiss and Strunk, "Unsupervised Multilingual Sentence Boundary Detection", 2006) with
 * a model in the layout of `punkt_tab`. Source: nltk/tokenize/punkt.py.
 */
export class SentenceSplitter {
  readonly #abbreviations: ReadonlySet<string>
  readonly #collocations: ReadonlySet<string>
  readonly #starters: ReadonlySet<string>
  /** Word type -> bits of the places and cases it was seen in. */
  readonly #contexts: ReadonlyMap<string, number>

  /** Reads the four files of a model's folder. @throws the error of the file system */
  constructor(folder: string) {
    this.#abbreviations = new Set(lines(folder, 'abbrev_types.txt'))
    this.#collocations = new Set(lines(folder, 'collocations.tab'))
    this.#starters = new Set(lines(folder, 'sent_starters.txt'))
    this.#contexts = new Map(
      lines(folder, 'ortho_context.tab').map((line) => {
        const [type = '', bits = '0'] = line.split('\t')
        return [type, Number(bits)]
      }),
    )
  }

  /** The English model of `benchmarks/nltk`. @throws MissingDataError */
  static english(datasets?: string): SentenceSplitter {
    return new SentenceSplitter(benchmarkPath('nltk/punkt_tab/english', datasets))
  }

  /** The sentences of a text, without the blanks between them. */
  split(text: string): string[] {
    return this.#realigned(text, this.#spans(text)).map((span) => text.slice(span.start, span.end))
  }

  #spans(text: string): Span[] {
    const spans: Span[] = []
    let start = 0
    for (const candidate of candidates(text)) {
      if (!this.#breaks(candidate.context)) continue
      spans.push({ start, end: candidate.end })
      start = candidate.nextStart
    }
    spans.push({ start, end: Math.max(start, stripEnd(text).length) })
    return spans
  }

  /** Moves closing quotes and brackets from the front of a sentence to the end of the one before. */
  #realigned(text: string, spans: readonly Span[]): Span[] {
    const out: Span[] = []
    let moved = 0
    spans.forEach((span, index) => {
      const start = span.start + moved
      const next = spans[index + 1]
      const closing = next && matchesStart(CLOSING, text.slice(next.start, next.end), 'm')
      if (next && closing) {
        out.push({ start, end: next.start + stripEnd(closing[0]).length })
        moved = closing[0].length
        return
      }
      moved = 0
      if (start < span.end) out.push({ start, end: span.end })
    })
    return out
  }

  /** Whether a sentence ends inside the context (its last token cannot end one). */
  #breaks(context: string): boolean {
    const tokens = context.split('\n').flatMap((line) => tokenTexts(line).map((text) => new PunktToken(text)))
    for (const token of tokens) this.#markByType(token)
    for (let i = 0; i + 1 < tokens.length; i++) {
      this.#markByNeighbour(tokens[i]!, tokens[i + 1]!)
      if (tokens[i]!.ends) return true
    }
    return false
  }

  #markByType(token: PunktToken): void {
    const { text } = token
    if (text === '.' || text === '?' || text === '!') token.ends = true
    else if (token.isEllipsis) token.ellipsis = true
    else if (token.periodFinal && !text.endsWith('..')) {
      const word = text.slice(0, -1).toLowerCase()
      if (this.#abbreviations.has(word) || this.#abbreviations.has(word.split('-').at(-1)!)) token.abbreviation = true
      else token.ends = true
    }
  }

  #markByNeighbour(token: PunktToken, next: PunktToken): void {
    if (!token.periodFinal) return
    const type = token.typeWithoutPeriod
    const nextType = next.typeWithoutFinalPeriod
    const initial = token.isInitial
    if (this.#collocations.has(`${type}\t${nextType}`)) {
      token.ends = false
      token.abbreviation = true
      return
    }
    if ((token.abbreviation || token.ellipsis) && !initial) {
      if (this.#startsSentence(next) === true || (next.firstUpper && this.#starters.has(nextType))) {
        token.ends = true
        return
      }
    }
    if (!initial && type !== '##number##') return
    const starts = this.#startsSentence(next)
    const named = initial && next.firstUpper && ((this.#contexts.get(nextType) ?? 0) & LOWER) === 0
    if (starts === false || (starts === undefined && named)) {
      token.ends = false
      token.abbreviation = true
    }
  }

  /** What spelling says about a token: it begins a sentence, it does not, or (undefined) it may. */
  #startsSentence(token: PunktToken): boolean | undefined {
    if (NO_START.has(token.text)) return false
    const seen = this.#contexts.get(token.typeWithoutFinalPeriod) ?? 0
    if (token.firstUpper && (seen & LOWER) !== 0 && (seen & MID_UPPER) === 0) return true
    if (token.firstLower && ((seen & UPPER) !== 0 || (seen & BEGIN_LOWER) === 0)) return false
    return undefined
  }
}

function lines(folder: string, name: string): string[] {
  const text = readFileSync(join(folder, name), 'utf8')
  return text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)
}

function tokenTexts(line: string): string[] {
  return Array.from(line.matchAll(pyRegex(TOKEN)), (match) => match[0])
}

/** The marks that may end a sentence; of marks that share the word before, only the last. */
function candidates(text: string): Candidate[] {
  const out: Candidate[] = []
  let word: Span = { start: 0, end: 0 }
  let previous: Candidate | undefined
  for (const match of text.matchAll(pyRegex(CANDIDATE))) {
    const blank = lastBlank(text.slice(word.end, match.index))
    const start = blank === 0 ? word.start : blank + word.end + 1
    if (previous && word.end <= start) out.push(previous)
    word = { start, end: match.index }
    const end = match.index + 1
    const { after = '', next } = match.groups ?? {}
    previous = {
      end,
      context: text.slice(start, end) + after,
      nextStart: next === undefined ? end : end + after.length - next.length,
    }
  }
  if (previous) out.push(previous)
  return out
}

/** Offset of the last ASCII whitespace, 0 when there is none (or when it stands at 0: NLTK does not tell them apart). */
function lastBlank(text: string): number {
  for (let i = text.length - 1; i >= 0; i--) if (' \t\n\r\v\f'.includes(text[i]!)) return i
  return 0
}
