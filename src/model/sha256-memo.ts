import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { sha256OfFile } from './hub.js'
import { writeWhole } from './whole-file.js'

const memoSchema = z.record(z.string(), z.object({ size: z.number(), mtimeMs: z.number(), sha256: z.string() }))

/** SHA-256 of large files, remembered by path, size and time of change, so that a model is hashed once and not at every start. */
export class Sha256Memo {
  /** @param file Where to remember; absent: nowhere. */
  constructor(private readonly file: string | undefined) {}

  /** SHA-256 (hex) of a file. A memory that cannot be read or written costs time and nothing else. */
  async of(path: string): Promise<string> {
    const key = resolve(path)
    const { size, mtimeMs } = await stat(path)
    const known = (await this.read())[key]
    if (known !== undefined && known.size === size && known.mtimeMs === mtimeMs) return known.sha256
    const sha256 = await sha256OfFile(path)
    await this.remember(key, { size, mtimeMs, sha256 })
    return sha256
  }

  private async read(): Promise<z.infer<typeof memoSchema>> {
    if (this.file === undefined) return {}
    try {
      return memoSchema.parse(JSON.parse(await readFile(this.file, 'utf8')))
    } catch {
      return {}
    }
  }

  private async remember(key: string, entry: z.infer<typeof memoSchema>[string]): Promise<void> {
    if (this.file === undefined) return
    try {
      await mkdir(dirname(this.file), { recursive: true })
      await writeWhole(this.file, JSON.stringify({ ...(await this.read()), [key]: entry }, null, 1))
    } catch {
      // A read-only cache is no reason to fail: the hash is known now.
    }
  }
}
