import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { MemoryFolder, writeText } from '../store/index.js'
import { desk, emptyFolder } from '../testing/desk.js'
import { composeMessage } from './compose.js'
import { Contacts, extendCard } from './contacts.js'
import { htmlToText } from './parse-mail.js'

const ANNA = [
  'From: =?utf-8?Q?Anna_Kov=C3=A1cs?= <anna@example.com>',
  'To: me@example.com',
  'Subject: Lunch',
  'Date: Mon, 30 Nov 2026 10:00:00 +0000',
  'Message-ID: <abc@example.com>',
  '',
  'Shall we eat at noon?',
  '',
].join('\r\n')
const BANK = [
  'From: bank@example.net',
  'Subject: Invoice 12',
  'Date: Sun, 29 Nov 2026 10:00:00 +0000',
  'Content-Type: text/html',
  '',
  '<p>Pay <b>now</b><script>alert(1)</script></p>',
  '',
].join('\r\n')

function mailbox(): string {
  const home = emptyFolder()
  for (const box of ['new', 'cur']) mkdirSync(join(home, 'mail', 'inbox', box), { recursive: true })
  writeFileSync(join(home, 'mail', 'inbox', 'cur', '1.a.host:2,S'), ANNA)
  writeFileSync(join(home, 'mail', 'inbox', 'new', '2.b.host'), BANK)
  return home
}

describe('HTML as text', () => {
  it.each(['<', '<br', '<!--', '<script>', '&#', '< ', '</script '])('takes no long time over many "%s"', (piece) => {
    // Time that grows with the square of the length would end this test by its limit.
    expect(htmlToText(`before ${piece.repeat(200_000)}`)).toMatch(/^before/)
  })

  it('decodes what stands for characters, and leaves what does not', () => {
    expect(htmlToText('a&lt;b&#x41;&#66;&amp;lt;&nope;&#0;&#xD800;<p>x</p>y')).toBe('a<bAB&lt;&nope;&#0;&#xD800; x\ny')
  })
})

