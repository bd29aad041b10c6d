import { ChatError } from './errors.js'
import { pythonStrip } from './python-text.js'
import type { ChatTemplate } from './template.js'
import type { AssistantMessage, Message, ToolSpec } from './types.js'

/** What a stretch of the assistant's text is. White space between parts belongs to the part before a call, else after. */
export type SpanKind = 'reasoning' | 'text' | 'call' | 'end'

/** A stretch of text that the model writes itself; UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: SpanKind
}

/** One assistant turn in a rendered text. */
export interface Turn {
  /** Index of the message among the mended messages. */
  readonly message: number
  readonly start: number
  readonly end: number
  /**
   * True when the text before the turn ends as a generation prompt of the template does, so that the turn is what the
   * model would have to write in use. False where a template strips the think block of earlier turns.
   */
  readonly asGenerated: boolean
  readonly spans: readonly Span[]
}

/** Arguments of one run of a template, as `render` prepares them. */
export interface RunArguments {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[] | undefined
  readonly think: boolean | undefined
  readonly prompt: boolean
}

interface Slot {
  readonly message: number
  readonly part: 'reasoning' | 'content' | 'call'
  readonly value: string
}

/**
 * Finds the assistant turns of `text`, which is `template.run` of these arguments. Works for any template: a second run
 * has marks in place of the assistant's reasoning, text and function names; what stands between the marks is the
 * template's own and is found again in `text`. Throws ChatError `spans-unknown` when it is not.
 */
export function findSpans(template: ChatTemplate, args: RunArguments, text: string): Turn[] {
  const slots: Slot[] = []
  const mark = freshMark(text)
  const marked = args.messages.map((message, i) =>
    message.role === 'assistant' ? markMessage(message, i, mark, slots) : message,
  )
  if (slots.length === 0) return []
  const markedText = template.run(marked, args)
  const places = align(markedText, mark, slots, text)
  const turns: Turn[] = []
  for (let i = 0; i < places.length; ) {
    let next = i + 1
    while (next < places.length && places[next]!.slot.message === places[i]!.slot.message) next++
    turns.push(turnOf(template, places.slice(i, next), text, args))
    i = next
  }
  return turns
}

/** A word that the text does not contain. */
function freshMark(text: string): string {
  let mark = 'zqxmark'
  while (text.includes(mark)) mark += 'q'
  return mark
}

function markMessage(message: AssistantMessage, index: number, mark: string, slots: Slot[]): AssistantMessage {
  const place = (part: Slot['part'], value: string) => {
    slots.push({ message: index, part, value })
    return `${mark}${slots.length - 1};`
  }
  const blank = (value: string | undefined) => value === undefined || pythonStrip(value) === ''
  const reasoning = blank(message.reasoning) ? message.reasoning : place('reasoning', message.reasoning!)
  // A turn that shows nothing needs some mark; a blank text beside calls must stay blank, it decides about a blank line.
  const bare = message.toolCalls.length === 0
  const content = blank(message.content) && !bare ? message.content : place('content', message.content)
  const toolCalls = message.toolCalls.map((call) => ({ ...call, name: place('call', call.name) }))
  return { ...message, ...(reasoning === undefined ? {} : { reasoning }), content, toolCalls }
}

interface Place {
  readonly slot: Slot
  readonly start: number
  readonly end: number
}

/** Walks both texts: literal parts must agree, each mark stands for its value or the value with ends trimmed. */
function align(markedText: string, mark: string, slots: readonly Slot[], text: string): Place[] {
  const pattern = new RegExp(`${mark}(\\d+);`, 'g')
  const hits = [...markedText.matchAll(pattern)]
  const places: Place[] = []
  const firstLiteral = markedText.slice(0, hits[0]?.index ?? markedText.length)
  if (!text.startsWith(firstLiteral)) throw unknown('before the first assistant turn')
  let at = firstLiteral.length
  hits.forEach((hit, i) => {
    const slot = slots[Number(hit[1])]
    if (slot === undefined) throw unknown('a mark that was not set')
    const literal = markedText.slice(hit.index + hit[0].length, hits[i + 1]?.index ?? markedText.length)
    const value = forms(slot.value).find(
      (form) => text.startsWith(form, at) && text.startsWith(literal, at + form.length),
    )
    if (value === undefined) throw unknown(`message ${slot.message}, ${slot.part}`)
    places.push({ slot, start: at, end: at + value.length })
    at += value.length + literal.length
  })
  if (at !== text.length) throw unknown('after the last assistant turn')
  return places
}

