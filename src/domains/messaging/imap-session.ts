import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { type Connection, ConnectionError } from '../connections/contract.js'
import { StoreError } from '../store/index.js'
import { asMailError } from './imap-error.js'
import { type ImapSettings, type MailServer, mailServer, readImapSettings } from './imap-settings.js'

/** Longest that one look at the server may take. */
export const CALL_MS = 45_000

/** A signal that also ends after some time. */
export function within(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const timer = AbortSignal.timeout(milliseconds)
  return signal ? AbortSignal.any([signal, timer]) : timer
}

/** The password of an account. @throws ConnectionError `credentials` when none is kept */
export async function passwordOf(connection: Connection): Promise<string> {
  const password = await connection.secret()
  if (password === undefined || password === '')
    throw new ConnectionError(
      'credentials',
      'imap',
      'There is no password for the mail account. Connect it again with: botpsy connect imap',
    )
  return password
}

/** A logged-in session that the caller closes; it ends by itself when the signal does. */
export interface ImapSession {
  readonly client: ImapFlow
  readonly server: MailServer
  readonly settings: ImapSettings
  /** The error that ended it, as far as it is known. */
  failure(): unknown
  close(): void
}

/**
 * Connects and logs in. The library writes no log, so that no login can enter one.
 * @throws ConnectionError in words for the owner, never with the password
 */
export async function openImap(
  connection: Connection,
  signal: AbortSignal,
  options: Pick<ImapFlowOptions, 'disableAutoIdle' | 'maxIdleTime' | 'missingIdleCommand' | 'socketTimeout'> = {},
): Promise<ImapSession> {
  const settings = readImapSettings(connection)
  const server = mailServer(settings, 'imap')
  const pass = await passwordOf(connection)
  signal.throwIfAborted()
  const client = new ImapFlow({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    ...(server.security === 'tls' ? {} : { doSTARTTLS: server.security === 'starttls' }),
    auth: { user: server.user, pass },
    tls: server.tls,
    logger: false,
    clientInfo: { name: 'BotPsy' },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableAutoIdle: true,
    maxLiteralSize: 64 * 1024 * 1024,
    ...options,
  })
  let failed: unknown
  // Without a listener an error of the socket would end the process.
  client.on('error', (error) => {
    failed ??= error
  })
  const close = (): void => {
    signal.removeEventListener('abort', close)
    client.close()
  }
  signal.addEventListener('abort', close, { once: true })
  try {
    await client.connect()
    signal.throwIfAborted()
  } catch (error) {
    close()
    throw asMailError(signal.aborted ? signal.reason : error, server)
  }
  return { client, server, settings, failure: () => (signal.aborted ? signal.reason : failed), close }
}

/** Does something in a session of its own and closes it. @throws ConnectionError */
export async function withImap<T>(
  connection: Connection,
  signal: AbortSignal | undefined,
  work: (session: ImapSession) => Promise<T>,
): Promise<T> {
  const limit = within(CALL_MS, signal)
  const session = await openImap(connection, limit)
  try {
    const result = await work(session)
    limit.throwIfAborted()
    return result
  } catch (error) {
    // A defect of ours is no trouble of the server's.
    if (error instanceof StoreError || (error instanceof TypeError && session.client.usable)) throw error
    throw asMailError(session.failure() ?? error, session.server)
  } finally {
    // A polite LOGOUT must not hold anybody up.
    const { client } = session
    const bye = setTimeout(() => session.close(), 1000)
    bye.unref()
    if (client.usable) await client.logout().catch(() => undefined)
    clearTimeout(bye)
    session.close()
  }
}
