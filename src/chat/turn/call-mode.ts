import type { CallReader, Fault } from '../call-reader.js'
import type { EndReason } from '../events.js'
import { HermesCallReader } from '../hermes-reader.js'
import { PythonicCallReader } from '../pythonic-reader.js'
import { QwenCallReader } from '../qwen-reader.js'
import { heldFrom } from './hold-back.js'
import { RAW_KEPT, type Turn } from './turn.js'
import type { VisibleText } from './visible-text.js'

/** Reads a call's block with the dialect's reader; after a fault it passes over the rest up to the closing tag. */
export class CallMode {
  private reader: CallReader | undefined
  /** The fault whose block is being passed over. */
  private fault: Fault | undefined
  /** Text of the block, shortened. */
  private raw = ''

  constructor(
    private readonly turn: Turn,
    private readonly text: VisibleText,
  ) {}

  /** Begins a block behind this tag: the opening, or `<function=` where the opening is missing. */
  open(tag: string): void {
    this.reader = this.newReader(tag === '<function=')
    this.raw = tag
    this.turn.mode = 'call'
  }

  private newReader(recover: boolean): CallReader {
    if (this.turn.dialect === 'qwen3.5') return new QwenCallReader(this.turn, recover)
    return this.turn.dialect === 'hermes' ? new HermesCallReader(this.turn) : new PythonicCallReader(this.turn)
  }

  /** Reads what it can; false when more text is needed. */
  read(final: boolean): boolean {
    const turn = this.turn
    if (this.fault !== undefined) return this.skip(this.fault, final)
    const reader = this.reader!
    const buffer = turn.buffer
    const state = reader.read(buffer, 0, final)
    this.keepRaw(buffer.slice(0, reader.at))
    turn.buffer = buffer.slice(reader.at)
    if (state === 'more') return false
    if (state === 'skip') {
      this.fault = reader.fault!
      return true
    }
    turn.mode = 'text'
    if (state === 'text') {
      this.text.add(this.raw)
      return true
    }
    this.text.break()
    if (reader.fault !== undefined) this.report(reader.fault)
    else if (this.raw.startsWith('<function=')) {
      turn.report(
        'missing-opening',
        '<tool_call> is missing before <function=…>; write it on a line of its own.',
        this.raw,
        true,
      )
    }
    return true
  }

  private skip(fault: Fault, final: boolean): boolean {
    const { buffer, closing } = this.turn
    const end = buffer.indexOf(closing)
    const cut = end >= 0 ? end + closing.length : final ? buffer.length : heldFrom(buffer, 0, closing)
    this.keepRaw(buffer.slice(0, cut))
    this.turn.buffer = buffer.slice(cut)
    if (end < 0) return false
    this.report(fault)
    this.fault = undefined
    this.text.break()
    this.turn.mode = 'text'
    return true
  }

  /** The turn ends inside the block. */
  cutOff(reason: EndReason): void {
    if (this.fault !== undefined) {
      this.report(this.fault)
      return
    }
    this.keepRaw(this.turn.buffer)
    const cut = reason === 'end' ? 'The text ended' : 'The text was cut off'
    const message = `${cut} inside a call, before its closing tags. The call was not run; write it whole.`
    this.turn.report('unfinished-call', message, this.raw)
  }

  private report({ kind, message }: Fault): void {
    this.turn.report(kind, `${message} The call was not run.`, this.raw)
  }

  private keepRaw(text: string): void {
    if (this.raw.length < RAW_KEPT) this.raw += text.slice(0, RAW_KEPT)
  }
}
