import { onlyAsks } from './only-asks.js'

/** One of the things that the owner said in a message. */
export interface Clause {
  readonly text: string
  /** It says what not to do, so it asks for nothing. */
  readonly negated: boolean
  /** It is nothing but a question about how things are. */
  readonly asksOnly: boolean
  /** It points back ("trash it"): what it is about may stand in the clause before. */
  readonly refersBack: boolean
}

/** Verbs that begin a request of its own after "and": what assistants are told to do. */
const VERBS =
  'add|answer|append|archive|book|buy|call|cancel|change|check|clear|close|copy|create|decline|delete|dim|disable|download|' +
  'draft|email|empty|enable|erase|file|find|forward|get|give|list|lock|log|look|lower|mail|make|mark|message|move|mute|note|' +
  'open|order|pause|pay|play|post|publish|put|raise|rate|read|remind|remove|rename|reply|resume|save|schedule|search|send|' +
  'set|share|show|skip|start|stop|summari[sz]e|switch|tell|text|track|transfer|trash|turn|unlock|update|upload|wake|write'

const SPLIT = new RegExp(
  `(?:[!?;\\n]+|(?<=[\\p{L}\\p{N})"”]{2})\\.(?=\\s|$)|,?\\s+(?:and\\s+)?(?:then|afterwards|after that|also)\\b|,?\\s+(?:and|or|but)\\s+(?:please\\s+|also\\s+|don'?t\\s+|do not\\s+|never\\s+)?(?=(?:${VERBS})\\b)|,\\s+(?=(?:please\\s+)?(?:${VERBS})\\b))`,
  'giu',
)

const NEGATED =
  /\b(?:don[’']?t|do not|never|not|no need to|without|instead of|rather than|except|avoid|stop short of)\b/i
const DOUBLE = /\b(?:don[’']?t|do not|never) (?:let me )?forget\b/gi
const BACK =
  /\b(?:it|its|them|those|these|him|her|his|they|their|there|ones|same|both|all of|(?:the|that|this) one)\b|\b(?:that|this)\b(?! (?:i|you|he|she|we|they|it|the|my|our|is|was|morning|afternoon|evening|week|month|year|weekend)\b)/i

/** Asks to be told how things are; "see if you can …" asks for more than that. */
const ASKS_TO_BE_TOLD =
  /^(?:(?:please|and|also|then)\s+|(?:can|could|would|will) you (?:please )?)*(?:tell me|let me know|check|find out|see|look|say|ask)\s+(?:whether|if)\s+(?!you\b|it(?:'s| is) possible|i can\b|we can\b)/i

/** Takes back what was asked before. */
const REVOKES =
  /^\W*(?:(?:no|nope|wait|sorry|ok|okay|actually)\b[\s,]*)*(?:never ?mind|forget (?:it|that|about)|cancel that|leave it|stop(?: (?:it|that))?[\s.!,]*$|don[’']?t\b|do not\b|scratch that)/i

/** True when a message begins by taking back what was asked before it ("never mind", "wait, don't"). */
export function revokes(message: string): boolean {
  return REVOKES.test(message) && !/^\W*(?:don[’']?t|do not) (?:let me )?forget\b/i.test(message)
}

/**
 * The things that a message asks for, one by one, so that the target of one ("read Bob's mail, and send mine to Ann") does
 * not pass for the target of another. English joints; a message in another language is one clause a sentence.
 */
export function clausesOf(message: string): Clause[] {
  const parts: string[] = []
  let from = 0
  for (const match of message.matchAll(SPLIT)) {
    // "… and don't" keeps its "don't": only the joint is cut off.
    const joint = /^[,\s]*(?:and|or|but)\s+(?:please\s+|also\s+)?/i.exec(match[0])
    parts.push(message.slice(from, match.index))
    from = match.index + (joint && /don|do not|never/i.test(match[0]) ? joint[0].length : match[0].length)
    if (match[0].startsWith('?')) parts[parts.length - 1] += '?'
  }
  parts.push(message.slice(from))
  return parts
    .map((part) => part.trim().replace(/^[,\s]+/, ''))
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map((text) => ({
      text,
      negated: NEGATED.test(text.replace(DOUBLE, '')),
      asksOnly: onlyAsks(text) || ASKS_TO_BE_TOLD.test(text),
      refersBack: BACK.test(text),
    }))
}
