import { TextContext } from '../markdown.js'
import { spaceEnd, spaceStart } from './hold-back.js'
import { LOOKED_AT, RAW_KEPT, type Turn } from './turn.js'
import { WrapperWatch } from './wrapper.js'

/** What the reader sees of a turn: passes text on without the white space around it, and keeps what is judged later. */
export class VisibleText {
  readonly context = new TextContext()
  readonly wrapper: WrapperWatch
  /** Text was passed on. */
  spoke = false
  /** Text after a call, which is not passed on. */
  trailing = ''
  /** White space (and end-of-turn texts) that is dropped unless something follows. */
  space = ''
  /** An opening of a call was shown as text. */
  shown = false
  /** Text from the first fenced or quoted opening on. */
  example: string | undefined
  /** Hermes: the last stretch, where a call without its opening may stand. */
  recent = ''

  constructor(private readonly turn: Turn) {
    this.wrapper = new WrapperWatch(turn)
  }

  /** Takes the next piece. */
  add(text: string): void {
    if (text === '') return
    this.wrapper.add(text)
    this.context.add(text)
    // LFM2 writes its calls first and speaks after them.
    const after = this.turn.completed > 0 && this.turn.dialect !== 'pythonic'
    const first = after ? this.trailing === '' : !this.spoke
    const from = first ? spaceEnd(text, 0) : 0
    const to = spaceStart(text)
    if (to <= from) {
      if (!first) this.space += text
      return
    }
    const lead = first ? '' : this.space
    const said = lead + text.slice(from, to)
    this.space = text.slice(to)
    if (after) {
      if (this.trailing.length < RAW_KEPT) this.trailing += said
      return
    }
    this.spoke = true
    if (this.example !== undefined && this.example.length < LOOKED_AT) this.example += said
    if (this.turn.dialect === 'hermes') {
      this.recent += said
      if (this.recent.length > 2 * LOOKED_AT) this.recent = this.recent.slice(-LOOKED_AT)
    }
    this.turn.emit({ type: 'text', text: said })
  }

  /** What follows a call's block starts anew, apart from the text before it. */
  break(): void {
    this.space = '\n\n'
    this.context.add('\n')
  }
}
