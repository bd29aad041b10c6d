import { z } from 'zod'
import { RECORDS_SCHEMA } from '../../domains/store/index.js'
import { JOURNAL_VERSION } from '../journal.js'

/** Format of an archive; a reader refuses higher ones. */
export const ARCHIVE_FORMAT = 1

/** Name of the manifest; the last entry, so that a cut archive has none. */
export const MANIFEST = 'manifest.json'

/** Entry with the passwords, present only when the owner asked for it. */
export const SECRETS = 'secrets.json'

const manifestSchema = z.strictObject({
  botpsy: z.literal('archive'),
  format: z.number().int(),
  /** When it was made, ISO 8601. */
  made: z.string(),
  /** Versions of the stores inside. */
  versions: z.strictObject({ records: z.number().int(), journal: z.number().int() }),
  /** Whether the files folder is inside. */
  files: z.boolean(),
  entries: z.record(z.string(), z.strictObject({ size: z.number().int(), sha256: z.string() })),
})

/** What an archive holds: every entry with its size in bytes and its SHA-256 in hex. */
export type Manifest = z.infer<typeof manifestSchema>

/** An archive that cannot be made, read or brought in; nothing was changed. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  constructor(
    readonly code:
      | 'exists'
      | 'not-an-archive'
      | 'damaged'
      | 'newer'
      | 'has-data'
      | 'in-use'
      | 'cannot-swap'
      | 'changed',
    /** File or folder. */
    readonly where: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Reads a manifest. @throws ArchiveError `not-an-archive`, `newer` */
export function parseManifest(text: string, where: string): Manifest {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new ArchiveError('damaged', where, `${where} is damaged: its manifest is not JSON.`)
  }
  const format = z.object({ botpsy: z.literal('archive'), format: z.number() }).safeParse(content)
  if (!format.success) throw new ArchiveError('not-an-archive', where, `${where} was not made by botpsy export.`)
  if (format.data.format > ARCHIVE_FORMAT) throw newer(where)
  const parsed = manifestSchema.safeParse(content)
  if (!parsed.success) throw new ArchiveError('damaged', where, `${where} is damaged: its manifest is incomplete.`)
  const { records, journal } = parsed.data.versions
  if (records > RECORDS_SCHEMA || journal > JOURNAL_VERSION) throw newer(where)
  return parsed.data
}

const newer = (where: string): ArchiveError =>
  new ArchiveError('newer', where, `${where} was made by a newer BotPsy. Update BotPsy on this machine first.`)
