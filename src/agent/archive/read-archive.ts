import { createHash, type Hash } from 'node:crypto'
import { createReadStream, mkdirSync, utimesSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { cleanPath } from '../../domains/store/index.js'
import { ArchiveError, MANIFEST, type Manifest, parseManifest } from './manifest.js'

/** Most entries of an archive; a larger one is no archive of a person's data. */
const MOST_ENTRIES = 2_000_000

/**
 * Unpacks an archive into an empty folder and checks every entry against the manifest. Nothing is written outside of
 * the folder, and no link or special file is made.
 * @throws ArchiveError `not-an-archive`, `damaged`, `newer`; errors of the file system
 */
export async function readArchive(file: string, into: string): Promise<Manifest> {
  const damaged = (why: string): ArchiveError =>
    new ArchiveError('damaged', file, `${file} is damaged (${why}). Make it again with: botpsy export`)
  const found = new Map<string, { size: number; sha256: string }>()
  const folded = new Set<string>()
  const tar = extract()
  const source = createReadStream(file)
  const unpacked = pipeline(source, createGunzip(), tar)
  unpacked.catch(() => undefined)
  try {
    for await (const entry of tar) {
      const { name, type } = entry.header
      if (type !== 'file') throw damaged(`${name} is no plain file`)
      const path = cleanPath(name)
      if (path !== name || path === '') throw damaged(`the name ${JSON.stringify(name.slice(0, 80))}`)
      // Two names that one file system takes for the same would hide one of them.
      const fold = path.normalize('NFC').toLowerCase()
      if (folded.has(fold)) throw damaged(`${path} stands in it twice`)
      folded.add(fold)
      if (folded.size > MOST_ENTRIES) throw damaged('it has too many entries')
      found.set(path, await save(entry as unknown as Readable, join(into, path)))
      if (entry.header.mtime) utimesSync(join(into, path), entry.header.mtime, entry.header.mtime)
    }
    await unpacked
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^E[A-Z]+$/.test(code)) throw error
    const text = error instanceof Error ? error.message : String(error)
    if (found.size === 0)
      throw new ArchiveError('not-an-archive', file, `${file} was not made by botpsy export, or is damaged (${text}).`)
    throw damaged(text)
  } finally {
    source.destroy()
    tar.destroy()
  }
  if (!found.has(MANIFEST)) {
    if (found.size === 0) throw new ArchiveError('not-an-archive', file, `${file} was not made by botpsy export.`)
    throw damaged('its end is missing')
  }
  const manifest = parseManifest(await readFile(join(into, MANIFEST), 'utf8'), file)
  found.delete(MANIFEST)
  for (const [path, { size, sha256 }] of Object.entries(manifest.entries)) {
    const have = found.get(path)
    if (have === undefined) throw damaged(`${path} is missing`)
    if (have.size !== size || have.sha256 !== sha256) throw damaged(`${path} is not what was written`)
    found.delete(path)
  }
  const [extra] = found.keys()
  if (extra !== undefined) throw damaged(`${extra} is not in its manifest`)
  return manifest
}

async function save(entry: Readable, target: string): Promise<{ size: number; sha256: string }> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const hash: Hash = createHash('sha256')
  let size = 0
  const count = new Transform({
    transform: (chunk: Buffer, _, next) => {
      hash.update(chunk)
      size += chunk.length
      next(null, chunk)
    },
  })
  const handle = await open(target, 'wx', 0o600)
  await pipeline(entry, count, handle.createWriteStream({ flush: true }))
  return { size, sha256: hash.digest('hex') }
}
