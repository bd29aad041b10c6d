import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Journal, JournalError } from './journal.js'
import type { JournalBody, JournalEntry } from './journal-entry.js'
import { salvagePages } from './salvage-pages.js'

/** What became of a damaged journal. */
export interface RescueReport {
  /** Copy of the damaged file, made before anything else; its `-wal` and `-shm` lie beside it. */
  readonly backup: string
  /** Entries that could be read and are in the journal again. */
  readonly kept: number
  /** Numbers between the first and the last entry that could not be read, as ranges. */
  readonly missing: readonly (readonly [from: number, to: number])[]
  /** Interrupted runs that are ended, since an entry of theirs may be among the missing ones. */
  readonly ended: readonly string[]
}

/** Most entries read at once before a range is halved. */
const STEP = 1024

/**
 * Saves what can be read of a damaged journal. First a copy is made; then every entry that can still be read is written
 * into a new file under its own number, which takes the old one's place only when it is complete. Whole and partly
 * written pages are told apart by reading ever smaller ranges, by number and then by run. Interrupted runs are ended, not
 * resumed, when anything is missing: an intent or outcome of theirs could be gone, and nothing must happen twice.
 *
 * Must run while no other process uses the journal. A journal without damage is left as it is (`kept` counts it).
 * @throws JournalError `cannot-open` when not even a copy can be made, `cannot-write` when the new file cannot be written
 */
export function rescueJournal(file: string, clock: () => number = Date.now): RescueReport {
  const backup = `${file}.damaged-${new Date(clock()).toISOString().replace(/[:.]/g, '-')}`
  try {
    for (const tail of ['', '-wal', '-shm']) {
      if (existsSync(`${file}${tail}`)) copyFileSync(`${file}${tail}`, `${backup}${tail}`)
    }
  } catch (error) {
    throw new JournalError('cannot-open', file, `No copy of ${file} can be made (${said(error)}); nothing was changed.`)
  }
  const fresh = `${file}.rescued`
  for (const tail of ['', '-wal', '-shm']) rmSync(`${fresh}${tail}`, { force: true })
  const direct = readable(file)
  const entries = withSalvaged(file, direct.length > 0 ? direct : readableBehindHeader(file, fresh, clock))
  const missing = gaps(entries)
  let ended: readonly string[] = []
  try {
    new Journal(fresh, clock).close()
    const target = new Database(fresh)
    const insert = target.prepare(
      'INSERT OR IGNORE INTO entries (seq, run, at, type, call, body) VALUES (?, ?, ?, ?, ?, ?)',
    )
    target.transaction(() => {
      for (const { seq, run, at, body } of entries) {
        insert.run(seq, run, at, body.type, 'call' in body ? body.call : null, JSON.stringify(body))
      }
    })()
    target.close()
    const journal = new Journal(fresh, clock)
    // Also when nothing seems missing: the damage may have taken the newest entries, which leave no gap.
    ended = journal.openRuns()
    const text = 'The journal was damaged while this was going on; what had been done until then is kept. Please check.'
    for (const run of ended) journal.append(run, { type: 'run.end', status: 'failed', text, stop: 'rescued' })
    journal.close()
    for (const tail of ['-wal', '-shm']) rmSync(`${file}${tail}`, { force: true })
    renameSync(fresh, file)
  } catch (error) {
    if (error instanceof JournalError) throw error
    throw new JournalError(
      'cannot-write',
      file,
      `The rescued journal cannot be written (${said(error)}); ${backup} is whole.`,
    )
  }
  return { backup, kept: entries.length, missing, ended }
}

/** With the entries that only their own pages still lead to, when the tree above them is damaged. */
function withSalvaged(file: string, entries: readonly JournalEntry[]): JournalEntry[] {
  const found = new Map(entries.map((entry) => [entry.seq, entry]))
  try {
    for (const row of salvagePages(file)) {
      const body = bodyOf(row)
      if (body && !found.has(row.seq)) found.set(row.seq, { seq: row.seq, run: row.run, at: row.at, body })
    }
  } catch {
    // A file that cannot be read at all adds nothing.
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq)
}

