import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
        'Set BOTPSY_DATASETS to the folder that holds benchmarks/.',
    )
  }
}

/**
 * Path of a benchmark's file or folder (`bfcl_v4/data`, `ifeval/input_data.jsonl` …): below `folder` when given, else
 * below the folder that BOTPSY_DATASETS names.
 * @throws MissingDataError
 */
export function benchmarkPath(what: string, folder: string | undefined = process.env.BOTPSY_DATASETS): string {
  if (folder === undefined || folder === '') throw new MissingDataError(what, [])
  const path = join(folder, 'benchmarks', what)
  if (!existsSync(path)) throw new MissingDataError(what, [folder])
  return path
}
