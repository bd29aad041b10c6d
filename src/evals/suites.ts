import type { Engine } from '../engine/contract.js'
import type { Suite } from './runner/suite.js'

/** What every suite is opened with. */
export interface SuiteOptions {
  /** Folder that holds benchmarks/; undefined: the one BOTPSY_DATASETS names. */
  readonly datasets?: string
  /** Judges answers, in suites that need a judge; without it their rules do. */
  readonly judge?: Engine
  /** Plays the user in suites of conversations; undefined: the tested model plays both. */
  readonly user?: Engine
}

/** A suite as `botpsy eval list` shows it before anything is read. */
export interface SuiteEntry {
  readonly name: string
  readonly title: string
  /** Benchmark that published figures go by. */
  readonly published?: string
  open(options: SuiteOptions): Promise<Suite>
}

/** There is no suite of this name. */
export class NoSuiteError extends Error {
  override readonly name = 'NoSuiteError'
  readonly code = 'no-suite'
  constructor(
    readonly suite: string,
    readonly known: readonly string[],
  ) {
    super(`There is no suite ${suite}. Known: ${known.join(', ')}.`)
  }
}

const entries = new Map<string, SuiteEntry>()

/** Adds a suite; its code is loaded when it is opened. */
export function registerSuite(entry: SuiteEntry): void {
  entries.set(entry.name, entry)
}

/** All suites by name. */
export function suiteEntries(): readonly SuiteEntry[] {
  return [...entries.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** @throws NoSuiteError */
export function suiteEntry(name: string): SuiteEntry {
  const entry = entries.get(name)
  if (!entry)
    throw new NoSuiteError(
      name,
      suiteEntries().map((one) => one.name),
    )
  return entry
}
