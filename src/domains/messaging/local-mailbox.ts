import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { done } from '../result.js'
import { listWords } from '../words/match.js'
import { composeMessage } from './compose.js'
import { type FoundMails, fits, isResult, type Letter, type Mailbox, type MailQuery, nameEach } from './mailbox.js'
import { BOXES, type Mail, type Maildir } from './maildir.js'
import { revertText, textUndo } from './text-undo.js'

/** The owner's address until a mail server is connected; `.invalid` can never be delivered to (RFC 2606). */
export const OWNER_ADDRESS = 'owner@botpsy.invalid'

/** Mail in folders of this machine. What is to be sent waits in the outbox. */
export class LocalMailbox implements Mailbox {
  constructor(private readonly mail: Maildir) {}

  async search(query: MailQuery): Promise<FoundMails> {
    const mails = (await this.mail.list(query.boxes)).filter((m) => fits(m, query))
    return { mails, total: mails.length }
  }

  async byId(id: string): Promise<Mail | undefined> {
    return (await this.mail.list(BOXES)).find((m) => m.id.toLowerCase() === id.toLowerCase())
  }

  async whole(mail: Mail): Promise<{ readonly mail: Mail }> {
    return { mail }
  }

  async put(
    box: 'drafts' | 'outbox',
    context: ToolContext,
    write: () => Promise<Letter | ToolResult>,
  ): Promise<ToolResult> {
    return this.mail.folder.locked(async () => {
      const before = await this.past(box, context.idempotencyKey)
      if (before) return before
      const letter = await write()
      return isResult(letter) ? letter : this.deliver(box, letter, context)
    })
  }

  private async deliver(box: 'drafts' | 'outbox', letter: Letter, context: ToolContext): Promise<ToolResult> {
    const now = context.now()
    const { to, reply } = letter
    const message = composeMessage({
      from: OWNER_ADDRESS,
      to,
      subject: letter.subject,
      text: letter.text,
      date: now,
      messageId: `${now.getTime()}.${Buffer.from(context.idempotencyKey).toString('hex').slice(0, 40)}@botpsy.invalid`,
      ...(reply?.messageId
        ? { inReplyTo: reply.messageId, references: `${reply.references} ${reply.messageId}`.trim() }
        : {}),
      key: context.idempotencyKey,
    })
    const path = this.mail.deliver(box, message, context.idempotencyKey, now)
    const saved = await this.mail.findKey(box, context.idempotencyKey)
    const names = listWords(nameEach(to))
    const id = saved ? ` as ${saved.id}` : ''
    if (box === 'drafts')
      return done(`The draft${names === '' ? '' : ` to ${names}`} is saved${id}.`, {
        data: { id: saved?.id ?? '', path },
        undo: textUndo(path, undefined, message),
      })
    return done(`The email to ${names} is in the outbox${id}; no mail server is connected, so it waits there.`, {
      data: { id: saved?.id ?? '', path, to: to.map((t) => t.address) },
    })
  }

  async past(box: 'drafts' | 'outbox', key: string): Promise<ToolResult | undefined> {
    const found = await this.mail.findKey(box, key)
    return (
      found &&
      done(
        box === 'drafts'
          ? `The draft is saved as ${found.id}.`
          : `The email to ${found.to || 'the recipient'} is in the outbox as ${found.id}.`,
        { data: { id: found.id, path: found.path } },
      )
    )
  }

  async revert(undo: JsonObject): Promise<ToolResult> {
    return this.mail.folder.locked(() => revertText(this.mail.folder, undo))
  }
}
