import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { CONNECTIONS_FILE, CREDENTIALS_FILE } from '../../domains/connections/index.js'
import { copyDatabase } from '../../domains/store/index.js'
import { LockTimeoutError, withFileLock } from '../../engine/file-lock.js'
import { Journal } from '../journal.js'
import { processLives } from '../process-lives.js'
import { copyWithTime, filesEntries, homeEntries, isDatabase } from './home-entries.js'
import { ArchiveError, MANIFEST, type Manifest, SECRETS } from './manifest.js'
import { mergeHome } from './merge-home.js'
import { readArchive } from './read-archive.js'
import { finishSwap, swapHome } from './swap.js'

/** How an archive meets what is here: only into an empty folder, beside it, or instead of it. */
export type ImportMode = 'fresh' | 'merge' | 'replace'

/** What an import did. */
export interface Imported {
  readonly manifest: Manifest
  /** The data folder as it was before; undefined when there was none. */
  readonly backup: string | undefined
  /** What differs and stayed as it was here (merge only). */
  readonly conflicts: readonly string[]
  /** Passwords that came along, by kind of connection. */
  readonly secrets: string | undefined
}

/**
 * Brings an archive into a data folder. Everything is prepared and checked beside it and put in its place by renaming,
 * so that a crash leaves the old folder or the new one; the old one stays as a backup.
 * @param root the data folder; may be missing
 * @throws ArchiveError; nothing was changed then
 */
export async function importHome(root: string, archive: string, mode: ImportMode, now = new Date()): Promise<Imported> {
  const home = resolve(root)
  const lock = join(dirname(home), `.${basename(home)}.import.lock`)
  try {
    return await withFileLock(lock, { timeoutMs: 0 }, async () => {
      finishSwap(home)
      return bringIn(home, resolve(archive), mode, now)
    })
  } catch (error) {
    if (error instanceof LockTimeoutError) throw inUse(home, 'another import')
    throw error
  } finally {
    rmSync(lock, { force: true })
  }
}

const inUse = (home: string, who: string): ArchiveError =>
  new ArchiveError('in-use', home, `${home} is used by ${who}. End it first, then import again; nothing was changed.`)

async function bringIn(home: string, archive: string, mode: ImportMode, now: Date): Promise<Imported> {
  const present = existsSync(home) ? homeEntries(home).filter((path) => path !== 'policy.yaml') : []
  const files = existsSync(join(home, 'files')) ? filesEntries(join(home, 'files')) : []
  if (mode === 'fresh' && present.length + files.length > 0)
    throw new ArchiveError(
      'has-data',
      home,
      `${home} has data already. Add --merge to bring in what is missing here, or --replace to put the archive in its place; both keep a backup.`,
    )
  const staged = mkdtempSync(`${home}.import-`)
  const merged = `${staged}-merged`
  try {
    const manifest = await readArchive(archive, staged)
    await quiet(home)
    const secrets = existsSync(join(staged, SECRETS)) ? join(staged, SECRETS) : undefined
    const text = secrets === undefined ? undefined : readFileSync(secrets, 'utf8')
    rmSync(join(staged, MANIFEST))
    if (secrets !== undefined) rmSync(secrets)
    const carry = ['models', 'cache', ...(manifest.files ? [] : ['files'])]
    if (mode !== 'merge' || present.length + files.length === 0) {
      const backup = swapHome(home, staged, carry, now)
      return { manifest, backup, conflicts: [], secrets: text }
    }
    copyHome(home, merged, manifest.files)
    const paths = Object.keys(manifest.entries).filter((path) => path !== SECRETS)
    const { conflicts } = mergeHome(merged, staged, paths)
    const backup = swapHome(home, merged, carry, now)
    return { manifest, backup, conflicts, secrets: text }
  } finally {
    rmSync(staged, { recursive: true, force: true })
    rmSync(merged, { recursive: true, force: true })
  }
}

/** @throws ArchiveError `in-use` when a service or a request works on the folder */
async function quiet(home: string): Promise<void> {
  if (existsSync(join(home, 'locks', 'service.lock'))) {
    await withFileLock(join(home, 'locks', 'service.lock'), { timeoutMs: 0 }, async () => undefined).catch((error) => {
      throw error instanceof LockTimeoutError ? inUse(home, 'the BotPsy service') : error
    })
  }
  if (!existsSync(join(home, 'journal.sqlite'))) return
  const journal = new Journal(join(home, 'journal.sqlite'))
  try {
    for (const run of journal.openRuns()) {
      const last = journal.entries(run).findLast(({ body }) => body.type === 'run.start' || body.type === 'run.resume')
      const pid = last && 'pid' in last.body ? last.body.pid : undefined
      if (last !== undefined && pid !== undefined && pid !== process.pid && processLives(pid, last.at))
        throw inUse(home, `a request that is being done (process ${pid})`)
    }
  } finally {
    journal.close()
  }
}

/** A consistent copy of a data folder for the merge; files go along only when the archive brings some. */
function copyHome(home: string, to: string, withFiles: boolean): void {
  const paths = [
    ...homeEntries(home),
    ...(existsSync(join(home, CREDENTIALS_FILE)) ? [CREDENTIALS_FILE] : []),
    ...(withFiles && existsSync(join(home, 'files')) ? filesEntries(join(home, 'files')).map((p) => `files/${p}`) : []),
  ]
  mkdirSync(to, { mode: 0o700 })
  for (const path of paths) {
    const [source, target] = [join(home, path), join(to, path)]
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (!isDatabase(source)) {
      copyWithTime(source, target)
      continue
    }
    const db = new Database(source, { readonly: true, timeout: 10_000 })
    try {
      copyDatabase(db, target)
    } finally {
      db.close()
    }
  }
}

/** Whether an archive brings connections, whose passwords may have to be given again. */
export function bringsConnections(manifest: Manifest): boolean {
  return Object.hasOwn(manifest.entries, CONNECTIONS_FILE)
}
