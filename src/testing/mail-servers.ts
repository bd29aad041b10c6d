import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, program, type ServerProcess, startServer } from './server-process.js'

/** A mailbox of the test servers. */
export interface TestAccount {
  readonly address: string
  readonly password: string
  /** Most that the mailbox may hold; without a limit when missing. */
  readonly quotaBytes?: number
}

/** Dovecot for reading and Exim for sending, which delivers into Dovecot's mailboxes by LMTP. */
export interface MailServers {
  readonly imapPort: number
  readonly imapsPort: number
  /** STARTTLS, login only after it. */
  readonly smtpPort: number
  readonly smtpsPort: number
  /** Without TLS, so that a proxy in a test sees the dialogue. */
  readonly smtpPlainPort: number
  /** PEM file of the self-signed certificate for `localhost` and 127.0.0.1. */
  readonly certificate: string
  /** What both servers logged. */
  log(): string
  stopImap(): Promise<void>
  startImap(): Promise<void>
  stop(): Promise<void>
}

/** True where all programs that {@link startMailServers} needs are installed: for `needs('dovecot and exim4', …)`. */
export const mailServersInstalled = (): boolean =>
  program('dovecot') !== undefined && program('exim4') !== undefined && program('openssl') !== undefined

const idOf = (user: string): number => Number(spawnSync('id', ['-u', user], { encoding: 'utf8' }).stdout.trim())

/** Starts both servers from configurations in a new folder, as root or as an ordinary user. */
export async function startMailServers(accounts: readonly TestAccount[]): Promise<MailServers> {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-mail-'))
  const root = process.getuid?.() === 0
  const me = userInfo().username
  const at = (name: string): string => join(folder, name)
  // Exim and Dovecot give up root for users of their own, which must get through.
  chmodSync(folder, 0o711)
  for (const name of ['run', 'state', 'mail', 'spool']) mkdirSync(at(name))
  if (root) {
    chownSync(at('mail'), idOf('mail'), -1)
    chownSync(at('spool'), idOf('Debian-exim'), -1)
  }
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -keyout ${at('key.pem')} -out ${at('cert.pem')} -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1`.split(
      ' ',
    ),
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`)
  // The key of a server that exists for one test.
  chmodSync(at('key.pem'), 0o644)
  writeFileSync(
    at('users'),
    accounts
      .map(
        (a) =>
          `${a.address}:{PLAIN}${a.password}::::::${a.quotaBytes === undefined ? '' : `userdb_quota_rule=*:bytes=${a.quotaBytes}`}\n`,
      )
      .join(''),
  )
  writeFileSync(at('logins'), accounts.map((a) => `${a.address}: ${a.password}\n`).join(''))
  const [imapPort, imapsPort, lmtpPort, smtpPort, smtpsPort, smtpPlainPort] = await Promise.all(
    Array.from({ length: 6 }, freePort),
  )
  const owner = root ? 'uid=mail gid=mail' : `uid=${process.getuid?.()} gid=${process.getgid?.()}`
  writeFileSync(
    at('dovecot.conf'),
    `mail_plugins = quota
base_dir = ${at('run')}
state_dir = ${at('state')}
log_path = ${at('dovecot.log')}
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <${at('cert.pem')}
ssl_key = <${at('key.pem')}
disable_plaintext_auth = yes
default_login_user = ${root ? 'dovenull' : me}
default_internal_user = ${root ? 'dovecot' : me}
${root ? '' : `default_internal_group = ${process.getgid?.()}`}
first_valid_uid = 1
mail_location = maildir:${at('mail')}/%u
mail_max_userip_connections = 50
lmtp_rcpt_check_quota = yes
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = username_format=%u ${at('users')}
}
userdb {
  driver = passwd-file
  args = username_format=%u ${at('users')}
  default_fields = ${owner} home=${at('mail')}/%u
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    special_use = \\Drafts
    auto = subscribe
  }
  mailbox "Sent Mail" {
    special_use = \\Sent
    auto = subscribe
  }
}
protocol imap {
  mail_plugins = quota imap_quota
}
plugin {
  quota = maildir:User quota
}
service imap-login {
  ${root ? '' : 'chroot ='}
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = ${imapsPort}
    ssl = yes
  }
}
service anvil {
  ${root ? '' : 'chroot ='}
}
service lmtp {
  inet_listener lmtp {
    port = ${lmtpPort}
  }
}
`,
  )
  const secret = `\${lookup{$auth2}lsearch{${at('logins')}}{$value}fail}`
  writeFileSync(
    at('exim.conf'),
    `keep_environment =
primary_hostname = localhost
spool_directory = ${at('spool')}
log_file_path = ${at('spool')}/exim-%s.log
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${smtpPort} : ${smtpsPort} : ${smtpPlainPort}
tls_on_connect_ports = ${smtpsPort}
tls_advertise_hosts = \${if eq{$received_port}{${smtpPlainPort}}{}{*}}
tls_certificate = ${at('cert.pem')}
tls_privatekey = ${at('key.pem')}
acl_smtp_rcpt = rcpt
acl_smtp_data = accept
host_lookup =
rfc1413_query_timeout = 0s
qualify_domain = example.com
message_size_limit = 1M
begin acl
rcpt:
  deny !authenticated = *
  require verify = recipient/callout=10s,no_cache
  accept
begin routers
all:
  driver = accept
  transport = mailboxes
begin transports
mailboxes:
  driver = smtp
  protocol = lmtp
  hosts = 127.0.0.1
  hosts_override
  port = ${lmtpPort}
  allow_localhost
  hosts_avoid_tls = *
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{${secret}}}
  server_set_id = $auth2
  server_advertise_condition = \${if or{{def:tls_in_cipher}{eq{$received_port}{${smtpPlainPort}}}}}
`,
  )
  const dovecot = (): Promise<ServerProcess> =>
    startServer(() => ({ file: program('dovecot') ?? 'dovecot', args: ['-F', '-c', at('dovecot.conf')] }), {
      port: imapPort as number,
      folder,
    })
  let imap: ServerProcess | undefined = await dovecot()
  const smtp = await startServer(() => ({ file: program('exim4') ?? 'exim4', args: ['-C', at('exim.conf'), '-bdf'] }), {
    port: smtpPort as number,
    folder,
  })
  /** Dovecot's own end, so that the processes below it end too. */
  const stopImap = async (): Promise<void> => {
    if (imap === undefined) return
    spawnSync(program('doveadm') ?? 'doveadm', ['-c', at('dovecot.conf'), 'stop'])
    for (let i = 0; i < 100; i++) {
      try {
        readFileSync(at('run/master.pid'))
        await new Promise((resolve) => setTimeout(resolve, 30))
      } catch {
        break
      }
    }
    await imap.kill()
    imap = undefined
  }
  const read = (name: string): string => {
    try {
      return readFileSync(at(name), 'utf8')
    } catch {
      return ''
    }
  }
  return {
    imapPort: imapPort as number,
    imapsPort: imapsPort as number,
    smtpPort: smtpPort as number,
    smtpsPort: smtpsPort as number,
    smtpPlainPort: smtpPlainPort as number,
    certificate: at('cert.pem'),
    log: () => `${read('dovecot.log')}\n${read('spool/exim-main.log')}\n${smtp.output()}`,
    stopImap,
    startImap: async () => {
      imap ??= await dovecot()
    },
    stop: async () => {
      await stopImap()
      await smtp.kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
