import { countWords } from '../ifeval/checks-text.js'
import { InstructionError, type MakeCheck } from '../ifeval/instruction.js'
import { drawnWord } from '../ifeval/word-list.js'
import { findAll, pyEscape, searches } from '../text/python-regex.js'
import { countOf, splitWords, strip, withoutPunctuation } from '../text/strings.js'
import { codePoints, isDigits } from '../text/unicode.js'
import { bare } from './shared.js'

const CONJUNCTIONS = new Set('and but for nor or so yet'.split(' '))
const NAMES = (
  'Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin Harper ' +
  'Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria Elijah Layla ' +
  'Nicholas Audrey David Hannah Christopher Penelope Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan'
).split(' ')
const PRONOUNS = new Set(
  (
    'i me we us you he him she her it they them my mine our ours your yours his hers its their theirs myself ourselves ' +
    'yourself yourselves himself herself itself themselves this that these those who whom whose which what whoever ' +
    'whomever whatever whichever anybody anyone anything everybody everyone everything nobody nothing somebody someone ' +
    'something each either neither both all some any none'
  ).split(' '),
)
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/u

/** Instructions on numbers of things and on ratios. Source: ifbench/instructions.py. */
export const COUNT_CHECKS: Readonly<Record<string, MakeCheck>> = {
  'count:word_count_range': (args) => {
    const least = args.numberOrDrawn('min_words', 100, 500)
    const given = args.number('max_words')
    const most =
      given === undefined || given < 0 ? least + args.drawn(Math.trunc(least * 0.05), Math.trunc(least * 0.1)) : given
    return (response) => {
      const count = countWords(response)
      return least <= count && count <= most
    }
  },
  'count:unique_word_count': (args) => {
    const least = args.numberOrDrawn('N', 100, 500)
    return (response) => new Set(splitWords(response.toLowerCase()).map(bare)).size >= least
  },
  'count:conjunctions': (args) => {
    const least = args.numberOrDrawn('small_n', 2, 6)
    // Spellings count apart: "And" and "and," are two.
    return (response) =>
      new Set(splitWords(response).filter((word) => CONJUNCTIONS.has(bare(word).toLowerCase()))).size >= least
  },
  'count:person_names': (args) => {
    const least = args.numberOrDrawn('N', 1, 50)
    return (response) => NAMES.filter((name) => searches(`\\b${pyEscape(name)}\\b`, response)).length >= least
  },
  'count:numbers': (args) => {
    const wanted = args.numberOrDrawn('N', 1, 6)
    return (response) => findAll(String.raw`\d+`, withoutPunctuation(response)).length === wanted
  },
  'count:punctuation': () => (response) => {
    if (!['!?', '?!', '‽'].some((mark) => response.includes(mark))) return false
    const rest = response.includes('?!') ? response.replace('?!', '') : response.replace('!?', '')
    return ['.', ',', '!', '?', ';', ':'].every((mark) => rest.includes(mark))
  },
  'count:words_japanese': (args) => {
    const every = args.number('N')
    if (every === undefined) throw new InstructionError(args.instruction, 'N must be given')
    const cycle = every < 0 ? args.drawn(1, 30) : every
    return (response) =>
      cycle !== 0 &&
      splitWords(response)
        .filter((_, index) => (index + 1) % cycle === 0)
        .map(bare)
        .every((word) => word === '' || isDigits(word) || JAPANESE.test(word))
  },
  'count:pronouns': (args, tools) => {
    const least = args.numberOrDrawn('N', 1, 25)
    return (response) =>
      tools.words(response.replaceAll('/', ' ').toLowerCase()).filter((word) => PRONOUNS.has(word)).length >= least
  },
  'count:keywords_multiple': (args) => {
    const keywords = [1, 2, 3, 4, 5].map((n) => strip(args.text(`keyword${n}`) ?? drawnWord(args)).toLowerCase())
    return (response) => {
      const text = response.toLowerCase()
      return [1, 2, 3, 5, 7].every((times, index) => countOf(text, keywords[index]!) === times)
    }
  },
  'ratio:stop_words': (args, tools) => {
    const most = args.numberOrDrawn('percentage', 1, 100)
    return (response) => {
      const words = findAll(String.raw`\w+`, response)
      const stops = words.filter((word) => tools.isStopWord(word.toLowerCase())).length
      return words.length > 0 && (stops / words.length) * 100 <= most
    }
  },
  'ratio:sentence_type': (_, tools) => (response) => {
    const ends = endings(tools.sentences(response))
    return ends.declarative === 2 * ends.interrogative
  },
  'ratio:sentence_balance': (_, tools) => (response) => {
    const ends = endings(tools.sentences(response))
    return ends.declarative === ends.interrogative && ends.interrogative === ends.exclamatory
  },
  'ratio:overlap': (args) => {
    const reference = trigrams(args.requiredText('reference_text'))
    const percentage = args.numberOrDrawn('percentage', 1, 100)
    return (response) => {
      const own = trigrams(response)
      if (own.size === 0) return false
      const shared = Array.from(own).filter((gram) => reference.has(gram)).length
      const overlap = (shared / own.size) * 100
      return percentage - 2 <= overlap && overlap <= percentage + 2
    }
  },
  'ratio:sentence_words': (_, tools) => (response) => {
    const lengths = tools.sentences(response).map((sentence) => codePoints(strip(sentence)).length)
    return lengths.length === 3 && lengths.every((length) => length === lengths[0])
  },
}

function endings(sentences: readonly string[]): { declarative: number; interrogative: number; exclamatory: number } {
  const count = (mark: string): number => sentences.filter((sentence) => sentence.endsWith(mark)).length
  return { declarative: count('.'), interrogative: count('?'), exclamatory: count('!') }
}

function trigrams(text: string): Set<string> {
  const points = codePoints(text)
  return new Set(points.slice(2).map((last, index) => points[index]! + points[index + 1]! + last))
}
