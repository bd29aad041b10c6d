import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Format of the entries; others are removed. */
const VERSION = 1
/** Names that belong to the cache; nothing else in the folder is ever touched. */
const OURS = /^([0-9a-f]{40})\.(state|json|[0-9a-f]{12}\.tmp)$/
/** Unfinished files older than this were left by a process that died. */
const STALE_MS = 3_600_000

/** What stands beside a state to prove that it is whole. */
interface Entry {
  readonly version: number
  readonly tokens: number
  readonly bytes: number
  readonly sha256: string
}

/**
 * States of prompt prefixes on disk. An entry is a state file as llama.cpp writes it and a small JSON file with its
 * length and SHA-256, since llama.cpp may crash on a damaged one. The name is a hash of the model's fingerprint and the
 * tokens, so a state is only ever offered to the same model and the same prefix. Over `mostBytes` the least recently used
 * entries go first. No method throws on a damaged or missing folder: a cache that cannot be used is an empty one.
 */
export class StateCache {
  private readonly saving = new Set<string>()
  private finishing: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly folder: string,
    private readonly fingerprint: string,
    private readonly mostBytes: number,
  ) {}

  /** Path of the whole and unchanged state of exactly these tokens; damaged entries are removed. */
  async find(tokens: readonly number[]): Promise<string | undefined> {
    const key = this.key(tokens)
    const path = this.path(key, 'state')
    try {
      const entry = readEntry(await readFile(this.path(key, 'json'), 'utf8'))
      const { size } = await stat(path)
      if (entry !== undefined && entry.tokens === tokens.length && entry.bytes === size) {
        if (entry.sha256 === (await hashFile(path))) {
          const now = new Date()
          await utimes(path, now, now)
          return path
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        // Half an entry helps nobody; a missing one is the usual case and costs nothing to remove.
        if (!this.saving.has(key)) await this.removeKey(key)
        return undefined
      }
    }
    await this.removeKey(key)
    return undefined
  }

  /**
   * Keeps a state. `write` writes it to the path it is given; the check sum is computed and the entry made visible
   * afterwards, in the background (`settled`). A failure leaves no entry.
   */
  async save(tokens: readonly number[], write: (path: string) => Promise<unknown>): Promise<void> {
    const key = this.key(tokens)
    if (this.saving.has(key)) return
    this.saving.add(key)
    const temporary = this.path(key, `${randomBytes(6).toString('hex')}.tmp`)
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await write(temporary)
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined)
      this.saving.delete(key)
      return
    }
    const finish = this.publish(key, temporary, tokens.length)
      .catch(() => rm(temporary, { force: true }).catch(() => undefined))
      .finally(() => this.saving.delete(key))
    this.finishing = Promise.all([this.finishing, finish])
  }

  /** Resolves when every state given to `save` so far is on disk or given up. */
  async settled(): Promise<void> {
    await this.finishing
  }

  /** Removes the entry of these tokens. */
  async remove(tokens: readonly number[]): Promise<void> {
    await this.removeKey(this.key(tokens))
  }

  /** Removes halves of entries, entries of other formats, leftovers, and then the least recently used over the limit. */
  async tidy(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [] as string[])
    const parts = new Map<string, Set<string>>()
    for (const name of names) {
      const found = OURS.exec(name)
      if (found === null) continue
      const [, key, kind] = found as unknown as [string, string, string]
      if (kind.endsWith('tmp')) {
        const info = await stat(join(this.folder, name)).catch(() => undefined)
        if (info !== undefined && Date.now() - info.mtimeMs > STALE_MS)
          await rm(join(this.folder, name), { force: true }).catch(() => undefined)
      } else parts.set(key, (parts.get(key) ?? new Set()).add(kind))
    }
    const entries: { readonly key: string; readonly bytes: number; readonly used: number }[] = []
    for (const [key, kinds] of parts) {
      if (this.saving.has(key)) continue
      const text = await readFile(this.path(key, 'json'), 'utf8').catch(() => '')
      const info = await stat(this.path(key, 'state')).catch(() => undefined)
      if (kinds.size < 2 || info === undefined || readEntry(text) === undefined) await this.removeKey(key)
      else entries.push({ key, bytes: info.size, used: info.mtimeMs })
    }
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0)
    for (const entry of entries.sort((a, b) => a.used - b.used)) {
      if (total <= this.mostBytes) break
      await this.removeKey(entry.key)
      total -= entry.bytes
    }
  }

  private async publish(key: string, temporary: string, tokens: number): Promise<void> {
    const { size } = await stat(temporary)
    if (size > this.mostBytes) throw new Error('larger than the whole cache')
    const file = await open(temporary, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    const entry: Entry = { version: VERSION, tokens, bytes: size, sha256: await hashFile(temporary) }
    await this.removeKey(key)
    await rename(temporary, this.path(key, 'state'))
    const json = this.path(key, `${randomBytes(6).toString('hex')}.tmp`)
    await writeFile(json, JSON.stringify(entry))
    await rename(json, this.path(key, 'json'))
    this.saving.delete(key)
    await this.tidy()
  }

  private async removeKey(key: string): Promise<void> {
    for (const kind of ['json', 'state']) await rm(this.path(key, kind), { force: true }).catch(() => undefined)
  }

  private key(tokens: readonly number[]): string {
    const hash = createHash('sha256').update(`${VERSION}\0${this.fingerprint}\0`)
    return hash.update(Uint32Array.from(tokens)).digest('hex').slice(0, 40)
  }

  private path(key: string, kind: string): string {
    return join(this.folder, `${key}.${kind}`)
  }
}

function readEntry(text: string): Entry | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { version, tokens, bytes, sha256 } = value as { [key: string]: unknown }
  if (version !== VERSION || typeof tokens !== 'number' || typeof bytes !== 'number' || typeof sha256 !== 'string')
    return undefined
  return { version, tokens, bytes, sha256 }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
