import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { type Pack, pack } from 'tar-stream'
import type { OwnerConnections } from '../../domains/connections/index.js'
import { copyDatabase, databaseVersion, RECORDS_SCHEMA } from '../../domains/store/index.js'
import { JOURNAL_VERSION } from '../journal.js'
import { filesEntries, homeEntries, isDatabase } from './home-entries.js'
import { ARCHIVE_FORMAT, ArchiveError, MANIFEST, type Manifest, SECRETS } from './manifest.js'

/** What goes into an archive beside the stores. */
export interface ExportOptions {
  /** Folder of the owner's files, when they go along. */
  readonly filesRoot?: string
  /** Connections whose passwords go along, when the owner asked for it. */
  readonly secrets?: OwnerConnections
  /** Replaces an existing archive. */
  readonly force?: boolean
}

/**
 * Writes everything in a data folder into one archive (tar, gzip) that only the owner can read. Databases are copied
 * consistently while others write to them. The archive appears only when it is whole.
 * @returns its manifest
 * @throws ArchiveError; errors of the file system; ConnectionError when a password cannot be read
 */
export async function exportHome(root: string, target: string, options: ExportOptions = {}): Promise<Manifest> {
  const file = resolve(target)
  if (existsSync(file) && options.force !== true)
    throw new ArchiveError('exists', file, `${file} exists. Choose another name, or add --force to replace it.`)
  const temporary = `${file}.${process.pid}.tmp`
  const copies = mkdtempSync(join(tmpdir(), 'botpsy-export-'))
  const entries: { [path: string]: { size: number; sha256: string } } = {}
  const versions = { records: RECORDS_SCHEMA, journal: JOURNAL_VERSION }
  const tar = pack()
  const written = pipeline(tar, createGzip(), createWriteStream(temporary, { mode: 0o600, flags: 'wx' }))
  // Awaited below; a failure before that must not count as unhandled.
  written.catch(() => undefined)
  try {
    const add = async (path: string, source: string): Promise<void> => {
      entries[path] = await addFile(tar, path, source)
    }
    const addText = async (path: string, text: string): Promise<void> => {
      const data = Buffer.from(text)
      await new Promise<void>((done, fail) =>
        tar.entry({ name: path, mode: 0o600 }, data, (error) => (error ? fail(error) : done())),
      )
      entries[path] = { size: data.length, sha256: createHash('sha256').update(data).digest('hex') }
    }
    for (const path of homeEntries(root)) {
      const source = join(root, path)
      if (!isDatabase(source)) {
        await add(path, source)
        continue
      }
      const copy = join(copies, String(Object.keys(entries).length))
      const db = new Database(source, { readonly: true, timeout: 10_000 })
      try {
        if (path === 'domains.db') versions.records = databaseVersion(db)
        if (path === 'journal.sqlite') versions.journal = databaseVersion(db)
        copyDatabase(db, copy)
      } finally {
        db.close()
      }
      await add(path, copy)
      rmSync(copy, { force: true })
    }
    if (options.filesRoot !== undefined && existsSync(options.filesRoot)) {
      const folder = realpathSync(options.filesRoot)
      for (const path of filesEntries(folder)) {
        const source = join(folder, path)
        const own =
          source.startsWith(realpathSync(root) + sep) && !source.startsWith(join(realpathSync(root), 'files') + sep)
        if (source !== file && source !== temporary && !own) await add(`files/${path}`, source)
      }
    }
    if (options.secrets !== undefined) {
      const secrets: { [kind: string]: string } = {}
      for (const [kind, entry] of Object.entries(options.secrets.file.read())) {
        const secret = await options.secrets.connection(kind as 'imap', entry).secret()
        if (secret !== undefined) secrets[kind] = secret
      }
      await addText(SECRETS, JSON.stringify({ version: 1, secrets }))
    }
    const manifest: Manifest = {
      botpsy: 'archive',
      format: ARCHIVE_FORMAT,
      made: new Date().toISOString(),
      versions,
      files: options.filesRoot !== undefined,
      entries: { ...entries },
    }
    await addText(MANIFEST, `${JSON.stringify(manifest, null, 1)}\n`)
    tar.finalize()
    await written
    const handle = await open(temporary, 'r')
    await handle.sync().finally(() => handle.close())
    renameSync(temporary, file)
    return manifest
  } finally {
    tar.destroy()
    await written.catch(() => undefined)
    rmSync(temporary, { force: true })
    rmSync(copies, { recursive: true, force: true })
  }
}

async function addFile(tar: Pack, path: string, source: string): Promise<{ size: number; sha256: string }> {
  const handle = await open(source, 'r')
  try {
    const { size, mtime } = await handle.stat()
    const hash = createHash('sha256')
    const entry = tar.entry({ name: path, size, mtime, mode: 0o600 })
    const failed = new Promise<never>((_, fail) => entry.once('error', fail))
    failed.catch(() => undefined)
    let read = 0
    for (const chunk = Buffer.alloc(256 * 1024); read < size; ) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, size - read), read)
      if (bytesRead === 0)
        throw new ArchiveError('changed', source, `${source} was changed while it was read. Try again.`)
      const part = Buffer.from(chunk.subarray(0, bytesRead))
      read += bytesRead
      hash.update(part)
      if (!entry.write(part))
        await Promise.race([new Promise<void>((next) => entry.once('drain', () => next())), failed])
    }
    entry.end(Buffer.alloc(0))
    await Promise.race([new Promise<void>((next) => entry.once('finish', () => next())), failed])
    return { size, sha256: hash.digest('hex') }
  } finally {
    await handle.close()
  }
}
