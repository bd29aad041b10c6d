import { type PythonFlags, pyRegex } from './python-regex.js'
import type { SentenceSplitter } from './sentences.js'
import { splitWords } from './strings.js'

type Rule = readonly [pattern: string, replacement: string, flags?: PythonFlags]

const BEFORE_PADDING: readonly Rule[] = [
  // Opening quotes.
  [String.raw`([«“‘„]|[\x60]+)`, ' $1 '],
  ['^"', '``'],
  ['(``)', ' $1 '],
  [`([ ([{<])("|'{2})`, '$1 `` '],
  [String.raw`(?<!\w)(')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)`, '$1 ', 'i'],
  // Punctuation.
  [String.raw`([^.])(\.)([\])}>"'»”’ ]*)\s*$`, '$1 $2 $3 '],
  [String.raw`([:,])([^\d])`, ' $1 $2'],
  ['([:,])$', ' $1 '],
  [String.raw`\.{2,}`, ' $& '],
  ['[;@#$%&]', ' $& '],
  [String.raw`[\u2012-\u2015]`, ' $& '],
  [String.raw`([^.])(\.)([\])}>"']*)\s*$`, '$1 $2$3 '],
  ['[?!]', ' $& '],
  ["([^'])' ", "$1 ' "],
  ['[*]', ' $& '],
  [String.raw`[\]\[(){}<>]`, ' $& '],
  ['--', ' -- '],
]

const AFTER_PADDING: readonly Rule[] = [
  // Closing quotes and what is joined by an apostrophe.
  ['([»”’])', ' $1 '],
  ["''", " '' "],
  ['"', " '' "],
  [String.raw`\s+`, ' '],
  ["([^' ])('[sS]|'[mM]|'[dD]|') ", '$1 $2 '],
  ["([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", '$1 $2 '],
  // Words that are two.
  [String.raw`\b(can)(not)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(d)('ye)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(gim)(me)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(gon)(na)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(got)(ta)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(lem)(me)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(more)('n)\b`, ' $1 $2 ', 'i'],
  [String.raw`\b(wan)(na)(?=\s)`, ' $1 $2 ', 'i'],
  [String.raw` ('t)(is)\b`, ' $1 $2 ', 'i'],
  [String.raw` ('t)(was)\b`, ' $1 $2 ', 'i'],
]

/**
 * `nltk.word_tokenize`: sentences first, then the rules of the Penn Treebank with NLTK's additions. Double quotes come
 * out as two backticks or two apostrophes. Source: nltk/tokenize/destructive.py.
 */
export function wordTokens(text: string, splitter: SentenceSplitter): string[] {
  return splitter.split(text).flatMap(sentenceTokens)
}

function sentenceTokens(sentence: string): string[] {
  return splitWords(applied(AFTER_PADDING, ` ${applied(BEFORE_PADDING, sentence)} `))
}

function applied(rules: readonly Rule[], text: string): string {
  return rules.reduce((current, [pattern, replacement, flags]) => {
    return current.replace(pyRegex(pattern, flags), replacement)
  }, text)
}
