import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { program } from '../../testing/server-process.js'
import { desk, emptyFolder } from '../testing/desk.js'
import { caldavAdapter } from './caldav-adapter.js'
import { mayTrust } from './caldav-http.js'
import type { CaldavLimits } from './caldav-remote.js'
import { type BrokenProxy, brokenProxy } from './testing/broken-proxy.js'
import { connectedTo } from './testing/connection.js'
import { foreign, type Radicale, radicale, startRadicale } from './testing/radicale.js'

const first = (content: string): string => content.split('\n')[0] ?? ''
const LIMITS = { look: 15_000, write: 15_000, whole: 30_000, retry: 0 }

async function behindProxy(limits: CaldavLimits = LIMITS): Promise<{
  readonly server: Radicale
  readonly proxy: BrokenProxy
  readonly home: string
  readonly folder: string
  readonly d: ReturnType<typeof desk>
}> {
  const server = await radicale()
  const home = await server.calendar('home', 'Home')
  const proxy = await brokenProxy(server.port)
  const folder = emptyFolder()
  const patient = desk(folder, { connections: connectedTo(proxy.url), caldavLimits: LIMITS })
  const made = await patient.call('calendar_create', { title: 'dentist', when: 'tuesday at nine' }, { key: 'before' })
  expect(made.ok).toBe(true)
  const d = desk(folder, { connections: connectedTo(proxy.url), caldavLimits: limits })
  return { server, proxy, home, folder, d }
}

const puts = (proxy: BrokenProxy) => proxy.seen.filter((line) => line.startsWith('PUT')).length

