import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../chat/types.js'
import { allContracts } from './contracts.js'
import { createDomains, FilesRootError } from './domains.js'
import { desk, emptyFolder } from './testing/desk.js'

/** A call of every tool that has an effect, with arguments that make it act on an empty store. */
const EFFECTS: readonly (readonly [string, JsonObject])[] = [
  ['alarm_set', { when: 'six am' }],
  ['timer_set', { duration: 'ten minutes' }],
  ['calendar_create', { title: 'dentist', when: 'friday at nine' }],
  ['email_send', { to: 'a@example.com', text: 'hello' }],
  ['email_draft', { text: 'hello' }],
  ['contact_add', { name: 'Anna', email: 'a@example.com' }],
  ['social_post', { text: 'hello' }],
  ['file_write', { path: 'a.txt', text: 'hello' }],
  ['file_append', { path: 'b.txt', text: 'hello' }],
  ['light_switch', { state: 'on', room: 'kitchen' }],
  ['light_color', { color: 'blue', room: 'kitchen' }],
  ['light_adjust', { direction: 'up', amount: 'to half', room: 'kitchen' }],
  ['plug_switch', { state: 'on', device: 'kettle' }],
  ['volume_adjust', { direction: 'up', amount: 'by ten' }],
  ['vacuum_start', {}],
  ['coffee_make', {}],
  ['scene_set', { scene: 'dinner' }],
  ['lock_set', { state: 'unlock', door: 'front door' }],
  ['thermostat_set', { temperature: '22' }],
  ['music_play', { music: 'jazz' }],
  ['playlist_add', { playlist: 'gym', music: 'jazz' }],
  ['list_add', { list: 'shopping', item: 'milk' }],
  ['takeaway_order', { food: 'pizza' }],
  ['ticket_book', { to: 'York' }],
  ['note_add', { text: 'hello' }],
  ['expense_add', { amount: '5' }],
  ['ticket_create', { problem: 'broken' }],
  ['hours_log', { hours: '2' }],
  ['account_add', { name: 'purse', balance: '5 euros' }],
  ['bill_add', { name: 'water', amount: '5', due: 'friday' }],
  ['budget_set', { category: 'food', amount: '5' }],
  ['rate_set', { from: 'euro', to: 'dollar', rate: '1.1' }],
  ['product_add', { product: 'lamp', price: '5' }],
  ['customer_add', { name: 'Acme' }],
  ['stock_change', { item: 'boxes', count: '5', direction: 'add' }],
  ['memory_tell', { fact: 'hello is my greeting' }],
]

/** Everything the stores hold, as text. */
function snapshot(home: string): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && !e.parentPath.includes('locks') && e.name !== 'domains.db' && e.name !== 'trash.ics')
    .map((e) => `${e.name}\n${readFileSync(join(e.parentPath, e.name), 'utf8')}`)
  const db = join(home, 'domains.db')
  if (!existsSync(db)) return files.sort().join('\n')
  const database = new Database(db, { readonly: true })
  try {
    return [
      ...files.sort(),
      JSON.stringify(database.prepare('SELECT * FROM items ORDER BY collection, id').all()),
    ].join('\n')
  } finally {
    database.close()
  }
}

