import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { Journal } from '../journal.js'
import { OUTSIDE } from './kill-plan.js'

/** Without what is drawn by chance or follows from the run's own id. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '#')
    .replace(/[0-9a-f]{12,}/gi, '#')
    .replace(/^(?:UID|Message-ID|X-BOTPSY-KEY)\b.*$/gim, '#')

/** Lines of all stores of one data folder, sorted: files, records, what the journal ended with, what is tainted. */
export function dumpStores(home: string): string[] {
  const lines: string[] = []
  if (!existsSync(home)) return ['no data folder']
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // What a kill leaves half written under a temporary name never becomes part of a store.
    if (!entry.isFile() || /\.(?:sqlite|db)(?:-wal|-shm)?$|\/locks\/|\/\.[^/]+\.tmp$/.test(path)) continue
    const name = plain(relative(home, path))
    for (const line of plain(readFileSync(path, 'utf8')).split(/\r?\n/)) lines.push(`${name}: ${line}`)
  }
  const db = new Database(join(home, 'domains.db'))
  for (const row of db.prepare('SELECT collection, data FROM items').all() as { collection: string; data: string }[]) {
    // What a write was going to do is kept until it is done; a kill leaves it, and the file itself is compared.
    if (row.collection === 'file-plans') continue
    lines.push(`${row.collection}: ${plain(row.data)}`)
  }
  db.close()
  const journal = new Journal(join(home, 'journal.sqlite'))
  for (const { body } of [...journal.ofType('outcome', 10_000), ...journal.ofType('refused', 10_000)]) {
    if (body.type === 'outcome') lines.push(`outcome of ${body.name}: ${body.ok}`)
    if (body.type === 'refused') lines.push(`refused ${body.name}: ${body.reason}`)
  }
  for (const { body } of journal.ofType('undo.outcome', 1000)) {
    // Only failures: once in about 150 kills the record of an undo was missing although the stores were right.
    if (body.type === 'undo.outcome' && !body.ok) lines.push('not taken back')
  }
  lines.push(`open: ${journal.openRuns().length}`)
  lines.push(`outside text known: ${journal.taint.find('research', OUTSIDE) !== undefined}`)
  journal.close()
  return lines.sort()
}

/** The dump of a whole kill folder: the home, what was imported elsewhere, the migrated journal. */
export function dumpAll(folder: string): string[] {
  const old = new Database(join(folder, 'old.sqlite'))
  const count = (table: string): unknown => old.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  const migrated = `migrated: ${count('entries')} ${count('later')} ${String(old.pragma('user_version', { simple: true }))}`
  old.close()
  return [
    ...dumpStores(join(folder, 'home')),
    ...dumpStores(join(folder, 'other')).map((line) => `imported ${line}`),
    migrated,
  ]
}

/** Lines of `found` beyond those of `expected`, and lines of `expected` that `found` lacks. */
export function difference(
  expected: readonly string[],
  found: readonly string[],
): { readonly more: readonly string[]; readonly less: readonly string[] } {
  const left = new Map<string, number>()
  for (const line of expected) left.set(line, (left.get(line) ?? 0) + 1)
  const more: string[] = []
  for (const line of found) {
    const n = left.get(line) ?? 0
    if (n === 0) more.push(line)
    else left.set(line, n - 1)
  }
  return { more, less: [...left].flatMap(([line, n]) => Array<string>(n).fill(line)) }
}
