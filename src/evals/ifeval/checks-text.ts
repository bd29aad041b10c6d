import { detectLanguage } from '../text/language.js'
import { findAll, pyRegex, searches } from '../text/python-regex.js'
import { splitWords, strip, stripStart } from '../text/strings.js'
import { codePoints, isLower, isUpper } from '../text/unicode.js'
import type { MakeCheck } from './instruction.js'
import { drawnWord } from './word-list.js'

/** Keywords, language, length, case and punctuation. Source: instruction_following_eval/instructions.py. */
export const TEXT_CHECKS: Readonly<Record<string, MakeCheck>> = {
  // A keyword is a regular expression, not escaped.
  'keywords:existence': (args) => {
    const keywords = args.texts('keywords') ?? [drawnWord(args), drawnWord(args)]
    return (response) => keywords.every((keyword) => searches(keyword, response, 'i'))
  },
  'keywords:frequency': (args) => {
    const keyword = strip(args.text('keyword') || drawnWord(args))
    const frequency = args.numberOrDrawn('frequency', 1, 3)
    const holds = args.relation('relation')
    return (response) => holds(findAll(keyword, response, 'i').length, frequency)
  },
  'keywords:forbidden_words': (args) => {
    const words = args.texts('forbidden_words') ?? [drawnWord(args), drawnWord(args)]
    return (response) => !words.some((word) => searches(`\\b${word}\\b`, response, 'i'))
  },
  'keywords:letter_frequency': (args) => {
    const given = args.text('letter') ?? ''
    const letter = /^[a-z]$/.test(given.toLowerCase()) ? given : args.random.choice(codePoints(ASCII_LETTERS))
    const frequency = args.numberOrDrawn('let_frequency', 1, 10)
    const holds = args.relation('let_relation')
    const wanted = letter.toLowerCase()
    return (response) => holds(response.toLowerCase().split(wanted).length - 1, frequency)
  },
  'language:response_language': (args) => {
    const language = args.text('language') ?? args.random.choice(LANGUAGES)
    return (response) => (detectLanguage(response) ?? language) === language
  },
  'length_constraints:number_sentences': (args, tools) => {
    const threshold = args.numberOrDrawn('num_sentences', 1, 20)
    const holds = args.relation('relation')
    return (response) => holds(tools.sentences(response).length, threshold)
  },
  'length_constraints:number_words': (args) => {
    const threshold = args.numberOrDrawn('num_words', 100, 500)
    const holds = args.relation('relation')
    return (response) => holds(countWords(response), threshold)
  },
  'length_constraints:number_paragraphs': (args) => {
    const wanted = args.numberOrDrawn('num_paragraphs', 1, 5)
    return (response) => {
      const paragraphs = response.split(pyRegex(String.raw`\s?\*\*\*\s?`)).map((paragraph) => strip(paragraph))
      if (paragraphs.slice(1, -1).includes('')) return false
      const outer = paragraphs.length > 1 ? [paragraphs[0], paragraphs.at(-1)] : [paragraphs[0]]
      return paragraphs.length - outer.filter((paragraph) => paragraph === '').length === wanted
    }
  },
  'length_constraints:nth_paragraph_first_word': (args) => {
    const wanted = args.numberOrDrawn('num_paragraphs', 1, 5)
    const given = args.number('nth_paragraph')
    const nth = given === undefined || given <= 0 || given > wanted ? args.drawn(1, wanted + 1) : given
    const firstWord = (args.text('first_word') ?? drawnWord(args)).toLowerCase()
    return (response) => {
      const paragraphs = response.split('\n\n').map((paragraph) => strip(paragraph))
      // Blank paragraphs do not count, but they do shift what the n-th is.
      const filled = paragraphs.filter((paragraph) => paragraph !== '').length
      const paragraph = paragraphs[nth - 1]
      if (nth > filled || paragraph === undefined || paragraph === '') return false
      return filled === wanted && plainFirstWord(paragraph) === firstWord
    }
  },
  'change_case:capital_word_frequency': (args, tools) => {
    const frequency = args.number('capital_frequency') ?? args.drawn(1, 20)
    const holds = args.relation('capital_relation')
    return (response) => holds(tools.words(response).filter((word) => isUpper(word)).length, frequency)
  },
  'change_case:english_capital': () => (response) => isUpper(response) && (detectLanguage(response) ?? 'en') === 'en',
  'change_case:english_lowercase': () => (response) => isLower(response) && (detectLanguage(response) ?? 'en') === 'en',
  'punctuation:no_comma': () => (response) => !response.includes(','),
}

const ASCII_LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LANGUAGES = 'en es pt ar hi fr ru de ja it bn uk th ur ta te bg ko pl he fa vi ne sw kn mr gu pa ml fi'.split(' ')

/** Runs of word characters. */
export function countWords(text: string): number {
  return findAll(String.raw`\w+`, text).length
}

/** First word in lower case, without quotes before it, up to its first mark. */
function plainFirstWord(paragraph: string): string {
  const word = stripStart(stripStart(splitWords(paragraph)[0] ?? '', "'"), '"')
  return word.split(/[.,?!'"]/)[0]!.toLowerCase()
}
