import type { JsonObject } from '../../chat/types.js'
import type { MailServers } from '../../testing/mail-servers.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import type { Connection } from '../connections/contract.js'
import { withImap } from '../messaging/imap-session.js'
import { messagingTools } from '../messaging/index.js'
import { MemoryFolder, Records } from '../store/index.js'

/** A connection to the test servers; settings given replace its own. */
export function mailConnection(
  servers: MailServers,
  address: string,
  password: string,
  settings: JsonObject = {},
): Connection {
  return {
    kind: 'imap',
    settings: {
      address,
      imapHost: 'localhost',
      imapPort: servers.imapPort,
      imapSecurity: 'starttls',
      smtpHost: 'localhost',
      smtpPort: servers.smtpPort,
      smtpSecurity: 'starttls',
      certificate: servers.certificate,
      ...settings,
    },
    secret: async () => password,
  }
}

/** The mail tools over stores of one process, connected or not. */
export interface MailDesk {
  readonly records: Records
  readonly mail: MemoryFolder
  /** Undefined: nothing is connected. */
  connection: Connection | undefined
  tool(name: string): Tool
  context(key?: string, signal?: AbortSignal): ToolContext
  call(name: string, args?: JsonObject, key?: string, signal?: AbortSignal): Promise<ToolResult>
}

/** Mail tools at 22:00 on Monday 30 November 2026 in Budapest; the same records stand for the same data folder. */
export function mailDesk(connection: Connection | undefined, records = new Records(':memory:')): MailDesk {
  const mail = new MemoryFolder()
  let n = 0
  const self: MailDesk = {
    records,
    mail,
    connection,
    tool: (name) => {
      const found = tools.find((t) => t.name === name)
      if (!found) throw new Error(`no tool ${name}`)
      return found
    },
    context: (key, signal) => ({
      now: () => new Date('2026-11-30T21:00:00Z'),
      timeZone: 'Europe/Budapest',
      request: '',
      idempotencyKey: key ?? `call-${++n}`,
      ...(signal ? { signal } : {}),
    }),
    call: (name, args = {}, key, signal) => self.tool(name).run(args, self.context(key, signal)),
  }
  const tools = messagingTools(mail, new MemoryFolder(), records, {
    find: (kind) => (kind === 'imap' ? self.connection : undefined),
  })
  return self
}

/** Puts messages into a folder of the server as another program would. Lines may end with a plain newline. */
export async function putMails(
  connection: Connection,
  messages: readonly (string | Uint8Array)[],
  folder = 'INBOX',
): Promise<void> {
  await withImap(connection, undefined, async ({ client }) => {
    for (const message of messages)
      await client.append(
        folder,
        typeof message === 'string' ? Buffer.from(message.replace(/\r?\n/g, '\r\n')) : Buffer.from(message),
      )
  })
}

/** Source texts of a folder of the server, in order of arrival. */
export async function sourcesOf(connection: Connection, folder: string): Promise<readonly string[]> {
  return withImap(connection, undefined, async ({ client }) => {
    const lock = await client.getMailboxLock(folder, { readOnly: true })
    try {
      if (client.mailbox === false || client.mailbox.exists === 0) return []
      return (await client.fetchAll('1:*', { source: true, uid: true })).map((m) => m.source?.toString() ?? '')
    } finally {
      lock.release()
    }
  })
}
