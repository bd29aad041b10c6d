import { PATIENCE, skipSpace, tagAt } from '../call-reader.js'
import { heldFrom } from './hold-back.js'
import type { Turn } from './turn.js'
import type { VisibleText } from './visible-text.js'

/**
 * Passes on a quoted example of a call as text. It ends with the closing tag, unless another example follows at once; an
 * opening on a line of its own before that means that the first was only spoken about.
 */
export class QuoteMode {
  constructor(
    private readonly turn: Turn,
    private readonly text: VisibleText,
  ) {}

  /** Whether a call's body follows a quoted opening that ends at `at`; a mere mention of the tag is over at once. */
  follows(buffer: string, at: number): 'yes' | 'part' | 'no' {
    const { dialect } = this.turn
    const i = skipSpace(buffer, at)
    if (i === buffer.length) return i - at > PATIENCE ? 'no' : 'part'
    if (dialect === 'qwen3.5') return tagAt(buffer, i, '<function=')
    return buffer[i] === (dialect === 'hermes' ? '{' : '[') ? 'yes' : 'no'
  }

  /** Begins an example with this opening. */
  open(tag: string): void {
    this.text.shown = true
    this.text.example ??= ''
    this.text.add(tag)
    this.turn.mode = 'quote'
  }

  /** Reads what it can; false when more text is needed. */
  read(final: boolean): boolean {
    const { turn, text } = this
    const { buffer, closing } = turn
    const opening = turn.opening!
    let at = -1
    let tag = ''
    let held = buffer.length
    for (const stop of [closing, opening, ...turn.endTexts]) {
      const i = buffer.indexOf(stop)
      if (i >= 0 && (at < 0 || i < at)) {
        at = i
        tag = stop
      }
      held = Math.min(held, heldFrom(buffer, 0, stop))
    }
    if (at < 0) {
      const cut = final ? buffer.length : held
      text.add(buffer.slice(0, cut))
      turn.buffer = buffer.slice(cut)
      return false
    }
    text.add(buffer.slice(0, at))
    if (tag === closing) {
      const end = at + tag.length
      const next = skipSpace(buffer, end)
      const more = next === buffer.length ? (next - end > PATIENCE ? 'no' : 'part') : tagAt(buffer, next, opening)
      if (more === 'part' && !final) {
        turn.buffer = buffer.slice(at)
        return false
      }
      const cut = more === 'yes' ? next + opening.length : end
      text.add(buffer.slice(at, cut))
      turn.buffer = buffer.slice(cut)
      if (more !== 'yes') turn.mode = 'text'
      return true
    }
    if (tag === opening && !text.context.lineStart) {
      text.add(tag)
      turn.buffer = buffer.slice(at + tag.length)
      return true
    }
    turn.buffer = buffer.slice(at)
    turn.mode = 'text'
    return true
  }
}
