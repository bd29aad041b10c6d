import type { ChatTemplate } from '../../chat/index.js'
import type { Tokenizer } from '../../model/index.js'
import type { Conversation } from './conversation.js'
import type { TokenisedExample } from './example.js'
import { type RenderedConversation, renderConversation, type TaughtTurn } from './render.js'

/** How conversations become tokens. */
export interface TokeniseOptions {
  /** Longest example. Independent exchanges are spread over several; anything else is cut after the last turn that fits. */
  readonly maxTokens: number
  /** Loss weight of user text; 0 leaves it out. */
  readonly auxWeight?: number
}

interface Encoded {
  readonly ids: readonly number[]
  readonly weights: Float32Array
  /** Token ranges of taught turns. */
  readonly turns: readonly (readonly [number, number])[]
}

/**
 * Renders and tokenises one conversation. What an assistant turn must say (reasoning, text, calls, end-of-turn) has the
 * turn's weight, everything else 0, or `auxWeight` inside what the user said.
 * @returns no example when not even the first taught turn fits.
 * @throws {ChatError} when the template cannot render it.
 */
export function tokenise(
  conversation: Conversation,
  template: ChatTemplate,
  tokenizer: Tokenizer,
  options: TokeniseOptions,
): TokenisedExample[] {
  return renderConversation(template, conversation).flatMap((rendered, index) => {
    const { ids, starts } = tokenizer.encodeWithOffsets(rendered.text)
    const weights = new Float32Array(ids.length)
    // Texts after the first repeat what the user said in it.
    if (options.auxWeight && index === 0) {
      for (const span of userSpans(rendered, template)) weights.fill(options.auxWeight, ...tokenRange(starts, span))
    }
    const turns: (readonly [number, number])[] = []
    for (const turn of rendered.turns) {
      const range = tokenRange(starts, turn)
      weights.fill(turn.weight, ...range)
      if (turn.weight > 0) turns.push(range)
    }
    const encoded = { ids, weights, turns }
    if (ids.length <= options.maxTokens) return example(encoded, [[0, ids.length]])
    if (rendered.starts.length < 2) return cut(encoded, options.maxTokens)
    const bounds = rendered.starts.map((start) => lowerBound(starts, start))
    return spread(encoded, bounds, options.maxTokens)
  })
}

/** Everything up to the last taught turn that fits. */
function cut(encoded: Encoded, limit: number): TokenisedExample[] {
  const end = encoded.turns.findLast((turn) => turn[1] <= limit)?.[1]
  return end === undefined ? [] : example(encoded, [[0, end]])
}

/** As many exchanges behind the common beginning as fit, then the beginning again with the next ones. */
function spread(encoded: Encoded, bounds: readonly number[], limit: number): TokenisedExample[] {
  const head: [number, number] = [0, bounds[0] ?? 0]
  const examples: TokenisedExample[] = []
  let group: [number, number][] = [head]
  let size = head[1]
  const flush = () => {
    if (group.length > 1) examples.push(...example(encoded, group))
    group = [head]
    size = head[1]
  }
  bounds.forEach((start, i) => {
    const end = bounds[i + 1] ?? encoded.ids.length
    if (head[1] + end - start > limit) return
    if (size + end - start > limit) flush()
    group.push([start, end])
    size += end - start
  })
  flush()
  return examples
}

/** An example from ranges of tokens, one after another; none when it teaches nothing. */
function example(encoded: Encoded, ranges: readonly (readonly [number, number])[]): TokenisedExample[] {
  const length = ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  const tokens = new Int32Array(length)
  const weights = new Float32Array(length)
  const turns: number[] = []
  let at = 0
  for (const [from, to] of ranges) {
    for (let i = from; i < to; i++) tokens[at + i - from] = encoded.ids[i] as number
    weights.set(encoded.weights.subarray(from, to), at)
    for (const turn of encoded.turns) {
      if (turn[0] >= from && turn[1] <= to) turns.push(turn[0] - from + at, turn[1] - from + at)
    }
    at += to - from
  }
  weights[0] = 0
  return turns.length === 0 ? [] : [{ tokens, weights, turns: Int32Array.from(turns) }]
}

/** What the user says, end-of-turn included, without turns that hold tool results. */
function userSpans(rendered: RenderedConversation, template: ChatTemplate): Pick<TaughtTurn, 'start' | 'end'>[] {
  const { userHeader, endToken } = template.shape
  if (userHeader === '' || endToken === '') return []
  const spans: { start: number; end: number }[] = []
  let at = rendered.text.indexOf(userHeader)
  while (at >= 0) {
    const start = at + userHeader.length
    const close = rendered.text.indexOf(endToken, start)
    const end = close < 0 ? rendered.text.length : close + endToken.length
    if (!rendered.text.startsWith('<tool_response>', start)) spans.push({ start, end })
    at = rendered.text.indexOf(userHeader, end)
  }
  return spans
}

/** Tokens that begin inside a span of text: first and one past the last. */
export function tokenRange(starts: readonly number[], span: { start: number; end: number }): [number, number] {
  return [lowerBound(starts, span.start), lowerBound(starts, span.end)]
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
