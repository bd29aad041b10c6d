import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Folder, type Records, StoreError, writeText } from '../store/index.js'
import { type Attachment, parseMail } from './parse-mail.js'

/** Mail folders: received mail, what waits to be sent, drafts, and what was sent. */
export const BOXES = ['inbox', 'outbox', 'drafts', 'sent'] as const

/** One of the mail folders. */
export type Box = (typeof BOXES)[number]

/** One message as far as it was read. */
export interface Mail {
  /** Short id to say aloud: m7. */
  readonly id: string
  readonly box: Box
  /** Where it lies: a file of the mail folder, or the place on the server. */
  readonly path: string
  readonly unread: boolean
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly subject: string
  readonly date: Date
  readonly text: string
  readonly messageId: string
  readonly references: string
  readonly key: string | undefined
  /** The address replies go to. */
  readonly replyTo: string
  readonly attachments: readonly Attachment[]
}

/** Larger messages are listed by name only. */
const MOST_BYTES = 8 * 1024 * 1024
/** Newest messages that a search looks at. */
const MOST_MAILS = 2000

const idSchema = z.object({ id: z.string() })

const uniqueOf = (path: string): string => (path.split('/').at(-1) ?? '').split(/[:;!]2,/)[0] ?? ''

/** A short id that stays with a message of this unique name; without a writable store one made from the name. */
export function mailId(records: Records, unique: string): string {
  try {
    const name = createHash('sha256').update(unique).digest('hex').slice(0, 32)
    const known = records.get('mail-ids', name, idSchema)
    if (known) return known.id
    return records.transaction(() => {
      const again = records.get('mail-ids', name, idSchema)
      if (again) return again.id
      const id = records.nextId('m')
      records.put('mail-ids', name, { id })
      return id
    })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return `m${Number.parseInt(createHash('sha256').update(unique).digest('hex').slice(0, 7), 16) % 100_000}`
  }
}

/** The key as part of a file name. */
const keyName = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24)

/** Mail in Maildir folders (cr.yp.to/proto/maildir.html): one file a message, written to `tmp`, then renamed to `new`. */
export class Maildir {
  private readonly cache = new Map<string, Mail>()

  constructor(
    readonly folder: Folder,
    private readonly records: Records,
  ) {}

  /** Messages of some boxes, newest first. Unreadable ones are left out. */
  async list(boxes: readonly Box[]): Promise<readonly Mail[]> {
    const out: Mail[] = []
    for (const box of boxes) {
      const entries = [...this.folder.list(`${box}/new`), ...this.folder.list(`${box}/cur`)]
        .filter((e) => e.kind === 'file' && e.size <= MOST_BYTES && !(e.path.split('/').at(-1) ?? '.').startsWith('.'))
        .sort((a, b) => b.modified - a.modified)
      for (const entry of entries.slice(0, MOST_MAILS)) {
        const at = `${entry.path} ${entry.modified} ${entry.size}`
        const cached = this.cache.get(at)
        const mail = cached ?? (await this.parse(box, entry.path, new Date(entry.modified)))
        if (mail === undefined) continue
        if (!cached) this.cache.set(at, mail)
        out.push(mail)
      }
    }
    // Ids are given in the order of arrival.
    return out.sort((a, b) => b.date.getTime() - a.date.getTime())
  }

  private async parse(box: Box, path: string, modified: Date): Promise<Mail | undefined> {
    const bytes = this.folder.read(path)
    if (bytes === undefined) return undefined
    const parsed = await parseMail(bytes)
    if (parsed === undefined) return undefined
    const flags = /[:;!]2,([A-Z]*)$/i.exec(path)?.[1] ?? ''
    return {
      ...parsed,
      id: mailId(this.records, uniqueOf(path)),
      box,
      path,
      unread: box === 'inbox' && (path.startsWith(`${box}/new/`) || !flags.includes('S')),
      date: parsed.date ?? modified,
    }
  }

  /** The message that an effect put into a box, if it did. */
  async findKey(box: Box, key: string): Promise<Mail | undefined> {
    const entry = [...this.folder.list(`${box}/new`), ...this.folder.list(`${box}/cur`)].find((e) =>
      e.path.includes(keyName(key)),
    )
    return entry && this.parse(box, entry.path, new Date(entry.modified))
  }

  /** Puts a message into a box; the name follows from the key, so that a repetition finds it. Returns its path. */
  deliver(box: Box, message: string, key: string, now: Date): string {
    const unique = `${Math.floor(now.getTime() / 1000)}.${keyName(key)}.botpsy`
    const temporary = `${box}/tmp/${unique}`
    const target = `${box}/new/${unique}`
    this.folder.remove(temporary)
    writeText(this.folder, temporary, message)
    this.folder.move(temporary, target)
    return target
  }
}
