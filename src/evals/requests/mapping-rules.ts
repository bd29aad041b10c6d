import type { PlacedSlot } from './mapping-spans.js'

/** What a rule reads from the text: a part of it that becomes an argument, slots inside included. */
export interface RuleResult {
  readonly tool?: string
  /** Arguments with the half-open range of the text they were read from (`start` -1: not a span). */
  readonly arguments?: { readonly [parameter: string]: { readonly value: string; readonly start: number } }
  /** Parameters of slots, by index, that the rule decides. */
  readonly slotParameters?: ReadonlyMap<number, string>
}

/** Reads what slots do not say. */
export type MappingRule = (text: string, slots: readonly PlacedSlot[], targets: readonly string[]) => RuleResult

const WAKE = /^\s*(?:(?:hey|hi|ok|okay|hello|yo)\s+)?(?:olly|alexa|siri|google|cortana)\b[,\s]*/i
const FRAME =
  /^\s*(?:please|(?:can|could|would|will)\s+you(?:\s+please)?(?:\s+(?:tell|show|give|find)\s+me)?|tell\s+me|i\s+(?:want|need|would\s+like)\s+to\s+know|do\s+you\s+know|let\s+me\s+know)\b[,\s]*/i
const COURTESY = /[\s,]+(?:please|now|thanks|thank\s+you|for\s+me|olly)[\s.?!]*$/i

/** Cuts the wake word and a polite frame off a request; what remains is still a span of the text. */
export function bareRequest(text: string): { value: string; start: number } {
  let start = 0
  for (const pattern of [WAKE, FRAME, FRAME]) {
    const match = pattern.exec(text.slice(start))
    if (match && start + match[0].length < text.length) start += match[0].length
  }
  return trimmed(text, start, text.length)
}

function trimmed(text: string, start: number, end: number): { value: string; start: number } {
  const part = text.slice(start, end)
  const lead = part.length - part.trimStart().length
  let value = part.trim()
  for (let i = 0; i < 2; i++) value = value.replace(COURTESY, '')
  value = value.replace(/[\s,.?!]+$/, '')
  return { value, start: start + lead }
}

function group(
  match: RegExpExecArray | null,
  text: string,
  index: number,
): { value: string; start: number } | undefined {
  const range = (match as (RegExpExecArray & { indices?: [number, number][] }) | null)?.indices?.[index]
  if (!range) return undefined
  const part = trimmed(text, range[0], range[1])
  return part.value === '' ? undefined : part
}

const SAYING =
  /\b(?:saying|that\s+says|which\s+says|stating|(?:and\s+)?tell(?:ing)?\s+(?:him|her|them|everyone)|(?:and\s+)?let(?:ting)?\s+(?:him|her|them|everyone)\s+know|to\s+let\s+(?:him|her|them)\s+know|and\s+say|to\s+say|say|asking(?:\s+(?:him|her|them))?|and\s+ask(?:\s+(?:him|her|them))?|with\s+the\s+(?:words?|message|text)|to\s+tell\s+(?:him|her|them))\s+(?:that\s+|to\s+)?(.+)$/di
const ABOUT =
  /\b(?:about|regarding|concerning|(?:with|has|have)\s+(?:the\s+)?subject(?:\s+line)?(?:\s+(?:as|of))?|subject)\s+(.+)$/di

/** Mail: about what, and what it should say. What follows the recipient is the text. */
const messageText: MappingRule = (text, slots, targets) => {
  const said = group(SAYING.exec(text), text, 1)
  if (said && words(said.value) >= 1 && !/^(?:it|this|that|something)$/i.test(said.value)) {
    return { arguments: { text: said } }
  }
  const about = ABOUT.exec(text)
  const topic = group(about, text, 1)
  if (topic) return { arguments: { subject: cutAtRecipient(topic, text, slots, targets) } }
  for (const [index, slot] of slots.entries()) {
    if (targets[index] !== 'to' || slot.start < 0) continue
    if (!/\b(?:to|email|mail|message|send|tell|notify|inform)\s+(?:my\s+|the\s+)?$/i.test(text.slice(0, slot.start)))
      continue
    const rest =
      /^(?!'s|\s*(?:'s\s+)?(?:e-?mail|address|and\s+\w+$|from|at|in|on)\b)\s+(?:that\s+|to\s+|if\s+|and\s+)?(.+)$/di.exec(
        text.slice(slot.end),
      )
    const message = group(rest, text.slice(slot.end), 1)
    if (message && words(message.value) >= 3) {
      return { arguments: { text: { value: message.value, start: message.start + slot.end } } }
    }
  }
  return {}
}

function cutAtRecipient(
  topic: { value: string; start: number },
  text: string,
  slots: readonly PlacedSlot[],
  targets: readonly string[],
): { value: string; start: number } {
  for (const [index, slot] of slots.entries()) {
    if (targets[index] !== 'to' || slot.start <= topic.start) continue
    const lead = /\s+to\s+(?:my\s+|the\s+)?$/i.exec(text.slice(topic.start, slot.start))
    if (lead && lead.index > 0) return { value: text.slice(topic.start, topic.start + lead.index), start: topic.start }
  }
  return topic
}

function words(text: string): number {
  return text.split(/\s+/).filter(Boolean).length
}

/** Answers and drafts are other tools than new mail; the verb tells. */
const emailKind: MappingRule = (text) => {
  if (/\b(?:reply|replay|respond|response|answer)\b/i.test(text)) return { tool: 'email_reply' }
  if (/\bdraft\b/i.test(text)) return { tool: 'email_draft' }
  return {}
}

const mailAbout: MappingRule = (text) => {
  const topic = group(ABOUT.exec(text), text, 1)
  return topic ? { arguments: { about: topic } } : {}
}

