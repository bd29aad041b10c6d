import { existsSync, renameSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'

/** One step from a format of a database to the next one; runs inside the migration's transaction. */
export interface Migration {
  /** Version after the step; steps stand in ascending order. */
  readonly to: number
  readonly run: (db: Database.Database) => void
}

/** A database of a later program. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
  readonly code = 'newer'
  constructor(
    /** The file. */
    readonly where: string,
    readonly found: number,
    readonly known: number,
  ) {
    super(
      `${where} was written by a newer BotPsy (format ${found}, this one knows ${known}). Update BotPsy; nothing was changed.`,
    )
  }
}

/** Version of a database, kept in SQLite's `user_version`; 0 for an empty one. */
export function databaseVersion(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/**
 * Brings a database to the version of the last step, all steps or none. What an older program wrote is copied first to
 * `FILE.vN.backup` beside it; the copy stays. Several processes may open the file at once: one migrates.
 * @returns the backup's path when one was made
 * @throws NewerDatabaseError; SQLite's errors, with the file as it was
 */
export function migrateDatabase(db: Database.Database, file: string, steps: readonly Migration[]): string | undefined {
  const latest = steps.at(-1)?.to ?? 0
  const version = databaseVersion(db)
  if (version > latest) throw new NewerDatabaseError(file, version, latest)
  if (version === latest) return undefined
  const backup = version > 0 && file !== ':memory:' ? backUp(db, file, version) : undefined
  db.transaction(() => {
    // Another process may have been faster.
    const from = databaseVersion(db)
    if (from > latest) throw new NewerDatabaseError(file, from, latest)
    for (const step of steps) {
      if (step.to <= from) continue
      step.run(db)
      db.pragma(`user_version = ${step.to}`)
    }
  }).immediate()
  return backup
}

function backUp(db: Database.Database, file: string, version: number): string {
  const target = `${file}.v${version}.backup`
  if (existsSync(target)) return target
  const temporary = `${target}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  try {
    copyDatabase(db, temporary)
    const copy = new Database(temporary, { readonly: true })
    const copied = databaseVersion(copy)
    copy.close()
    // Migrated by another process since: its backup is there already.
    if (copied === version) renameSync(temporary, target)
  } finally {
    rmSync(temporary, { force: true })
  }
  return target
}

/** A consistent copy of a database that other processes may be writing to (VACUUM INTO). The target must not exist. */
export function copyDatabase(db: Database.Database, target: string): void {
  db.prepare('VACUUM INTO ?').run(target)
}
