import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { RunFolderError, type RunHeader, type RunRecord, runHeaderSchema, runRecordSchema } from './run-record.js'

const HEADER = 'run.json'
const RESULTS = /^results(?:-\d+-of-\d+)?\.jsonl$/

/** Members that a resumed run may change: they say nothing about what the numbers mean. */
const FREE = new Set(['started', 'botpsy', 'modelFrom', 'limit', 'sample'])

/** A run that was read. */
export interface StoredRun {
  readonly folder: string
  readonly header: RunHeader
  /** In order of the files; every case and trial once. */
  readonly records: readonly RunRecord[]
}

/**
 * The folder of one run: `run.json` and a file of finished cases for each shard. A line is appended and on disk before the
 * case counts as done; a line that a kill tore is cut off, and its case is run again.
 */
export class RunFolder {
  private constructor(
    readonly folder: string,
    readonly header: RunHeader,
    private readonly descriptor: number,
    /** Finished cases, all shards. */
    readonly done: ReadonlySet<string>,
  ) {}

  /**
   * Opens a folder for writing, new or to go on. The caller holds its lock.
   * @param shard 1-based index and number of shards; each shard writes a file of its own
   * @throws RunFolderError `other-run` when it holds a run with other settings, `damaged`
   */
  static open(folder: string, header: RunHeader, shard?: { readonly index: number; readonly of: number }): RunFolder {
    mkdirSync(folder, { recursive: true })
    const at = join(folder, HEADER)
    if (existsSync(at)) {
      const known = readHeader(folder)
      const differing = Object.keys({ ...known, ...header }).filter(
        (key) =>
          !FREE.has(key) &&
          JSON.stringify(known[key as keyof RunHeader]) !== JSON.stringify(header[key as keyof RunHeader]),
      )
      if (differing.length > 0)
        throw new RunFolderError(
          'other-run',
          folder,
          `${folder} holds a run of ${known.suite} with ${known.model} whose ${differing.join(', ')} differ. Name another folder with --out, or the same settings to go on.`,
        )
    } else {
      writeFileSync(`${at}.part`, `${JSON.stringify(header, undefined, 2)}\n`)
      renameSync(`${at}.part`, at)
    }
    const file = join(folder, shard ? `results-${shard.index}-of-${shard.of}.jsonl` : 'results.jsonl')
    cutTornLine(file)
    const done = new Set(readRun(folder).records.map(keyOf))
    return new RunFolder(folder, header, openSync(file, 'a'), done)
  }

  /** Adds a finished case; it is on disk when this returns. */
  append(record: RunRecord): void {
    writeSync(this.descriptor, `${JSON.stringify(record)}\n`)
    fsyncSync(this.descriptor)
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

/** Identifies a case and trial within a run. */
export function keyOf({ id, trial }: Pick<RunRecord, 'id' | 'trial'>): string {
  return `${trial} ${id}`
}

function readHeader(folder: string): RunHeader {
  const at = join(folder, HEADER)
  if (!existsSync(at))
    throw new RunFolderError(
      'no-run',
      folder,
      `${folder} holds no run (there is no ${HEADER}). Make one with botpsy eval run.`,
    )
  try {
    return runHeaderSchema.parse(JSON.parse(readFileSync(at, 'utf8')))
  } catch (error) {
    throw new RunFolderError('damaged', at, `${at} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Reads a run with all its shards.
 * @throws RunFolderError `no-run`, `damaged` with file and line
 */
export function readRun(folder: string): StoredRun {
  const header = readHeader(folder)
  const records = new Map<string, RunRecord>()
  for (const name of readdirSync(folder)
    .filter((one) => RESULTS.test(one))
    .sort()) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    // What follows the last line end was torn by a kill, and is no result.
    for (const [index, line] of lines.slice(0, -1).entries()) {
      try {
        const record = runRecordSchema.parse(JSON.parse(line))
        if (!records.has(keyOf(record))) records.set(keyOf(record), record)
      } catch (error) {
        const where = `${join(folder, name)}:${index + 1}`
        throw new RunFolderError(
          'damaged',
          where,
          `${where} is no result: ${error instanceof Error ? error.message : error}. Remove the line; its case will be run again.`,
        )
      }
    }
  }
  return { folder, header, records: [...records.values()] }
}

function cutTornLine(file: string): void {
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const whole = bytes.lastIndexOf(0x0a) + 1
  if (whole < bytes.length) truncateSync(file, whole)
}