describe.skipIf(needs('radicale', program('radicale')))('a calendar server that fails', { timeout: 120_000 }, () => {
  it('is gone: reads come from the copy and say so, writes change nothing', async () => {
    const { server, d } = await behindProxy()
    await server.kill()
    const seen = await d.call('calendar_search', { title: 'dentist' })
    expect(seen.ok).toBe(true)
    expect(first(seen.content)).toMatch(/^dentist is on Tuesday.*The calendar server .* This is the copy of .*22:00/)
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(made.ok).toBe(false)
    expect(made.content).toMatch(/calendar server/)
    expect((await d.call('calendar_cancel', { title: 'dentist' })).ok).toBe(false)
    expect((await d.call('calendar_search', { title: 'lunch' })).data).toEqual([])
    expect((await d.call('calendar_search', { title: 'dentist' })).data).toHaveLength(1)
    // Alarms do not need it.
    expect((await d.call('alarm_set', { when: 'six am' })).ok).toBe(true)
    // Whether the effect of a lost run happened is open while the server is gone, and known once it is back.
    expect(await d.tool('calendar_create').reconcile?.('k2', {}, d.context())).toBeUndefined()
    const back = await startRadicale({ port: server.port, folder: server.folder })
    try {
      expect((await d.tool('calendar_create').reconcile?.('k2', {}, d.context()))?.ok).toBe(false)
      expect((await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })).ok).toBe(
        true,
      )
    } finally {
      await back.kill()
    }
  })

  it('was never reached: nothing is put into local files instead', async () => {
    const server = await radicale()
    await server.kill()
    const folder = emptyFolder()
    const d = desk(folder, { connections: connectedTo(server.url), caldavLimits: LIMITS })
    expect((await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })).ok).toBe(false)
    expect((await d.call('calendar_search', { title: 'lunch' })).content).toMatch(/have not been read yet/)
    const plain = desk(folder)
    expect((await plain.call('calendar_search', { title: 'lunch' })).data).toEqual([])
  })

  it('hangs: the time limit ends it, and reads come from the copy', async () => {
    const { proxy, d } = await behindProxy({ look: 400, write: 400, retry: 60_000 })
    proxy.breaks = () => 'hang'
    const seen = await d.call('calendar_search', { title: 'dentist' })
    expect(first(seen.content)).toMatch(/^dentist is on .* did not answer within 0\.4 seconds/)
    // The next look does not wait again.
    const before = proxy.seen.length
    expect((await d.call('calendar_search', { title: 'dentist' })).content).toMatch(/did not answer/)
    expect(proxy.seen.length).toBe(before)
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })
    expect(made.content).toMatch(/did not answer.*not known whether/)
  })

  it('answers garbage, a web page, or without end: it is told, and the copy stays', async () => {
    const { proxy, d, server, home } = await behindProxy()
    await server.put(`${home}x.ics`, foreign('x', ['DTSTART:20261202T090000Z', 'SUMMARY:News']))
    for (const how of ['garbage', 'page', 'endless'] as const) {
      proxy.breaks = () => how
      const seen = await d.call('calendar_search', { title: 'dentist' })
      expect(seen.data, how).toHaveLength(1)
      expect(seen.content, how).toMatch(/no calendar server|does not speak CalDAV|sent more than 32 MB/)
      const [finding] = await caldavAdapter.probe(connectedTo(proxy.url).connection)
      expect(finding?.ok, how).toBe(false)
    }
    // An answer that shows no calendars at all is no reason to forget them.
    proxy.breaks = () => 'pass'
    proxy.rewrite = (text, line) =>
      line.startsWith('PROPFIND') ? text.replace(/<response>[\s\S]*<\/response>/, '') : text
    expect((await d.call('calendar_search', { title: 'dentist' })).data).toHaveLength(1)
    proxy.rewrite = (text) => text
    expect((await d.call('calendar_search', { title: 'news' })).data).toHaveLength(1)
  })

  it('breaks off after it took a write: looked up, and done once', async () => {
    const { proxy, d, server, home } = await behindProxy()
    proxy.breaks = (line) => (line.startsWith('PUT') ? 'drop after' : 'pass')
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(made.ok).toBe(true)
    const moved = await d.call('calendar_move', { title: 'lunch', to: 'an hour later' }, { key: 'k2' })
    expect(moved.content).toMatch(/13:00/)
    expect(await server.items(home)).toHaveLength(2)
    expect((await d.undo('calendar_move', moved)).ok).toBe(true)
    expect((await d.call('calendar_search', { title: 'lunch' })).content).toMatch(/12:00/)
    expect((await d.call('calendar_search', { title: 'lunch' })).untrusted).toBeUndefined()
  })

  it('breaks off before it took a write: nothing is changed, and the next try is done once', async () => {
    const { proxy, d, server, home } = await behindProxy()
    proxy.breaks = (line) => (line.startsWith('PUT') ? 'drop before' : 'pass')
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(made.ok).toBe(false)
    expect(made.content).toMatch(/broke the connection off.*Nothing was changed/)
    expect((await d.tool('calendar_create').reconcile?.('k1', {}, d.context()))?.ok).toBe(false)
    proxy.breaks = () => 'pass'
    expect((await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })).ok).toBe(true)
    expect((await server.items(home)).filter((i) => i.includes('lunch'))).toHaveLength(1)
  })

  it('takes a write and is gone: the owner is told that it is open, then what became of it', async () => {
    const { proxy, d, server, home } = await behindProxy()
    let dropped = false
    proxy.breaks = (line) => {
      if (line.startsWith('PUT')) {
        dropped = true
        return 'drop after'
      }
      return dropped ? 'drop before' : 'pass'
    }
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(made.ok).toBe(false)
    expect(made.content).toMatch(/not known whether the change of "lunch" was taken/)
    expect(await d.tool('calendar_create').reconcile?.('k1', {}, d.context())).toBeUndefined()
    proxy.breaks = () => 'pass'
    const seen = await d.call('calendar_search', { title: 'lunch' })
    expect(first(seen.content)).toMatch(/"lunch", which the calendar server had not confirmed, is done there/)
    expect(seen.untrusted).toBeUndefined()
    expect((await d.call('calendar_search', { title: 'lunch' })).content).not.toMatch(/confirmed/)
    const again = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(again.ok).toBe(true)
    expect((await server.items(home)).filter((i) => i.includes('lunch'))).toHaveLength(1)
  })

  it('never got a write: the owner is told that too', async () => {
    const { proxy, d } = await behindProxy()
    proxy.breaks = (line) => (/^(?:PUT|DELETE|GET)/.test(line) ? 'drop before' : 'pass')
    expect((await d.call('calendar_cancel', { title: 'dentist' }, { key: 'k1' })).content).toMatch(/not known/)
    proxy.breaks = () => 'pass'
    const seen = await d.call('calendar_search', { title: 'dentist' })
    expect(first(seen.content)).toMatch(/^dentist is on .* The removal of "dentist" did not reach the calendar server/)
    // In the trash, but still in the calendar: that is no cancellation.
    expect((await d.tool('calendar_cancel').reconcile?.('k1', {}, d.context()))?.ok).toBe(false)
    expect((await d.call('calendar_cancel', { title: 'dentist' }, { key: 'k1' })).ok).toBe(true)
    expect((await d.call('calendar_search', { title: 'dentist' })).data).toEqual([])
  })

  it('was changed by somebody else in between: a clear error, read again, nothing overwritten', async () => {
    const { proxy, d, server, home } = await behindProxy()
    const [item] = await server.items(home)
    const uid = /UID:(.*)\r/.exec(item ?? '')?.[1] ?? ''
    const address = `${home}${uid.replace('@botpsy', '')}.ics`
    const theirs = foreign(uid, ['DTSTART:20261203T150000Z', 'SUMMARY:dentist (moved by phone)'])
    await server.put(address, theirs)
    // The look before the write fails, so that the copy is old; the write itself goes through.
    proxy.breaks = (line) => (line.startsWith('PROPFIND') ? 'drop before' : 'pass')
    const moved = await d.call('calendar_move', { title: 'dentist', to: 'wednesday' })
    expect(moved.ok).toBe(false)
    expect(moved.content).toMatch(/changed on the calendar server meanwhile\. It has been read again/)
    expect((await d.call('calendar_search', { title: 'dentist' })).content).toMatch(/3 December at 16:00/)
    expect((await server.items(home))[0]).toContain('moved by phone')
    expect((await d.call('calendar_move', { title: 'dentist', to: 'friday' })).ok).toBe(true)
    await server.remove(address)
    proxy.breaks = (line) => (line.startsWith('PROPFIND') ? 'drop before' : 'pass')
    expect((await d.call('calendar_move', { title: 'dentist', to: 'monday' })).content).toMatch(
      /removed from the calendar server meanwhile/,
    )
    expect(await server.items(home)).toEqual([])
  })

  it('has a damaged item among good ones: left out, and said', async () => {
    const { proxy, d, server, home } = await behindProxy()
    proxy.rewrite = (text) => text.replace(/BEGIN:VEVENT(?=(?:(?!END:VEVENT)[\s\S])*SUMMARY:Broken)/, 'BEGIN:VEVE;T;:')
    await server.put(`${home}b.ics`, foreign('b', ['DTSTART:20261202T090000Z', 'SUMMARY:Broken']))
    await server.put(`${home}n.ics`, foreign('n', ['DTSTART:20261202T100000Z', 'SUMMARY:News']))
    const seen = await d.call('calendar_search', { when: 'wednesday' })
    expect(first(seen.content)).toMatch(/^News is on/)
    expect(seen.content).toMatch(/1 entry of the calendar "Home" cannot be read and is left out/)
  })

  it('forgets its sync tokens, or has none: what changed and what went is seen all the same', async () => {
    const { proxy, d, server, home } = await behindProxy()
    const refused =
      'HTTP/1.1 403 Forbidden\r\ncontent-type: text/xml\r\n\r\n<error xmlns="DAV:"><valid-sync-token/></error>'
    const ways = [
      (text: string, _line: string, body: string) => (body.includes('sync-collection') ? refused : text),
      (text: string) => text.replace(/<(sync-token|CS:getctag|getctag)>[^<]*<\/\1>/g, ''),
    ]
    for (const [i, rewrite] of ways.entries()) {
      proxy.rewrite = rewrite
      await server.put(`${home}n${i}.ics`, foreign(`n${i}`, ['DTSTART:20261202T100000Z', `SUMMARY:News ${i}`]))
      expect((await d.call('calendar_search', { title: `news ${i}` })).data).toHaveLength(1)
      await server.remove(`${home}n${i}.ics`)
      expect((await d.call('calendar_search', { title: `news ${i}` })).data).toHaveLength(0)
      expect((await d.call('calendar_search', { title: 'dentist' })).untrusted).toBeUndefined()
    }
  })

  it('has an item without end: only that one is left out', async () => {
    const { proxy, d, server, home } = await behindProxy()
    for (const name of ['a', 'big', 'c'])
      await server.put(`${home}${name}.ics`, foreign(name, ['DTSTART:20261202T090000Z', `SUMMARY:Entry ${name}`]))
    proxy.breaks = (line, body) => (line.startsWith('REPORT') && body.includes('big.ics') ? 'endless' : 'pass')
    const seen = await d.call('calendar_search', { when: 'wednesday' })
    expect(seen.data).toHaveLength(2)
    expect(seen.content).toMatch(/1 entry of the calendar "Home" cannot be read/)
  })

  it('has done a write whose process was killed before it heard so: found again, not done twice', async () => {
    const { proxy, d, server, home, folder } = await behindProxy()
    proxy.breaks = (line) => (line.startsWith('PUT') ? 'hang after' : 'pass')
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        fileURLToPath(new URL('./testing/create-event.ts', import.meta.url)),
        folder,
        proxy.url,
        'k9',
      ],
      { stdio: 'ignore' },
    )
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await vi.waitFor(() => expect(proxy.answered).toHaveLength(1), { timeout: 100_000, interval: 50 })
    child.kill('SIGKILL')
    await ended
    proxy.breaks = () => 'pass'
    const past = await d.tool('calendar_create').reconcile?.('k9', {}, d.context())
    expect(past?.ok).toBe(true)
    expect(past?.content).toMatch(/"lunch"/)
    await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k9' })
    expect((await server.items(home)).filter((i) => i.includes('lunch'))).toHaveLength(1)
  })

  it('writes to guests: only when the owner agrees', async () => {
    const { proxy, d, server, home } = await behindProxy()
    proxy.header = 'DAV: calendar-auto-schedule'
    await server.put(
      `${home}g.ics`,
      foreign('g', [
        'DTSTART:20261202T090000Z',
        'DTEND:20261202T100000Z',
        'SUMMARY:Review',
        'ORGANIZER:mailto:ann@example.com',
        'ATTENDEE;CN=Bob:mailto:bob@example.com',
      ]),
    )
    const before = puts(proxy)
    const asked = await d.call(
      'calendar_move',
      { title: 'review', to: 'thursday' },
      { request: 'move the review to thursday' },
    )
    expect(asked.question).toMatch(/"Review" has guests \(Bob\), and the calendar server will write to them/)
    expect(puts(proxy)).toBe(before)
    expect((await d.call('calendar_move', { title: 'review', to: 'thursday' }, { request: 'yes, move it' })).ok).toBe(
      true,
    )
    expect((await server.items(home)).join()).toContain('DTSTART:20261203T090000Z')
  })
})

