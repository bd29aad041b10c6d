import { randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { type Migration, migrateDatabase, NewerDatabaseError } from '../domains/store/migrate.js'
import type { JournalBody, JournalEntry } from './journal-entry.js'
import { itemsOf, TaintRegister } from './taint-register.js'
import { NO_MODEL } from './unattended.js'

/** A journal that cannot be opened or written; `message` says what to do. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
  constructor(
    readonly code: 'cannot-open' | 'newer' | 'corrupt' | 'cannot-write' | 'already-written',
    /** File of the journal. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/** Version of the journal's tables, kept in SQLite's `user_version`. */
export const JOURNAL_VERSION = 1

/** What must be on disk before the program goes on: everything that an effect or its undoing hangs on. */
const DURABLE: ReadonlySet<JournalBody['type']> = new Set([
  'intent',
  'outcome',
  'approval',
  'undo.intent',
  'undo.outcome',
])

const TABLES = `
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  call TEXT,
  body TEXT NOT NULL
);
CREATE INDEX entries_by_run ON entries (run, seq);
CREATE INDEX entries_by_type ON entries (type, seq);
CREATE UNIQUE INDEX one_intent ON entries (run, call) WHERE type = 'intent';
CREATE UNIQUE INDEX one_outcome ON entries (run, call) WHERE type IN ('outcome', 'refused');
CREATE UNIQUE INDEX one_resume ON entries (run, call) WHERE type = 'run.resume';
CREATE UNIQUE INDEX one_end ON entries (run) WHERE type = 'run.end';
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
`

/** How a journal of any earlier version becomes one of this. A new version is a new step here. */
export const JOURNAL_MIGRATIONS: readonly Migration[] = [{ to: JOURNAL_VERSION, run: (db) => db.exec(TABLES) }]

const damaged = (file: string, text: string): string =>
  `The journal ${file} is damaged (${text}). Nothing was changed. \`botpsy audit --rescue\` keeps a copy of it and saves what can still be read.`

/** Where the register of outside text that goes with a journal is kept. */
export function taintFile(journal: string): string {
  return journal === ':memory:' ? journal : `${journal.replace(/\.sqlite$/, '')}.taint.sqlite`
}

interface Row {
  readonly seq: number
  readonly run: string
  readonly at: number
  readonly body: string
}

/**
 * The append-only record of everything that happens, on SQLite in WAL mode (https://www.sqlite.org/wal.html). Entries
 * that effects hang on are forced to disk (synchronous = FULL) before `append` returns; the others are written at once
 * and forced with the next such entry, since the log is sequential. Neither a kill nor a power cut loses an intent whose
 * effect started.
 */
export class Journal {
  readonly #db: Database.Database
  readonly #insert: Database.Statement
  #full = true
  #taint: TaintRegister | undefined

  /**
   * Opens or makes the journal.
   * @param file path, or `:memory:`
   * @param clock milliseconds since 1970, for the time of entries
   * @throws JournalError `cannot-open`, `newer` (made by a later version), `corrupt`
   */
  constructor(
    readonly file: string,
    private readonly clock: () => number = Date.now,
    migrations: readonly Migration[] = JOURNAL_MIGRATIONS,
  ) {
    try {
      this.#db = new Database(file, { timeout: 10_000 })
      this.#db.pragma('journal_mode = WAL')
      this.#db.pragma('synchronous = FULL')
      migrateDatabase(this.#db, file, migrations)
      this.#insert = this.#db.prepare('INSERT INTO entries (run, at, type, call, body) VALUES (?, ?, ?, ?, ?)')
    } catch (error) {
      if (error instanceof NewerDatabaseError)
        throw new JournalError(
          'newer',
          file,
          `The journal ${file} was written by a newer BotPsy (format ${error.found}, known ${error.known}). Update BotPsy.`,
        )
      const text = error instanceof Error ? error.message : String(error)
      const corrupt = /not a database|malformed|corrupt|no such (?:table|column)/i.test(text)
      throw new JournalError(
        corrupt ? 'corrupt' : 'cannot-open',
        file,
        corrupt
          ? damaged(file, text)
          : `The journal ${file} cannot be opened (${text}). Check that its folder exists, has room and may be written.`,
      )
    }
  }

  /**
   * Appends entries, all or none; when it returns, those that effects hang on are on disk.
   * @throws JournalError `already-written` when this call has an intent or outcome already (another process resumed the
   * run), `cannot-write` when the disk is full or read-only
   */
  append(run: string, ...bodies: readonly JournalBody[]): JournalEntry[] {
    const durable = bodies.some((body) => DURABLE.has(body.type))
    const at = this.clock()
    try {
      if (durable !== this.#full) {
        this.#db.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`)
        this.#full = durable
      }
      const write = (): JournalEntry[] =>
        bodies.map((body) => {
          const call = 'call' in body ? body.call : null
          const info = this.#insert.run(run, at, body.type, call, JSON.stringify(body))
          return { seq: Number(info.lastInsertRowid), run, at, body }
        })
      return bodies.length === 1 ? write() : this.#db.transaction(write)()
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (/UNIQUE/.test(text)) {
        throw new JournalError('already-written', this.file, `Another process already went on with this run.`)
      }
      if (/malformed|corrupt/i.test(text)) throw new JournalError('corrupt', this.file, damaged(this.file, text))
      throw new JournalError(
        'cannot-write',
        this.file,
        `The journal cannot be written (${text}); nothing further was done. Make room or make ${this.file} writable.`,
      )
    }
  }

  /** All entries of a run, in order. */
  entries(run: string): JournalEntry[] {
    return this.#read('SELECT seq, run, at, body FROM entries WHERE run = ? ORDER BY seq', run)
  }

  /** The entry of this number. */
  entry(seq: number): JournalEntry | undefined {
    return this.#read('SELECT seq, run, at, body FROM entries WHERE seq = ?', seq)[0]
  }

  /** Starts of runs, newest first. */
  runs(limit = 20): JournalEntry[] {
    return this.#read(
      "SELECT seq, run, at, body FROM entries WHERE type = 'run.start' ORDER BY seq DESC LIMIT ?",
      limit,
    )
  }

  /** Runs of a thread, oldest first. */
  runsOf(thread: string): string[] {
    return this.#read(
      "SELECT seq, run, at, body FROM entries WHERE type = 'run.start' AND json_extract(body, '$.thread') = ? ORDER BY seq",
      thread,
    ).map((entry) => entry.run)
  }

  /** Runs that started and did not end, oldest first; without fixed actions of automations, which no model goes on with. */
  openRuns(): string[] {
    return this.#read(
      `SELECT seq, run, at, body FROM entries AS s WHERE type = 'run.start'
       AND json_extract(body, '$.model') <> ?
       AND NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.run = s.run AND e.type = 'run.end') ORDER BY seq`,
      NO_MODEL.automation,
    ).map((entry) => entry.run)
  }

  /** Entries of one type, newest first. */
  ofType(type: JournalBody['type'], limit = 100): JournalEntry[] {
    return this.#read('SELECT seq, run, at, body FROM entries WHERE type = ? ORDER BY seq DESC LIMIT ?', type, limit)
  }

  /** A fresh run id. */
  newRun(): string {
    return randomUUID()
  }

  /**
   * What outside text was written into stores, remembered beside the journal (`NAME.taint.sqlite`). When that file is lost
   * or damaged it is made again from the journal's own entries.
   * @throws TaintError
   */
  get taint(): TaintRegister {
    if (!this.#taint) {
      this.#taint = new TaintRegister(taintFile(this.file), this.clock)
      if (this.#taint.fresh) this.#refill(this.#taint)
    }
    return this.#taint
  }

  #refill(register: TaintRegister): void {
    const rows = this.#read(
      `SELECT seq, run, at, body FROM entries WHERE type = 'intent' AND json_extract(body, '$.taintedBy') IS NOT NULL
       OR type = 'outcome' AND json_extract(body, '$.outside') IS NOT NULL AND json_extract(body, '$.effect') <> 'read'
       ORDER BY seq`,
    )
    for (const { run, body } of rows) {
      if (body.type === 'intent' && body.taintedBy !== undefined) {
        const texts = (body.tainted ?? []).flatMap((name) => {
          const value = body.args[name]
          return value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)]
        })
        const made = this.#read(
          "SELECT seq, run, at, body FROM entries WHERE run = ? AND call = ? AND type = 'outcome'",
          run,
          body.call,
        ).flatMap((entry) => (entry.body.type === 'outcome' ? itemsOf(entry.body.data, entry.body.undo) : []))
        register.add({ label: body.taintedBy, field: body.field ?? '', texts, items: made })
      }
      if (body.type === 'outcome' && body.outside !== undefined) {
        register.add({
          label: body.outside,
          field: '',
          texts: [body.content],
          items: itemsOf(body.data, body.undo),
        })
      }
    }
  }

  close(): void {
    this.#taint?.close()
    this.#db.close()
  }

  #read(sql: string, ...parameters: (string | number)[]): JournalEntry[] {
    try {
      const rows = this.#db.prepare(sql).all(...parameters) as Row[]
      return rows.map((row) => ({ seq: row.seq, run: row.run, at: row.at, body: JSON.parse(row.body) as JournalBody }))
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      throw new JournalError('corrupt', this.file, damaged(this.file, text))
    }
  }
}
