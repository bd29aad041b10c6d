import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Connection, ConnectionError } from '../connections/contract.js'
import type { Records } from '../store/index.js'
import { ImapMirror } from './imap-mirror.js'
import { ServerOutgoing } from './imap-outgoing.js'
import { loadWhole, searchServer } from './imap-read.js'
import { withImap } from './imap-session.js'
import { readImapSettings } from './imap-settings.js'
import { type FoundMails, fits, type Letter, type Mailbox, type MailQuery } from './mailbox.js'
import type { Mail } from './maildir.js'

/** Failures that pass by themselves, so that what was seen before is the best answer. */
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'dropped', 'protocol'])

const isAway = (error: unknown, signal: AbortSignal | undefined): error is ConnectionError =>
  error instanceof ConnectionError && AWAY.has(error.code) && signal?.aborted !== true

/** Mail on the connected server (IMAP), sent through its SMTP server. */
export class ServerMailbox implements Mailbox {
  private readonly mirror: ImapMirror
  private readonly out: ServerOutgoing

  /** @throws ConnectionError `settings` */
  constructor(
    private readonly connection: Connection,
    private readonly records: Records,
  ) {
    const account = readImapSettings(connection).address
    this.mirror = new ImapMirror(records, account)
    this.out = new ServerOutgoing(connection, records, this.mirror)
  }

  async search(query: MailQuery, signal?: AbortSignal): Promise<FoundMails> {
    try {
      const found = await withImap(this.connection, signal, (session) => searchServer(session, query, this.records))
      this.mirror.keep(found.mails.map((mail) => ({ mail, hasText: false })))
      return found
    } catch (error) {
      if (!isAway(error, signal)) throw error
      const seen = this.mirror.all()
      if (seen.length === 0) throw error
      const mails = seen.map((s) => s.mail).filter((m) => query.boxes.includes(m.box) && fits(m, query))
      return {
        mails,
        total: mails.length,
        notice: `${error.message} So this is only what was seen before; newer mail may be waiting.`,
      }
    }
  }

  async byId(id: string): Promise<Mail | undefined> {
    return this.mirror.get(id)?.mail
  }

  async whole(mail: Mail, signal?: AbortSignal): Promise<{ readonly mail: Mail; readonly notice?: string }> {
    try {
      const found = await withImap(this.connection, signal, (session) => loadWhole(session, mail))
      this.mirror.keep([{ mail: found.mail, hasText: true }])
      return found
    } catch (error) {
      const seen = this.mirror.get(mail.id)
      if (!isAway(error, signal) || seen?.hasText !== true) throw error
      return { mail: seen.mail, notice: `${error.message} This is the text as it was read before.` }
    }
  }

  put(box: 'drafts' | 'outbox', context: ToolContext, write: () => Promise<Letter | ToolResult>): Promise<ToolResult> {
    return box === 'drafts' ? this.out.draft(context, write) : this.out.send(context, write)
  }

  past(box: 'drafts' | 'outbox', key: string, signal?: AbortSignal): Promise<ToolResult | undefined | 'unknown'> {
    return box === 'drafts' ? this.out.pastDraft(key, signal) : this.out.pastSending(key, signal)
  }

  revert(undo: JsonObject, signal?: AbortSignal): Promise<ToolResult> {
    return this.out.takeBack(undo, signal)
  }
}
