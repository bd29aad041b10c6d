import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Item, Records } from '../store/index.js'

/**
 * How far an email got. `sending`: its first byte is about to leave. `asked`: as `sending`, and the owner was told that the
 * outcome is unknown. `accepted`: the SMTP server has it. `done`: the copy is among the sent mail too.
 */
export type SendState = 'sending' | 'asked' | 'accepted' | 'done'

const entrySchema = z.object({
  account: z.string(),
  state: z.enum(['sending', 'asked', 'accepted', 'done']),
  messageId: z.string(),
  /** Recipients in words. */
  names: z.array(z.string()),
  addresses: z.array(z.string()),
  /** What the server refused, in words. */
  refused: z.array(z.string()),
  /** The message as it was sent; dropped when its copy is saved. */
  message: z.string(),
  /** Place of the message that this one answers. */
  answers: z.string().optional(),
  /** Short id of the copy. */
  id: z.string().optional(),
})

/** One email on its way. */
export type OutgoingEntry = z.output<typeof entrySchema>

const COLLECTION = 'mail-outgoing'
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32)

/** The Message-ID (without angle brackets) that follows from an effect's key, so that a repetition is recognised. */
export function messageIdOf(key: string, address: string): string {
  const domain = address.split('@')[1]?.replace(/[^A-Za-z0-9.-]/g, '') || 'botpsy.invalid'
  return `botpsy.${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}`
}

/** What left this machine by SMTP and how far it got; written durably before each step. */
export class OutgoingLedger {
  constructor(private readonly records: Records) {}

  get(key: string): OutgoingEntry | undefined {
    return this.records.get(COLLECTION, nameOf(key), entrySchema)
  }

  put(key: string, entry: OutgoingEntry): void {
    this.records.put(COLLECTION, nameOf(key), entry)
  }

  remove(key: string): void {
    this.records.remove(COLLECTION, nameOf(key))
  }

  /** Emails of an account whose copy is still to be saved, by the names of their rows. */
  uncopied(account: string): readonly Item<OutgoingEntry>[] {
    return this.records
      .all(COLLECTION, entrySchema)
      .filter((e) => e.data.account === account && e.data.state === 'accepted')
  }

  /** Notes that the copy is saved. */
  copied(row: Item<OutgoingEntry>, id: string | undefined): void {
    this.records.put(COLLECTION, row.id, {
      ...row.data,
      state: 'done',
      message: '',
      ...(id === undefined ? {} : { id }),
    } satisfies OutgoingEntry)
  }
}
