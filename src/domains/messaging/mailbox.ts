import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { keyWords } from '../words/match.js'
import type { Box, Mail } from './maildir.js'

/** A person or address that mail goes to. */
export interface Recipient {
  /** Empty when only the address is known. */
  readonly name: string
  readonly address: string
}

/** Which messages are looked for; everything given must hold. */
export interface MailQuery {
  readonly boxes: readonly Box[]
  /** Words of the sender's name, or the address; of the recipient's for mail that the owner wrote. */
  readonly from?: string | undefined
  /** Words of the subject or text. */
  readonly about?: string | undefined
  readonly since?: Date | undefined
  /** Exclusive. */
  readonly before?: Date | undefined
  readonly unread?: boolean
}

/** What a search found. */
export interface FoundMails {
  /** Newest first; of many the newest only. */
  readonly mails: readonly Mail[]
  /** How many there are. */
  readonly total: number
  /** What the owner must know of the answer: "the server cannot be reached; this is what was seen before". */
  readonly notice?: string
}

/** A message to be written, as far as the tools settle it. */
export interface Letter {
  readonly to: readonly Recipient[]
  readonly subject: string
  readonly text: string
  /** The message it answers. */
  readonly reply?: Mail
}

/** Where the owner's mail is: folders of this machine, or a server. Failures are thrown as StoreError or ConnectionError. */
export interface Mailbox {
  search(query: MailQuery, signal?: AbortSignal): Promise<FoundMails>
  /** The message with a short id, wherever it lies. */
  byId(id: string, signal?: AbortSignal): Promise<Mail | undefined>
  /** The message with its text and attachments; a notice when the text is cut or older than the server's. */
  whole(mail: Mail, signal?: AbortSignal): Promise<{ readonly mail: Mail; readonly notice?: string }>
  /** Saves (drafts) or sends (outbox) once per key. `write` is asked only when it was not done before. */
  put(box: 'drafts' | 'outbox', context: ToolContext, write: () => Promise<Letter | ToolResult>): Promise<ToolResult>
  /** After a crash: what `put` would have said; undefined when it did not happen. */
  past(box: 'drafts' | 'outbox', key: string, signal?: AbortSignal): Promise<ToolResult | undefined | 'unknown'>
  /** Takes a draft back. */
  revert(undo: JsonObject, signal?: AbortSignal): Promise<ToolResult>
}

/** True for a result, where a letter was possible too. */
export const isResult = (x: Letter | ToolResult): x is ToolResult => 'ok' in x

/** The recipients in words for the owner. */
export const nameEach = (to: readonly Recipient[]): readonly string[] =>
  to.map((t) => (t.name === '' ? t.address : `${t.name} at ${t.address}`))

/** Whether a message is from (or, when the owner wrote it, to) somebody of this name or address. */
export function fromFits(m: Mail, phrase: string): boolean {
  const names = keyWords(`${m.box === 'inbox' ? `${m.from.name} ${m.from.address}` : m.to}`)
  return (
    m.from.address.toLowerCase() === phrase.trim().toLowerCase() ||
    keyWords(phrase).every((w) => names.some((n) => n === w || (w.length > 2 && n.startsWith(w))))
  )
}

/** Whether a message fits a query, judged by what is at hand of it. */
export function fits(m: Mail, query: MailQuery): boolean {
  if (query.from !== undefined && !fromFits(m, query.from)) return false
  if (query.about !== undefined) {
    const held = new Set(keyWords(`${m.subject} ${m.text}`))
    if (!keyWords(query.about).every((w) => held.has(w))) return false
  }
  if (query.since !== undefined && m.date < query.since) return false
  if (query.before !== undefined && m.date >= query.before) return false
  return query.unread !== true || m.unread
}
