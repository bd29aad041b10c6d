import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { Records } from '../domains/store/index.js'
import { RECORDS_MIGRATIONS } from '../domains/store/records.js'
import { needs } from '../testing/datasets.js'
import { JOURNAL_MIGRATIONS, Journal } from './journal.js'

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'botpsy-lost-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** How to get a disk of one's own: a mount namespace, for root or for a user that the kernel lets have one. */
function mounts(): readonly string[] | undefined {
  for (const flags of [['-m'], ['-rm']]) {
    const probe = spawnSync('unshare', [...flags, 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt'])
    if (probe.status === 0) return flags
  }
  return undefined
}

describe('a disk that is full, then read-only', () => {
  const flags = mounts()

  it.skipIf(needs('the right to mount a small disk (unshare)', flags))(
    'gives a clear error in every store; nothing is lost and nothing is done twice',
    async () => {
      const disk = folder()
      const child = fileURLToPath(new URL('./testing/hard-disk-child.ts', import.meta.url))
      const command = `mount -t tmpfs -o size=1500k tmpfs '${disk}' && exec '${process.execPath}' --import tsx '${child}' '${disk}'`
      const { stdout } = await promisify(execFile)('unshare', [...(flags ?? []), 'sh', '-c', command], {
        maxBuffer: 1 << 24,
      })
      const texts = z.record(z.string(), z.string())
      const numbers = z.record(z.string(), z.number())
      const found = z
        .object({
          written: numbers,
          failures: texts,
          kept: numbers,
          repeated: z.record(z.string(), z.boolean()),
          after: numbers,
          readOnly: texts,
          end: numbers,
        })
        .parse(JSON.parse(stdout))
      const stores = [
        'list_add',
        'calendar_create',
        'contact_add',
        'email_draft',
        'file_write',
        'memory_tell',
        'journal',
      ]
      for (const store of stores) {
        expect(found.written[store], store).toBeGreaterThan(2)
        expect(found.failures[store], store).toMatch(/disk is full|full/i)
        expect(found.kept[store], store).toBe(found.written[store])
        if (store !== 'journal') expect(found.repeated[store], store).toBe(true)
        expect(found.after[store], store).toBe((found.written[store] ?? 0) + 1)
        expect(found.readOnly[store], store).toMatch(store === 'journal' ? /may be written/ : /read-?only/i)
      }
      expect(found.end).toEqual(found.after)
    },
    180_000,
  )
})

describe('a database of another version', () => {
  const item = z.object({ text: z.string(), done: z.boolean().optional() })
  /** What a later program could do: every row of a collection gets a new member. */
  const later = [
    ...RECORDS_MIGRATIONS,
    {
      to: 2,
      run: (db: Database.Database) => {
        db.exec(`UPDATE items SET data = json_set(data, '$.done', json('false')) WHERE collection = 'todo'`)
      },
    },
  ]

  it('that is older is copied, then migrated, once', () => {
    const file = join(folder(), 'domains.db')
    const old = new Records(file)
    old.put('todo', 't1', { text: 'water the plants' })
    old.close()
    const both = [new Records(file, later), new Records(file, later)]
    for (const records of both) {
      expect(records.get('todo', 't1', item)).toEqual({ text: 'water the plants', done: false })
      records.close()
    }
    const backup = new Database(`${file}.v1.backup`, { readonly: true })
    expect(backup.pragma('user_version', { simple: true })).toBe(1)
    expect(backup.prepare("SELECT data FROM items WHERE id = 't1'").pluck().get()).toBe('{"text":"water the plants"}')
    backup.close()
    const older = new Records(file)
    expect(() => older.get('todo', 't1', item)).toThrow(/newer BotPsy \(schema 2, this one knows 1\)/)
  })

  it('stays as it was when a step fails', () => {
    const file = join(folder(), 'domains.db')
    const old = new Records(file)
    old.put('todo', 't1', { text: 'water the plants' })
    old.close()
    const broken = [
      ...later,
      {
        to: 3,
        run: () => {
          throw new Error('the step failed')
        },
      },
    ]
    expect(() => new Records(file, broken).get('todo', 't1', item)).toThrow(/the step failed/)
    const again = new Records(file)
    expect(again.get('todo', 't1', item)).toEqual({ text: 'water the plants' })
    again.close()
  })

  it('is a journal too: copied and migrated when older, refused and untouched when newer', () => {
    const file = join(folder(), 'journal.sqlite')
    const old = new Journal(file)
    old.append('r', { type: 'feedback', content: 'hello' })
    old.close()
    const steps = [
      ...JOURNAL_MIGRATIONS,
      { to: 2, run: (db: Database.Database) => void db.exec('ALTER TABLE entries ADD COLUMN note TEXT') },
    ]
    const migrated = new Journal(file, Date.now, steps)
    expect(migrated.entries('r')).toHaveLength(1)
    migrated.append('r', { type: 'feedback', content: 'more' })
    migrated.close()
    expect(existsSync(`${file}.v1.backup`)).toBe(true)
    const before = readFileSync(file)
    expect(() => new Journal(file)).toThrow(/newer BotPsy/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})
