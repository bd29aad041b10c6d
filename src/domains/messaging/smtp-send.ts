import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Connection, ConnectionError } from '../connections/contract.js'
import { asMailError, sayReply } from './imap-error.js'
import { passwordOf, within } from './imap-session.js'
import { type MailServer, mailServer, readImapSettings } from './imap-settings.js'

/** Time that a server has for accepting one message. RFC 5321 allows ten minutes; no call may run that long. */
const SEND_MS = 60_000

/** A message ready to be handed over. */
export interface Outgoing {
  readonly from: string
  readonly to: readonly string[]
  /** RFC 5322 text with CRLF. */
  readonly message: string
}

/** Recipients that the server took and those that it refused, with why. */
export interface Handed {
  readonly accepted: readonly string[]
  readonly refused: readonly { readonly address: string; readonly why: string }[]
}

/** The message was under way when the connection ended: whether it was accepted cannot be known from here. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'
  readonly code = 'unknown-outcome'
  constructor(options?: ErrorOptions) {
    super(
      'The connection to the mail server ended before it confirmed the email, so it may have been sent or not.',
      options,
    )
  }
}

const replyOf = (error: unknown): string => {
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : undefined
  return typeof response === 'string' ? response : ''
}

/** Connects and logs in, then does `work`; closes in any case. */
async function withSmtp<T>(
  connection: Connection,
  signal: AbortSignal,
  work: (smtp: SMTPConnection, server: MailServer) => Promise<T>,
): Promise<T> {
  const server = mailServer(readImapSettings(connection), 'smtp')
  const pass = await passwordOf(connection)
  const smtp = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    tls: server.tls,
    name: 'localhost',
    logger: false,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: SEND_MS,
    dnsTimeout: 10_000,
  })
  let stop: (reason: unknown) => void = () => {}
  const ended = new Promise<never>((_, reject) => {
    stop = reject
  })
  ended.catch(() => undefined)
  const abort = (): void => stop(signal.reason)
  smtp.on('error', (error) => stop(error))
  smtp.on('end', () => stop(Object.assign(new Error('closed'), { code: 'ECONNECTION' })))
  signal.addEventListener('abort', abort, { once: true })
  const step = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([new Promise<void>((resolve, reject) => start((e) => (e ? reject(e) : resolve()))), ended])
  try {
    signal.throwIfAborted()
    try {
      await step((done) => smtp.connect(done))
      await step((done) => smtp.login({ user: server.user, pass, credentials: { user: server.user, pass } }, done))
    } catch (error) {
      throw asMailError(error, server)
    }
    return await Promise.race([work(smtp, server), ended])
  } finally {
    signal.removeEventListener('abort', abort)
    if (smtp.authenticated) smtp.quit()
    const close = setTimeout(() => smtp.close(), 1000)
    close.unref()
  }
}

/** Logs in and out again without sending anything. @throws ConnectionError */
export async function trySmtp(connection: Connection, signal?: AbortSignal): Promise<void> {
  await withSmtp(connection, within(SEND_MS, signal), async () => undefined)
}

/**
 * Hands a message over.
 * @param started called when the server asked for the message, before its first byte: until then it is certain that
 * nothing was sent
 * @throws UnknownOutcomeError when the message was under way and no answer came
 * @throws ConnectionError when it is certain that nothing was sent
 */
export async function sendMail(
  connection: Connection,
  outgoing: Outgoing,
  options: { readonly signal?: AbortSignal | undefined; readonly started?: () => void } = {},
): Promise<Handed> {
  let underWay = false
  const server = mailServer(readImapSettings(connection), 'smtp')
  try {
    return await withSmtp(connection, within(SEND_MS, options.signal), async (smtp) => {
      let failed: unknown
      const text = Buffer.from(outgoing.message, 'utf8')
      const body = new Readable({
        // The library pipes from here once the server answered DATA by 354.
        read() {
          try {
            options.started?.()
            underWay = true
            this.push(text)
            this.push(null)
          } catch (error) {
            failed = error
            this.destroy(error instanceof Error ? error : new Error(String(error)))
            smtp.close()
          }
        },
        highWaterMark: 1,
      })
      return new Promise<Handed>((resolve, reject) => {
        smtp.send({ from: outgoing.from, to: [...outgoing.to], size: text.length }, body, (error, info) => {
          if (failed !== undefined) reject(failed)
          else if (error || !info) reject(error ?? new Error('no answer'))
          else
            resolve({
              accepted: info.accepted,
              refused: info.rejected.map((address, i) => ({
                address,
                why: sayReply(codeOf(replyOf(info.rejectedErrors?.[i]))),
              })),
            })
        })
      })
    })
  } catch (error) {
    if (error instanceof ConnectionError) throw error
    // A 4xx or 5xx answer to the message is a certain no.
    if (underWay && !/^[45]\d\d/.test(replyOf(error)))
      throw new UnknownOutcomeError({ cause: asMailError(error, server) })
    if (error instanceof Error && error.name === 'StoreError') throw error
    throw asMailError(error, server)
  }
}

const codeOf = (response: string): string => {
  const found = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response)
  return found ? [found[1], found[2]].filter(Boolean).join(' ') : ''
}
