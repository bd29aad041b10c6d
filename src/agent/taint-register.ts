import { createHash } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { JsonObject, JsonValue } from '../chat/types.js'
import { contentWords, plainWords } from './wording.js'

/** The register of outside text cannot be opened or written. */
export class TaintError extends Error {
  override readonly name = 'TaintError'
  readonly code = 'taint-register'
  constructor(
    /** File of the register. */
    readonly where: string,
    message: string,
  ) {
    super(message)
  }
}

/** Version of the register's tables, kept in SQLite's `user_version`. */
const VERSION = 1
/** Words of one fingerprint: long enough to be no coincidence, short enough to survive cutting and re-flowing. */
const SHINGLE = 4
/** Most fingerprints kept of one text, and most words looked at in one result. */
const MOST_SHINGLES = 20_000
const MOST_WORDS = 200_000

const TABLES = `
CREATE TABLE sources (id INTEGER PRIMARY KEY, label TEXT NOT NULL, field TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE marks (hash BLOB NOT NULL, field TEXT NOT NULL, source INTEGER NOT NULL, PRIMARY KEY (hash, field)) WITHOUT ROWID;
`

/** What is remembered of one effect that carried outside text. */
export interface TaintedEffect {
  /** Where the outside text came from, as the owner is told: "the result of email_read". */
  readonly label: string
  /** Field of the tool: short words count as the same only within it. */
  readonly field: string
  /** Texts that stem from outside. */
  readonly texts: readonly string[]
  /** Names of what was made: ids, paths. */
  readonly items: readonly string[]
}

/**
 * Remembers what outside text was written into stores, across runs, threads, processes and weeks: fingerprints of the
 * texts (hashes of four words in a row; short values as a whole) and the names of the items made. A later result that
 * holds any of them is outside text again, also when the item was moved, renamed, copied, or went through a server and
 * back. Kept in a file of its own beside the journal; nothing of the text itself is stored.
 */
export class TaintRegister {
  readonly #db: Database.Database
  #empty: boolean

  /**
   * Opens or makes the register. One that is damaged is moved aside (`….damaged-TIME`) and begun anew; `fresh` tells, so
   * that it can be filled again from the journal.
   * @param file path, or `:memory:`
   * @throws TaintError when it cannot be opened, or was written by a newer version
   */
  constructor(
    readonly file: string,
    private readonly clock: () => number = Date.now,
  ) {
    this.fresh = file === ':memory:' || !existsSync(file)
    try {
      this.#db = this.#open()
    } catch (error) {
      if (error instanceof TaintError || !damaged(error) || file === ':memory:') throw this.#failure(error)
      for (const tail of ['', '-wal', '-shm']) {
        if (existsSync(`${file}${tail}`)) renameSync(`${file}${tail}`, `${file}.damaged-${clock()}${tail}`)
      }
      this.fresh = true
      this.#db = this.#open()
    }
    this.#empty = this.#db.prepare('SELECT 1 FROM marks LIMIT 1').get() === undefined
  }

  /** True when nothing of earlier runs is in it because the file is new. */
  readonly fresh: boolean

  /** Remembers an effect. On disk when this returns. @throws TaintError */
  add({ label, field, texts, items }: TaintedEffect): void {
    const marks = new Map<string, string>()
    for (const text of texts) {
      for (const mark of marksOf(text)) marks.set(`${mark.wide ? '' : field}\n${mark.text}`, mark.wide ? '' : field)
    }
    for (const item of items) {
      for (const mark of itemMarks(item)) marks.set(`${mark.wide ? '' : field}\n${mark.text}`, mark.wide ? '' : field)
    }
    if (marks.size === 0) return
    try {
      this.#db.transaction(() => {
        const source = this.#db
          .prepare('INSERT INTO sources (label, field, at) VALUES (?, ?, ?)')
          .run(label, field, this.clock()).lastInsertRowid
        const insert = this.#db.prepare('INSERT OR IGNORE INTO marks (hash, field, source) VALUES (?, ?, ?)')
        for (const [key, own] of marks) insert.run(hash(key.slice(key.indexOf('\n') + 1)), own, source)
      })()
      this.#empty = false
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /**
   * Does a text hold, or do items name, anything that outside text was written into? Returns where that came from.
   * @param field field of the tool that gave it
   */
  find(field: string, text: string, items: readonly string[] = []): string | undefined {
    if (this.#empty && this.#db.prepare('SELECT 1 FROM marks LIMIT 1').get() === undefined) return undefined
    this.#empty = false
    const wanted = new Map<string, Buffer>()
    const want = (key: string): void => {
      if (!wanted.has(key)) wanted.set(key, hash(key))
    }
    const words = plainWords(text).slice(0, MOST_WORDS)
    for (let at = 0; at < words.length; at++) {
      for (let size = 1; size < SHINGLE && at + size <= words.length; size++) {
        want(`value ${words.slice(at, at + size).join(' ')}`)
      }
      if (at + SHINGLE <= words.length) want(`words ${words.slice(at, at + SHINGLE).join(' ')}`)
    }
    for (const token of tokens(text)) {
      want(`token ${token}`)
      want(`item ${token}`)
    }
    for (const item of items) want(`item ${item.toLowerCase()}`)
    const hashes = [...wanted.values()]
    try {
      for (let at = 0; at < hashes.length; at += 400) {
        const some = hashes.slice(at, at + 400)
        const row = this.#db
          .prepare(
            `SELECT label FROM marks JOIN sources ON sources.id = marks.source
             WHERE marks.field IN ('', ?) AND hash IN (${some.map(() => '?').join(',')}) LIMIT 1`,
          )
          .get(field, ...some) as { readonly label: string } | undefined
        if (row) return row.label
      }
      return undefined
    } catch (error) {
      throw this.#failure(error)
    }
  }

  /** Number of effects remembered. */
  get size(): number {
    return (this.#db.prepare('SELECT count(*) AS n FROM sources').get() as { readonly n: number }).n
  }

  close(): void {
    this.#db.close()
  }

  #open(): Database.Database {
    const db = new Database(this.file)
    try {
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      const version = Number(db.pragma('user_version', { simple: true }))
      if (version > VERSION) {
        throw new TaintError(
          this.file,
          `${this.file} was written by a newer BotPsy (format ${version}). Update BotPsy.`,
        )
      }
      db.transaction(() => {
        if (Number(db.pragma('user_version', { simple: true })) === 0) {
          db.exec(TABLES)
          db.pragma(`user_version = ${VERSION}`)
        }
      }).immediate()
      db.prepare('SELECT 1 FROM marks JOIN sources ON sources.id = marks.source LIMIT 1').get()
      return db
    } catch (error) {
      db.close()
      throw error
    }
  }

  #failure(error: unknown): TaintError {
    if (error instanceof TaintError) return error
    const text = error instanceof Error ? error.message : String(error)
    return new TaintError(
      this.file,
      `The register of outside text ${this.file} cannot be used (${text}); nothing runs without it. Make room, or make it writable.`,
    )
  }
}