/** The value as it is and as templates trim it, longest first. */
function forms(value: string): string[] {
  const all = [
    value,
    value.trimStart(),
    value.trimEnd(),
    value.trim(),
    pythonStrip(value),
    value.replace(/^\n+/, ''),
    value.replace(/\n+$/, ''),
    value.replace(/^\n+|\n+$/g, ''),
  ]
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

function turnOf(template: ChatTemplate, places: readonly Place[], text: string, args: RunArguments): Turn {
  const { shape } = template
  const first = places[0]!
  const message = args.messages[first.slot.message] as AssistantMessage
  const reasoning = places.find((place) => place.slot.part === 'reasoning')
  const content = places.find((place) => place.slot.part === 'content')
  const call = places.find((place) => place.slot.part === 'call')
  const { start, asGenerated } = turnStart(template, text, first.start, reasoning !== undefined)
  const last = places[places.length - 1]!
  const endAt = shape.endToken === '' ? -1 : text.indexOf(shape.endToken, last.end)
  if (shape.endToken !== '' && endAt < 0) throw unknown(`message ${first.slot.message}, end of turn`)
  const end = endAt < 0 ? turnEndWithoutToken(text, last, args) : endAt + shape.endToken.length
  const bodyEnd = endAt < 0 ? end : endAt
  const spans: Span[] = []
  const push = (from: number, to: number, kind: SpanKind) => {
    if (to > from) spans.push({ start: from, end: to, kind })
  }
  let at = start
  if (reasoning !== undefined) {
    const until = content?.start ?? callStart(text, reasoning.end, call)
    push(at, until, 'reasoning')
    at = until
  }
  if (call === undefined) push(at, bodyEnd, 'text')
  else {
    const until = content === undefined ? at : content.end
    push(at, until, 'text')
    push(until, bodyEnd, 'call')
  }
  push(bodyEnd, end, 'end')
  if (message.role !== 'assistant') throw unknown(`message ${first.slot.message}`)
  return { message: first.slot.message, start, end, asGenerated, spans }
}

/** Where the reasoning part ends when a call follows it at once: after the closing tag and its white space. */
function callStart(text: string, from: number, call: Place | undefined): number {
  const close = text.indexOf('</think>', from)
  const limit = call?.start ?? text.length
  if (close < 0 || close > limit) return from
  let at = close + '</think>'.length
  while (at < limit && /\s/.test(text[at]!)) at++
  return at
}

function turnEndWithoutToken(text: string, last: Place, args: RunArguments): number {
  if (last.slot.message === args.messages.length - 1 && !args.prompt) return text.length
  return last.end
}

/**
 * The turn starts right after the longest generation prompt that ends at its first mark; for a call without text the mark
 * is the function's name, which stands behind the call's opening, so the header before it is searched.
 */
function turnStart(
  template: ChatTemplate,
  text: string,
  firstMark: number,
  reasons: boolean,
): { start: number; asGenerated: boolean } {
  const { prompts, header } = template.shape
  const headerAt = header === '' ? -1 : text.lastIndexOf(header, firstMark - header.length)
  if (headerAt < 0) throw unknown('the opening of an assistant turn')
  // A prompt that closes the think block cannot precede reasoning.
  const fitting = prompts.filter((prompt) => !(reasons && prompt.trimEnd().endsWith('</think>')))
  const prompt = fitting.find((one) => text.startsWith(one, headerAt) && headerAt + one.length <= firstMark)
  if (prompt === undefined) return { start: headerAt + header.length, asGenerated: false }
  return { start: headerAt + prompt.length, asGenerated: true }
}

function unknown(where: string): ChatError {
  return new ChatError(
    'spans-unknown',
    'The template rewrites the assistant text, its place cannot be found',
    where,
    'Train with a template that prints reasoning, text and calls as they are given.',
  )
}