describe('createDomains', () => {
  it('implements every contract, once', () => {
    const tools = createDomains({ home: ':memory:' })
    expect(tools.map((t) => t.name).sort()).toEqual(allContracts.map((c) => c.name).sort())
  })

  it('gives every write an undo', () => {
    const missing = desk().domains.filter((t) => t.effect({}) === 'write' && !t.revert)
    expect(missing.map((t) => t.name)).toEqual([])
  })

  it('gives every effect a way to be found again after a crash', () => {
    const missing = desk().domains.filter((t) => t.effect({}) !== 'read' && !t.reconcile)
    expect(missing.map((t) => t.name)).toEqual([])
  })

  it('answers every tool without arguments by a result', async () => {
    const d = desk()
    for (const tool of d.domains) {
      const result = await d.call(tool.name)
      expect(result.content.split('\n')[0]?.trim(), tool.name).not.toBe('')
      expect(result.content, tool.name).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  it('asks for what the contract says must be asked', async () => {
    const d = desk()
    for (const tool of d.domains) {
      if (tool.asks === undefined) continue
      const result = await d.call(tool.name)
      expect(result.ok, tool.name).toBe(false)
    }
  })

  it('survives arguments of any shape', async () => {
    const d = desk()
    const odd = [
      42,
      ['a', true],
      '\u0000🙂',
      'x'.repeat(5000),
      '../../etc/passwd',
      '__proto__',
      "'; DROP TABLE items; --",
    ]
    for (const tool of d.domains) {
      for (const value of odd) {
        const args: JsonObject = {}
        for (const name of Object.keys(tool.parameters.shape)) args[name] = value
        const result = await d.call(tool.name, args)
        expect(typeof result.content, tool.name).toBe('string')
      }
    }
  })

  it.each(EFFECTS)(
    '%s happens once per key, is found again, and is certain not to have happened otherwise',
    async (name, args) => {
      const home = emptyFolder()
      const d = desk(home)
      const first = await d.call(name, args, { key: 'one' })
      expect(first).toMatchObject({ ok: true })
      const after = snapshot(home)
      const again = await desk(home).call(name, args, { key: 'one' })
      expect(again.ok).toBe(true)
      expect(snapshot(home)).toBe(after)
      expect((await d.tool(name).reconcile?.('one', args, d.context()))?.ok).toBe(true)
      expect((await d.tool(name).reconcile?.('two', args, d.context()))?.ok).toBe(false)
    },
  )

  it.each(EFFECTS.filter(([name]) => allContracts.find((c) => c.name === name)?.effect({}) === 'write'))(
    '%s can be taken back, once',
    async (name, args) => {
      const home = emptyFolder()
      const d = desk(home)
      // Something is there already, so that a restored store is not merely an empty one.
      await d.call('list_add', { list: 'old', item: 'thing' })
      const strip = (s: string) => s.replace(/DTSTAMP:.*/g, '')
      const before = strip(snapshot(home))
      const result = await d.call(name, args)
      expect(strip(snapshot(home))).not.toBe(before)
      expect((await d.undo(name, result)).ok).toBe(true)
      const kept = JSON.parse(JSON.stringify(result.undo)) as JsonObject
      expect((await d.tool(name).revert?.(kept, d.context()))?.ok).toBe(true)
      expect(kept).toEqual(result.undo)
      const left = strip(snapshot(home))
      expect(left.includes('hello') || left.includes('dentist') || left.includes('"pizza"')).toBe(false)
    },
  )
})

describe('the data folder', () => {
  it('says that a newer program wrote it, and changes nothing', async () => {
    const home = emptyFolder()
    const db = new Database(join(home, 'domains.db'))
    db.pragma('user_version = 99')
    db.close()
    const result = await desk(home).call('list_add', { list: 'shopping', item: 'milk' })
    expect(result.ok).toBe(false)
    expect(result.content).toMatch(/newer BotPsy/)
  })

  it('says that a file is damaged, and leaves it', async () => {
    const home = emptyFolder()
    mkdirSync(join(home, 'calendar'))
    writeFileSync(join(home, 'calendar', 'alarms.ics'), 'BEGIN:VCALENDAR\nnonsense')
    const result = await desk(home).call('alarm_set', { when: 'six am' })
    expect(result.ok).toBe(false)
    expect(result.content).toMatch(/damaged/)
    expect(readFileSync(join(home, 'calendar', 'alarms.ics'), 'utf8')).toBe('BEGIN:VCALENDAR\nnonsense')
    writeFileSync(join(home, 'domains.db'), 'this is not a database, whatever its name says'.repeat(50))
    expect((await desk(home).call('list_show')).content).toMatch(/damaged/)
  })

  it.skipIf(process.getuid?.() === 0 && !existsSync('/proc/self/ns/user'))(
    'says that it is read-only, and loses nothing',
    async () => {
      const home = emptyFolder()
      await desk(home).call('alarm_set', { when: 'six am' })
      await desk(home).call('list_add', { list: 'shopping', item: 'milk' })
      const before = snapshot(home)
      // Root ignores modes, so a file stands where a folder must be made: the same failure for everybody.
      if (process.getuid?.() === 0) {
        writeFileSync(join(home, 'contacts'), '')
        const result = await desk(home).call('contact_add', { name: 'Anna' })
        expect(result.ok).toBe(false)
        expect(result.content).toMatch(/contacts/)
        return
      }
      chmodSync(join(home, 'calendar'), 0o500)
      chmodSync(join(home, 'domains.db'), 0o400)
      try {
        for (const [name, args] of [
          ['alarm_set', { when: 'seven am' }],
          ['list_add', { list: 'shopping', item: 'eggs' }],
        ] as const) {
          const result = await desk(home).call(name, args)
          expect(result.ok).toBe(false)
          expect(result.content).toMatch(/read-only|permission/)
        }
      } finally {
        chmodSync(join(home, 'calendar'), 0o700)
        chmodSync(join(home, 'domains.db'), 0o600)
      }
      expect(snapshot(home)).toBe(before)
    },
  )

  it('never lets the files folder be one of its own', () => {
    const home = emptyFolder()
    expect(() => createDomains({ home, filesRoot: home })).toThrow(FilesRootError)
    expect(() => createDomains({ home, filesRoot: join(home, 'mail') })).toThrow(FilesRootError)
  })

  it('hides itself inside a wider files folder', async () => {
    const root = emptyFolder()
    const home = join(root, 'assistant')
    const domains = createDomains({ home, filesRoot: root })
    const context = { now: () => new Date(), timeZone: 'UTC', request: '', idempotencyKey: 'k' }
    const run = (name: string, args: JsonObject) =>
      domains.find((t) => t.name === name)!.run(args, { ...context, idempotencyKey: name })
    await run('note_add', { text: 'secret' })
    expect((await run('file_read', { path: 'assistant/domains.db' })).content).toMatch(/belongs to BotPsy/)
    expect((await run('file_read', { path: 'ASSISTANT/domains.db' })).ok).toBe(false)
    expect((await run('file_list', {})).content).not.toMatch(/assistant/)
    domains.close()
  })

  it('is shared by two processes without losing an effect or doing one twice', { timeout: 180_000 }, async () => {
    const home = emptyFolder()
    const script = fileURLToPath(new URL('./testing/writer.ts', import.meta.url))
    const run = promisify(execFile)
    await Promise.all(['a', 'b'].map((name) => run(process.execPath, ['--import', 'tsx', script, home, name, '8'])))
    const d = desk(home)
    const alarms = await d.call('alarm_list')
    expect(alarms.data).toHaveLength(16)
    const list = await d.call('list_show', { list: 'shared' })
    expect((list.data as { items: string[] }[])[0]?.items).toHaveLength(16)
    expect(readFileSync(join(home, 'files', 'log.txt'), 'utf8').match(/line/g)).toHaveLength(16)
    const texts = (folder: string) =>
      readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        .join('\n')
    expect(texts('calendar').match(/SUMMARY:meeting/g)).toHaveLength(16)
    expect(texts('contacts').match(/FN:Person/g)).toHaveLength(16)
    expect(texts('mail').match(/^Subject: draft/gm)).toHaveLength(16)
    expect((await d.call('memory_show')).data).toHaveLength(16)
    const once = await d.call('list_show', { list: 'once' })
    expect((once.data as { items: string[] }[])[0]?.items).toHaveLength(8)
    expect(readFileSync(join(home, 'files', 'once.txt'), 'utf8').match(/only/g)).toHaveLength(8)
    expect(texts('mail').match(/^Subject: only/gm)).toHaveLength(8)
    expect((await d.call('note_find', { query: 'only' })).data).toHaveLength(8)
  })
})
