import { type ChatTemplate, type Message, render, renderExchanges, type Turn } from '../../chat/index.js'
import type { Conversation } from './conversation.js'
import { SftError } from './sft-error.js'

/** An assistant turn in a rendered text: half-open range of UTF-16 indices, end-of-turn token included. */
export interface TaughtTurn {
  readonly start: number
  readonly end: number
  /** Loss weight; 0 when the turn is shown but not taught. */
  readonly weight: number
}

/** A conversation as text. */
export interface RenderedConversation {
  readonly text: string
  readonly turns: readonly TaughtTurn[]
  /** Where each independent exchange starts; the text before the first belongs to all. Empty when there are none. */
  readonly starts: readonly number[]
}

/**
 * Renders a conversation as the model will meet it in use. Templates that strip the reasoning of earlier turns show such
 * a turn differently once the conversation went on; it is then taught by a text of its own, that ends with it.
 * @throws {ChatError} when the template fails or hides the assistant's text.
 */
export function renderConversation(template: ChatTemplate, conversation: Conversation): RenderedConversation[] {
  const { tools, system, weights } = conversation
  if (conversation.exchanges !== undefined) {
    const rendered = renderExchanges(template, { tools, system, exchanges: conversation.exchanges, think: false })
    const turns = rendered.turns.flat()
    const parts = turns.map((turn, i) => taught(turn, weights?.[i] ?? 1))
    return [{ text: rendered.text, turns: parts, starts: rendered.starts }]
  }
  const opening: Message[] = system === undefined ? [] : [{ role: 'system', content: system }]
  let messages: readonly Message[] = [...opening, ...(conversation.messages ?? [])]
  const texts: RenderedConversation[] = []
  // Turns from here on were taught by an earlier, longer text.
  let open = Number.POSITIVE_INFINITY
  for (;;) {
    const rendered = render(template, { messages, tools, addGenerationPrompt: false })
    const { turns } = rendered
    if (texts.length === 0 && weights !== undefined && weights.length !== turns.length) {
      throw new SftError(
        'bad-data',
        'weights',
        `${weights.length} weights for ${turns.length} rendered assistant turns.`,
      )
    }
    const fits = (turn: Turn) => turn.asGenerated || turn.message === rendered.messages.length - 1
    const parts = turns.map((turn, i) => taught(turn, i < open && fits(turn) ? (weights?.[i] ?? 1) : 0))
    texts.push({ text: rendered.text, turns: parts, starts: [] })
    const next = turns.findLastIndex((turn, i) => i < open && !fits(turn))
    const turn = turns[next]
    if (turn === undefined) return texts
    open = next + 1
    messages = rendered.messages.slice(0, turn.message + 1)
  }
}

function taught(turn: Turn, weight: number): TaughtTurn {
  return { start: turn.start, end: turn.end, weight }
}
