import { join } from 'node:path'
import { z } from 'zod'
import { type DiskFolder, readText, StoreError, writeText } from '../store/index.js'
import { CONNECTION_KINDS, type ConnectionKind } from './contract.js'

/** Name of the readable settings file in the data folder. */
export const CONNECTIONS_FILE = 'connections.json'

/** Version of that file's format. */
export const CONNECTIONS_VERSION = 1

const entrySchema = z.strictObject({
  settings: z.record(z.string(), z.json()),
  /** Where the password or token is. */
  secret: z.enum(['none', 'keyring', 'file']).default('none'),
})

const fileSchema = z.strictObject({
  version: z.literal(CONNECTIONS_VERSION),
  connections: z.partialRecord(z.enum(CONNECTION_KINDS), entrySchema),
})

/** One kept connection: settings, and where its secret is. */
export type KeptConnection = z.infer<typeof entrySchema>

/** All kept connections by kind. */
export type KeptConnections = { readonly [kind in ConnectionKind]?: KeptConnection }

/** The settings file `connections.json`. It holds no secret and may be edited by hand. */
export class ConnectionsFile {
  constructor(private readonly folder: DiskFolder) {}

  /** Path of the file. */
  get path(): string {
    return join(this.folder.root, CONNECTIONS_FILE)
  }

  /** @throws StoreError `damaged` when it is not what it should be, `newer-schema` */
  read(): KeptConnections {
    const text = readText(this.folder, CONNECTIONS_FILE)
    if (text === undefined) return {}
    return parseConnections(text, this.path)
  }

  /** Changes the file while no other process does. */
  async change(work: (kept: KeptConnections) => KeptConnections): Promise<void> {
    await this.folder.locked(() => {
      const connections = work(this.read())
      writeText(
        this.folder,
        CONNECTIONS_FILE,
        `${JSON.stringify({ version: CONNECTIONS_VERSION, connections }, null, 2)}\n`,
      )
    })
  }
}

/**
 * Reads the text of a settings file.
 * @param where named in errors
 * @throws StoreError `damaged`, `newer-schema`
 */
export function parseConnections(text: string, where: string): KeptConnections {
  const damaged = (why: string): StoreError =>
    new StoreError(
      'damaged',
      where,
      `${where} cannot be read (${why}). Mend it, or move it away and connect again with: botpsy connect`,
    )
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's message quotes the text, in which somebody may have written a password.
    throw damaged('it is not JSON')
  }
  const version = z.object({ version: z.number() }).safeParse(content)
  if (version.success && version.data.version > CONNECTIONS_VERSION)
    throw new StoreError('newer-schema', where, `${where} was written by a newer BotPsy. Update BotPsy.`)
  const parsed = fileSchema.safeParse(content)
  if (parsed.success) return parsed.data.connections
  const issue = parsed.error.issues[0]
  throw damaged(`${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'not what it should be'}`)
}
