import type { Message, ToolSpec } from '../../chat/types.js'

/** Estimated tokens of a text with the embedded model's vocabulary. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Estimated tokens of a tool as the prompt shows it. */
export function specTokens(spec: ToolSpec): number {
  return 5 + estimateTokens(spec.name + spec.description) + Object.keys(spec.parameters.properties ?? {}).length * 2
}

/** Estimated tokens of a message with its marks. */
export function messageTokens(message: Message): number {
  if (message.role === 'assistant') {
    const calls = message.toolCalls.reduce(
      (sum, call) =>
        sum + 7 + Object.values(call.arguments).reduce<number>((n, value) => n + 4 + estimateTokens(String(value)), 0),
      0,
    )
    return 4 + estimateTokens(message.content) + calls
  }
  return 4 + estimateTokens(message.content)
}