describe.skipIf(needs('radicale', program('radicale')))('the copy of a server calendar', { timeout: 120_000 }, () => {
  it('refuses to change what may only be read', async () => {
    const server = await radicale()
    const shared = await server.calendar('ro-shared', 'Shared')
    const d = desk(emptyFolder(), { connections: connectedTo(server.url), caldavLimits: LIMITS })
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })
    expect(made).toMatchObject({ ok: false, content: expect.stringMatching(/None of the calendars .* can be written/) })
    const named = desk(emptyFolder(), {
      connections: connectedTo(server.url, { newEvents: 'Shared' }),
      caldavLimits: LIMITS,
    })
    expect((await named.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })).content).toMatch(
      /"Shared" is read-only/,
    )
    expect(await server.items(shared)).toEqual([])
  })

  it('cannot be written here: nothing is sent', async () => {
    const { server, home, folder, d } = await behindProxy()
    const copy = join(folder, 'caldav')
    // A folder in the place of the file that must be replaced fails for root too, as a read-only one does for others.
    const account = join(copy, 'account.json')
    const text = readFileSync(account, 'utf8')
    rmSync(account)
    mkdirSync(join(account, 'x'), { recursive: true })
    chmodSync(copy, 0o500)
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })
    chmodSync(copy, 0o700)
    expect(made.ok).toBe(false)
    expect(await server.items(home)).toHaveLength(1)
    rmSync(account, { recursive: true })
    writeFileSync(account, text)
    expect((await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' })).ok).toBe(true)
  })

  it('cannot be written after the server took a change: done, and said', async () => {
    const { proxy, server, home, folder, d } = await behindProxy()
    const copy = join(folder, 'caldav')
    const [file] = readdirSync(copy).filter((name) => /^[0-9a-f]{12}\.json$/.test(name))
    const path = join(copy, file ?? '')
    proxy.breaks = (line) => {
      if (line.startsWith('PUT')) {
        rmSync(path)
        mkdirSync(join(path, 'x'), { recursive: true })
      }
      return 'pass'
    }
    const made = await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })
    expect(made.ok).toBe(true)
    expect(made.content).toMatch(/The copy of the calendar here could not be written/)
    expect(await server.items(home)).toHaveLength(2)
    proxy.breaks = () => 'pass'
    rmSync(path, { recursive: true })
    expect((await d.call('calendar_search', { title: 'lunch' })).data).toHaveLength(1)
    expect((await d.call('calendar_create', { title: 'lunch', when: 'tuesday at noon' }, { key: 'k1' })).ok).toBe(true)
    expect(await server.items(home)).toHaveLength(2)
  })

  it('is read anew when its files are damaged', async () => {
    const { folder, d } = await behindProxy()
    writeFileSync(join(folder, 'caldav', 'account.json'), '{"schema":1,')
    expect((await d.call('calendar_search', { title: 'dentist' })).data).toHaveLength(1)
    writeFileSync(join(folder, 'caldav', 'account.json'), '{"schema":99}')
    expect((await d.call('calendar_create', { title: 'x', when: 'tuesday at noon' })).content).toMatch(/newer version/)
  })

  it('is shared by two that write at once: nothing is lost or doubled', async () => {
    const server = await radicale()
    const home = await server.calendar('home')
    const folder = emptyFolder()
    const two = [0, 1].map(() => desk(folder, { connections: connectedTo(server.url), caldavLimits: LIMITS }))
    // A process of its own, and two stores in this one.
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        fileURLToPath(new URL('./testing/create-event.ts', import.meta.url)),
        folder,
        server.url,
        'c1',
      ],
      { stdio: 'ignore' },
    )
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const results = await Promise.all(
      two.flatMap((d, i) =>
        ['nine', 'eleven'].map((hour) =>
          d.call(
            'calendar_create',
            { title: `meeting ${i} ${hour}`, when: `tuesday at ${hour} am` },
            { key: `${i}:${hour}` },
          ),
        ),
      ),
    )
    expect(results.map((r) => r.ok)).toEqual([true, true, true, true])
    // The same effect from both at once happens once.
    const same = await Promise.all(
      two.map((d) => d.call('calendar_create', { title: 'once', when: 'tuesday at three pm' }, { key: 'same' })),
    )
    expect(same.every((r) => r.ok)).toBe(true)
    expect(await ended).toBe(0)
    const items = await server.items(home)
    expect(items).toHaveLength(6)
    expect((await two[0]?.call('calendar_search', { when: 'tuesday' }))?.data).toHaveLength(6)
  })
})

describe('the password', () => {
  it('goes only to the host it was given for, or one of the same owner over TLS', () => {
    const to = (base: string, target: string) => mayTrust(new URL(base), new URL(target))
    expect(to('https://cal.example.com/', 'https://cal.example.com/dav/')).toBe(true)
    expect(to('https://caldav.example.com/', 'https://p12-caldav.example.com/1/')).toBe(true)
    expect(to('http://127.0.0.1:5232/', 'http://127.0.0.1:5232/ann/')).toBe(true)
    for (const [base, target] of [
      ['https://cal.example.com/', 'https://example.org/'],
      ['https://cal.example.com/', 'http://cal.example.com/'],
      ['https://cal.example.com/', 'https://notexample.com/'],
      ['https://shop.co.uk/', 'https://evil.co.uk/'],
      ['https://example.com/', 'https://evil.com/'],
      ['http://127.0.0.1:5232/', 'http://127.0.0.1:80/'],
      ['https://10.0.0.1/', 'https://20.0.0.1/'],
    ] as const)
      expect(to(base, target), `${base} ${target}`).toBe(false)
  })
})
