import type { Dialect, ToolSpec } from '../types.js'
import { heldFrom } from './hold-back.js'
import { LOOKED_AT, RAW_KEPT, type Turn } from './turn.js'

/** Reasoning from the first opening of a call on; before that only what could be the opening's beginning is kept. */
export class DraftKeeper {
  private draft = ''
  private carry = ''

  constructor(private readonly opening: string) {}

  /** Takes the next piece of reasoning. */
  add(said: string): void {
    if (this.draft !== '') {
      if (this.draft.length < LOOKED_AT) this.draft += said
      return
    }
    const text = this.carry + said
    const at = text.indexOf(this.opening)
    if (at >= 0) this.draft = text.slice(at)
    else {
      const held = heldFrom(text, 0, this.opening)
      this.carry = held < text.length && text[held] === '<' ? text.slice(held) : ''
    }
  }

  /** Reports a call that stands only in the reasoning. */
  report(turn: Turn): void {
    if (this.draft === '') return
    const draft = findDraft(this.draft, turn.dialect, turn.tools)
    if (draft === undefined) return
    turn.report(
      'call-in-think',
      `The call of ${draft.name} stands only in your hidden reasoning and was not run. If you mean it, write it after </think>.`,
      draft.raw,
    )
  }
}

/** Reports a call in a code block or quotation that was never closed: it may have been meant. */
export function reportExample(turn: Turn, example: string): void {
  const draft = findDraft(example, turn.dialect, turn.tools)
  if (draft === undefined) return
  const message = `The call of ${draft.name} stands in an unclosed code block or quotation and was not run. Write calls outside of them.`
  turn.report('bad-call', message, draft.raw)
}

/** A whole call of a registered tool; mentions of tags or of unknown names are prose. */
function findDraft(
  text: string,
  dialect: Dialect,
  tools: ReadonlyMap<string, ToolSpec>,
): { readonly name: string; readonly raw: string } | undefined {
  const pattern =
    dialect === 'qwen3.5'
      ? /<tool_call>\s*<function=([^\s<>"'=]{1,256})>\s*(?:<parameter=|<\/function>)/g
      : dialect === 'hermes'
        ? /<tool_call>\s*\{\s*"name"\s*:\s*"([^"\\]{1,256})"/g
        : /<\|tool_call_start\|>\s*\[?\s*([A-Za-z_][\w.-]{0,255})\(/g
  for (const match of text.matchAll(pattern)) {
    const name = match[1]!
    if (tools.has(name)) return { name, raw: text.slice(match.index, match.index + RAW_KEPT) }
  }
  return undefined
}