/** Strings that name an item in what a tool reported: its ids and paths. */
export function itemsOf(...reports: readonly (JsonValue | undefined)[]): string[] {
  const found: string[] = []
  const read = (value: JsonValue | undefined, named: boolean): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const name = String(value).trim()
      if (named && (name.length > 3 || (/\p{L}/u.test(name) && /\p{N}/u.test(name)))) found.push(name)
    } else if (Array.isArray(value)) for (const part of value) read(part, named)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) read(part, NAMES.test(key))
    }
  }
  for (const report of reports) read(report, false)
  return [...new Set(found)]
}

/** Arguments and members that name a thing rather than say something of it. */
const NAMES = /^(?:id|uid|uuid|path|file|href|url)s?$|(?:Id|Uid|Path|_id|_uid|_path)$/

/** Words of times and amounts: they turn up everywhere and say nothing of where they came from. */
const EVERYDAY =
  /^(?:today|tonight|tomorrow|yesterday|noon|midnight|morning|afternoon|evening|night|week|weeks|month|months|year|day|days|hour|hours|minute|minutes|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december|next|last|every|true|false|none|other|home|work)$/

/** Arguments that name items, of a call that reads or changes something: `path`, `id` and their like. */
export function namedItems(args: JsonObject): string[] {
  return itemsOf(args)
}

interface Mark {
  readonly text: string
  /** Counts in every field, not only in the one that it was written in. */
  readonly wide: boolean
}

function marksOf(text: string): Mark[] {
  const marks: Mark[] = []
  // What signs alone or one odd token say is kept as it is: addresses, links, encoded text.
  for (const token of tokens(text)) if (distinctive(token)) marks.push({ text: `token ${token}`, wide: true })
  const words = plainWords(text)
  if (words.length < SHINGLE) {
    if (words.some(remarkable)) marks.push({ text: `value ${words.join(' ')}`, wide: false })
    return marks
  }
  for (let at = 0; at + SHINGLE <= words.length && at < MOST_SHINGLES; at++) {
    const shingle = words.slice(at, at + SHINGLE)
    if (telling(shingle)) marks.push({ text: `words ${shingle.join(' ')}`, wide: true })
  }
  // Short lines of a longer text may come back alone.
  for (const line of text.split('\n')) {
    const own = plainWords(line)
    if (own.length > 0 && own.length < SHINGLE && own.some(remarkable)) {
      marks.push({ text: `value ${own.join(' ')}`, wide: false })
    }
  }
  return marks
}

function itemMarks(item: string): Mark[] {
  const name = item.toLowerCase()
  return [{ text: `item ${name}`, wide: distinctive(name) || name.length > 12 }]
}

/** A word that can tell one text from another. */
function remarkable(word: string): boolean {
  if (contentWords(word).length === 0 || EVERYDAY.test(word)) return false
  return /\p{N}/u.test(word) ? word.length > 3 : word.length > 3 || /[^\x00-\x7f]/.test(word)
}

/** Four words that are no phrase of everyday: two or more of them carry meaning, one at some length. */
function telling(words: readonly string[]): boolean {
  const content = words.filter((word) => contentWords(word).length > 0)
  return content.length >= 2 && content.some((word) => word.length >= 5 || /\p{N}/u.test(word))
}

/** A token that stands for itself wherever it turns up: with signs inside, or long and of letters and digits. */
function distinctive(token: string): boolean {
  if (token.length < 6) return false
  return /[@/:\\_=+%#]|\w\.\w/u.test(token) || (/\p{N}/u.test(token) && /\p{L}/u.test(token)) || token.length >= 24
}

function tokens(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s"'“”‘’«»()[\]{}<>,;]+/u)
    .map((token) => token.replace(/[.:!?]+$/u, ''))
    .filter((token) => token.length >= 2)
}

function damaged(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed|corrupt|no such (?:table|column)/i.test(error.message)
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 10)
}