/** Every entry that can be read, in order. */
function readable(file: string): JournalEntry[] {
  const found = new Map<number, JournalEntry>()
  let db: Database.Database
  try {
    // Opened for writing, so that a log which was not yet merged is taken in.
    db = new Database(file)
  } catch {
    return []
  }
  const take = (sql: string, ...parameters: (number | string)[]): boolean => {
    try {
      for (const row of db.prepare(sql).iterate(...parameters) as Iterable<Row>) {
        const body = bodyOf(row)
        if (body) found.set(row.seq, { seq: row.seq, run: row.run, at: row.at, body })
      }
      return true
    } catch {
      return false
    }
  }
  try {
    const columns = 'SELECT seq, run, at, type, body FROM entries'
    const range = (from: number, to: number): void => {
      if (take(`${columns} WHERE seq BETWEEN ? AND ? ORDER BY seq`, from, to) || from === to) return
      const middle = Math.floor((from + to) / 2)
      range(from, middle)
      range(middle + 1, to)
    }
    const last = lastSeq(db)
    for (let from = 1; from <= last; from += STEP) range(from, Math.min(last, from + STEP - 1))
    // From the end backwards and through the indexes: other pages lead to the same rows.
    take(`${columns} ORDER BY seq DESC`)
    take(`${columns} INDEXED BY entries_by_run WHERE run > '' ORDER BY run, seq`)
    take(`${columns} INDEXED BY entries_by_type WHERE type > '' ORDER BY type, seq`)
  } finally {
    db.close()
  }
  return [...found.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Entries of a file whose first page is damaged: it holds the tables' layout, which is the same in every journal of this
 * version, so that of a new one is put in its place (in a copy). File format: https://www.sqlite.org/fileformat2.html, the
 * size in pages stands at byte 28.
 */
function readableBehindHeader(file: string, scratch: string, clock: () => number): JournalEntry[] {
  try {
    new Journal(scratch, clock).close()
    const header = readFileSync(scratch)
    const pageSize = header.readUInt16BE(16)
    const whole = readFileSync(file)
    if (whole.length < 2 * pageSize) return []
    header.copy(whole, 0, 0, pageSize)
    whole.writeUInt32BE(Math.floor(whole.length / pageSize), 28)
    writeFileSync(scratch, whole)
    return readable(scratch)
  } catch {
    return []
  } finally {
    for (const tail of ['', '-wal', '-shm']) rmSync(`${scratch}${tail}`, { force: true })
  }
}

interface Row {
  readonly seq: number
  readonly run: string
  readonly at: number
  readonly type: string
  readonly body: string
}

/** The body of a row, unless damage left something in its place that no journal writes. */
function bodyOf({ seq, run, at, type, body }: Row): JournalBody | undefined {
  if (!Number.isSafeInteger(seq) || typeof run !== 'string' || typeof at !== 'number') return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    const fits = typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === type
    return fits ? (parsed as JournalBody) : undefined
  } catch {
    return undefined
  }
}

/** The highest number that may have been given. */
function lastSeq(db: Database.Database): number {
  const ways = [
    "SELECT seq AS n FROM sqlite_sequence WHERE name = 'entries'",
    'SELECT max(seq) AS n FROM entries',
    'SELECT max(seq) AS n FROM entries INDEXED BY entries_by_type',
  ]
  let most = 0
  for (const sql of ways) {
    try {
      const row = db.prepare(sql).get() as { readonly n: number | null } | undefined
      most = Math.max(most, Math.min(row?.n ?? 0, 50_000_000))
    } catch {
      // Another way may still lead there.
    }
  }
  return most
}

function gaps(entries: readonly JournalEntry[]): (readonly [number, number])[] {
  const missing: [number, number][] = []
  let next = 1
  for (const { seq } of entries) {
    if (seq > next) missing.push([next, seq - 1])
    next = seq + 1
  }
  return missing
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
