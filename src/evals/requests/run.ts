import { type FirstTurnOptions, firstTurn } from '../../agent/first-turn.js'
import type { ScoredRequest } from './figures.js'
import { expectedCall } from './mapping.js'
import type { RequestLine } from './mapping-spans.js'
import { scoreRequest } from './score.js'

/** What a run over a file of requests needs. */
export interface RequestRunOptions extends Omit<FirstTurnOptions, 'signal'> {
  /** Canonical text of a time phrase where code can resolve it. */
  readonly resolveWhen?: (phrase: string) => string | undefined
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Takes every request through the agent's first turn, one after the other (latencies are those of a single user), and
 * scores it.
 */
export async function runRequests(lines: readonly RequestLine[], options: RequestRunOptions): Promise<ScoredRequest[]> {
  const scored: ScoredRequest[] = []
  for (const line of lines) {
    options.signal?.throwIfAborted()
    const expected = expectedCall(line)
    const started = performance.now()
    const turn = await firstTurn(line.text, options)
    const observed = {
      calls: turn.calls,
      text: turn.content,
      outputTokens: turn.usage.outputTokens,
      latencyMs: performance.now() - started,
      ...('tool' in expected ? { shown: turn.shown.includes(expected.tool) } : {}),
    }
    scored.push({
      text: line.text,
      intent: line.intent,
      expected,
      observed,
      score: scoreRequest(expected, observed, options.resolveWhen),
    })
    options.onProgress?.(scored.length, lines.length)
  }
  return scored
}