/** Posts: what follows "saying", "that" or "tell them". */
const postText: MappingRule = (text) => {
  const said = group(SAYING.exec(text), text, 1) ?? group(/\bthat\s+(.+)$/di.exec(text), text, 1)
  return said && words(said.value) >= 2 ? { arguments: { text: said } } : {}
}

const GENERIC_ITEM =
  /^(?:(?:the|a|an|that|this|these|those|some|all|my|new|more|another|one|any|following|a\s+new|the\s+new|the\s+following)\s+)*(?:items?|it|this|that|them|these|those|things?|entry|entries|something|stuff|ones?|lists?|everything|all)?$/i

const ADDED: readonly RegExp[] = [
  /\b(?:add|put|include|insert|write|append|place|enter)\s+(.+?)\s+(?:to|on|onto|in|into|under)\s+(?:(?:my|the|a|our|this|that|an|new)\s+)*.*\blist\b/di,
  /\b(?:need|want|get|have)\s+(.+?)\s+(?:added|put)\s+(?:to|on|in)\b/di,
  /\band\s+(?:add|put)\s+(.+?)(?:\s+(?:to|on)\s+(?:it|there))?$/di,
  /^(?:please\s+)?(?:add|put)\s+(.+)$/di,
]
const REMOVED: readonly RegExp[] = [
  /\b(?:remove|delete|take|erase|cross|scratch|get\s+rid\s+of|cancel|drop|clear)\s+(.+?)\s+(?:off|from|out\s+of|on|in)\s+(?:of\s+)?.*\blist\b/di,
  /^(?:please\s+)?(?:remove|delete|get\s+rid\s+of|erase)\s+(.+)$/di,
]

function item(text: string, slots: readonly PlacedSlot[], patterns: readonly RegExp[]): RuleResult {
  for (const pattern of patterns) {
    const found = group(pattern.exec(text), text, 1)
    if (!found) continue
    if (GENERIC_ITEM.test(found.value) || /\blists?\b/i.test(found.value)) return {}
    const end = found.start + found.value.length
    if (slots.some((slot) => slot.name === 'list_name' && slot.start < end && slot.end > found.start)) return {}
    return { arguments: { item: found } }
  }
  return {}
}

const wholeQuestion: MappingRule = (text) => ({ arguments: { question: bareRequest(text) } })

const NUMBER =
  /\b(?:\d|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|pi|infinity)/i
const SUM_FRAME =
  /^\s*(?:what\s+(?:is|are|does|would|do)|what's|whats|how\s+much\s+(?:is|are|does)|calculate|compute|solve|work\s+out|find(?:\s+me)?|give(?:\s+me)?|show(?:\s+me)?|can\s+you\s+do|do|is|i\s+want\s+to\s+know|the\s+(?:answer|result|solution)\s+(?:to|of|for)|this\s+equation|(?:the\s+)?equation)\b[,\s]*/i

/** A sum without "what is" and "please". */
const expression: MappingRule = (text) => {
  const bare = bareRequest(text)
  let { start } = bare
  const end = bare.start + bare.value.length
  for (let i = 0; i < 3; i++) {
    const match = SUM_FRAME.exec(text.slice(start, end))
    if (match && start + match[0].length < end) start += match[0].length
  }
  const value = text.slice(start, end).replace(/\s+(?:equals?|is|are)$/i, '')
  return NUMBER.test(value) ? { arguments: { expression: { value, start } } } : {}
}

const AMOUNT =
  /\b((?:(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|and)\s+)+)$/i

/** Of two currencies the first is converted to the second, except after "how many". */
const currencies: MappingRule = (text, slots) => {
  const own = slots.map((slot, index) => ({ slot, index })).filter(({ slot }) => slot.name === 'currency_name')
  const parameters = new Map<number, string>()
  const swapped =
    own.length >= 2 && /\bhow\s+(?:many|much)\s+$/i.test(text.slice(0, Math.max(0, own[0]?.slot.start ?? 0)))
  for (const [position, { slot, index }] of own.entries()) {
    const first = position === 0
    const alone =
      own.length === 1 && /\b(?:to|into|in)\s+(?:an?\s+|the\s+)?$/i.test(text.slice(0, Math.max(0, slot.start)))
    parameters.set(index, first !== swapped && !alone ? 'from' : 'to')
  }
  for (const { slot } of own) {
    if (slot.start < 0) continue
    const match = AMOUNT.exec(text.slice(0, slot.start))
    const value = match?.[1]?.trim().replace(/^and\s+/i, '')
    if (match && value && value.toLowerCase() !== 'and') {
      return { slotParameters: parameters, arguments: { amount: { value, start: -1 } } }
    }
  }
  return { slotParameters: parameters }
}

const unmute: MappingRule = (text) =>
  /\bun-?\s?mute|sound\s+back|turn\s+(?:the\s+)?(?:sound|audio)\s+on\b/i.test(text)
    ? { arguments: { direction: { value: 'unmute', start: -1 } } }
    : {}

/** Where the annotators marked no setting, the verb of the player. */
const playerAction: MappingRule = (text, slots) => {
  if (slots.some((slot) => slot.name === 'player_setting')) return {}
  const match = /\b(repeat|shuffle|skip|pause|resume|loop|replay|stop|next|previous)\b/i.exec(text)
  return match?.[1] ? { arguments: { action: { value: match[1], start: match.index } } } : {}
}

/** The rules by name, as the table uses them. */
export const MAPPING_RULES: { readonly [name: string]: MappingRule } = {
  messageText,
  emailKind,
  mailAbout,
  postText,
  itemAdded: (text, slots) => item(text, slots, ADDED),
  itemRemoved: (text, slots) => item(text, slots, REMOVED),
  wholeQuestion,
  expression,
  currencies,
  unmute,
  playerAction,
}
