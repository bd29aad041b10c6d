import type { Estimate } from '../bootstrap.js'
import { bootstrap } from '../bootstrap.js'
import type { Expectation } from './mapping.js'
import type { ObservedStep, RequestScore } from './score.js'

/** One request with what was expected, what happened and the score. */
export interface ScoredRequest {
  readonly text: string
  readonly intent: string
  readonly expected: Expectation
  readonly observed: ObservedStep
  readonly score: RequestScore
}

/** Figures of one file of requests; shares run from 0 to 1, latencies are milliseconds. */
export interface RequestFigures {
  readonly n: number
  readonly toolIntents: number
  readonly noToolIntents: number
  readonly toolChoice: number
  readonly exactCall: number
  readonly slotF1: number
  readonly noToolPrecision: number
  readonly noToolRecall: number
  /** Share of tool requests that lack a value which the tool requires. */
  readonly lacksValue: number
  /** Share of tool requests whose expected tool was shown to the model. */
  readonly shortlistRecall: number
  readonly quirky: { readonly n: number; readonly answeredInWords: number }
  readonly tokensPerAnswer: number
  readonly latencyP50: number
  readonly latencyP95: number
  readonly intervals: { readonly toolChoice: Estimate; readonly exactCall: Estimate }
  readonly byIntent: {
    readonly [intent: string]: { readonly n: number; readonly toolChoice: number; readonly exactCall: number }
  }
  /** Most frequent wrong choices: expected tool, chosen tool (`none` for words), count. */
  readonly confusions: readonly { readonly expected: string; readonly chosen: string; readonly n: number }[]
}

/**
 * Aggregates scored requests. No-tool precision and recall speak of answers in words: precision = answers in words that
 * were right / answers in words given, over tool and `general_*` intents without `general_quirky`; a question about a
 * missing value counts as neither.
 */
export function requestFigures(requests: readonly ScoredRequest[]): RequestFigures {
  const tool = requests.filter(({ score }) => score.kind === 'tool')
  const noTool = requests.filter(({ score }) => score.kind === 'noTool')
  const quirky = requests.filter(({ score }) => score.kind === 'quirky')
  const inWords = noTool.filter(({ score }) => !score.calledAny).length
  const wrongWords = tool.filter(({ score }) => !score.calledAny && !score.toolRight).length
  const sum = (pick: (score: RequestScore) => number): number => tool.reduce((all, { score }) => all + pick(score), 0)
  const right = sum((score) => score.slots.right)
  const latencies = requests.map(({ observed }) => observed.latencyMs).sort((a, b) => a - b)
  const quantile = (q: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(q * latencies.length))] ?? 0
  return {
    n: requests.length,
    toolIntents: tool.length,
    noToolIntents: noTool.length,
    toolChoice: share(tool, ({ score }) => score.toolRight),
    exactCall: share(tool, ({ score }) => score.exact),
    slotF1: ratio(2 * right, 2 * right + sum((score) => score.slots.wrong) + sum((score) => score.slots.missed)),
    noToolPrecision: ratio(inWords, inWords + wrongWords),
    noToolRecall: ratio(inWords, noTool.length),
    lacksValue: share(tool, ({ score }) => score.lacksValue),
    shortlistRecall: share(tool, ({ observed }) => observed.shown === true),
    quirky: { n: quirky.length, answeredInWords: share(quirky, ({ score }) => !score.calledAny) },
    tokensPerAnswer: ratio(
      requests.reduce((all, { observed }) => all + observed.outputTokens, 0),
      requests.length,
    ),
    latencyP50: quantile(0.5),
    latencyP95: quantile(0.95),
    intervals: {
      toolChoice: bootstrap(tool.map(({ score }) => Number(score.toolRight))),
      exactCall: bootstrap(tool.map(({ score }) => Number(score.exact))),
    },
    byIntent: byIntent(requests),
    confusions: confusions(tool),
  }
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return ratio(items.filter(test).length, items.length)
}

/** JSON has no NaN: a share of nothing is reported as 0 beside its n of 0. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function byIntent(requests: readonly ScoredRequest[]): RequestFigures['byIntent'] {
  const groups = new Map<string, ScoredRequest[]>()
  for (const request of requests) groups.set(request.intent, [...(groups.get(request.intent) ?? []), request])
  return Object.fromEntries(
    [...groups]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([intent, of]) => [
        intent,
        {
          n: of.length,
          toolChoice: share(of, ({ score }) => score.toolRight),
          exactCall: share(of, ({ score }) => score.exact),
        },
      ]),
  )
}

function confusions(tool: readonly ScoredRequest[]): RequestFigures['confusions'] {
  const counts = new Map<string, { expected: string; chosen: string; n: number }>()
  for (const { expected, observed, score } of tool) {
    if (score.toolRight || !('tool' in expected)) continue
    const chosen = observed.calls[0]?.name ?? 'none'
    const key = `${expected.tool} ${chosen}`
    const entry = counts.get(key) ?? { expected: expected.tool, chosen, n: 0 }
    entry.n++
    counts.set(key, entry)
  }
  return [...counts.values()].sort((a, b) => b.n - a.n || a.expected.localeCompare(b.expected)).slice(0, 10)
}
