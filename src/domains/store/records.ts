import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolResult } from '../../tools/contract.js'
import { type Migration, migrateDatabase, NewerDatabaseError } from './migrate.js'
import { asStoreError, StoreError } from './store-error.js'

/** Version of the tables below; a file with a higher one was written by a newer program. */
export const RECORDS_SCHEMA = 1

const TABLES = `
CREATE TABLE IF NOT EXISTS items (collection TEXT NOT NULL, id TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (collection, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS effects (key TEXT PRIMARY KEY, tool TEXT NOT NULL, result TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS knowledge USING fts5(kind UNINDEXED, title, body, source UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2');
`

/** How a file of any earlier version becomes one of this. A new version is a new step here, never a change of an old one. */
export const RECORDS_MIGRATIONS: readonly Migration[] = [{ to: RECORDS_SCHEMA, run: (db) => db.exec(TABLES) }]

/** Words of a question that its answer need not hold. */
const STOP = new Set(
  'a an the of in on at to for from by with and or is are was were be been do does did has have had what who whom whose which when where why how many much tell me about please can you could would i my find show give get know want some any there it its this that'.split(
    ' ',
  ),
)

/** One stored object. */
export interface Item<T> {
  readonly id: string
  readonly data: T
}

interface Change {
  readonly collection: string
  readonly id: string
  readonly before: string | null
  readonly after: string | null
}

