import type { Connection, ConnectionAdapter, ConnectionQuestion, Finding } from '../connections/contract.js'
import { asMailError } from './imap-error.js'
import { folderOf } from './imap-folders.js'
import { openImap, within } from './imap-session.js'
import { imapSettings, mailServer, readImapSettings, suggestSetting } from './imap-settings.js'
import { trySmtp } from './smtp-send.js'

/** A probe ends within ten seconds, whatever the servers do. */
const PROBE_MS = 9_500

const asks = (name: string, prompt: string, more: Partial<ConnectionQuestion> = {}): ConnectionQuestion => ({
  name,
  prompt,
  suggest: (answers) => suggestSetting(name, answers),
  ...more,
})

const questions: readonly ConnectionQuestion[] = [
  { name: 'address', prompt: 'Your email address' },
  { name: 'secret', prompt: 'Password (many providers want an app password made for this)', secret: true },
  asks('user', 'User name for the login', { optional: true }),
  asks('imapHost', 'Server for reading (IMAP)'),
  asks('imapSecurity', 'Its encryption: tls, starttls or none', { optional: true }),
  asks('imapPort', 'Its port', { optional: true }),
  asks('smtpHost', 'Server for sending (SMTP)'),
  asks('smtpSecurity', 'Its encryption: tls, starttls or none', { optional: true }),
  asks('smtpPort', 'Its port', { optional: true }),
  { name: 'name', prompt: 'Your name as others see it', optional: true },
  { name: 'certificate', prompt: "File of your own server's certificate (PEM)", optional: true },
]

const TODO = 'See what the line says; settings are changed with: botpsy connect imap'

/** A mail account: IMAP for reading, SMTP for sending. The probe logs in to both and sends nothing. */
export const imapAdapter: ConnectionAdapter<typeof imapSettings> = {
  kind: 'imap',
  title: 'mail account (IMAP and SMTP)',
  questions,
  settings: imapSettings,
  probe: async (connection, signal) => {
    const limit = within(PROBE_MS, signal)
    // One after the other would add up the waiting for two servers that hang.
    const [reading, sending] = await Promise.all([probeImap(connection, limit), probeSmtp(connection, limit)])
    const ok = reading[0]?.ok === true && sending.ok
    const { address } = connection.settings
    const head: Finding = ok
      ? { ok, text: `Mail of ${String(address)} can be read and sent` }
      : {
          ok,
          text: `Mail of ${String(address)} ${reading[0]?.ok ? 'can be read but not sent' : sending.ok ? 'can be sent but not read' : 'can neither be read nor sent'}`,
          todo: TODO,
        }
    return [head, ...reading, sending]
  },
}

const failure = (error: unknown): Finding => ({
  ok: false,
  text: error instanceof Error ? error.message : 'it failed without saying why',
  todo: TODO,
})

async function probeImap(connection: Connection, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    const session = await openImap(connection, signal)
    const { client, server } = session
    try {
      const folders = await client.list()
      const inbox = await client.status('INBOX', { messages: true, unseen: true })
      const count = inbox === false ? '' : `; ${inbox.messages ?? 0} messages in the inbox, ${inbox.unseen ?? 0} unread`
      const found: Finding[] = [
        { ok: true, text: `${server.host} let us in: ${folders.length} folders${count}` },
        {
          ok: true,
          text: `New mail is ${client.capabilities.has('IDLE') ? 'told at once (IDLE)' : 'asked for every minute (the server has no IDLE)'}`,
        },
      ]
      for (const box of ['sent', 'drafts'] as const)
        if ((await folderOf(client, box)) === undefined)
          found.push({
            ok: true,
            text: `There is no folder for ${box === 'sent' ? 'sent mail' : 'drafts'}; it will be made when it is needed`,
          })
      return found
    } catch (error) {
      throw asMailError(session.failure() ?? error, server)
    } finally {
      session.close()
    }
  } catch (error) {
    return [failure(error)]
  }
}

async function probeSmtp(connection: Connection, signal: AbortSignal): Promise<Finding> {
  try {
    await trySmtp(connection, signal)
    return {
      ok: true,
      text: `${mailServer(readImapSettings(connection), 'smtp').host} let us in for sending; nothing was sent`,
    }
  } catch (error) {
    return failure(error)
  }
}
