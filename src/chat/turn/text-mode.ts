import { coerceObject } from '../coerce.js'
import { decodeHermesCall } from '../hermes-reader.js'
import type { CallMode } from './call-mode.js'
import { holdSurrogate } from './hold-back.js'
import type { QuoteMode } from './quote-mode.js'
import type { ReasoningMode } from './reasoning-mode.js'
import { TagIndex } from './tags.js'
import type { Turn } from './turn.js'
import type { VisibleText } from './visible-text.js'

/** Reads visible text and decides what its tags are: a call, an example of one, reasoning, the turn's end, or text. */
export class TextMode {
  private readonly tags: TagIndex

  constructor(
    private readonly turn: Turn,
    private readonly text: VisibleText,
    private readonly reasoning: ReasoningMode,
    private readonly call: CallMode,
    private readonly quote: QuoteMode,
  ) {
    this.tags = TagIndex.of(turn)
  }

  /** Reads what it can; false when more text is needed. */
  read(final: boolean): boolean {
    const { turn, text, tags, quote } = this
    const buffer = turn.buffer
    let from = 0
    for (let i = buffer.indexOf('<'); i >= 0; i = buffer.indexOf('<', i + 1)) {
      const tag = tags.tagAt(buffer, i)
      if (tag === undefined) continue
      if (tag === '') {
        if (final) continue
        text.add(buffer.slice(from, i))
        turn.buffer = buffer.slice(i)
        return false
      }
      text.add(buffer.slice(from, i))
      from = i
      const end = i + tag.length
      const quoted = tag === turn.opening && text.context.quoted && !text.context.fenced
      const example = quoted ? quote.follows(buffer, end) : 'no'
      if (example === 'part' && !final) {
        turn.buffer = buffer.slice(i)
        return false
      }
      if (example === 'yes') {
        quote.open(tag)
        turn.buffer = buffer.slice(end)
        return true
      }
      if (!quoted && this.handle(tag)) {
        turn.buffer = buffer.slice(end)
        return true
      }
      text.add(tag)
      from = end
      i = end - 1
    }
    const cut = final ? buffer.length : holdSurrogate(buffer, from, buffer.length)
    text.add(buffer.slice(from, cut))
    turn.buffer = buffer.slice(cut)
    return false
  }

  /** Acts on a tag; false when it is text itself. */
  private handle(tag: string): boolean {
    const { turn, text } = this
    const { context } = text
    if (turn.endTexts.includes(tag)) {
      text.space += tag
      return true
    }
    if (tag === '<think>' || tag === '</think>') return this.handleThink(tag)
    if (tag === turn.opening && context.example) text.shown = true
    if (context.fenced) {
      if (tag === turn.opening) text.example ??= ''
      return false
    }
    if (context.example) return false
    if (tag === turn.opening) return this.open(tag)
    if (tag === '<function=') return context.lineStart && turn.tools.size > 0 && this.open(tag)
    if (tag === '</tool_call>') return this.recoverHermes()
    if (tag === '<tool_response>') {
      if (turn.completed > 0) turn.invented = true
      return false
    }
    text.wrapper.tag(tag, context.lineStart)
    return false
  }

  /** A block that opens at the very start is reasoning, whatever the prompt promised; a stray end is dropped. */
  private handleThink(tag: string): boolean {
    const { turn, text } = this
    if (text.spoke || text.trailing !== '' || turn.started > 0) return false
    text.space = ''
    if (tag === '<think>') this.reasoning.open()
    return true
  }

  private open(tag: string): boolean {
    this.call.open(tag)
    return true
  }

  /** Hermes: a closing tag whose opening is missing. The JSON before it, on a line of its own, is run if it is a call. */
  private recoverHermes(): boolean {
    const { turn, text } = this
    const before = turn.completed > 0 ? text.trailing : text.recent
    const from = [...before.matchAll(/^ {0,3}\{\s*"name"/gm)].at(-1)?.index
    // An end-of-turn text between the two: the tag does not close that JSON.
    if (from === undefined || text.space.trim() !== '') return false
    const raw = before.slice(from).trim()
    const call = decodeHermesCall(raw)
    if (!call.ok || !turn.tools.has(call.name)) {
      turn.report('missing-opening', 'A closing </tool_call> has no <tool_call> before it; nothing was run.', raw)
      return true
    }
    const index = turn.start(call.name)
    turn.complete(index, call.name, coerceObject(call.arguments, turn.tools.get(call.name)))
    turn.report('missing-opening', `<tool_call> is missing before the call of ${call.name}.`, raw, true)
    if (before === text.trailing) text.trailing = ''
    return true
  }
}