describe('mail', () => {
  it('is searched by sender, words, time and state, and read by id or position', async () => {
    const d = desk(mailbox())
    expect((await d.call('email_search')).data).toHaveLength(2)
    expect((await d.call('email_search', { from: 'anna' })).content).toMatch(/from Anna Kovács, "Lunch"/)
    expect((await d.call('email_search', { about: 'noon' })).data).toHaveLength(1)
    expect((await d.call('email_search', { folder: 'new emails' })).content).toMatch(/bank@example.net/)
    expect((await d.call('email_search', { when: 'yesterday' })).content).toMatch(/bank/)
    expect((await d.call('email_search', { from: 'zoltan' })).data).toEqual([])
    const read = await d.call('email_read', { id: 'the one from the bank' })
    expect(read.content).toMatch(/Pay now/)
    expect(read.content).not.toMatch(/alert/)
    const id = (read.data as { id: string }).id
    expect((await desk().call('email_read', { id })).ok).toBe(false)
    expect((await d.call('email_read', { id })).content).toBe(read.content)
    expect((await d.call('email_read', { id: 'latest' })).content).toMatch(/eat at noon/)
  })

  it('goes to the outbox with its key, once, and says that it waits', async () => {
    const home = mailbox()
    const d = desk(home)
    await d.call('contact_add', { name: 'Anna Kovács', email: 'anna@example.com' })
    const sent = await d.call(
      'email_send',
      { to: 'anna', subject: 'Noon\r\nBcc: evil@example.com', text: 'Yes – ő is coming' },
      { key: 'k1' },
    )
    expect(sent.content).toMatch(
      /^The email to Anna Kovács at anna@example.com is in the outbox as m\d+; no mail server is connected/,
    )
    await d.call('email_send', { to: 'anna', text: 'again' }, { key: 'k1' })
    const files = readdirSync(join(home, 'mail', 'outbox', 'new'))
    expect(files).toHaveLength(1)
    const parsed = await PostalMime.parse(readFileSync(join(home, 'mail', 'outbox', 'new', files[0] ?? '')))
    expect(parsed).toMatchObject({
      subject: 'Noon Bcc: evil@example.com',
      to: [{ name: 'Anna Kovács', address: 'anna@example.com' }],
    })
    expect(parsed.bcc).toBeUndefined()
    expect(parsed.text?.trim()).toBe('Yes – ő is coming')
    expect(parsed.headers.find((h) => h.key === 'x-botpsy-key')?.value).toBe('k1')
  })

  it('replies into the thread', async () => {
    const home = mailbox()
    const d = desk(home)
    expect((await d.call('email_reply', { text: 'yes' }, { request: 'reply yes' })).question).toBeTruthy()
    expect((await d.call('email_reply', { to: 'anna', text: 'yes' })).ok).toBe(true)
    const file = readdirSync(join(home, 'mail', 'outbox', 'new'))[0] ?? ''
    expect(await PostalMime.parse(readFileSync(join(home, 'mail', 'outbox', 'new', file)))).toMatchObject({
      subject: 'Re: Lunch',
      inReplyTo: '<abc@example.com>',
      to: [{ address: 'anna@example.com' }],
    })
  })

  it('writes no line of a thread longer than mail allows, whatever the mail it answers holds', () => {
    const ids = Array.from({ length: 60 }, (_, i) => `<${i}.${'x'.repeat(60)}@example.com>`)
    const message = composeMessage({
      from: 'a@b.hu',
      to: [],
      subject: '',
      text: '',
      date: new Date(0),
      messageId: 'm@b.hu',
      inReplyTo: `<${'y'.repeat(5000)}@x>\r\nBcc: evil@example.com`,
      references: ids.join(' '),
    })
    expect(Math.max(...message.split('\r\n').map((l) => l.length))).toBeLessThan(998)
    expect(message.match(/@example.com>/g)).toHaveLength(60)
    expect(message).not.toMatch(/Bcc/)
  })

  it('asks instead of guessing a recipient', async () => {
    const d = desk()
    await d.call('contact_add', { name: 'Anna Kovács', email: 'a1@example.com' })
    await d.call('contact_add', { name: 'Anna Nagy', email: 'a2@example.com' })
    await d.call('contact_add', { name: 'Bob' })
    for (const [to, question] of [
      ['Anna', /Which Anna/],
      ['Ann', /Did you mean Anna/],
      ['Bob', /address of Bob/],
      ['Zoltán', /address of Zoltán/],
    ] as const) {
      const result = await d.call('email_send', { to, text: 'hi' })
      expect(result.ok).toBe(false)
      expect(result.question).toMatch(question)
    }
    expect(d.domains.stores.mail.list('outbox/new')).toEqual([])
    expect((await d.call('email_send', { to: 'Anna Nagy', text: 'hi' })).ok).toBe(true)
  })

  it('survives messages that are no messages', async () => {
    const d = desk()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        d.domains.stores.mail.write('inbox/new/odd', bytes)
        expect((await d.call('email_search')).ok).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('carries any text through its format', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        async (subject, body) => {
          const raw = composeMessage({
            from: 'a@b.cd',
            to: [{ name: subject, address: 'x@example.com' }],
            subject,
            text: body,
            date: new Date(0),
            messageId: 'id@x',
            key: 'k',
          })
          for (const line of raw.split('\r\n')) expect(line.length).toBeLessThan(998)
          const parsed = await PostalMime.parse(raw)
          const flat = (s: string) =>
            s
              .replace(/[\u0000-\u001f\u007f]+/g, ' ')
              .replace(/\s+/g, ' ')
              .trim()
          expect(flat(parsed.subject ?? '')).toBe(flat(subject))
          expect((parsed.text ?? '').replace(/\r\n?|\n/g, '\n').replace(/\n$/, '')).toBe(
            body.replace(/\r\n?|\n/g, '\n').replace(/\n$/, ''),
          )
          expect(parsed.to).toHaveLength(1)
          expect(parsed.headers.filter((h) => h.key === 'x-botpsy-key')).toHaveLength(1)
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('contacts', () => {
  it('are saved as vCards, extended, found by name, and offered when a name is close', async () => {
    const home = emptyFolder()
    const d = desk(home)
    await d.call('contact_add', { name: 'Anna Kovács', email: 'anna@example.com' })
    const more = await d.call('contact_add', { name: 'anna kovács', phone: '+36 1 234 5678' })
    expect(readdirSync(join(home, 'contacts'))).toHaveLength(1)
    expect((await d.call('contact_find', { name: 'anna' })).content).toBe(
      'Anna Kovács has the email anna@example.com and the phone number +36 1 234 5678.',
    )
    expect((await d.call('contact_find', { name: 'Ann' })).content).toBe(
      'No contact named Ann; did you mean Anna Kovács?',
    )
    expect((await d.call('contact_find', { name: "anna's", detail: 'email address' })).content).toBe(
      'Anna Kovács has the email anna@example.com.',
    )
    await d.undo('contact_add', more)
    expect((await d.call('contact_find', { name: 'anna' })).content).toBe('Anna Kovács has the email anna@example.com.')
  })

  it('keep what other programs wrote', async () => {
    const folder = new MemoryFolder()
    writeText(
      folder,
      'book.vcf',
      'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nFN:Bob\r\nX-OTHER;X-P=1:keep me\r\nPHOTO;ENCODING=b;TYPE=JPEG:AAAA\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eve\r\nEND:VCARD\r\n',
    )
    const d = desk()
    for (const e of folder.list('')) d.domains.stores.contacts.write(e.path, folder.read(e.path) as Uint8Array)
    expect((await d.call('contact_add', { name: 'Bob', email: 'bob@example.com' })).content).toMatch(/updated/)
    const text = new TextDecoder().decode(d.domains.stores.contacts.read('book.vcf'))
    for (const line of ['X-OTHER;X-P=1:keep me', 'FN:Eve', 'bob@example.com', 'AAAA']) expect(text).toContain(line)
  })

  it('give any text back as it was', () => {
    const sharp = fc
      .array(
        fc.constantFrom('\\', ';', ',', ':', '"', '\n', '\r\n', '\t', ' ', 'END:VCARD', 'é', '🙂', '\u0007', 'x'),
        { minLength: 1, maxLength: 30 },
      )
      .map((a) => a.join(''))
    const flat = (s: string) =>
      s
        .replace(/\r\n?/g, '\n')
        .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
        .trim()
    fc.assert(
      fc.property(fc.oneof(sharp, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 })), (text) => {
        fc.pre(flat(text) !== '')
        const folder = new MemoryFolder()
        writeText(folder, 'a.vcf', extendCard(undefined, text, { note: text, email: 'a@b.cd' }, 'k').toString())
        const [contact] = new Contacts(folder).list()
        expect(contact).toMatchObject({ name: flat(text), note: flat(text), emails: ['a@b.cd'] })
      }),
      { numRuns: 200 },
    )
  })
})
