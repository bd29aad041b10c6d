import type { MakeCheck } from '../ifeval/instruction.js'
import { isEmoji } from '../text/emoji.js'
import { matchesStart } from '../text/python-regex.js'
import { countOf, PUNCTUATION, splitWords, strip, stripStart, withoutPunctuation } from '../text/strings.js'
import { codePoints, isAlphaChar, isLower, isSpaceChar, isUpper } from '../text/unicode.js'
import { bare, everyPair } from './shared.js'

const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Instructions on the form of a response. Source: ifbench/instructions.py. */
export const FORMAT_CHECKS: Readonly<Record<string, MakeCheck>> = {
  'format:parentheses': () => (response) => {
    let open: string[] = []
    let deepest = 0
    for (const character of response) {
      if ('([{'.includes(character)) {
        open.push(character)
        deepest = Math.max(deepest, open.length)
      } else if (character in CLOSES) {
        if (open.at(-1) === CLOSES[character]) {
          open.pop()
          if (deepest >= 5) return true
        } else {
          open = []
          deepest = 0
        }
      }
    }
    return false
  },
  'format:quotes': () => (response) => {
    const open: string[] = []
    let deepest = 0
    for (const character of response) {
      if (character !== '"' && character !== "'") continue
      if (character === open.at(-1)) {
        open.pop()
        if (deepest - open.length >= 3) return true
      } else {
        open.push(character)
        deepest = Math.max(deepest, open.length)
      }
    }
    return false
  },
  'format:options': (args) => {
    const given =
      args.text('options') ?? args.random.choice(['yes/no/maybe', "I know or I don't know", 'a), b), c), d)'])
    const letters = matchesStart(String.raw`\W*[aA]\W*[bB]\W*[cC]\W*`, given) !== undefined
    const separator = given.includes('/') ? '/' : given.includes('or') ? 'or' : ','
    const options = given.split(separator).map((option) => strip(option))
    if (letters) return (response) => options.includes(response)
    return (response) => options.some((option) => bare(option).toLowerCase() === bare(response).toLowerCase())
  },
  'format:newline': () => (response) => {
    const text = strip(withoutPunctuation(response))
    return text.split('\n').filter((line) => line !== '').length === splitWords(text).length
  },
  'format:emoji': (_, tools) => (response) => {
    const sentences = tools.sentences(response).map((text) => codePoints(strip(withoutPunctuation(text))))
    return sentences.every((sentence, index) => {
      if (sentence.length === 0) return false
      // The last but one too: an emoji may be followed by a variation selector.
      if (sentence.slice(-2).some(isEmoji)) return true
      return isEmoji(sentences[index + 1]?.[0] ?? '')
    })
  },
  'format:line_indent': () => (response) => {
    const indents = keptLines(response.split('\n')).map((line) => line.length - stripStart(line, ' ').length)
    return everyPair(indents, (one, next) => next > one)
  },
  'format:quote_unquote': () => (response) => {
    const text = splitWords(response.replaceAll(`'"'`, '')).join('')
    const trimmed = strip(text, `0123456789${PUNCTUATION.replace('"', '')}`)
    return !text.includes('""') && !trimmed.endsWith('"')
  },
  'format:list': (args) => {
    const marker = args.text('sep') ?? args.random.choice(['...', 'SEPARATOR', '!?!?', '-'])
    return (response) => countOf(response, marker) >= 2
  },
  'format:thesis': () => (response) => {
    const begin = firstOf(response, '<i>', '<em>')
    if (begin < 0) return false
    const text = response.slice(begin)
    const end = firstOf(text, '</i>', '</em>')
    // Offsets are those of the short tags also for the long ones.
    return end >= 0 && strip(text.slice(3, end)) !== '' && strip(text.slice(end + 4)) !== ''
  },
  'format:sub-bullets': () => (response) =>
    response
      .split('*')
      .slice(1)
      .every((bullet) => bullet.includes('-')),
  'format:no_bullets_bullets': (_, tools) => (response) => {
    let inSentences = true
    let sentences = 0
    let bullets = 0
    for (const line of response.split('\n').map((text) => strip(text))) {
      if (line.startsWith('*')) {
        inSentences = false
        if (sentences < 2) return false
        bullets += 1
      } else if (inSentences) {
        const found = tools.sentences(line).length
        inSentences = found > 0
        sentences += found
      } else return false
    }
    return bullets >= 2
  },
  'format:title_case': (_, tools) => (response) =>
    tools.words(response).every((word) => {
      const [first = '', ...rest] = codePoints(word)
      if (!isAlphaChar(first) || !isLower(first)) return true
      const others = rest.join('')
      return others !== '' && !isUpper(others) && !isLower(others)
    }),
  'format:output_template': () => (response) =>
    ['My Answer:', 'My Conclusion:', 'Future Outlook:'].every((label) => response.includes(label)),
  'format:no_whitespace': () => (response) => !codePoints(response).some(isSpaceChar),
}

/**
 * Lines without blank ones, as a Python loop leaves them that removes from the list it runs over: after each removal it
 * skips a line, and it removes the first line equal to the one it means.
 */
function keptLines(lines: readonly string[]): string[] {
  const kept = [...lines]
  for (let at = 0; at < kept.length; at++) {
    const line = kept[at]!
    if (strip(line) === '') kept.splice(kept.indexOf(line), 1)
  }
  return kept
}

function firstOf(text: string, wanted: string, otherwise: string): number {
  const at = text.indexOf(wanted)
  return at >= 0 ? at : text.indexOf(otherwise)
}
