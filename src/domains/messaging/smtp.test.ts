import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { type MailServers, mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
import { type ProxyRules, startProxy } from '../../testing/tcp-proxy.js'
import type { Connection } from '../connections/contract.js'
import { Records } from '../store/index.js'
import { mailConnection, mailDesk, putMails, sourcesOf } from '../testing/mail-desk.js'
import { OutgoingLedger } from './outgoing-ledger.js'

const PASSWORD = 'owner-pass-1234'
const SENT = 'Sent Mail'

describe.skipIf(needs('dovecot, exim4 and openssl', mailServersInstalled()))('sending through real servers', () => {
  let servers: MailServers
  const me = (settings = {}): Connection => mailConnection(servers, 'me@example.com', PASSWORD, settings)
  const anna = (): Connection => mailConnection(servers, 'anna@example.com', 'anna-pass-1234')
  const full = (): Connection => mailConnection(servers, 'full@example.com', 'full-pass-1234')

  beforeAll(async () => {
    servers = await startMailServers([
      { address: 'me@example.com', password: PASSWORD },
      { address: 'anna@example.com', password: 'anna-pass-1234' },
      { address: 'full@example.com', password: 'full-pass-1234', quotaBytes: 3000 },
    ])
  }, 60_000)
  afterAll(async () => servers?.stop())

  /** Messages that arrived with this subject; waits for the delivery, which follows the acceptance. */
  const arrived = async (subject: string, atLeast = 1): Promise<readonly string[]> => {
    for (let i = 0; ; i++) {
      const found = (await sourcesOf(anna(), 'INBOX')).filter((s) => s.includes(`Subject: ${subject}`))
      // A second one, where there should be none, gets less time than the first, where there should be one.
      if (found.length >= atLeast || i === (found.length > 0 ? 10 : 60)) return found
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const copies = async (subject: string): Promise<readonly string[]> =>
    (await sourcesOf(me(), SENT)).filter((s) => s.includes(`Subject: ${subject}`))
  const proxy = async (port: number, rules: ProxyRules) => {
    const started = await startProxy(port, rules)
    onTestFinished(() => started.stop())
    return started
  }
  const raw = async (answer: (server: Server) => void): Promise<number> => {
    const server = createServer()
    answer(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  it('brings a mail into the mailbox of the recipient and a copy among the sent, once per key', async () => {
    const desk = mailDesk(me({ name: 'Én, "the" Owner' }))
    const args = { to: 'anna@example.com', subject: 'round trip', text: 'Árvíztűrő – ok' }
    const sent = await desk.call('email_send', args, 'r1')
    expect(sent.content).toMatch(/^The email to anna@example.com is sent as m\d+\.$/)
    expect((await desk.call('email_send', args, 'r1')).content).toBe(sent.content)
    expect((await desk.tool('email_send').reconcile?.('r1', args, desk.context()))?.ok).toBe(true)
    expect((await desk.tool('email_send').reconcile?.('other', args, desk.context()))?.ok).toBe(false)
    expect(await arrived('round trip')).toHaveLength(1)
    expect(await copies('round trip')).toHaveLength(1)
    const read = await mailDesk(anna()).call('email_read', { id: 'latest' })
    expect(read.content).toMatch(/Árvíztűrő – ok/)
    expect(read.content).toMatch(/Én, "the" Owner/)
    expect(read.untrusted).toBe('mail from me@example.com')
    expect((await arrived('round trip'))[0]).not.toMatch(/X-BotPsy-Key/)
  })

  it('replies into the thread and marks the mail as answered', async () => {
    await putMails(me(), [
      'From: Anna <anna@example.com>\nSubject: plan\nMessage-ID: <plan2@example.com>\nReferences: <plan0@x>\n <plan1@x>\n\nWhen?',
    ])
    const desk = mailDesk(me())
    const reply = await desk.call('email_reply', { to: 'anna', text: 'At noon.' })
    expect(reply.content).toMatch(/^The email to Anna at anna@example.com is sent/)
    const [got] = await arrived('Re: plan')
    expect(got).toMatch(/In-Reply-To: <plan2@example.com>/)
    expect(got?.replace(/\r\n\s+/g, ' ')).toMatch(/References: <plan0@x> <plan1@x> <plan2@example.com>/)
  })

  it('says whom the server refused, and still sends to the others', async () => {
    const desk = mailDesk(me())
    const sent = await desk.call('email_send', {
      to: 'anna@example.com, nobody@example.com',
      subject: 'both',
      text: 'x',
    })
    expect(sent.content).toMatch(
      /^The email to anna@example.com is sent as m\d+\. The server refused nobody@example.com, because there is no such address/,
    )
    const none = await desk.call('email_send', { to: 'nobody@example.com', subject: 'none', text: 'x' }, 'n1')
    expect(none).toMatchObject({ ok: false, content: expect.stringMatching(/refused: there is no such address/) })
    expect(await copies('none')).toEqual([])
    expect((await desk.tool('email_send').reconcile?.('n1', {}, desk.context()))?.ok).toBe(false)
  })

  it('leaves it to the owner when the connection drops after the message and before the answer', async () => {
    const between = await proxy(servers.smtpPlainPort, {
      // The real server took it, its answer never came.
      cutBeforeServer: (_text, fromClient) => /\r\n\.\r\n$/.test(fromClient),
    })
    const desk = mailDesk(me({ smtpPort: between.port, smtpSecurity: 'none' }))
    const args = { to: 'anna@example.com', subject: 'dropped', text: 'x' }
    const sent = await desk.call('email_send', args, 'd1')
    expect(sent.ok).toBe(false)
    expect(sent.content).toMatch(/not known whether the email was sent/)
    expect(sent.question).toMatch(/send it again\?/)
    expect(between.connections()).toBe(1)
    expect(await arrived('dropped')).toHaveLength(1)
    // Nobody knows, so it is the owner's decision and nothing else's.
    expect(await desk.tool('email_send').reconcile?.('d1', args, desk.context())).toBeUndefined()
    desk.connection = undefined
    expect(await desk.tool('email_send').reconcile?.('d1', args, desk.context())).toBeUndefined()
    expect(await arrived('dropped', 2)).toHaveLength(1)
    // The owner says so: the same message again, with the same Message-ID.
    desk.connection = me()
    expect((await desk.call('email_send', args, 'd1')).ok).toBe(true)
    const both = await arrived('dropped', 2)
    expect(new Set(both.map((m) => /Message-ID: (.*)/i.exec(m)?.[1])).size).toBe(1)
    expect(await copies('dropped')).toHaveLength(1)
  }, 30_000)

  it('finds what a server that keeps copies itself had accepted before the connection dropped', async () => {
    let keepCopy: () => void = () => {}
    const kept = new Promise<void>((resolve) => {
      keepCopy = resolve
    })
    const between = await proxy(servers.smtpPlainPort, {
      cutBeforeServer: (_text, fromClient) => {
        const whole = /DATA\r\n([\s\S]*)\r\n\.\r\n$/.exec(fromClient)
        if (whole === null) return false
        // What Gmail does on its own.
        void putMails(me(), [whole[1] ?? ''], SENT).then(keepCopy)
        return true
      },
    })
    const records = new Records(':memory:')
    const args = { to: 'anna@example.com', subject: 'self-kept', text: 'x' }
    const first = mailDesk(me({ smtpPort: between.port, smtpSecurity: 'none' }), records)
    await first.call('email_send', args, 's1')
    await kept
    const after = mailDesk(me(), records)
    expect(await after.tool('email_send').reconcile?.('s1', args, after.context())).toMatchObject({ ok: true })
    expect(await arrived('self-kept', 2)).toHaveLength(1)
  }, 30_000)

  it('knows for certain that nothing was sent when the connection drops before the message', async () => {
    const between = await proxy(servers.smtpPlainPort, { cutAfterClient: (text) => text.includes('RCPT TO') })
    const desk = mailDesk(me({ smtpPort: between.port, smtpSecurity: 'none' }))
    const args = { to: 'anna@example.com', subject: 'early', text: 'x' }
    expect(await desk.call('email_send', args, 'e1')).toMatchObject({
      ok: false,
      content: expect.stringMatching(/closed the connection/),
    })
    expect((await desk.tool('email_send').reconcile?.('e1', args, desk.context()))?.ok).toBe(false)
    desk.connection = me()
    expect((await desk.call('email_send', args, 'e1')).ok).toBe(true)
    expect(await arrived('early')).toHaveLength(1)
  })

  it('saves the copy later when it crashed or failed between the acceptance and the copy', async () => {
    const records = new Records(':memory:')
    const desk = mailDesk(me({ imapPort: 1 }), records)
    const args = { to: 'anna@example.com', subject: 'uncopied', text: 'x' }
    const sent = await desk.call('email_send', args, 'c1')
    expect(sent.ok).toBe(true)
    expect(sent.content).toMatch(/copy could not be saved/)
    expect(await copies('uncopied')).toEqual([])
    expect(new OutgoingLedger(records).get('c1')?.state).toBe('accepted')
    const after = mailDesk(me(), records)
    expect(await after.tool('email_send').reconcile?.('c1', args, after.context())).toMatchObject({ ok: true })
    expect(await copies('uncopied')).toHaveLength(1)
    expect((await after.call('email_send', args, 'c1')).ok).toBe(true)
    expect(await copies('uncopied')).toHaveLength(1)
    expect(await arrived('uncopied', 2)).toHaveLength(1)
  }, 30_000)

  it('says that a mailbox is full, the owner’s and the recipient’s', async () => {
    await putMails(full(), [`Subject: big\n\n${'x'.repeat(2800)}`])
    const desk = mailDesk(full())
    const draft = await desk.call('email_draft', { text: 'y'.repeat(2000) })
    expect(draft).toMatchObject({ ok: false, content: expect.stringMatching(/mailbox is full/) })
    const sent = await desk.call('email_send', { to: 'anna@example.com', subject: 'from full', text: 'z'.repeat(2000) })
    expect(sent.ok).toBe(true)
    expect(sent.content).toMatch(/copy could not be saved.*mailbox is full/)
    const huge = await mailDesk(me()).call('email_send', { to: 'anna@example.com', text: 'w'.repeat(1_200_000) })
    expect(huge).toMatchObject({ ok: false, content: expect.stringMatching(/larger than the mail server takes/) })
  })

  it('keeps drafts on the server, once, and takes them back unless they were changed', async () => {
    const desk = mailDesk(me())
    const args = { to: 'anna@example.com', subject: 'later', text: 'not yet' }
    const saved = await desk.call('email_draft', args, 'f1')
    expect(saved.content).toMatch(/^The draft to anna@example.com is saved as m\d+ on the mail server\.$/)
    expect((await desk.call('email_draft', args, 'f1')).ok).toBe(true)
    expect(await sourcesOf(me(), 'Drafts')).toHaveLength(1)
    expect((await desk.call('email_search', { folder: 'drafts' })).content).toMatch(/"later"/)
    expect((await desk.tool('email_draft').reconcile?.('f1', args, desk.context()))?.ok).toBe(true)
    const undo = desk.tool('email_draft').revert
    expect((await undo?.(saved.undo ?? {}, desk.context()))?.content).toMatch(/taken back/)
    expect((await undo?.(saved.undo ?? {}, desk.context()))?.content).toMatch(/already/)
    expect(await sourcesOf(me(), 'Drafts')).toEqual([])
    expect(await copies('later')).toEqual([])
  })

  it.each(['STARTTLS is not offered', 'the certificate is not trusted', 'the password is wrong'] as const)(
    'sends nothing and names no password when %s',
    async (what) => {
      const heard: string[] = []
      const port = await raw((server) =>
        server.on('connection', (socket) => {
          socket.on('error', () => undefined)
          socket.write('220 hello\r\n')
          socket.on('data', (chunk) => {
            heard.push(chunk.toString())
            socket.write(/^EHLO/i.test(chunk.toString()) ? '250-hello\r\n250 AUTH PLAIN\r\n' : '502 no\r\n')
          })
        }),
      )
      const bad =
        what === 'STARTTLS is not offered'
          ? me({ smtpPort: port })
          : what === 'the certificate is not trusted'
            ? me({ certificate: '' })
            : mailConnection(servers, 'me@example.com', 'wrong-pass-9876')
      const result = await mailDesk(bad).call('email_send', { to: 'anna@example.com', subject: 'never', text: 'x' })
      expect(result.ok).toBe(false)
      expect(result.content).toMatch(/STARTTLS|certificate|refused the login/)
      expect(JSON.stringify(result)).not.toMatch(/pass-/)
      for (const secret of ['wrong-pass-9876', PASSWORD]) {
        expect(servers.log()).not.toContain(secret)
        expect(heard.join('')).not.toContain(Buffer.from(`\0me@example.com\0${secret}`).toString('base64'))
      }
      expect(await arrived('never', 0)).toEqual([])
    },
  )

  it.each([
    ['hangs', () => undefined],
    [
      'greets with garbage',
      (socket: { write(text: string): void }) => socket.write('\u0000\u0001 HTTP/1.1 200 OK\r\n\r\n'),
    ],
  ] as const)('ends in time when the server %s', async (_what, greet) => {
    const port = await raw((server) => server.on('connection', (socket) => greet(socket)))
    const desk = mailDesk(me({ smtpPort: port, smtpSecurity: 'none' }))
    const result = await desk.call('email_send', { to: 'a@b.hu', text: 'x' }, 'h1', AbortSignal.timeout(500))
    expect(result.ok).toBe(false)
    expect(result.content).toMatch(/mail server/)
    expect((await desk.tool('email_send').reconcile?.('h1', {}, desk.context()))?.ok).toBe(false)
  })
})
