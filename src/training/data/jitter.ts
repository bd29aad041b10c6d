import { placeSlots } from '../../evals/requests/mapping-spans.js'
import type { Draw } from './draw.js'
import type { HumanLine } from './human.js'

/** Ways of saying the same, outside of slots; each group's members stand for each other. */
const SAME: readonly (readonly string[])[] = [
  ['what is', "what's", 'whats'],
  ['show me', 'give me', 'tell me', 'let me see'],
  ['tell me', 'let me know'],
  ['turn on', 'switch on', 'power on'],
  ['turn off', 'switch off', 'shut off', 'power off'],
  ['turn down', 'lower', 'reduce', 'decrease'],
  ['turn up', 'raise', 'increase'],
  ['delete', 'remove', 'erase', 'get rid of'],
  ['set up', 'arrange', 'schedule'],
  ['create a', 'make a', 'start a'],
  ['i want to', "i'd like to", 'i would like to', 'i wanna'],
  ['i need', 'i want'],
  ['do i have', 'have i got'],
  ['are there', 'is there'],
  ['can you', 'could you', 'will you', 'would you'],
  ['find me', 'find', 'look for', 'search for'],
  ['going to', 'gonna'],
  ['mail', 'email'],
  ['movie', 'film'],
  ['photo', 'picture'],
  ['near me', 'nearby', 'around here', 'close by'],
  ['book a', 'reserve a'],
  ['how is', "how's"],
  ['i am', "i'm"],
  ['inform me', 'tell me', 'notify me'],
  ['purchase', 'buy'],
  ['taxi', 'cab'],
]

const SWAPS = new Map<string, readonly string[]>()
for (const group of SAME) {
  for (const phrase of group) {
    const others = group.filter((other) => other !== phrase)
    SWAPS.set(phrase, [...(SWAPS.get(phrase) ?? []), ...others])
  }
}
const SWAP = new RegExp(`\\b(?:${[...SWAPS.keys()].sort((a, b) => b.length - a.length).join('|')})\\b`, 'gi')
const VERB_FIRST =
  /^(?:set|show|play|turn|switch|add|remove|delete|create|make|send|tell|give|find|get|put|book|order|call|check|start|open|cancel|list|read|remind|schedule|wake|increase|decrease|lower|raise|dim|change|mute|post|tweet|search|look|email|reply|write|buy|convert|define|describe|clean|vacuum|brew|stop|repeat|shuffle|resume|rate)\b/i

/**
 * Says a human request a little otherwise: another frame, a synonym, a slip of the keyboard; slots keep their words. Small
 * corpora are seen many times in training, and this keeps the model from learning their sentences by heart.
 */
export function jitter(line: HumanLine, draw: Draw): HumanLine {
  const placed = placeSlots(line)
    .filter((slot) => slot.start >= 0)
    .sort((a, b) => a.start - b.start)
  let text = ''
  let at = 0
  for (const slot of placed) {
    if (slot.start < at) continue
    text += change(line.text.slice(at, slot.start), draw) + line.text.slice(slot.start, slot.end)
    at = slot.end
  }
  text += change(line.text.slice(at), draw)
  return { ...line, text: frame(text, draw).replace(/\s+/g, ' ').trim() }
}

function change(part: string, draw: Draw): string {
  let changed = part.replace(SWAP, (phrase) => {
    const options = SWAPS.get(phrase.toLowerCase())
    return options && draw.chance(0.3) ? draw.pick(options) : phrase
  })
  if (draw.chance(0.15)) changed = changed.replace(/\b(?:please|olly|alexa|siri)\b ?/i, '')
  if (draw.chance(0.05)) changed = slip(changed, draw)
  return changed
}

function slip(part: string, draw: Draw): string {
  const words = part.split(' ')
  const index = draw.integer(0, words.length - 1)
  const word = words[index] ?? ''
  if (word.length < 4) return part
  const i = draw.integer(1, word.length - 2)
  words[index] = draw.chance(0.5)
    ? word.slice(0, i) + word.slice(i + 1)
    : word.slice(0, i) + (word[i + 1] ?? '') + word[i] + word.slice(i + 2)
  return words.join(' ')
}

function frame(text: string, draw: Draw): string {
  if (!draw.chance(0.3)) return text
  if (!VERB_FIRST.test(text)) return draw.pick(['olly ', 'hey ', 'ok ', 'so ']) + text
  const before = draw.pick([
    'please ',
    'olly ',
    'can you ',
    'could you ',
    'hey ',
    'i want you to ',
    'go ahead and ',
    'would you ',
  ])
  return draw.chance(0.75) ? before + text : `${text} please`
}
