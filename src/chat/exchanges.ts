import { ChatError } from './errors.js'
import { type LooseMessage, mendMessages } from './mend.js'
import { render } from './render.js'
import type { Span, Turn } from './spans.js'
import type { ChatTemplate } from './template.js'
import type { Message, ToolSpec } from './types.js'

/** Independent conversations that share a system turn. */
export interface ExchangesRequest {
  readonly system?: string | undefined
  readonly systemSuffix?: string | undefined
  readonly tools?: readonly ToolSpec[] | undefined
  /** Each a conversation of its own, without system messages. */
  readonly exchanges: readonly (readonly (Message | LooseMessage)[])[]
  /** As in use: decides only what templates write outside the turns. */
  readonly think?: boolean | undefined
}

/** One training text. Offsets count UTF-16 units. */
export interface RenderedExchanges {
  readonly text: string
  /** Where each exchange starts; the text before the first is the system turn. */
  readonly starts: readonly number[]
  /** The assistant's own text over all exchanges. */
  readonly spans: readonly Span[]
  /** The turns by exchange; `message` counts within `[system, ...exchange]` as mended. */
  readonly turns: readonly (readonly Turn[])[]
}

/**
 * Renders many exchanges under one system turn, so that training pays for a long tool list once. Every exchange is
 * rendered as if it stood alone after the system turn, hence exactly as it will be served; they are then joined.
 * Throws ChatError, `bad-message` when an exchange carries a system message of its own.
 */
export function renderExchanges(template: ChatTemplate, request: ExchangesRequest): RenderedExchanges {
  const system: Message[] = request.system === undefined ? [] : [{ role: 'system', content: request.system }]
  const prefix = systemTurn(template, request, system)
  let text = prefix
  const starts: number[] = []
  const spans: Span[] = []
  const turns: Turn[][] = []
  request.exchanges.forEach((exchange, index) => {
    if (exchange.some((message) => (message.role as string) === 'system' || (message.role as string) === 'developer')) {
      throw new ChatError(
        'bad-message',
        'An exchange has a system message',
        `exchange ${index}`,
        'Give it as `system`.',
      )
    }
    const rendered = render(template, {
      messages: [...system, ...exchange],
      tools: request.tools,
      think: request.think,
      addGenerationPrompt: false,
      systemSuffix: request.systemSuffix,
    })
    if (!rendered.text.startsWith(prefix)) {
      throw new ChatError(
        'spans-unknown',
        'The system turn depends on what follows',
        `exchange ${index}`,
        'Render apart.',
      )
    }
    const shift = text.length - prefix.length
    const move = (span: Span): Span => ({ start: span.start + shift, end: span.end + shift, kind: span.kind })
    starts.push(text.length)
    const own = rendered.turns.map((turn) => ({
      ...turn,
      start: turn.start + shift,
      end: turn.end + shift,
      spans: turn.spans.map(move),
    }))
    turns.push(own)
    for (const turn of own) spans.push(...turn.spans)
    text += rendered.text.slice(prefix.length)
  })
  return { text, starts, spans, turns }
}

/** The text before the first user turn. */
function systemTurn(template: ChatTemplate, request: ExchangesRequest, system: readonly Message[]): string {
  const word = 'Quetzalcoatlus'
  const messages = mendMessages([...system, { role: 'user', content: word }], {
    controls: template.controls,
    ...(request.systemSuffix === undefined ? {} : { systemSuffix: request.systemSuffix }),
  })
  const tools = template.dialect === 'plain' ? undefined : request.tools
  const text = template.run(messages, { tools, think: request.think })
  const before = text.slice(0, text.lastIndexOf(word))
  const { userHeader } = template.shape
  return before.endsWith(userHeader) ? before.slice(0, before.length - userHeader.length) : before
}
