import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type DiskFolder, readText, writeText } from '../store/index.js'
import { ConnectionError, type ConnectionKind } from './contract.js'
import type { Keyring } from './keyring.js'

/** Name of the file that holds secrets where there is no keyring. */
export const CREDENTIALS_FILE = 'credentials.json'

const schema = z.strictObject({ version: z.literal(1), secrets: z.record(z.string(), z.string()) })

/**
 * Secrets in a file of the data folder that its owner alone can read. A file that others can read, that belongs to
 * somebody else or that is a link is not used: what stands in it may be known already.
 */
export class CredentialsFile implements Keyring {
  constructor(private readonly folder: DiskFolder) {}

  /** Path of the file. */
  get path(): string {
    return join(this.folder.root, CREDENTIALS_FILE)
  }

  /** Why the file may not be used, with what to do; undefined when it is well or missing. */
  problem(): string | undefined {
    let stat: ReturnType<typeof lstatSync>
    try {
      stat = lstatSync(this.path)
    } catch {
      return undefined
    }
    if (!stat.isFile()) return `${this.path} is not a plain file. Replace it by one that only you can read.`
    if (process.platform === 'win32') return undefined
    const mine = process.getuid?.()
    if (mine !== undefined && mine !== 0 && stat.uid !== mine)
      return `${this.path} belongs to another user. Make it yours, or move it away and connect again.`
    if ((stat.mode & 0o077) !== 0)
      return `${this.path} can be read by others, so its passwords are not used. Run: chmod 600 '${this.path}' — and change the passwords if others use this machine.`
    return undefined
  }

  private read(kind: string): z.infer<typeof schema> {
    const fail = (message: string): never => {
      throw new ConnectionError('credentials', kind as ConnectionKind, message)
    }
    const problem = this.problem()
    if (problem !== undefined) fail(problem)
    const text = readText(this.folder, CREDENTIALS_FILE)
    if (text === undefined) return { version: 1, secrets: {} }
    try {
      return schema.parse(JSON.parse(text))
    } catch {
      // What JSON and the schema complain about may quote the content; it stays here.
      return fail(`${this.path} cannot be read. Move it away and connect again with: botpsy connect ${kind}`)
    }
  }

  async get(name: string): Promise<string | undefined> {
    const { secrets } = this.read(name)
    return Object.hasOwn(secrets, name) ? secrets[name] : undefined
  }

  async set(name: string, secret: string): Promise<void> {
    await this.folder.locked(() => {
      const { secrets } = this.read(name)
      this.write({ ...secrets, [name]: secret })
    })
  }

  async remove(name: string): Promise<void> {
    await this.folder.locked(() => {
      const { [name]: gone, ...rest } = this.read(name).secrets
      if (gone !== undefined) this.write(rest)
    })
  }

  private write(secrets: { readonly [name: string]: string }): void {
    if (Object.keys(secrets).length === 0) this.folder.remove(CREDENTIALS_FILE)
    else writeText(this.folder, CREDENTIALS_FILE, `${JSON.stringify({ version: 1, secrets }, null, 2)}\n`)
  }
}
