import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'

/** How to wait for a lock. */
export interface LockOptions {
  /** Longest wait in milliseconds; default one hour. */
  readonly timeoutMs?: number
  /** Called once when somebody else holds the lock. */
  readonly onWait?: () => void
  readonly signal?: AbortSignal
}

/**
 * Runs `work` while this process alone holds the lock file. The lock is SQLite's exclusive file lock: the operating
 * system frees it when its holder dies, so that no stale lock can remain.
 * @throws {LockTimeoutError} when it is not free in time; the signal's reason when aborted.
 */
export async function withFileLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true })
  const deadline = Date.now() + (options.timeoutMs ?? 3_600_000)
  const database = new Database(file, { timeout: 0 })
  try {
    let told = false
    for (;;) {
      options.signal?.throwIfAborted()
      try {
        database.exec('BEGIN EXCLUSIVE')
        break
      } catch (error) {
        if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
      }
      if (!told) options.onWait?.()
      told = true
      if (Date.now() > deadline) throw new LockTimeoutError(file)
      await sleep(200, undefined, options.signal === undefined ? {} : { signal: options.signal })
    }
    return await work()
  } finally {
    database.close()
  }
}

/** Somebody else held the lock for too long. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError'
  readonly code = 'lock-timeout'
  constructor(readonly where: string) {
    super(`Another process holds ${where}; wait for it to finish or end it.`)
  }
}
