import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { type MailServers, mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
import { startProxy } from '../../testing/tcp-proxy.js'
import type { Connection } from '../connections/contract.js'
import { mailConnection, mailDesk, putMails } from '../testing/mail-desk.js'
import { withImap } from './imap-session.js'

const PASSWORD = 'owner-pass-1234'
const b64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n')

/** Mail as the world writes it: what a reader should see follows each. */
const ODD: readonly {
  readonly what: string
  readonly raw: string | Uint8Array
  readonly sees: RegExp
  readonly not?: RegExp
}[] = [
  {
    what: 'html-only',
    raw: `From: shop@example.net\nSubject: html-only\nContent-Type: text/html; charset=utf-8\n\n<html><head><style>p{}</style></head><body><p>Sale &amp; <b>tea</b> &#8364;5</p><script>steal()</script></body></html>`,
    sees: /Sale & tea €5/,
    not: /steal|p\{\}/,
  },
  {
    what: 'latin-2 quoted',
    raw: 'From: =?iso-8859-2?Q?K=E1lm=E1n?= <k@example.hu>\nSubject: latin-2 quoted\nContent-Type: text/plain; charset=iso-8859-2\nContent-Transfer-Encoding: quoted-printable\n\nh=F5s f=FBt=E9s=\n folytat=E1s',
    sees: /Kálmán[\s\S]*hős fűtés folytatás/,
  },
  {
    what: 'windows-1251',
    raw: Buffer.concat([
      Buffer.from(
        'From: r@example.ru\r\nSubject: windows-1251\r\nContent-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: 8bit\r\n\r\n',
      ),
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    ]),
    sees: /Привет/,
  },
  {
    what: 'iso-2022-jp',
    raw: Buffer.concat([
      Buffer.from(
        'From: j@example.jp\r\nSubject: iso-2022-jp\r\nContent-Type: text/plain; charset=iso-2022-jp\r\n\r\n',
      ),
      Buffer.from('\u001b$B$3$s$K$A$O\u001b(B', 'latin1'),
    ]),
    sees: /こんにちは/,
  },
  {
    what: 'utf-8 in base64',
    raw: `From: e@example.org\nSubject: utf-8 in base64\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${b64('naïve 🙂 – ok')}`,
    sees: /naïve 🙂 – ok/,
  },
  {
    what: 'nested parts',
    raw: `From: n@example.org\nSubject: nested parts\nContent-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\nContent-Type: text/plain\n\nthe plain one\n--c\nContent-Type: text/html\n\n<p>the html one</p>\n--c--\n--b\nContent-Type: image/png; name=logo.png\nContent-ID: <x>\nContent-Transfer-Encoding: base64\n\n${b64('png')}\n--b--\n--a\nContent-Type: application/pdf\nContent-Disposition: attachment; filename*=utf-8''sz%C3%A1mla.pdf\nContent-Transfer-Encoding: base64\n\n${b64('x'.repeat(3000))}\n--a--\n`,
    sees: /the plain one[\s\S]*Attached:[\s\S]*számla\.pdf, 3 kB/,
  },
  {
    what: 'no text at all',
    raw: 'From: z@example.org\nSubject: no text at all\nContent-Type: application/zip; name=a.zip\n\nPK',
    sees: /It has no text\.[\s\S]*a\.zip/,
  },
  {
    what: 'broken structure',
    raw: 'Subject: broken structure\nContent-Type: multipart/mixed; boundary=never\nFrom: "unclosed <q@example.org\nX: =?utf-8?Q?=ff=ZZ?=\nDate: yesterday-ish\n no header here\n\nwords without a boundary',
    sees: /broken structure/,
  },
  {
    what: 'an attached mail',
    raw: 'From: f@example.org\nSubject: an attached mail\nContent-Type: multipart/mixed; boundary=m\n\n--m\n\nsee below\n--m\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=inner.eml\n\nFrom: i@example.org\nSubject: inner\n\ninner text\n--m--\n',
    sees: /see below[\s\S]*inner\.eml/,
  },
]

describe.skipIf(needs('dovecot, exim4 and openssl', mailServersInstalled()))('mail on a real server', () => {
  let servers: MailServers
  const me = (settings = {}): Connection => mailConnection(servers, 'me@example.com', PASSWORD, settings)
  const many = (): Connection => mailConnection(servers, 'many@example.com', PASSWORD)

  beforeAll(async () => {
    servers = await startMailServers([
      { address: 'me@example.com', password: PASSWORD },
      { address: 'many@example.com', password: PASSWORD },
      { address: 'search@example.com', password: PASSWORD },
    ])
    await putMails(
      me(),
      ODD.map((o) => o.raw),
    )
  }, 60_000)
  afterAll(async () => servers?.stop())

  it.each(ODD)('reads $what', async ({ what, sees, not }) => {
    const desk = mailDesk(me())
    const read = await desk.call('email_read', { id: what })
    expect(read.content).toMatch(sees)
    if (not) expect(read.content).not.toMatch(not)
    expect(read.untrusted).toMatch(/^mail from /)
    // Looking changes nothing: all is as unread as it was.
    expect((await desk.call('email_search', { folder: 'new emails' })).data).toHaveLength(ODD.length)
  })

  it('searches on the server by sender, words, time and state', async () => {
    const at = mailConnection(servers, 'search@example.com', PASSWORD)
    await putMails(at, [
      `From: =?utf-8?Q?Anna_Kov=C3=A1cs?= <anna@example.com>\nSubject: Lunch\nDate: Mon, 30 Nov 2026 10:00:00 +0000\n\nShall we eat at noon? Two invoices too.`,
      `From: Joanna <joanna@example.com>\nSubject: Walk\nDate: Sun, 29 Nov 2026 10:00:00 +0000\nContent-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8\n\n${b64('the hidden word is zebra')}`,
    ])
    const desk = mailDesk(at)
    expect((await desk.call('email_search')).data).toHaveLength(2)
    for (const from of ['anna', 'Anna Kovács', 'kovacs', 'anna@example.com']) {
      const found = await desk.call('email_search', { from })
      expect(found.data, from).toMatchObject([{ subject: 'Lunch' }])
      expect(found.untrusted).toBe('mail from anna@example.com')
    }
    expect((await desk.call('email_search', { about: 'zebra' })).data).toMatchObject([{ subject: 'Walk' }])
    expect((await desk.call('email_search', { about: 'noon invoice' })).data).toMatchObject([{ subject: 'Lunch' }])
    expect((await desk.call('email_search', { about: 'noon zebra' })).data).toEqual([])
    expect((await desk.call('email_search', { from: 'zoltan' })).data).toEqual([])
    await withImap(at, undefined, async ({ client }) => {
      await client.mailboxOpen('INBOX')
      await client.messageFlagsAdd('1', ['\\Seen'])
    })
    expect((await desk.call('email_search', { folder: 'unread' })).data).toMatchObject([{ subject: 'Walk' }])
  })

  it('loads the text of a mail with a huge attachment without the attachment', async () => {
    const huge = 12 * 1024 * 1024
    await putMails(many(), [
      `From: big@example.org\nSubject: huge one\nContent-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<p>caf=E9 menu</p>\n--a\nContent-Type: video/mp4; name=film.mp4\nContent-Disposition: attachment; filename=film.mp4\nContent-Transfer-Encoding: base64\n\n${'A'
        .repeat(76)
        .concat('\n')
        .repeat(huge / 76)}\n--a--\n`,
    ])
    const before = servers.log().length
    const read = await mailDesk(many()).call('email_read', { id: 'huge one' })
    expect(read.content).toMatch(/café menu[\s\S]*film\.mp4, \d+\.\d MB/)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const sent = [
      ...servers
        .log()
        .slice(before)
        .matchAll(/ out=(\d+)/g),
    ].map((m) => Number(m[1]))
    expect(sent.length).toBeGreaterThan(0)
    expect(Math.max(...sent)).toBeLessThan(100_000)
  }, 30_000)

  it('finds one among thousands', async () => {
    await withImap(many(), undefined, async ({ client }) => {
      await client.append('INBOX', 'From: needle@example.org\r\nSubject: needle\r\n\r\nin the hay')
      await client.mailboxCreate('hay')
      // Copies double on the server, which is quicker than so many uploads.
      await client.append('hay', 'From: hay@example.org\r\nSubject: hay\r\n\r\nhay')
      await client.mailboxOpen('hay')
      for (let n = 1; n < 2048; n *= 2) await client.messageCopy(`1:${n}`, 'hay')
      await client.messageCopy('1:*', 'INBOX')
    })
    const desk = mailDesk(many())
    expect((await desk.call('email_search')).content).toMatch(/^There are 2[, ]?050 emails/)
    const found = await desk.call('email_search', { from: 'needle' })
    expect(found.data).toMatchObject([{ subject: 'needle' }])
    expect((await desk.call('email_read', { id: 'the one from needle' })).content).toMatch(/in the hay/)
  }, 60_000)

  it('answers from what it saw when the server is away, and says so', async () => {
    const desk = mailDesk(me())
    await desk.call('email_read', { id: 'html-only' })
    await desk.call('email_search')
    await servers.stopImap()
    onTestFinished(() => servers.startImap())
    const found = await desk.call('email_search', { from: 'shop' })
    expect(found.ok).toBe(true)
    expect(found.content).toMatch(/html-only[\s\S]*cannot be reached[\s\S]*seen before/)
    expect((await desk.call('email_read', { id: 'html-only' })).content).toMatch(
      /as it was read before[\s\S]*Sale & tea/,
    )
    expect(await desk.call('email_read', { id: 'windows-1251' })).toMatchObject({ ok: false })
    expect((await mailDesk(me()).call('email_search')).ok).toBe(false)
  })

  it.each([
    ['drops', (text: string) => /FETCH/.test(text), undefined],
    ['falls silent', undefined, (text: string) => (/FETCH/.test(text) ? '' : text)],
    ['answers garbage', undefined, (text: string) => text.replace(/FETCH[\s\S]*/, 'F\u0000?!((("\r\n')],
  ] as const)('ends in time when the server %s in the middle of an answer', async (_what, cut, rewrite) => {
    const between = await startProxy(servers.imapPort, {
      ...(cut ? { cutBeforeServer: cut } : {}),
      ...(rewrite ? { rewriteServer: rewrite } : {}),
    })
    onTestFinished(() => between.stop())
    const desk = mailDesk(me({ imapPort: between.port, imapSecurity: 'none' }))
    const found = await desk.call('email_search', {}, 'k', AbortSignal.timeout(3000))
    expect(found).toMatchObject({ ok: false, content: expect.stringMatching(/mail server localhost/) })
    expect(between.connections()).toBe(1)
  })

  it('stays with the folders of this machine while nothing is connected', async () => {
    const desk = mailDesk(undefined)
    expect((await desk.call('email_send', { to: 'a@b.hu', text: 'x' })).content).toMatch(/no mail server is connected/)
    desk.connection = me()
    expect((await desk.call('email_search')).data).not.toEqual([])
  })

  it('says that a mail was moved instead of reading another', async () => {
    const desk = mailDesk(me())
    const [first] = (await desk.call('email_search', { about: 'attached' })).data as { id: string }[]
    await withImap(me(), undefined, async ({ client }) => {
      await client.mailboxOpen('INBOX')
      await client.mailboxCreate('elsewhere')
      await client.messageMove({ subject: 'an attached mail' }, 'elsewhere')
    })
    expect(await desk.call('email_read', { id: first?.id ?? '' })).toMatchObject({
      ok: false,
      content: expect.stringMatching(/not where it was/),
    })
  })

  it.each([
    ['the certificate is not trusted', { certificate: '' }, /certificate that cannot be trusted/],
    ['TLS is missing', { imapSecurity: 'tls' }, /does not speak TLS/],
    ['the password would travel in the clear', { imapHost: 'mail.example.com', imapSecurity: 'none' }, /in the clear/],
    ['the port is closed', { imapPort: 1 }, /cannot be reached/],
    ['the name does not exist', { imapHost: 'nowhere.invalid' }, /no server named/],
  ])('refuses when %s', async (_what, settings, said) => {
    const result = await mailDesk(me(settings)).call('email_search')
    expect(result).toMatchObject({ ok: false, content: expect.stringMatching(said) })
    expect(JSON.stringify(result)).not.toContain(PASSWORD)
  })

  it('names no password when it is wrong', async () => {
    const result = await mailDesk(mailConnection(servers, 'me@example.com', 'wrong-pass-9876')).call('email_search')
    expect(result).toMatchObject({ ok: false, content: expect.stringMatching(/refused the login/) })
    expect(JSON.stringify(result)).not.toMatch(/wrong-pass/)
    expect(servers.log()).not.toMatch(/wrong-pass/)
  })

  it.each([
    ['hangs', ''],
    ['greets with garbage', '\u0000\u0001\u0002 HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['offers no STARTTLS', '* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n'],
    ['closes at once', undefined],
  ])('ends in time, with the password kept back, when the server %s', async (_what, greeting) => {
    let heard = ''
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      if (greeting === undefined) socket.end()
      else if (greeting !== '') socket.write(greeting)
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1')
        const tag = heard.trim().split('\n').at(-1)?.split(' ')[0]
        socket.write(
          /CAPABILITY/i.test(chunk.toString())
            ? `* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n${tag} OK\r\n`
            : `${tag} BAD no\r\n`,
        )
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const result = await mailDesk(me({ imapPort: port })).call('email_search', {}, 'k', AbortSignal.timeout(1500))
    expect(result.ok).toBe(false)
    expect(result.content).toMatch(/mail server localhost/)
    expect(heard).not.toContain(PASSWORD)
    expect(heard).not.toContain(Buffer.from(`\0me@example.com\0${PASSWORD}`).toString('base64'))
  })
})
