import { bootstrap, type Estimate } from '../bootstrap.js'
import { groupBy, isRight } from './run-figures.js'
import type { StoredRun } from './run-folder.js'
import { RunFolderError, type RunRecord } from './run-record.js'

/** One run against the first, on the cases that all runs have. */
export interface PairedDifference {
  readonly model: string
  /** Mean score of this run less that of the first, paired by case. */
  readonly difference: Estimate
  /** Cases that only this run, or only the first, has right (in the majority of trials). */
  readonly won: number
  readonly lost: number
  /** Two-sided exact sign test on these (McNemar 1947). */
  readonly p: number
}

/** Several runs of one suite side by side. */
export interface Comparison {
  readonly suite: string
  /** Cases that all runs have. */
  readonly shared: number
  readonly scores: readonly Estimate[]
  /** Against the first run; one less than the runs. */
  readonly differences: readonly PairedDifference[]
  /** On cases that every run has right in every trial: tokens for one correct answer. */
  readonly onCommonlyRight: {
    readonly cases: number
    readonly outputTokens: readonly number[]
    readonly reasoningTokens: readonly number[]
  }
}

/**
 * Compares runs of one suite and version, case by case.
 * @throws RunFolderError `not-comparable`
 */
export function compareRuns(runs: readonly StoredRun[]): Comparison {
  const [first] = runs
  if (!first || runs.length < 2) throw new RunFolderError('not-comparable', '', 'Name two runs or more to compare.')
  for (const { header, folder } of runs)
    if (header.suite !== first.header.suite || header.suiteVersion !== first.header.suiteVersion)
      throw new RunFolderError(
        'not-comparable',
        folder,
        `${folder} is of ${header.suite} ${header.suiteVersion}, ${first.folder} of ${first.header.suite} ${first.header.suiteVersion}: their cases differ.`,
      )
  const tables = runs.map(({ records }) => groupBy(records, ({ id }) => id))
  const ids = [...tables[0]!.keys()].filter((id) => tables.every((table) => table.has(id)))
  if (ids.length === 0)
    throw new RunFolderError(
      'not-comparable',
      first.folder,
      'These runs have no case in common. Run them on the same cases.',
    )
  const mean = (of: readonly RunRecord[], pick: (record: RunRecord) => number): number =>
    of.reduce((sum, record) => sum + pick(record), 0) / of.length
  const value = (table: Map<string, RunRecord[]>, id: string): number =>
    mean(table.get(id)!, ({ score }) => score.value)
  const mostly = (table: Map<string, RunRecord[]>, id: string): boolean =>
    mean(table.get(id)!, (r) => Number(isRight(r))) > 0.5
  const common = ids.filter((id) => tables.every((table) => table.get(id)!.every(isRight)))
  const perCorrect = (pick: (record: RunRecord) => number): number[] =>
    tables.map((table) =>
      common.length === 0 ? 0 : common.reduce((sum, id) => sum + mean(table.get(id)!, pick), 0) / common.length,
    )
  return {
    suite: first.header.suite,
    shared: ids.length,
    scores: tables.map((table) => bootstrap(ids.map((id) => value(table, id)))),
    differences: tables.slice(1).map((table, i) => {
      const won = ids.filter((id) => mostly(table, id) && !mostly(tables[0]!, id)).length
      const lost = ids.filter((id) => !mostly(table, id) && mostly(tables[0]!, id)).length
      return {
        model: runs[i + 1]!.header.model,
        difference: bootstrap(ids.map((id) => value(table, id) - value(tables[0]!, id))),
        won,
        lost,
        p: signTest(won, lost),
      }
    }),
    onCommonlyRight: {
      cases: common.length,
      outputTokens: perCorrect(({ usage }) => usage.outputTokens),
      reasoningTokens: perCorrect(({ usage }) => usage.reasoningTokens),
    },
  }
}

/** Two-sided exact binomial test of won against lost with equal chances. */
export function signTest(won: number, lost: number): number {
  const n = won + lost
  if (n === 0) return 1
  const least = Math.min(won, lost)
  // Sums in logarithms: 2^-n underflows for the sizes of real suites.
  let log = -n * Math.LN2
  let sum = Math.exp(log)
  for (let k = 1; k <= least; k++) {
    log += Math.log((n - k + 1) / k)
    sum += Math.exp(log)
  }
  return Math.min(1, 2 * sum)
}
