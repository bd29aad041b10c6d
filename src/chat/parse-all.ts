import type { EndReason, Malformed, ParserEvent } from './events.js'
import { createParser, type ParserOptions } from './parser.js'
import type { AssistantMessage, Dialect, ToolCall } from './types.js'

/** A whole turn as a message, and what was wrong with it. */
export interface ParsedTurn {
  readonly message: AssistantMessage
  readonly malformed: readonly Malformed[]
}

/** Parses a complete text of one assistant turn; `reason` tells why it ended (default: the end-of-turn token). */
export function parseAll(
  text: string,
  options: ParserOptions & { readonly dialect: Dialect; readonly reason?: EndReason },
): ParsedTurn {
  const parser = createParser(options.dialect, options)
  return collect([...parser.push(text), ...parser.end(options.reason ?? 'end')])
}

/** The message that a turn's events add up to. */
export function collect(events: Iterable<ParserEvent>): ParsedTurn {
  let reasoning = ''
  let content = ''
  const toolCalls: ToolCall[] = []
  const malformed: Malformed[] = []
  for (const event of events) {
    if (event.type === 'reasoning') reasoning += event.text
    else if (event.type === 'text') content += event.text
    else if (event.type === 'call.end') toolCalls.push(event.call)
    else if (event.type === 'malformed') {
      const { type: _, ...report } = event
      malformed.push(report)
    }
  }
  const message = { role: 'assistant' as const, content, toolCalls }
  return { message: reasoning === '' ? message : { ...message, reasoning }, malformed }
}
