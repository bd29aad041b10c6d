import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defaultHome } from '../agent/home.js'

/** The data of a benchmark is not on this machine. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError'
  readonly code = 'missing-data'
  constructor(
    /** Path below benchmarks/ that was looked for. */
    readonly what: string,
    readonly places: readonly string[],
  ) {
    super(
      `${what} was not found${places.length > 0 ? ` in ${places.join(' or ')}` : ''}. ` +
        'Fetch it with `botpsy data fetch`, or set BOTPSY_DATASETS to the folder that holds benchmarks/.',
    )
  }
}

/** Where `botpsy data fetch` puts sets: `cache/datasets` in the data folder. */
export function datasetsCache(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.BOTPSY_HOME || defaultHome(env), 'cache', 'datasets')
}

/** Folders that are looked through for data: the one that BOTPSY_DATASETS names, else the cache. */
export function datasetsFolders(env: NodeJS.ProcessEnv = process.env): readonly string[] {
  return [env.BOTPSY_DATASETS || datasetsCache(env)]
}

/** Folder of the corpora that training reads. */
export function corporaFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.BOTPSY_DATASETS || datasetsCache(env), 'corpora')
}

/**
 * Path of a benchmark's file or folder (`bfcl_v4/data`, `ifeval/input_data.jsonl` …): below `folder` when given, else
 * below the folder that BOTPSY_DATASETS names, else in the cache that `botpsy data fetch` fills.
 * @throws MissingDataError
 */
export function benchmarkPath(what: string, folder?: string): string {
  const folders = folder ? [folder] : datasetsFolders()
  const path = folders.map((one) => join(one, 'benchmarks', what)).find((one) => existsSync(one))
  if (path === undefined) throw new MissingDataError(what, folders)
  return path
}
