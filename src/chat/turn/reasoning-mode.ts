import { tagAt } from '../call-reader.js'
import { DraftKeeper } from './drafts.js'
import { heldFrom, spaceEnd, spaceStart } from './hold-back.js'
import type { Turn } from './turn.js'

/** Reads hidden reasoning up to `</think>`; one that follows a backtick or a quotation mark is spoken about. */
export class ReasoningMode {
  /** What could be calls; undefined where the dialect has none. */
  readonly drafts: DraftKeeper | undefined
  private reasoned = false
  private last = ''
  /** White space that is dropped unless something follows. */
  private space = ''

  constructor(private readonly turn: Turn) {
    if (turn.opening !== undefined) this.drafts = new DraftKeeper(turn.opening)
  }

  /** Begins a block that the model opened itself. */
  open(): void {
    this.turn.mode = 'reasoning'
    this.space = this.reasoned ? '\n\n' : ''
  }

  /** Reads what it can; false when more text is needed. */
  read(final: boolean): boolean {
    const turn = this.turn
    const buffer = turn.buffer
    if (!this.reasoned) {
      // White space here is dropped anyway; a model may open the block once more.
      const i = spaceEnd(buffer, 0)
      const again = tagAt(buffer, i, '<think>')
      if (again === 'part' && !final) {
        turn.buffer = buffer.slice(i)
        return false
      }
      if (again === 'yes') {
        turn.buffer = buffer.slice(i + '<think>'.length)
        return true
      }
    }
    let from = 0
    for (;;) {
      const end = buffer.indexOf('</think>', from)
      if (end < 0) {
        const cut = final ? buffer.length : heldFrom(buffer, from, '</think>')
        this.add(buffer.slice(0, cut))
        turn.buffer = buffer.slice(cut)
        return false
      }
      const before = end > 0 ? buffer[end - 1]! : this.space === '' ? this.last : ' '
      if (before === '`' || before === '"') {
        from = end + 1
        continue
      }
      this.add(buffer.slice(0, end))
      turn.mode = 'text'
      turn.buffer = buffer.slice(end + '</think>'.length)
      return true
    }
  }

  private add(text: string): void {
    if (text === '') return
    const from = this.reasoned ? 0 : spaceEnd(text, 0)
    const to = spaceStart(text)
    if (to <= from) {
      if (this.reasoned) this.space += text
      return
    }
    const said = this.space + text.slice(from, to)
    this.space = text.slice(to)
    this.reasoned = true
    this.last = said[said.length - 1]!
    this.drafts?.add(said)
    this.turn.emit({ type: 'reasoning', text: said })
  }
}