const undoSchema = z.object({
  rows: z.array(
    z.object({ collection: z.string(), id: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})

const resultSchema = z.object({
  ok: z.boolean(),
  content: z.string(),
  data: z.json().optional(),
  question: z.string().optional(),
  undo: z.record(z.string(), z.json()).optional(),
  untrusted: z.string().optional(),
})

/** A passage of the local knowledge index. */
export interface Passage {
  readonly title: string
  readonly body: string
  readonly source: string
}

/**
 * Small objects in named collections on SQLite. Changes made inside {@link effect} are atomic, happen once per key, and
 * can be taken back, because the rows are remembered as they were before.
 */
export class Records {
  private database: Database.Database | undefined
  private changes: Change[] | undefined

  /** Opens nothing yet: `file` is a path or `:memory:`. */
  constructor(
    private readonly file: string,
    private readonly migrations: readonly Migration[] = RECORDS_MIGRATIONS,
  ) {}

  private open(): Database.Database {
    if (this.database) return this.database
    try {
      if (this.file !== ':memory:') mkdirSync(dirname(this.file), { recursive: true })
      this.database = openDatabase(this.file, this.migrations)
      return this.database
    } catch (error) {
      throw asStoreError(error, 'the data folder')
    }
  }

  private guard<T>(work: (db: Database.Database) => T): T {
    const db = this.open()
    try {
      return work(db)
    } catch (error) {
      throw asStoreError(error, 'the data folder')
    }
  }

  /** All objects of a collection in the order of their ids (natural order: m2 before m10). Rows that do not fit the schema are left out. */
  all<T>(collection: string, schema: z.ZodType<T>): readonly Item<T>[] {
    const rows = this.guard((db) =>
      db
        .prepare<[string], { id: string; data: string }>('SELECT id, data FROM items WHERE collection = ?')
        .all(collection),
    )
    const out: Item<T>[] = []
    for (const row of rows) {
      const parsed = schema.safeParse(JSON.parse(row.data))
      if (parsed.success) out.push({ id: row.id, data: parsed.data })
    }
    return out.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))
  }

  /** Names of the collections that hold anything, in order. */
  collections(): readonly string[] {
    return this.guard((db) =>
      db
        .prepare<[], { collection: string }>('SELECT DISTINCT collection FROM items ORDER BY collection')
        .all()
        .map((row) => row.collection),
    )
  }

  /** One object, undefined when it is missing or does not fit. */
  get<T>(collection: string, id: string, schema: z.ZodType<T>): T | undefined {
    const raw = this.raw(collection, id)
    if (raw === null) return undefined
    const parsed = schema.safeParse(JSON.parse(raw))
    return parsed.success ? parsed.data : undefined
  }

  private raw(collection: string, id: string): string | null {
    return this.guard(
      (db) =>
        db
          .prepare<[string, string], { data: string }>('SELECT data FROM items WHERE collection = ? AND id = ?')
          .get(collection, id)?.data ?? null,
    )
  }

  /** Stores an object under an id. */
  put(collection: string, id: string, data: object): void {
    this.change(collection, id, JSON.stringify(data))
  }

  /** Removes an object; nothing happens when it is missing. */
  remove(collection: string, id: string): void {
    this.change(collection, id, null)
  }

  private change(collection: string, id: string, after: string | null): void {
    const before = this.raw(collection, id)
    if (before === after) return
    this.changes?.push({ collection, id, before, after })
    this.guard((db) => {
      if (after === null) db.prepare('DELETE FROM items WHERE collection = ? AND id = ?').run(collection, id)
      else
        db.prepare(
          'INSERT INTO items (collection, id, data) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
        ).run(collection, id, after)
    })
  }

  /** A new short id that can be said aloud: prefix and a running number. */
  nextId(prefix: string): string {
    const row = this.guard((db) =>
      db
        .prepare<[string], { value: number }>(
          'INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value',
        )
        .get(prefix),
    )
    return `${prefix}${row?.value ?? 1}`
  }

  /** Runs `work` in one transaction that no other process can interleave with. */
  transaction<T>(work: () => T): T {
    return this.guard((db) => db.transaction(work).immediate())
  }

  /** Does `work` once per key; a repetition returns the first result. Only successes are remembered. */
  effect(key: string, tool: string, work: () => ToolResult): ToolResult {
    return this.transaction(() => {
      const done = this.done(key)
      if (done) return done
      this.changes = []
      try {
        const result = work()
        if (!result.ok) {
          if (this.changes.length > 0) throw new Error(`${tool} failed after it had changed something`)
          return result
        }
        const rows = this.changes.map((c) => ({ ...c }))
        const full: ToolResult = rows.length > 0 && result.undo === undefined ? { ...result, undo: { rows } } : result
        this.guard((db) =>
          db.prepare('INSERT INTO effects (key, tool, result) VALUES (?, ?, ?)').run(key, tool, JSON.stringify(full)),
        )
        return full
      } finally {
        this.changes = undefined
      }
    })
  }

  /** Notes that an effect outside of these tables happened, with its result. */
  remember(key: string, tool: string, result: ToolResult): void {
    this.guard((db) =>
      db
        .prepare('INSERT INTO effects (key, tool, result) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
        .run(key, tool, JSON.stringify(result)),
    )
  }

  /** The result of the effect with this key, if it happened. */
  done(key: string): ToolResult | undefined {
    const row = this.guard((db) =>
      db.prepare<[string], { result: string }>('SELECT result FROM effects WHERE key = ?').get(key),
    )
    if (!row) return undefined
    const { ok, content, data, question, undo, untrusted } = resultSchema.parse(JSON.parse(row.result))
    return {
      ok,
      content,
      ...(data === undefined ? {} : { data }),
      ...(question === undefined ? {} : { question }),
      ...(undo === undefined ? {} : { undo }),
      ...(untrusted === undefined ? {} : { untrusted }),
    }
  }

  /** Puts rows back as they were, unless somebody changed them since. Reverting twice does nothing more. */
  revert(undo: JsonObject): 'reverted' | 'already' | 'changed' {
    const parsed = undoSchema.safeParse(undo)
    if (!parsed.success) return 'changed'
    return this.transaction(() => {
      // A row may have been touched more than once: its first and last state count.
      const rows = new Map<string, Change>()
      for (const row of parsed.data.rows) {
        const at = JSON.stringify([row.collection, row.id])
        rows.set(at, { ...row, before: rows.get(at)?.before ?? (rows.has(at) ? null : row.before) })
      }
      const states = [...rows.values()].map((r) => ({ ...r, current: this.raw(r.collection, r.id) }))
      if (states.every((r) => r.current === r.before)) return 'already'
      if (states.some((r) => r.current !== r.after)) return 'changed'
      for (const r of states) this.change(r.collection, r.id, r.before)
      return 'reverted'
    })
  }

  /** Adds a passage to the local index that questions are answered from. */
  learn(kind: string, passage: Passage): void {
    this.guard((db) =>
      db
        .prepare('INSERT INTO knowledge (kind, title, body, source) VALUES (?, ?, ?, ?)')
        .run(kind, passage.title, passage.body, passage.source),
    )
  }

  /** Passages that hold all content words of a query, best first. Kind narrows it. */
  lookUp(query: string, kind: string | undefined, limit = 5): readonly Passage[] {
    const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((w) => !STOP.has(w))
    if (words.length === 0) return []
    const match = words
      .slice(0, 32)
      .map((w) => `"${w}"`)
      .join(' ')
    return this.guard((db) =>
      db
        .prepare<[string, string | null, string | null, number], Passage>(
          'SELECT title, body, source FROM knowledge WHERE knowledge MATCH ? AND (? IS NULL OR kind = ?) ORDER BY bm25(knowledge, 0, 4, 1, 0) LIMIT ?',
        )
        .all(match, kind ?? null, kind ?? null, limit),
    )
  }

  /** Closes the file; the next use opens it again. */
  close(): void {
    this.database?.close()
    this.database = undefined
  }
}

function openDatabase(file: string, migrations: readonly Migration[]): Database.Database {
  const db = new Database(file, { timeout: 10_000 })
  try {
    migrateDatabase(db, file, migrations)
    return db
  } catch (error) {
    db.close()
    if (error instanceof NewerDatabaseError)
      throw new StoreError(
        'newer-schema',
        'the data folder',
        `The data folder was written by a newer BotPsy (schema ${error.found}, this one knows ${error.known}). Update BotPsy; nothing was changed.`,
      )
    throw error
  }
}
