import type { MakeCheck } from '../ifeval/instruction.js'
import { drawnWord } from '../ifeval/word-list.js'
import { pyEscape, searches } from '../text/python-regex.js'
import { PUNCTUATION, splitWords, strip, stripEnd, stripStart, withoutPunctuation } from '../text/strings.js'
import { codePoints, isAlnumChar, pyLength } from '../text/unicode.js'
import { bare, everyPair, firstChar, MARKS } from './shared.js'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const PRIMES = new Set([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97])

/** Instructions on words and on sentences. Source: ifbench/instructions.py. */
export const WORD_CHECKS: Readonly<Record<string, MakeCheck>> = {
  'words:alphabet': () => (response) => {
    const words = splitWords(bare(withoutPunctuation(response)))
    const start = ALPHABET.indexOf(firstChar(words[0] ?? '').toLowerCase())
    if (words.length === 0 || start < 0) return false
    return words.every((word, index) => index === 0 || firstChar(word.toLowerCase()) === ALPHABET[(start + index) % 26])
  },
  'words:vowel': () => (response) => {
    const text = strip(response)
    const vowels = new Set(codePoints(text.toLowerCase()).filter((character) => 'aeiou'.includes(character)))
    return !text.includes('\n') && vowels.size <= 3
  },
  'words:consonants': () => (response) =>
    splitWords(response.toLowerCase()).every((word) => /[b-df-hj-np-tv-z]{2}/.test(word)),
  'words:palindrome': () => (response) => {
    const words = splitWords(withoutPunctuation(response).toLowerCase()).map(codePoints)
    return words.filter((word) => word.length >= 5 && word.join('') === word.toReversed().join('')).length >= 10
  },
  'words:prime_lengths': () => (response) =>
    splitWords(withoutPunctuation(response)).every((word) => PRIMES.has(pyLength(word))),
  'words:start_verb': (_, tools) => (response) => tools.firstTag(tools.words(response))?.includes('VB') ?? false,
  'words:repeats': (args) => {
    const most = args.numberOrDrawn('small_n', 1, 5)
    return (response) => {
      const counts = new Map<string, number>()
      for (const word of plainWords(response)) counts.set(word, (counts.get(word) ?? 0) + 1)
      return Array.from(counts.values()).every((count) => count <= most)
    }
  },
  'words:odd_even_syllables': (_, tools) => (response) => {
    const parities = splitWords(withoutPunctuation(response).toLowerCase()).map((word) => tools.syllables(word) % 2)
    return everyPair(parities, (one, next) => one !== next)
  },
  'words:last_first': (_, tools) => (response) =>
    everyPair(tools.sentences(response), (sentence, next) => {
      const last = splitWords(stripEnd(sentence, MARKS)).at(-1)
      const first = splitWords(stripStart(next, MARKS))[0]
      return last !== undefined && first !== undefined && last.toLowerCase() === first.toLowerCase()
    }),
  'words:paragraph_last_first': () => (response) =>
    response.split('\n').every((paragraph) => {
      const words = splitWords(bare(strip(paragraph).toLowerCase()))
      return words[0] === words.at(-1)
    }),
  'words:no_consecutive': () => (response) =>
    everyPair(plainWords(response), (word, next) => firstChar(word) !== firstChar(next)),
  'words:keywords_specific_position': (args, tools) => {
    const keyword = strip(args.text('keyword') || drawnWord(args)).toLowerCase()
    const sentence = args.number('n') || args.drawn(20, 30)
    const word = args.number('m') || args.drawn(30, 40)
    return (response) => {
      const text = tools.sentences(response).at(sentence - 1)
      if (text === undefined) return false
      const words = tools.words(text).filter((token) => codePoints(token).some(isAlnumChar))
      return words.at(word - 1)?.toLowerCase() === keyword
    }
  },
  'words:words_position': (args, tools) => {
    const keyword = strip(args.text('keyword') ?? drawnWord(args)).toLowerCase()
    return (response) => {
      const words = tools.words(response)
      // A final mark does not count as a word. In Python this asks for a part of the string of all punctuation.
      const marked = PUNCTUATION.includes(words.at(-1) ?? '')
      if (words.length < (marked ? 3 : 2)) return false
      return words[1]!.toLowerCase() === keyword && words.at(marked ? -3 : -2)!.toLowerCase() === keyword
    }
  },
  'sentence:alliteration_increment': (_, tools) => (response) => {
    const lengths = tools.sentences(response).map(alliteration)
    return everyPair([-1, ...lengths], (one, next) => one < next)
  },
  'sentence:keyword': (args, tools) => {
    const pattern = `\\b${pyEscape(args.text('word') || drawnWord(args))}\\b`
    const position = args.numberOrDrawn('N', 1, 20)
    return (response) => {
      const sentences = tools.sentences(response)
      if (sentences.length < position) return false
      return searches(pattern, sentences.at(Math.trunc(position - 1)) ?? '', 'i')
    }
  },
  'sentence:increment': (args, tools) => {
    const step = args.numberOrDrawn('small_n', 1, 5)
    return (response) => {
      const counts = tools.sentences(response).map((text) => splitWords(withoutPunctuation(text)).length)
      return everyPair(counts, (one, next) => next === one + step)
    }
  },
}

function plainWords(text: string): string[] {
  return splitWords(withoutPunctuation(text.toLowerCase()))
}

/** Words in runs with a common first letter, runs of one left out. */
function alliteration(sentence: string): number {
  const letters = splitWords(sentence.toLowerCase())
    .map((word) => firstChar(stripStart(word, MARKS)))
    .filter((letter) => letter !== '')
  return letters.filter((letter, index) => letter === letters[index - 1] || letter === letters[index + 1]).length
}
