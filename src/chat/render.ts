import { type LooseMessage, mendMessages } from './mend.js'
import { findSpans, type Span, type Turn } from './spans.js'
import type { ChatTemplate } from './template.js'
import type { Message, ToolSpec } from './types.js'

/** How the think block stands where the model begins to write: closed, open, or not there at all. */
export type ThinkState = 'closed' | 'open' | 'absent'

/** What to render. */
export interface RenderRequest {
  readonly messages: readonly (Message | LooseMessage)[]
  readonly tools?: readonly ToolSpec[] | undefined
  /** Thinking off or on (a number is a budget, hence on); undefined leaves it to the template. */
  readonly think?: boolean | number | undefined
  /** Append the opening of the assistant's next turn. Default true; training texts take false. */
  readonly addGenerationPrompt?: boolean | undefined
  /** Appended to the system text: what changes from turn to turn (the time), so that everything before it stays cached. */
  readonly systemSuffix?: string | undefined
}

/** A rendered conversation. Offsets count UTF-16 units of `text`. */
export interface Rendered {
  readonly text: string
  /** The messages as they were rendered, after mending. */
  readonly messages: readonly Message[]
  /** The assistant's own text, in order; computed when asked for. May throw ChatError `spans-unknown`. */
  readonly spans: readonly Span[]
  /** The same by turn. */
  readonly turns: readonly Turn[]
  /** State of the think block at the end of the text, for the parser. */
  readonly thinkState: ThinkState
}

/**
 * Renders a conversation through a model's own template, after mending what templates stumble over (see mendMessages).
 * Throws ChatError.
 */
export function render(template: ChatTemplate, request: RenderRequest): Rendered {
  const plain = template.dialect === 'plain'
  const messages = mendMessages(request.messages, {
    controls: template.controls,
    needsUser: template.shape.needsUser,
    withoutTools: plain,
    ...(request.systemSuffix === undefined ? {} : { systemSuffix: request.systemSuffix }),
  })
  const tools = plain ? undefined : request.tools
  const think = request.think === undefined ? undefined : request.think !== false && request.think !== 0
  const prompt = request.addGenerationPrompt !== false
  const text = template.run(messages, { tools, think, prompt })
  let turns: readonly Turn[] | undefined
  const found = () => {
    turns ??= findSpans(template, { messages, tools, think, prompt }, text)
    return turns
  }
  return {
    text,
    messages,
    get spans() {
      return found().flatMap((turn) => turn.spans)
    },
    get turns() {
      return found()
    },
    thinkState: prompt ? thinkStateOf(text) : 'absent',
  }
}

/** State of the think block at the end of a prompt: `<think>` last is open, `</think>` last is closed. */
export function thinkStateOf(prompt: string): ThinkState {
  const end = prompt.trimEnd()
  if (end.endsWith('<think>')) return 'open'
  if (end.endsWith('</think>')) return 'closed'
  return 'absent'
}
