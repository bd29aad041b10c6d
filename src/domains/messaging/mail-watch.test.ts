import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { type MailServers, mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
import { type ProxyRules, startProxy } from '../../testing/tcp-proxy.js'
import type { Connection } from '../connections/contract.js'
import { MemoryFolder, writeText } from '../store/index.js'
import { mailConnection, putMails } from '../testing/mail-desk.js'
import { type NewMail, type WatchOptions, type WatchState, watchMail } from './mail-watch.js'
import { type MaildirState, watchMaildir } from './maildir-watch.js'
import { sendMail } from './smtp-send.js'

const PASSWORD = 'owner-pass-1234'
const soon = async (what: () => boolean): Promise<void> => {
  for (let i = 0; i < 300 && !what(); i++) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** A watcher whose state survives its restarts, as the service keeps it. */
function watcher<S>(watch: (options: WatchOptions<S>) => Promise<void>) {
  const told: string[] = []
  const mails: NewMail[] = []
  const troubles: Error[] = []
  let saved: string | undefined
  let stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const self = {
    told,
    mails,
    troubles,
    state: (): S | undefined => (saved === undefined ? undefined : (JSON.parse(saved) as S)),
    change: (next: S) => {
      saved = JSON.stringify(next)
    },
    fail: (_mail: NewMail): void => {},
    start: async (more: Partial<WatchOptions<S>> = {}) => {
      stop = new AbortController()
      running = watch({
        signal: stop.signal,
        state: self.state(),
        save: (state) => {
          saved = JSON.stringify(state)
        },
        onMail: (mail) => {
          self.fail(mail)
          told.push(mail.subject)
          mails.push(mail)
        },
        onTrouble: (error) => troubles.push(error),
        retrySeconds: 0.2,
        ...more,
      })
      // The first look is what "new" counts from.
      await soon(() => saved !== undefined)
    },
    stop: async () => {
      stop.abort()
      await running
    },
  }
  onTestFinished(() => self.stop())
  return self
}

describe.skipIf(needs('dovecot, exim4 and openssl', mailServersInstalled()))('watching a real mailbox', () => {
  let servers: MailServers
  let n = 0
  const accounts = Array.from({ length: 8 }, (_, i) => ({ address: `w${i}@example.com`, password: PASSWORD }))
  /** A mailbox that no other test uses. */
  const fresh = (settings = {}) => {
    const address = accounts[n++]?.address ?? ''
    return (more = {}): Connection => mailConnection(servers, address, PASSWORD, { ...settings, ...more })
  }
  const mail = (subject: string): string =>
    `From: Anna <anna@example.com>\nSubject: ${subject}\nMessage-ID: <${subject}@x>\n\nhi`
  const proxy = async (rules: ProxyRules = {}) => {
    const started = await startProxy(servers.imapPort, rules)
    onTestFinished(() => started.stop())
    return started
  }

  beforeAll(async () => {
    servers = await startMailServers(accounts)
  }, 60_000)
  afterAll(async () => servers?.stop())

  it('tells of a mail that is delivered, by IDLE, and not of those that were there', async () => {
    const me = fresh()
    await putMails(me(), [mail('old')])
    const w = watcher<WatchState>((o) => watchMail(me(), o))
    // So rare that only IDLE can be what tells.
    await w.start({ pollSeconds: 3600 })
    await sendMail(me(), {
      from: 'w0@example.com',
      to: ['w0@example.com'],
      message: mail('delivered').replace(/\n/g, '\r\n'),
    })
    await soon(() => w.told.length > 0)
    expect(w.told).toEqual(['delivered'])
    expect(w.mails[0]).toMatchObject({
      from: { name: 'Anna', address: 'anna@example.com' },
      messageId: '<delivered@x>',
    })
    await putMails(me(), [mail('two'), mail('three')])
    await soon(() => w.told.length > 2)
    expect(w.told).toEqual(['delivered', 'two', 'three'])
  }, 30_000)

  it('misses nothing and repeats nothing across restarts', async () => {
    const me = fresh()
    const w = watcher<WatchState>((o) => watchMail(me(), o))
    const all: string[] = []
    await w.start()
    for (let round = 0; round < 4; round++) {
      await putMails(me(), [mail(`a${round}`)])
      await w.stop()
      await putMails(me(), [mail(`b${round}`), mail(`c${round}`)])
      all.push(`a${round}`, `b${round}`, `c${round}`)
      await w.start()
    }
    await soon(() => w.told.length >= all.length)
    expect(w.told).toEqual(all)
  }, 60_000)

  it('comes back when the connection breaks and when the server was away', async () => {
    const me = fresh()
    const between = await proxy()
    const w = watcher<WatchState>((o) => watchMail(me({ imapPort: between.port }), o))
    await w.start({ pollSeconds: 3600 })
    between.cutAll()
    await putMails(me(), [mail('while cut')])
    await soon(() => w.told.length > 0)
    await servers.stopImap()
    await soon(() => w.troubles.length > 1)
    await servers.startImap()
    await putMails(me(), [mail('after')])
    await soon(() => w.told.length > 1)
    expect(w.told).toEqual(['while cut', 'after'])
    expect(w.troubles.length).toBeGreaterThan(1)
    expect(w.troubles.map(String).join()).not.toContain(PASSWORD)
  }, 60_000)

  it('looks now and then where the server has no IDLE', async () => {
    const me = fresh()
    const between = await proxy({ rewriteServer: (text) => text.replace(/ IDLE\b/g, '') })
    const w = watcher<WatchState>((o) => watchMail(me({ imapPort: between.port, imapSecurity: 'none' }), o))
    await w.start({ pollSeconds: 0.3 })
    await putMails(me(), [mail('polled')])
    await soon(() => w.told.length > 0)
    expect(w.told).toEqual(['polled'])
  }, 30_000)

  it('tells a mail again when what was to happen on it failed', async () => {
    const me = fresh()
    const w = watcher<WatchState>((o) => watchMail(me(), o))
    let failures = 2
    w.fail = (m) => {
      if (m.subject === 'second' && failures-- > 0) throw new Error('disk full')
    }
    await w.start()
    await putMails(me(), [mail('first'), mail('second'), mail('third')])
    await soon(() => w.told.length > 2)
    expect(w.told).toEqual(['first', 'second', 'third'])
    expect(w.troubles).toHaveLength(2)
  }, 30_000)

  it('survives that the server numbers its mail anew', async () => {
    const me = fresh()
    await putMails(me(), [mail('old')])
    const w = watcher<WatchState>((o) => watchMail(me(), o))
    await w.start()
    await putMails(me(), [mail('one'), mail('two')])
    await soon(() => w.told.length > 1)
    await w.stop()
    await putMails(me(), [mail('three')])
    const state = w.state()
    if (state === undefined) throw new Error('no state')
    w.change({ ...state, uidValidity: '1', uid: 99_999 })
    await w.start()
    await soon(() => w.told.length > 2)
    expect(w.told).toEqual(['one', 'two', 'three'])
    await putMails(me(), [mail('four')])
    await soon(() => w.told.length > 3)
    expect(w.told).toEqual(['one', 'two', 'three', 'four'])
  }, 30_000)
})

describe('watching the local inbox', () => {
  it('misses nothing across restarts and knows a message that was moved', async () => {
    const folder = new MemoryFolder()
    const put = (name: string, subject: string): void =>
      writeText(folder, `inbox/new/${name}`, `From: anna@example.com\r\nSubject: ${subject}\r\n\r\nhi`)
    put('0.old', 'old')
    const w = watcher<MaildirState>((o) => watchMaildir(folder, { ...o, pollSeconds: 0.02 }))
    await w.start()
    put('1.a', 'one')
    await soon(() => w.told.length > 0)
    folder.move('inbox/new/1.a', 'inbox/cur/1.a:2,S')
    await w.stop()
    put('2.b', 'two')
    await w.start()
    await soon(() => w.told.length > 1)
    folder.remove('inbox/cur/1.a:2,S')
    put('3.c', 'three')
    await soon(() => w.told.length > 2)
    expect(w.told).toEqual(['one', 'two', 'three'])
    await soon(() => w.state()?.seen.includes('1.a') === false)
    expect(w.state()?.seen.sort()).toEqual(['0.old', '2.b', '3.c'])
    expect(w.mails[0]?.from.address).toBe('anna@example.com')
  })
})
