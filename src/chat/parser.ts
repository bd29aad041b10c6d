import type { EndReason, ParserEvent } from './events.js'
import type { ThinkState } from './render.js'
import { CallMode } from './turn/call-mode.js'
import { reportExample } from './turn/drafts.js'
import { QuoteMode } from './turn/quote-mode.js'
import { ReasoningMode } from './turn/reasoning-mode.js'
import { TextMode } from './turn/text-mode.js'
import { Turn } from './turn/turn.js'
import { VisibleText } from './turn/visible-text.js'
import type { Dialect, ToolSpec } from './types.js'

/** What a parser needs to know before the first piece of text. */
export interface ParserOptions {
  /** The tools that were shown; their schemas decide what values become. */
  readonly tools?: readonly ToolSpec[] | undefined
  /** How the prompt left the think block (`Rendered.thinkState`). Default: absent. */
  readonly thinkState?: ThinkState
  /** Id of the call with this index. Default: `call_1`, `call_2`, … */
  readonly newId?: (index: number) => string
  /** Texts of end-of-turn tokens; dropped when they stand last, should an engine pass one through. */
  readonly endTexts?: readonly string[]
}

/** Turns the text that a model writes into events, in any split. Neither method ever throws on any input. */
export interface Parser {
  /** Takes the next piece of text. */
  push(text: string): ParserEvent[]
  /** Tells that no more will come, and why; later calls do nothing. */
  end(reason: EndReason): ParserEvent[]
}

/** A parser of one assistant turn in this dialect. */
export function createParser(dialect: Dialect, options: ParserOptions = {}): Parser {
  return new TurnParser(dialect, options)
}

/** Leads a turn through its modes; each mode leaves in `turn.buffer` what it has not read. */
class TurnParser implements Parser {
  private readonly turn: Turn
  private readonly visible: VisibleText
  private readonly reasoning: ReasoningMode
  private readonly text: TextMode
  private readonly call: CallMode
  private readonly quote: QuoteMode

  constructor(dialect: Dialect, options: ParserOptions) {
    this.turn = new Turn(dialect, options)
    this.visible = new VisibleText(this.turn)
    this.reasoning = new ReasoningMode(this.turn)
    this.call = new CallMode(this.turn, this.visible)
    this.quote = new QuoteMode(this.turn, this.visible)
    this.text = new TextMode(this.turn, this.visible, this.reasoning, this.call, this.quote)
  }

  push(text: string): ParserEvent[] {
    const { turn } = this
    if (turn.mode === 'over' || text === '') return []
    turn.buffer = turn.buffer === '' ? text : turn.buffer + text
    this.run(false)
    return turn.take()
  }

  end(reason: EndReason): ParserEvent[] {
    const { turn } = this
    if (turn.mode === 'over') return []
    this.run(true)
    this.close(reason)
    turn.mode = 'over'
    turn.buffer = ''
    return turn.take()
  }

  private run(final: boolean): void {
    while (this.step(final)) {}
  }

  private step(final: boolean): boolean {
    switch (this.turn.mode) {
      case 'reasoning':
        return this.reasoning.read(final)
      case 'text':
        return this.text.read(final)
      case 'call':
        return this.call.read(final)
      case 'quote':
        return this.quote.read(final)
      case 'over':
        return false
    }
  }

  /** Judges what the turn left: a call cut off, text after calls, calls that stand only in examples or in the reasoning. */
  private close(reason: EndReason): void {
    const { turn, visible } = this
    if (turn.mode === 'call') this.call.cutOff(reason)
    if (visible.trailing !== '') {
      const message = turn.invented
        ? 'Only tools give results; the answer you wrote for one was discarded. Stop after your calls and wait.'
        : 'Text after a call is discarded; write text before calls, or after the results.'
      turn.report(turn.invented ? 'invented-result' : 'text-after-call', message, visible.trailing, true)
    }
    if (reason !== 'end' || turn.completed > 0 || turn.failed > 0) return
    visible.context.add('\n')
    const open = visible.context.fenced || turn.mode === 'quote'
    if (open && visible.example !== undefined) reportExample(turn, visible.example)
    else if (!visible.shown) this.reasoning.drafts?.report(turn)
  }
}
