import Database from 'better-sqlite3'
import { z } from 'zod'
import { Records } from '../../domains/store/index.js'
import { Journal } from '../journal.js'
import type { JournalBody } from '../journal-entry.js'
import { TaintRegister } from '../taint-register.js'

/** What a merge of two databases did. */
export interface MergedRows {
  readonly added: number
  /** Rows of the other side that did not go in, as they are there. */
  readonly conflicts: readonly object[]
}

interface ItemRow {
  readonly collection: string
  readonly id: string
  readonly data: string
}

/** The collection that gives mails their short ids: two mails of one id would be one. */
const MAIL_IDS = 'mail-ids'

const object = z.record(z.string(), z.json())

/** Two objects that differ in their lists alone (a shopping list on both machines), as one with all items; else undefined. */
function joinLists(ours: string, theirs: string): string | undefined {
  const [a, b] = [object.parse(JSON.parse(ours)), object.parse(JSON.parse(theirs))]
  const out = { ...a }
  let joined = false
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [mine, other] = [a[name], b[name]]
    if (Array.isArray(mine) && Array.isArray(other)) {
      const known = new Set(mine.map((item) => JSON.stringify(item)))
      out[name] = [...mine, ...other.filter((item) => !known.has(JSON.stringify(item)))]
      joined = true
    } else if (JSON.stringify(mine) !== JSON.stringify(other)) return undefined
  }
  return joined ? JSON.stringify(out) : undefined
}

/**
 * Adds rows of one records file to another. Ids such as `n3` count up on each machine, so that the same one means two
 * things: the other side's gets the next free number. Where a named thing differs ("kitchen-light"), ours stays.
 * @param ours changed; @param theirs an older one is migrated first
 */
export function mergeRecords(ours: string, theirs: string): MergedRows {
  // Opening brings both to this version.
  for (const file of [ours, theirs]) {
    const records = new Records(file)
    records.done('')
    records.close()
  }
  const db = new Database(ours, { timeout: 10_000 })
  const conflicts: ItemRow[] = []
  let added = 0
  try {
    db.prepare('ATTACH DATABASE ? AS other').run(theirs)
    db.transaction(() => {
      db.exec(
        `INSERT INTO counters (name, value) SELECT name, value FROM other.counters WHERE true
         ON CONFLICT DO UPDATE SET value = max(value, excluded.value)`,
      )
      const here = db.prepare<[string, string], { data: string }>(
        'SELECT data FROM main.items WHERE collection = ? AND id = ?',
      )
      const change = db.prepare('UPDATE main.items SET data = ? WHERE collection = ? AND id = ?')
      const twin = db.prepare('SELECT 1 FROM main.items WHERE collection = ? AND data = ?')
      const put = db.prepare('INSERT INTO main.items (collection, id, data) VALUES (?, ?, ?)')
      const next = db.prepare<[string], { value: number }>(
        'INSERT INTO main.counters (name, value) VALUES (?, 1) ON CONFLICT DO UPDATE SET value = value + 1 RETURNING value',
      )
      for (const row of db.prepare<[], ItemRow>('SELECT collection, id, data FROM other.items').all()) {
        const mine = here.get(row.collection, row.id)
        // Also under another number: an archive that is brought in twice comes in once.
        if (mine?.data === row.data || (mine !== undefined && twin.get(row.collection, row.data))) continue
        const both = mine && joinLists(mine.data, row.data)
        if (both === mine?.data && both !== undefined) continue
        const prefix = /^([a-z]+)\d+$/i.exec(row.id)?.[1]
        if (mine === undefined) {
          const taken = row.collection === MAIL_IDS && twin.get(row.collection, row.data) !== undefined
          put.run(row.collection, row.id, taken ? JSON.stringify({ id: `m${next.get('m')?.value}` }) : row.data)
        } else if (both !== undefined) change.run(both, row.collection, row.id)
        else if (prefix !== undefined) put.run(row.collection, `${prefix}${next.get(prefix)?.value}`, row.data)
        else {
          conflicts.push(row)
          continue
        }
        added++
      }
      db.exec('INSERT OR IGNORE INTO main.effects SELECT * FROM other.effects')
      const learnt = db
        .prepare(
          `INSERT INTO main.knowledge (kind, title, body, source)
           SELECT kind, title, body, source FROM other.knowledge EXCEPT SELECT kind, title, body, source FROM main.knowledge`,
        )
        .run()
      added += learnt.changes
    }).immediate()
  } finally {
    db.close()
  }
  return { added, conflicts }
}

/** Adds the runs of one journal that another one lacks, in their order, under new numbers. */
export function mergeJournal(ours: string, theirs: string): MergedRows {
  const [here, there] = [new Journal(ours), new Journal(theirs)]
  here.close()
  there.close()
  const db = new Database(ours, { timeout: 10_000 })
  let added = 0
  try {
    db.prepare('ATTACH DATABASE ? AS other').run(theirs)
    db.transaction(() => {
      const rows = db
        .prepare<[], { seq: number; run: string; at: number; type: string; call: string | null; body: string }>(
          'SELECT * FROM other.entries WHERE run NOT IN (SELECT run FROM main.entries) ORDER BY seq',
        )
        .all()
      const put = db.prepare('INSERT INTO main.entries (run, at, type, call, body) VALUES (?, ?, ?, ?, ?)')
      const numbers = new Map<number, number>()
      for (const row of rows) {
        const body = JSON.parse(row.body) as JournalBody
        // An undoing names the number of what it undoes.
        const target = 'target' in body ? numbers.get(body.target) : undefined
        const text = target === undefined ? row.body : JSON.stringify({ ...body, target })
        numbers.set(row.seq, Number(put.run(row.run, row.at, row.type, row.call, text).lastInsertRowid))
      }
      added = rows.length
    }).immediate()
  } finally {
    db.close()
  }
  return { added, conflicts: [] }
}

/**
 * Adds what another register of outside text remembers: the marks that are in none of ours, with where they came from.
 * What either side knew as outside text stays outside text.
 */
export function mergeTaint(ours: string, theirs: string): MergedRows {
  // Opening brings both to this version, or begins a damaged one anew, which says nothing.
  for (const file of [ours, theirs]) new TaintRegister(file).close()
  const db = new Database(ours, { timeout: 10_000 })
  try {
    db.prepare('ATTACH DATABASE ? AS other').run(theirs)
    const added = db
      .transaction(() => {
        const offset = (db.prepare('SELECT coalesce(max(id), 0) AS n FROM main.sources').get() as { n: number }).n
        db.prepare(
          `INSERT INTO main.sources (id, label, field, at)
           SELECT id + ?, label, field, at FROM other.sources WHERE id IN (
             SELECT source FROM other.marks AS theirs WHERE NOT EXISTS (
               SELECT 1 FROM main.marks AS mine WHERE mine.hash = theirs.hash AND mine.field = theirs.field))`,
        ).run(offset)
        return db
          .prepare(
            'INSERT OR IGNORE INTO main.marks (hash, field, source) SELECT hash, field, source + ? FROM other.marks',
          )
          .run(offset).changes
      })
      .immediate()
    return { added, conflicts: [] }
  } finally {
    db.close()
  }
}
