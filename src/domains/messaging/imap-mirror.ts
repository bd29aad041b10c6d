import { z } from 'zod'
import { type Records, StoreError } from '../store/index.js'
import { BOXES, type Mail } from './maildir.js'

/** Messages that are kept for when the server cannot be reached. */
const MOST_KEPT = 1000
/** Characters of a text that are kept. */
const MOST_TEXT = 20_000

const keptSchema = z.object({
  account: z.string(),
  box: z.enum(BOXES),
  path: z.string(),
  unread: z.boolean(),
  from: z.object({ name: z.string(), address: z.string() }),
  to: z.string(),
  subject: z.string(),
  date: z.iso.datetime(),
  /** Missing until the message was read. */
  text: z.string().optional(),
  messageId: z.string(),
  references: z.string(),
  replyTo: z.string(),
  attachments: z.array(z.object({ name: z.string(), size: z.number() })),
})

type Kept = z.output<typeof keptSchema>

/** A message as it was seen last. */
export interface Mirrored {
  readonly mail: Mail
  /** False while only its headers were seen. */
  readonly hasText: boolean
}

const COLLECTION = 'imap-seen'

/** Messages of the server as they were seen last: for answers while it cannot be reached, and for what "m7" means. */
export class ImapMirror {
  constructor(
    private readonly records: Records,
    private readonly account: string,
  ) {}

  /** Keeps messages; those without text keep the text that was seen before. */
  keep(mails: readonly { readonly mail: Mail; readonly hasText: boolean }[]): void {
    if (mails.length === 0) return
    try {
      this.write(mails)
      this.prune()
    } catch (error) {
      // A read-only or full disk must not keep the owner from the mail itself.
      if (!(error instanceof StoreError)) throw error
    }
  }

  private write(mails: readonly { readonly mail: Mail; readonly hasText: boolean }[]): void {
    this.records.transaction(() => {
      for (const { mail, hasText } of mails) {
        const before = this.records.get(COLLECTION, mail.id, keptSchema)
        const text = hasText ? mail.text.slice(0, MOST_TEXT) : before?.path === mail.path ? before.text : undefined
        const kept: Kept = {
          account: this.account,
          box: mail.box,
          path: mail.path,
          unread: mail.unread,
          from: { name: mail.from.name, address: mail.from.address },
          to: mail.to,
          subject: mail.subject,
          date: mail.date.toISOString(),
          ...(text === undefined ? {} : { text }),
          messageId: mail.messageId,
          references: mail.references,
          replyTo: mail.replyTo,
          attachments: mail.attachments.map((a) => ({ name: a.name, size: a.size })),
        }
        this.records.put(COLLECTION, mail.id, kept)
      }
    })
  }

  /** A little above the limit is allowed, so that not every search counts all. */
  private prune(): void {
    const all = this.records.all(COLLECTION, keptSchema)
    if (all.length <= MOST_KEPT * 1.2) return
    const oldest = [...all].sort((a, b) => (a.data.date < b.data.date ? -1 : 1)).slice(0, all.length - MOST_KEPT)
    this.records.transaction(() => {
      for (const { id } of oldest) this.records.remove(COLLECTION, id)
    })
  }

  /** A message by its short id. */
  get(id: string): Mirrored | undefined {
    const kept = this.records.get(COLLECTION, id.toLowerCase(), keptSchema)
    return kept === undefined || kept.account !== this.account ? undefined : asMirrored(id.toLowerCase(), kept)
  }

  /** Everything that is kept of this account, newest first. */
  all(): readonly Mirrored[] {
    return this.records
      .all(COLLECTION, keptSchema)
      .filter((k) => k.data.account === this.account)
      .map((k) => asMirrored(k.id, k.data))
      .sort((a, b) => b.mail.date.getTime() - a.mail.date.getTime())
  }
}

function asMirrored(id: string, kept: Kept): Mirrored {
  const { account: _, text, date, ...rest } = kept
  return {
    hasText: text !== undefined,
    mail: { ...rest, id, date: new Date(date), text: text ?? '', key: undefined },
  }
}
