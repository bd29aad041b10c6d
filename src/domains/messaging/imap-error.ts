import { ConnectionError, type ConnectionErrorCode } from '../connections/contract.js'
import type { MailServer } from './imap-settings.js'

/** The fields of the errors of Node, imapflow and nodemailer that tell what happened. */
interface Clues {
  readonly code: string
  readonly text: string
  /** SMTP reply code with its enhanced code (RFC 3463), "550 5.1.1". */
  readonly reply: string
  /** IMAP response code (RFC 5530). */
  readonly imap: string
  readonly login: boolean
}

const field = (error: object, name: string): unknown =>
  name in error ? (error as Record<string, unknown>)[name] : undefined

function cluesOf(error: unknown): Clues {
  if (typeof error !== 'object' || error === null)
    return { code: '', text: String(error), reply: '', imap: '', login: false }
  const word = (name: string): string => {
    const value = field(error, name)
    return typeof value === 'string' ? value : ''
  }
  const response = word('response')
  const reply = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response)
  return {
    code: word('code'),
    text: error instanceof Error ? error.message : '',
    reply: reply ? [reply[1], reply[2]].filter(Boolean).join(' ') : '',
    imap: word('serverResponseCode'),
    login: field(error, 'authenticationFailed') === true || word('code') === 'EAUTH',
  }
}

/** Codes of Node's TLS for certificates that do not hold. */
const CERTIFICATE =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS_CERT|altnames|self[- ]signed|unable to (?:get|verify)|certificate/i

/** What an SMTP reply code means for the owner (RFC 5321, RFC 3463); own words, since a server's text is outside text. */
export function sayReply(reply: string): string {
  const enhanced = reply.split(' ')[1] ?? ''
  const why =
    /^\d\.2\.2$/.test(enhanced) || reply.startsWith('552')
      ? 'the mailbox is full or the message too large'
      : /^\d\.1\./.test(enhanced) || reply === '550' || reply.startsWith('553')
        ? 'there is no such address'
        : /^\d\.3\.4$/.test(enhanced)
          ? 'the message is too large'
          : /^\d\.7\./.test(enhanced)
            ? 'its rules forbid it'
            : reply.startsWith('4')
              ? 'it cannot take it at the moment'
              : 'it gave no known reason'
  return `${why} (code ${reply || 'unknown'})`
}

/**
 * What went wrong at a mail server as a {@link ConnectionError}. The message is in our own words: what servers and
 * libraries write may echo the login.
 */
export function asMailError(error: unknown, server: Pick<MailServer, 'host' | 'port' | 'security'>): ConnectionError {
  if (error instanceof ConnectionError) return error
  const { code, text, reply, imap, login } = cluesOf(error)
  const at = `The mail server ${server.host} (port ${server.port})`
  const make = (kind: ConnectionErrorCode, said: string): ConnectionError => new ConnectionError(kind, 'imap', said)
  if (error instanceof Error && error.name === 'TimeoutError')
    return make('timeout', `${at} did not answer in time. Try again later.`)
  if (error instanceof Error && error.name === 'AbortError')
    return make('dropped', `${at} was not waited for any longer.`)
  if (CERTIFICATE.test(`${code} ${text}`) && !login)
    return make(
      'refused',
      `${at} showed a certificate that cannot be trusted, so nothing was sent to it, not even the password. If it is your own server, give the file of its certificate with: botpsy connect imap`,
    )
  if (login) {
    if (/UNAVAILABLE|INUSE|LIMIT/.test(imap) || reply.startsWith('4'))
      return make('refused', `${at} cannot log anybody in at the moment. Try again later.`)
    return make(
      'credentials',
      `${at} refused the login. Check the user name and the password (many providers want an app password) with: botpsy connect imap`,
    )
  }
  if (/STARTTLS/i.test(`${code} ${text}`) || field(Object(error), 'tlsFailed') === true || code === 'ETLS')
    return make(
      'refused',
      `${at} offers no encryption (STARTTLS) or broke it off, so nothing was sent to it, not even the password. Check the port and the security setting with: botpsy connect imap`,
    )
  if (/ETIMEDOUT|TIMEOUT/i.test(code)) return make('timeout', `${at} did not answer in time. Try again later.`)
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(code))
    return make('unreachable', `There is no server named ${server.host}, or the network is down.`)
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN/.test(`${code} ${text}`))
    return make('unreachable', `${at} cannot be reached. Check the address, the port and the network.`)
  if (imap === 'OVERQUOTA') return make('refused', 'The mailbox is full. Delete or move mail, then try again.')
  if (/ECONNRESET|EPIPE|ECONNECTION|EConnectionClosed|NoConnection|ClosedAfterConnect|ESOCKET|StateLogout/.test(code))
    return /wrong version number|packet length|SSL routines/i.test(text)
      ? make(
          'protocol',
          `${at} does not speak TLS there. Check the port and the security setting with: botpsy connect imap`,
        )
      : make('dropped', `${at} closed the connection. Try again in a moment.`)
  if (/wrong version number|SSL routines|ERR_SSL/i.test(`${code} ${text}`))
    return make(
      'protocol',
      `${at} does not speak TLS there. Check the port and the security setting with: botpsy connect imap`,
    )
  if (code === 'EENVELOPE' && reply === '')
    return make('refused', 'The address of a recipient is none that mail can be sent to. Check it.')
  if (code === 'EMESSAGE' && reply === '')
    return make('refused', 'The email is larger than the mail server takes. Shorten it.')
  if (reply !== '') return make('refused', `${at} refused: ${sayReply(reply)}.`)
  if (field(Object(error), 'responseStatus') === 'NO')
    return make('refused', `${at} refused${imap === '' ? '' : ` (${imap})`}.`)
  return make(
    'protocol',
    `${at} answered something that is no mail protocol${code === '' ? '' : ` (${code.slice(0, 40)})`}.`,
  )
}
