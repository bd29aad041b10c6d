import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { type MailServers, mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
import { adapterOf } from '../connections/adapters.js'
import { mailConnection, putMails, sourcesOf } from '../testing/mail-desk.js'
import { imapAdapter } from './imap-adapter.js'
import { imapSettings } from './imap-settings.js'

const PASSWORD = 'owner-pass-1234'

describe('settings of a mail account', () => {
  it('is what `botpsy connect imap` asks for', () => {
    expect(adapterOf('imap')).toBe(imapAdapter)
  })

  it.each([
    [
      'me@example.com',
      {},
      { imapHost: 'imap.example.com', imapPort: '993', smtpHost: 'smtp.example.com', smtpPort: '465' },
    ],
    ['me@gmail.com', {}, { imapHost: 'imap.gmail.com', smtpHost: 'smtp.gmail.com', user: 'me@gmail.com' }],
    ['me@web.de', {}, { smtpHost: 'smtp.web.de', smtpSecurity: 'starttls', smtpPort: '587' }],
    ['me@x.hu', { imapSecurity: 'starttls', imapHost: 'mail.x.hu' }, { imapPort: '143', smtpHost: 'mail.x.hu' }],
    ['', {}, { imapHost: undefined }],
    ['me@__proto__', {}, { imapHost: 'imap.__proto__' }],
  ])('suggests the servers of %s', (address, answers, expected) => {
    for (const [name, value] of Object.entries(expected))
      expect(imapAdapter.questions.find((q) => q.name === name)?.suggest?.({ address, ...answers }), name).toBe(value)
  })

  it('fills in what is usual and refuses what cannot be', () => {
    const least = { address: ' me@example.com ', imapHost: 'a.example.com', smtpHost: 'b.example.com' }
    expect(
      imapSettings.parse({ ...least, imapPort: '', smtpPort: '587', smtpSecurity: ' STARTTLS ', name: '' }),
    ).toEqual({
      address: 'me@example.com',
      imapHost: 'a.example.com',
      imapPort: 993,
      imapSecurity: 'tls',
      smtpHost: 'b.example.com',
      smtpPort: 587,
      smtpSecurity: 'starttls',
    })
    for (const bad of [
      { address: 'me' },
      { imapHost: 'https://a/b' },
      { imapPort: '99999' },
      { smtpSecurity: 'maybe' },
    ])
      expect(imapSettings.safeParse({ ...least, ...bad }).success).toBe(false)
  })
})

describe.skipIf(needs('dovecot, exim4 and openssl', mailServersInstalled()))('trying a mail account', () => {
  let servers: MailServers
  beforeAll(async () => {
    servers = await startMailServers([{ address: 'me@example.com', password: PASSWORD }])
  }, 60_000)
  afterAll(async () => servers?.stop())
  const probe = (settings = {}, password = PASSWORD) =>
    imapAdapter.probe(mailConnection(servers, 'me@example.com', password, settings))

  it('says what is there, and sends and changes nothing', async () => {
    const me = mailConnection(servers, 'me@example.com', PASSWORD)
    await putMails(me, ['Subject: a\n\na', 'Subject: b\n\nb'])
    const found = await probe()
    expect(found.map((f) => f.ok)).not.toContain(false)
    const text = found.map((f) => f.text).join('\n')
    expect(text).toMatch(/^Mail of me@example.com can be read and sent/)
    expect(text).toMatch(/3 folders; 2 messages in the inbox, 2 unread/)
    expect(text).toMatch(/IDLE/)
    expect(await sourcesOf(me, 'INBOX')).toHaveLength(2)
    expect(await sourcesOf(me, 'Sent Mail')).toEqual([])
  })

  it.each([
    ['sending is broken', { smtpPort: 1 }, /can be read but not sent/, /cannot be reached/],
    ['reading is broken', { imapPort: 1 }, /can be sent but not read/, /cannot be reached/],
    ['the certificate is unknown', { certificate: '' }, /neither/, /certificate/],
    ['the certificate file is missing', { certificate: '/nowhere.pem' }, /neither/, /nowhere\.pem cannot be read/],
    ['the settings are damaged', { imapPort: 'x' }, /neither/, /cannot be used \(imapPort/],
  ])('says so when %s', async (_what, settings, head, line) => {
    const found = await probe(settings)
    expect(found[0]).toMatchObject({ ok: false, text: expect.stringMatching(head), todo: expect.any(String) })
    expect(found.some((f) => !f.ok && line.test(f.text))).toBe(true)
    expect(JSON.stringify(found)).not.toContain(PASSWORD)
  })

  it('names no password when the login fails', async () => {
    const found = await probe({}, 'wrong-pass-9876')
    expect(found.filter((f) => /refused the login/.test(f.text))).toHaveLength(2)
    expect(JSON.stringify(found)).not.toMatch(/wrong-pass/)
  })

  it('gives up within ten seconds on servers that hang', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const found = await probe({ imapPort: port, smtpPort: port })
    expect(found.filter((f) => /did not answer in time/.test(f.text))).toHaveLength(2)
  }, 15_000)
})
