import type { Message } from '../chat/types.js'

/** Characters that a token stands for at least, on average; guesses high so that a prompt never outgrows the context. */
const CHARS_PER_TOKEN = 3
/** Characters kept of a tool result of an earlier turn when room is short. */
const OLD_RESULT_CHARS = 240

/** A guess at the tokens of messages, on the safe side. */
export function estimateTokens(messages: readonly Message[]): number {
  let chars = 0
  for (const message of messages) {
    chars += message.content.length + 24
    if (message.role === 'assistant') {
      chars += message.reasoning?.length ?? 0
      for (const call of message.toolCalls) chars += call.name.length + JSON.stringify(call.arguments).length + 60
    }
  }
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/**
 * A tool result that fits its share: whole, or its beginning with a notice that it was cut and that the journal has all
 * of it. Never cuts a surrogate pair.
 *
 * @param tokens most tokens
 */
export function fitResult(content: string, tokens: number): string {
  const most = Math.max(200, Math.floor(tokens * CHARS_PER_TOKEN))
  if (content.length <= most) return content
  const notice = `\n[cut after ${most - 100} of ${content.length} characters; the whole result is in the journal]`
  const kept = content.slice(0, most - 100)
  return (/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept) + notice
}

/** A conversation that fits. */
export interface Compacted {
  readonly messages: readonly Message[]
  /** Exchanges (a user's message with all that followed) that were left out. */
  readonly dropped: number
  /** Results that were shortened. */
  readonly shortened: number
  /**
   * What the left-out exchanges were about: the owner's own words and the names of the tools that were called. No text of
   * results and none of the model's goes into it, so that it carries nothing from outside into the standing instructions.
   */
  readonly summary: string
}

/** Characters that the summary of left-out exchanges may take, and of each request in it. */
const SUMMARY_CHARS = 1200
const REQUEST_CHARS = 120

/** The owner's requests of exchanges with what was called for them, newest kept when room is short. */
function summarise(exchanges: readonly (readonly Message[])[]): string {
  if (exchanges.length === 0) return ''
  const lines: string[] = []
  let chars = 0
  for (const exchange of [...exchanges].reverse()) {
    const asked =
      exchange
        .find((message) => message.role === 'user')
        ?.content.replace(/\s+/g, ' ')
        .trim() ?? ''
    const failed = new Set(exchange.flatMap((m) => (m.role === 'tool' && m.isError ? [m.callId] : [])))
    const called = exchange.flatMap((message) =>
      message.role === 'assistant'
        ? message.toolCalls.map((c) => `${c.name}${failed.has(c.id) ? ' (failed)' : ''}`)
        : [],
    )
    const cut =
      asked.length > REQUEST_CHARS ? `${asked.slice(0, REQUEST_CHARS).replace(/[\ud800-\udbff]$/, '')}…` : asked
    const line = `- "${cut}"${called.length > 0 ? `: ${[...new Set(called)].join(', ')}` : ''}`
    chars += line.length
    if (chars > SUMMARY_CHARS) break
    lines.unshift(line)
  }
  return [`Earlier parts of this conversation were left out for lack of room. The owner asked:`, ...lines].join('\n')
}

/**
 * Makes a conversation fit a number of tokens: first results of earlier turns are shortened, then the oldest exchanges
 * are left out. System texts, the last user turn with everything after it, and the exchange before it when it ended in
 * an open question are never touched; if these alone are too long the engine's own error tells.
 *
 * @param tokens most tokens, as {@link estimateTokens} counts them
 * @param openQuestion the last exchange answers a question that the one before it asked
 */
export function compact(messages: readonly Message[], tokens: number, openQuestion = false): Compacted {
  if (estimateTokens(messages) <= tokens) return { messages, dropped: 0, shortened: 0, summary: '' }
  const system = messages.filter((message) => message.role === 'system')
  const exchanges: Message[][] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    if (message.role === 'user' || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(message)
  }
  const keep = openQuestion ? 2 : 1
  const recent = exchanges.slice(-keep)
  let shortened = 0
  const older = exchanges.slice(0, -keep).map((exchange) =>
    exchange.map((message) => {
      if (message.role !== 'tool' || message.content.length <= OLD_RESULT_CHARS) return message
      shortened++
      return { ...message, content: `${message.content.slice(0, OLD_RESULT_CHARS)} [shortened]` }
    }),
  )
  let dropped = 0
  const assemble = (): Message[] => [...system, ...older.slice(dropped).flat(), ...recent.flat()]
  const summary = (): string => summarise(older.slice(0, dropped))
  const size = (): number =>
    estimateTokens(assemble()) + (dropped > 0 ? estimateTokens([{ role: 'system', content: summary() }]) : 0)
  while (dropped < older.length && size() > tokens) dropped++
  return { messages: assemble(), dropped, shortened, summary: summary() }
}
