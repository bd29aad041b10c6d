import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { z } from 'zod'
import { type Connection, ConnectionError } from '../connections/contract.js'

/** How a mail server is reached: TLS from the start (RFC 8314), after STARTTLS, or in the clear (this machine only). */
export const SECURITIES = ['tls', 'starttls', 'none'] as const

const blank = (value: unknown): unknown => (typeof value === 'string' && value.trim() === '' ? undefined : value)
const port = (fallback: number) => z.preprocess(blank, z.coerce.number().int().min(1).max(65535).default(fallback))
const host = z
  .string()
  .trim()
  .regex(/^[^\s/@]+$/, 'give the name of the server alone, such as imap.example.com')
const optional = z.preprocess(blank, z.string().trim().optional())
const security = z.preprocess(
  (v) => (typeof v === 'string' ? blank(v.trim().toLowerCase()) : v),
  z.enum(SECURITIES).default('tls'),
)

/** Settings of a mail account; the password is the connection's secret. */
export const imapSettings = z.object({
  /** The owner's address; mail is sent from it. */
  address: z
    .string()
    .trim()
    .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'give an address such as me@example.com'),
  /** Name shown to recipients. */
  name: optional,
  /** Login name; default the address. */
  user: optional,
  imapHost: host,
  imapPort: port(993),
  imapSecurity: security,
  smtpHost: host,
  smtpPort: port(465),
  smtpSecurity: security,
  /** PEM file of a certificate (or of its issuer) that is trusted besides those of the system. */
  certificate: optional,
})

/** Settings of a mail account. */
export type ImapSettings = z.output<typeof imapSettings>

/** One of the two servers of an account, ready to be connected to. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: (typeof SECURITIES)[number]
  readonly user: string
  readonly tls: ConnectionOptions
}

/** @throws ConnectionError `settings` */
export function readImapSettings(connection: Connection): ImapSettings {
  const parsed = imapSettings.safeParse(connection.settings)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ConnectionError(
    'settings',
    'imap',
    `The settings of the mail account cannot be used (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}). Connect it again with: botpsy connect imap`,
  )
}

const isThisMachine = (name: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(name)

/**
 * The server for reading (`imap`) or sending (`smtp`).
 * @throws ConnectionError `settings` when the password would travel in the clear, or the certificate file is unreadable
 */
export function mailServer(settings: ImapSettings, which: 'imap' | 'smtp'): MailServer {
  const { user = settings.address, certificate } = settings
  const at =
    which === 'imap'
      ? { host: settings.imapHost, port: settings.imapPort, security: settings.imapSecurity }
      : { host: settings.smtpHost, port: settings.smtpPort, security: settings.smtpSecurity }
  if (at.security === 'none' && !isThisMachine(at.host))
    throw new ConnectionError(
      'settings',
      'imap',
      `Without TLS the password would travel to ${at.host} in the clear, which is refused. Set ${which}Security to tls or starttls.`,
    )
  return { ...at, user, tls: { ...trusted(certificate), ...(isIP(at.host) ? {} : { servername: at.host }) } }
}

function trusted(certificate: string | undefined): ConnectionOptions {
  if (certificate === undefined) return {}
  try {
    return { ca: [readFileSync(certificate, 'utf8')] }
  } catch (error) {
    throw new ConnectionError(
      'settings',
      'imap',
      `The certificate file ${certificate} cannot be read. Correct its path or leave it out.`,
      { cause: error },
    )
  }
}

/** Servers of providers whose names do not follow from the address. */
const PROVIDERS: { readonly [domain: string]: readonly [imap: string, smtp: string, smtpPort?: string] } = {
  'gmail.com': ['imap.gmail.com', 'smtp.gmail.com'],
  'googlemail.com': ['imap.gmail.com', 'smtp.gmail.com'],
  'icloud.com': ['imap.mail.me.com', 'smtp.mail.me.com', '587'],
  'me.com': ['imap.mail.me.com', 'smtp.mail.me.com', '587'],
  'yahoo.com': ['imap.mail.yahoo.com', 'smtp.mail.yahoo.com'],
  'fastmail.com': ['imap.fastmail.com', 'smtp.fastmail.com'],
  'gmx.net': ['imap.gmx.net', 'mail.gmx.net'],
  'gmx.de': ['imap.gmx.net', 'mail.gmx.net'],
  'web.de': ['imap.web.de', 'smtp.web.de', '587'],
  'aol.com': ['imap.aol.com', 'smtp.aol.com'],
}

/** What an answer probably is, judged by the address; undefined when there is no address yet. */
export function suggestSetting(name: string, answers: { readonly [name: string]: string }): string | undefined {
  const address = answers.address?.trim() ?? ''
  const domain = address.split('@')[1]?.toLowerCase()
  if (domain === undefined || domain === '') return undefined
  const known = Object.hasOwn(PROVIDERS, domain) ? PROVIDERS[domain] : undefined
  switch (name) {
    case 'user':
      return address
    case 'imapHost':
      return known?.[0] ?? `imap.${domain}`
    case 'imapPort':
      return answers.imapSecurity === 'starttls' || answers.imapSecurity === 'none' ? '143' : '993'
    case 'smtpHost':
      return known?.[1] ?? (answers.imapHost && !/^imap\./.test(answers.imapHost) ? answers.imapHost : `smtp.${domain}`)
    case 'smtpPort':
      return (
        known?.[2] ?? (answers.smtpSecurity === 'starttls' ? '587' : answers.smtpSecurity === 'none' ? '25' : '465')
      )
    case 'imapSecurity':
      return 'tls'
    case 'smtpSecurity':
      return known?.[2] === '587' ? 'starttls' : 'tls'
    default:
      return undefined
  }
}
