import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Connection, ConnectionError } from '../connections/contract.js'
import { done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { listWords } from '../words/match.js'
import { composeMessage } from './compose.js'
import { folderFor, folderOf, inFolder, withMessageId } from './imap-folders.js'
import type { ImapMirror } from './imap-mirror.js'
import { readPlace } from './imap-place.js'
import { loadHeaders } from './imap-read.js'
import { type ImapSession, withImap, within } from './imap-session.js'
import { type ImapSettings, readImapSettings } from './imap-settings.js'
import { isResult, type Letter, nameEach } from './mailbox.js'
import type { Mail } from './maildir.js'
import { messageIdOf, type OutgoingEntry, OutgoingLedger } from './outgoing-ledger.js'
import { parseMail } from './parse-mail.js'
import { sendMail, UnknownOutcomeError } from './smtp-send.js'

const undoSchema = z.object({ server: z.string(), messageId: z.string(), content: z.string() })

const digest = (text: string): string =>
  createHash('sha256').update(text.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 16)

/** Time for what follows a sending, so that the whole stays below what one call may take. */
const AFTER_MS = 30_000

const UNKNOWN =
  'It is not known whether the email was sent: the connection to the mail server ended before it answered. It was not sent again. Please check with the recipient or in the sent mail.'

/** What an entry says once the server has the email. */
function told(entry: OutgoingEntry, notice?: string): ToolResult {
  const refused = entry.refused.length === 0 ? '' : ` The server refused ${listWords(entry.refused)}.`
  return done(
    `The email to ${listWords(entry.names)} is sent${entry.id === undefined ? '' : ` as ${entry.id}`}.${refused}`,
    {
      lines: notice === undefined ? [] : [notice],
      data: { id: entry.id ?? '', messageId: entry.messageId, to: entry.addresses },
    },
  )
}

/**
 * What the ledger alone knows of a key, for when no server is connected any more.
 * Undefined: nothing was sent under it.
 */
export function pastByLedger(records: Records, key: string): ToolResult | undefined | 'unknown' {
  const entry = new OutgoingLedger(records).get(key)
  if (entry === undefined) return undefined
  return entry.state === 'accepted' || entry.state === 'done' ? told(entry) : 'unknown'
}

/** Drafts and sending on a server, each once per key. */
export class ServerOutgoing {
  private readonly ledger: OutgoingLedger
  private readonly settings: ImapSettings

  constructor(
    private readonly connection: Connection,
    private readonly records: Records,
    private readonly mirror: ImapMirror,
  ) {
    this.ledger = new OutgoingLedger(records)
    this.settings = readImapSettings(connection)
  }

  private compose(letter: Letter, context: ToolContext): { readonly messageId: string; readonly message: string } {
    const { reply } = letter
    const messageId = messageIdOf(context.idempotencyKey, this.settings.address)
    return {
      messageId,
      message: composeMessage({
        from: this.settings.address,
        fromName: this.settings.name,
        to: letter.to,
        subject: letter.subject,
        text: letter.text,
        date: context.now(),
        messageId,
        ...(reply?.messageId
          ? { inReplyTo: reply.messageId, references: `${reply.references} ${reply.messageId}`.trim() }
          : {}),
      }),
    }
  }

  /** The first message of a box with this Message-ID. */
  private async seek(session: ImapSession, box: 'sent' | 'drafts', messageId: string): Promise<Mail | undefined> {
    const folder = await folderOf(session.client, box)
    if (folder === undefined) return undefined
    return inFolder(session.client, folder, true, async (uidValidity) => {
      const uids = await withMessageId(session.client, messageId)
      const at = { folder, uidValidity, account: this.settings.address }
      const mail = (await loadHeaders(session.client, uids.slice(0, 1), box, at, this.records))[0]
      if (mail) this.mirror.keep([{ mail, hasText: false }])
      return mail
    })
  }

  /** Sends once. A repetition under the same key tells what the first time came to. */
  async send(context: ToolContext, write: () => Promise<Letter | ToolResult>): Promise<ToolResult> {
    const key = context.idempotencyKey
    const before = this.ledger.get(key)
    if (before !== undefined && before.state !== 'asked') {
      const past = await this.pastSending(key, context.signal)
      if (past === 'unknown') return failed(UNKNOWN)
      if (past !== undefined) return past
    }
    // After `asked` the owner decided that it goes out again, as the same message.
    let entry = before
    if (entry === undefined) {
      const letter = await write()
      if (isResult(letter)) return letter
      entry = {
        account: this.settings.address,
        state: 'sending',
        ...this.compose(letter, context),
        names: [...nameEach(letter.to)],
        addresses: letter.to.map((t) => t.address),
        refused: [],
        ...(letter.reply === undefined ? {} : { answers: letter.reply.path }),
      }
    }
    return this.hand(key, entry, context.signal)
  }

  private async hand(key: string, entry: OutgoingEntry, signal: AbortSignal | undefined): Promise<ToolResult> {
    const started = (): void => this.ledger.put(key, { ...entry, state: 'sending' })
    let handed: Awaited<ReturnType<typeof sendMail>>
    try {
      handed = await sendMail(
        this.connection,
        { from: this.settings.address, to: entry.addresses, message: entry.message },
        { signal, started },
      )
    } catch (error) {
      if (error instanceof UnknownOutcomeError) return this.unsure(key)
      // It is certain that this time nothing was taken; of an earlier time it stays unknown.
      if (entry.state === 'sending') this.ledger.remove(key)
      else this.ledger.put(key, entry)
      throw error
    }
    const refusedOnes = new Set(handed.refused.map((r) => r.address))
    this.ledger.put(key, {
      ...entry,
      state: 'accepted',
      names: entry.names.filter((_, i) => !refusedOnes.has(entry.addresses[i] ?? '')),
      addresses: entry.addresses.filter((a) => !refusedOnes.has(a)),
      refused: handed.refused.map((r) => `${r.address}, because ${r.why}`),
    })
    return this.finish(key, signal)
  }

  /** No answer came: the sent mail may show it (some servers keep copies themselves), else the owner is told. */
  private async unsure(key: string): Promise<ToolResult> {
    const past = await this.pastSending(key, AbortSignal.timeout(AFTER_MS)).catch(() => 'unknown' as const)
    return past === 'unknown' || past === undefined
      ? { ...failed(UNKNOWN), question: `${UNKNOWN} Should I send it again?` }
      : past
  }

  /** Saves the copies that are missing, and tells how this email went. */
  private async finish(key: string, signal: AbortSignal | undefined): Promise<ToolResult> {
    let notice: string | undefined
    try {
      await this.copyAll(within(AFTER_MS, signal))
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      notice = `Its copy could not be saved among the sent mail yet. ${error.message}`
    }
    const entry = this.ledger.get(key)
    return entry === undefined ? failed(UNKNOWN) : told(entry, notice)
  }

  private async copyAll(signal: AbortSignal | undefined): Promise<void> {
    const rows = this.ledger.uncopied(this.settings.address)
    if (rows.length === 0) return
    await withImap(this.connection, signal, async (session) => {
      const { client } = session
      for (const row of rows) {
        // A server that keeps copies itself, or a copy whose confirmation was lost.
        let copy = await this.seek(session, 'sent', row.data.messageId)
        if (copy === undefined) {
          await client.append(await folderFor(client, 'sent'), row.data.message, ['\\Seen'])
          copy = await this.seek(session, 'sent', row.data.messageId)
        }
        this.ledger.copied(row, copy?.id)
        const answered = row.data.answers === undefined ? undefined : readPlace(row.data.answers)
        if (answered !== undefined)
          await inFolder(client, answered.folder, false, async (uidValidity) => {
            if (uidValidity === answered.uidValidity)
              await client.messageFlagsAdd(String(answered.uid), ['\\Answered'], { uid: true })
          }).catch(() => undefined)
      }
    })
  }

  /** After a crash: whether the email with this key went out. */
  async pastSending(key: string, signal?: AbortSignal): Promise<ToolResult | undefined | 'unknown'> {
    const entry = this.ledger.get(key)
    if (entry === undefined) return undefined
    if (entry.state === 'done') return told(entry)
    if (entry.state === 'accepted') return this.finish(key, signal)
    let copy: Mail | undefined
    try {
      copy = await withImap(this.connection, signal, (session) => this.seek(session, 'sent', entry.messageId))
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
    if (copy !== undefined) {
      this.ledger.put(key, { ...entry, state: 'done', message: '', id: copy.id })
      return told({ ...entry, id: copy.id })
    }
    this.ledger.put(key, { ...entry, state: 'asked' })
    return 'unknown'
  }

  /** Saves a draft once; its Message-ID is looked for first. */
  async draft(context: ToolContext, write: () => Promise<Letter | ToolResult>): Promise<ToolResult> {
    const before = await this.pastDraft(context.idempotencyKey, context.signal)
    if (before !== undefined) return before
    const letter = await write()
    if (isResult(letter)) return letter
    const { messageId, message } = this.compose(letter, context)
    const saved = await withImap(this.connection, context.signal, async (session) => {
      await session.client.append(await folderFor(session.client, 'drafts'), message, ['\\Draft', '\\Seen'])
      return this.seek(session, 'drafts', messageId)
    })
    const names = listWords(nameEach(letter.to))
    return done(
      `The draft${names === '' ? '' : ` to ${names}`} is saved${saved ? ` as ${saved.id}` : ''} on the mail server.`,
      {
        data: { id: saved?.id ?? '', messageId },
        undo: { server: this.settings.address, messageId, content: digest(letter.text) },
      },
    )
  }

  /** The draft with this key, as far as it is still there. */
  async pastDraft(key: string, signal?: AbortSignal): Promise<ToolResult | undefined> {
    const messageId = messageIdOf(key, this.settings.address)
    const found = await withImap(this.connection, signal, (session) => this.seek(session, 'drafts', messageId))
    return found && done(`The draft is saved as ${found.id} on the mail server.`, { data: { id: found.id, messageId } })
  }

  /** Removes a draft again, unless it was changed since. */
  async takeBack(undo: JsonObject, signal?: AbortSignal): Promise<ToolResult> {
    const parsed = undoSchema.safeParse(undo)
    if (!parsed.success) return failed('That cannot be taken back: its record is unreadable.')
    const { server, messageId, content } = parsed.data
    if (server !== this.settings.address)
      return failed(`That draft is in the mailbox of ${server}, which is not connected.`)
    return withImap(this.connection, signal, async ({ client }) => {
      const folder = await folderOf(client, 'drafts')
      if (folder === undefined) return done('That was taken back already.')
      return inFolder(client, folder, false, async () => {
        const uid = (await withMessageId(client, messageId))[0]
        if (uid === undefined) return done('That was taken back already.')
        const found = await client.fetchOne(String(uid), { uid: true, source: true }, { uid: true })
        const mail = found === false || found.source === undefined ? undefined : await parseMail(found.source)
        if (mail === undefined || digest(mail.text) !== content)
          return failed('That cannot be taken back, because it was changed again since.')
        await client.messageDelete(String(uid), { uid: true })
        return done('Done, that is taken back.')
      })
    })
  }
}
