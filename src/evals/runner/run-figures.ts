import { bootstrap, type Estimate } from '../bootstrap.js'
import type { StoredRun } from './run-folder.js'
import type { RunHeader, RunRecord } from './run-record.js'
import type { Aggregate, Suite } from './suite.js'

/** Mean score of the cases that share a label. */
export interface GroupFigures {
  readonly label: string
  readonly value: string
  readonly score: Estimate
  readonly loopRate: number
}

/** Figures of a run; shares run from 0 to 1. */
export interface RunFigures {
  readonly header: RunHeader
  /** Different cases; each may have several trials. */
  readonly cases: number
  readonly records: number
  /** Mean over cases of the mean over trials, with the interval over cases. */
  readonly score: Estimate
  readonly metrics: { readonly [name: string]: Estimate }
  /** Totals that are no plain means, as the suite makes them. */
  readonly aggregates: readonly Aggregate[]
  readonly groups: readonly GroupFigures[]
  /** With k trials: share of cases solved in all (`pass^k`, Yao et al. 2024) and in any (`pass@k`, Chen et al. 2021) of j ≤ k. */
  readonly passes: readonly { readonly j: number; readonly all: Estimate; readonly any: Estimate }[]
  readonly tokens: TokenFigures
  readonly loopRate: number
  /** Share of the score that judging models gave. */
  readonly judged: number
}

/** Token and time figures of a run. */
export interface TokenFigures {
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly outputPerCase: number
  /** Output tokens of all cases by right cases; undefined where none is right. */
  readonly outputPerCorrect: number | undefined
  /** Median and 95th percentile of a case's wall time, milliseconds. */
  readonly msP50: number
  readonly msP95: number
}

/** A case is right when it has the whole score. */
export const isRight = (record: RunRecord): boolean => record.score.value >= 1

/** Makes the figures of a run. Intervals are bootstrapped over cases, 1,000 resamples, 95%. */
export function runFigures(run: StoredRun, suite?: Pick<Suite, 'aggregate'>): RunFigures {
  const { records, header } = run
  const byCase = groupBy(records, ({ id }) => id)
  const mean = (of: readonly RunRecord[], value: (record: RunRecord) => number): number =>
    of.reduce((sum, record) => sum + value(record), 0) / of.length
  const estimate = (cases: readonly RunRecord[][], value: (record: RunRecord) => number): Estimate =>
    bootstrap(cases.map((of) => mean(of, value)))
  const cases = [...byCase.values()]
  const names = [...new Set(records.flatMap(({ score }) => Object.keys(score.metrics ?? {})))]
  const labels = [...new Set(records.flatMap((record) => Object.keys(record.labels)))]
  const groups = labels.flatMap((label) =>
    [...groupBy(records, (record) => record.labels[label] ?? '')]
      .filter(([value]) => value !== '')
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([value, of]) => ({
        label,
        value,
        score: estimate([...groupBy(of, ({ id }) => id).values()], ({ score }) => score.value),
        loopRate: share(of, (record) => record.loops),
      })),
  )
  const judgedSum = records.reduce((sum, { score }) => sum + score.value * (score.judged ?? 0), 0)
  const valueSum = records.reduce((sum, { score }) => sum + score.value, 0)
  return {
    header,
    cases: cases.length,
    records: records.length,
    score: estimate(cases, ({ score }) => score.value),
    metrics: Object.fromEntries(
      names.map((name) => [
        name,
        estimate(
          cases
            .map((of) => of.filter(({ score }) => score.metrics?.[name] !== undefined))
            .filter((of) => of.length > 0),
          ({ score }) => score.metrics?.[name] ?? 0,
        ),
      ]),
    ),
    aggregates: suite?.aggregate?.(records) ?? [],
    groups,
    passes: passes(cases, header.trials),
    tokens: tokenFigures(records),
    loopRate: share(records, (record) => record.loops),
    judged: valueSum === 0 ? 0 : judgedSum / valueSum,
  }
}

/**
 * For j of k trials with c right ones, without bias: solved in all of j C(c, j) / C(k, j); in any of j 1 − C(k − c, j) / C(k, j).
 */
function passes(cases: readonly RunRecord[][], trials: number): RunFigures['passes'] {
  const whole = cases.filter((of) => of.length === trials)
  if (trials < 2 || whole.length === 0) return []
  return Array.from({ length: trials }, (_, i) => {
    const j = i + 1
    const rights = whole.map((of) => of.filter(isRight).length)
    return {
      j,
      all: bootstrap(rights.map((c) => choose(c, j) / choose(trials, j))),
      any: bootstrap(rights.map((c) => 1 - choose(trials - c, j) / choose(trials, j))),
    }
  })
}

function choose(n: number, k: number): number {
  if (k > n) return 0
  let result = 1
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i
  return result
}

function tokenFigures(records: readonly RunRecord[]): TokenFigures {
  const sum = (pick: (usage: RunRecord['usage']) => number): number =>
    records.reduce((all, { usage }) => all + pick(usage), 0)
  const times = records.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (q: number): number => times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? 0
  const right = records.filter(isRight).length
  const outputTokens = sum((usage) => usage.outputTokens)
  return {
    promptTokens: sum((usage) => usage.promptTokens),
    cachedTokens: sum((usage) => usage.cachedTokens),
    outputTokens,
    reasoningTokens: sum((usage) => usage.reasoningTokens),
    outputPerCase: records.length === 0 ? 0 : outputTokens / records.length,
    outputPerCorrect: right === 0 ? undefined : outputTokens / right,
    msP50: at(0.5),
    msP95: at(0.95),
  }
}

/** Groups in order of first appearance. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return groups
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length
}
