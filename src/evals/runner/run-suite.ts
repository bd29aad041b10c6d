import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Engine, Sampling } from '../../engine/contract.js'
import { EngineError } from '../../engine/errors.js'
import { LockTimeoutError, withFileLock } from '../../engine/file-lock.js'
import { seededRandom } from '../random.js'
import { loops } from './loops.js'
import { MeteredEngine } from './metered-engine.js'
import { keyOf, RunFolder } from './run-folder.js'
import { RunFolderError, type RunHeader, type RunRecord } from './run-record.js'
import type { EvalCase, Suite } from './suite.js'

/** How a suite is run. */
export interface RunSuiteOptions {
  readonly engine: Engine
  /** Where results go; a folder with the same run goes on. */
  readonly folder: string
  /** How the model is called in tables, and what was given to load it. */
  readonly model: { readonly name: string; readonly from: string; readonly sha256?: string }
  readonly sampling?: Sampling
  readonly think?: boolean | number
  readonly maxTokens?: number
  /** Times that each case is run; default once. */
  readonly trials?: number
  readonly seed?: number
  /** Only the first n cases. */
  readonly limit?: number
  /** Only n cases, drawn by the seed from all; the same for every model. */
  readonly sample?: number
  /** Cases in flight. Default 1. */
  readonly concurrency?: number
  /** This process takes every `of`-th case, from the `index`-th (1-based) on. */
  readonly shard?: { readonly index: number; readonly of: number }
  /** Version of this package. */
  readonly botpsy: string
  readonly signal?: AbortSignal
  readonly onCase?: (record: RunRecord, progress: RunProgress) => void
  readonly onFailure?: (failure: CaseFailure) => void
}

/** How far a run is. */
export interface RunProgress {
  readonly done: number
  readonly total: number
  /** Of the done ones, those from an earlier start. */
  readonly before: number
}

/** A case that the machine, not the model, failed. It is not scored, and run again when the run goes on. */
export interface CaseFailure {
  readonly id: string
  readonly trial: number
  readonly error: string
}

/** How a run ended. */
export interface RunOutcome {
  readonly header: RunHeader
  readonly progress: RunProgress
  readonly failures: readonly CaseFailure[]
  readonly aborted: boolean
}

/** After so many failures in a row the machine is taken to be broken. */
const MOST_FAILURES = 5

/**
 * Takes a model through a suite. Every finished case is on disk at once, with its transcript; started again on the same
 * folder it runs what is missing and nothing twice.
 * @throws RunFolderError, MissingDataError
 */
export async function runSuite(suite: Suite, options: RunSuiteOptions): Promise<RunOutcome> {
  const header = headerOf(suite, options)
  const { shard } = options
  const lock = join(options.folder, shard ? `lock-${shard.index}-of-${shard.of}` : 'lock')
  try {
    return await withFileLock(lock, { timeoutMs: 0 }, () => underLock(suite, header, options))
  } catch (error) {
    if (error instanceof LockTimeoutError)
      throw new RunFolderError(
        'busy',
        options.folder,
        `Another process works on ${options.folder}. Wait for it, or give each its --shard.`,
      )
    throw error
  }
}

async function underLock(suite: Suite, header: RunHeader, options: RunSuiteOptions): Promise<RunOutcome> {
  const cases = choose(await suite.cases(), options)
  const { shard, signal } = options
  const jobs = Array.from({ length: header.trials }, (_, trial) => cases.map((one) => ({ one, trial })))
    .flat()
    .filter((_, index) => !shard || index % shard.of === shard.index - 1)
  const folder = RunFolder.open(options.folder, header, shard)
  const open = jobs.filter(({ one, trial }) => !folder.done.has(keyOf({ id: one.id, trial })))
  const before = jobs.length - open.length
  let done = before
  let row = 0
  const failures: CaseFailure[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let job = open[next++]; job !== undefined; job = open[next++]) {
      if (signal?.aborted || row >= MOST_FAILURES) return
      try {
        const record = await runCase(suite, job.one, job.trial, header, options)
        folder.append(record)
        row = 0
        done++
        options.onCase?.(record, { done, total: jobs.length, before })
      } catch (error) {
        if (signal?.aborted) return
        row++
        const failure = {
          id: job.one.id,
          trial: job.trial,
          error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }
        failures.push(failure)
        options.onFailure?.(failure)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, options.concurrency ?? 1) }, work))
  } finally {
    folder.close()
  }
  return { header, progress: { done, total: jobs.length, before }, failures, aborted: signal?.aborted === true }
}

function headerOf(suite: Suite, options: RunSuiteOptions): RunHeader {
  const { engine, model } = options
  return {
    format: 1,
    suite: suite.name,
    suiteVersion: suite.version,
    title: suite.title,
    notes: [...(suite.notes ?? [])],
    model: model.name,
    modelFrom: model.from,
    ...(model.sha256 ? { modelSha256: model.sha256 } : {}),
    dialect: engine.model.dialect,
    sampling: { ...(options.sampling ?? suite.sampling ?? { temperature: 0 }) },
    ...(options.think === undefined ? {} : { think: options.think }),
    ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    trials: options.trials ?? 1,
    seed: options.seed ?? 1,
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.sample === undefined ? {} : { sample: options.sample }),
    botpsy: options.botpsy,
    started: new Date().toISOString(),
  }
}

/** The first ones, or a sample without replacement in the suite's order. */
function choose(cases: readonly EvalCase[], { limit, sample, seed }: RunSuiteOptions): readonly EvalCase[] {
  let chosen = [...cases]
  if (sample !== undefined && sample < chosen.length) {
    const random = seededRandom(seed ?? 1)
    const order = chosen.map((_, index) => ({ index, at: random() })).sort((a, b) => a.at - b.at)
    const kept = new Set(order.slice(0, sample).map(({ index }) => index))
    chosen = chosen.filter((_, index) => kept.has(index))
  }
  return limit === undefined ? chosen : chosen.slice(0, limit)
}

/** A seed of this case and trial alone. */
function seedOf(header: RunHeader, id: string, trial: number): number {
  return createHash('sha256').update(`${header.seed} ${header.suite} ${trial} ${id}`).digest().readUInt32LE(0) >>> 1
}

async function runCase(
  suite: Suite,
  one: EvalCase,
  trial: number,
  header: RunHeader,
  options: RunSuiteOptions,
): Promise<RunRecord> {
  const metered = new MeteredEngine(options.engine)
  const started = performance.now()
  const seed = seedOf(header, one.id, trial)
  const base = { id: one.id, trial, labels: { ...one.labels } }
  const measured = (): Pick<RunRecord, 'usage' | 'ms' | 'loops' | 'transcript'> => ({
    usage: metered.usage,
    ms: performance.now() - started,
    loops: loops(metered.transcript),
    transcript: metered.transcript,
  })
  try {
    const outcome = await suite.run(one, {
      engine: metered,
      trial,
      seed,
      sampling: { seed, ...(header.sampling as Sampling) },
      ...(header.think === undefined ? {} : { think: header.think }),
      ...(header.maxTokens === undefined ? {} : { maxTokens: header.maxTokens }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    if (options.signal?.aborted) throw new Error('aborted')
    return { ...base, outcome, score: await suite.score(one, outcome), ...measured() }
  } catch (error) {
    // A prompt beyond the model's context is the model's limit, and counts as a wrong answer.
    if (!(error instanceof EngineError && error.code === 'context-full')) throw error
    return { ...base, outcome: null, score: { value: 0, reason: error.message }, ...measured() }
  }
}
