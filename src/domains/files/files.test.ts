import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DiskFolder, StoreError } from '../store/index.js'
import { desk, emptyFolder } from '../testing/desk.js'
import { decodeText } from './decode.js'
import { FilesStore } from './files-store.js'

describe('files', () => {
  it('are written, extended, found, moved, trashed and brought back', async () => {
    const home = emptyFolder()
    const d = desk(home)
    expect((await d.call('file_write', { path: 'notes/today', text: 'hello' })).content).toBe('Wrote notes/today.txt.')
    expect((await d.call('file_append', { path: 'today', text: 'world' })).content).toBe('Added to notes/today.txt.')
    expect((await d.call('file_read', { path: 'today' })).content).toBe(
      'notes/today.txt has 2 lines: hello / world\nhello\nworld\n',
    )
    expect((await d.call('file_search', { query: 'WORLD' })).content).toMatch(/^1 file found: notes\/today.txt/)
    const moved = await d.call('file_move', { path: 'today', to: 'archive/' })
    expect(moved.content).toBe('Moved notes/today.txt to archive/today.txt.')
    await d.undo('file_move', moved)
    const trashed = await d.call('file_trash', { path: 'today' })
    expect((await d.call('file_read', { path: 'today' })).ok).toBe(false)
    expect((await d.call('file_list')).content).not.toMatch(/trash/)
    await d.undo('file_trash', trashed)
    const over = await d.call('file_write', { path: 'notes/today.txt', text: 'new' })
    expect(readFileSync(join(home, 'files', 'notes', 'today.txt'), 'utf8')).toBe('new\n')
    await d.undo('file_write', over)
    expect(readFileSync(join(home, 'files', 'notes', 'today.txt'), 'utf8')).toBe('hello\nworld\n')
  })

  it('never overwrite by moving, and never undo over a later change', async () => {
    const d = desk()
    await d.call('file_write', { path: 'a.txt', text: 'a' })
    const b = await d.call('file_write', { path: 'b.txt', text: 'b' })
    expect((await d.call('file_move', { path: 'a.txt', to: 'b.txt' })).content).toMatch(/exists already/)
    await d.call('file_append', { path: 'b.txt', text: 'more' })
    expect((await d.undo('file_write', b)).ok).toBe(false)
    expect((await d.call('file_read', { path: 'b' })).content).toMatch(/more/)
  })

  it('append once, although the process died between the write and its record', async () => {
    const home = emptyFolder()
    const d = desk(home)
    await d.call('file_append', { path: 'log.txt', text: 'one' }, { key: 'k1' })
    // What a crash leaves: the file changed, the plan kept, the effect not remembered.
    const { records } = d.domains.stores
    const { digest } = await import('./file-effect.js')
    const bytes = readFileSync(join(home, 'files', 'log.txt'))
    records.put('file-plans', digest('k2'), {
      op: 'write',
      path: 'log.txt',
      to: null,
      saved: null,
      after: digest(bytes),
      content: 'Added to log.txt.',
    })
    expect((await d.tool('file_append').reconcile?.('k2', {}, d.context()))?.ok).toBe(true)
    await d.call('file_append', { path: 'log.txt', text: 'two' }, { key: 'k2' })
    expect(readFileSync(join(home, 'files', 'log.txt'), 'utf8')).toBe('one\n')
    records.put('file-plans', digest('k3'), {
      op: 'write',
      path: 'log.txt',
      to: null,
      saved: null,
      after: digest('other'),
      content: 'Added to log.txt.',
    })
    expect((await d.tool('file_append').reconcile?.('k3', {}, d.context()))?.ok).toBe(false)
  })

  it('ask which of two is meant', async () => {
    const d = desk()
    await d.call('file_write', { path: 'a/plan.txt', text: 'a' })
    await d.call('file_write', { path: 'b/plan.txt', text: 'b' })
    expect((await d.call('file_trash', { path: 'plan' })).question).toBe('Which file: a/plan.txt or b/plan.txt?')
  })
})

describe('the jail', () => {
  const HOSTILE = [
    '../secret',
    'a/../../secret',
    '/etc/passwd',
    'C:\\x',
    'c:x',
    '~/x',
    '..\\..\\secret',
    'link/secret',
    'linkfile',
    '.bashrc',
    'a/.ssh/authorized_keys',
    'autorun.inf',
    'x.desktop',
    'nul',
    'a/con.txt',
    'a\u0000b',
    'a\u202Etxt.exe',
    'a. ',
    'file:stream',
    './../x',
    'x'.repeat(5000),
    '\u2025/secret/..',
  ]

  it('refuses every path that leads out, is hidden or starts programs', async () => {
    const home = emptyFolder()
    const outside = emptyFolder()
    writeFileSync(join(outside, 'secret'), 'secret words')
    mkdirSync(join(home, 'files'))
    symlinkSync(outside, join(home, 'files', 'link'))
    symlinkSync(join(outside, 'secret'), join(home, 'files', 'linkfile'))
    writeFileSync(join(home, 'files', 'a.txt'), 'a')
    const d = desk(home)
    for (const path of HOSTILE) {
      for (const [name, args] of [
        ['file_read', { path }],
        ['file_write', { path, text: 'evil' }],
        ['file_append', { path, text: 'evil' }],
        ['file_move', { path, to: 'b.txt' }],
        ['file_move', { path: 'a.txt', to: path }],
        ['file_trash', { path }],
      ] as const) {
        const result = await d.call(name, args)
        if (path !== '\u2025/secret/..') expect(result.ok, `${name} ${path.slice(0, 40)}`).toBe(false)
        expect(result.content).not.toMatch(/secret words/)
      }
    }
    expect((await d.call('file_search', { query: 'secret words' })).data).toEqual([])
    expect(readdirSync(outside)).toEqual(['secret'])
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret words')
    expect(existsSync(join(home, 'secret'))).toBe(false)
  })

  it('stays inside for any path whatever', () => {
    const root = emptyFolder()
    const files = new FilesStore(new DiskFolder(join(root, 'in'), join(root, 'lock')))
    const part = fc.constantFrom(
      '..',
      '.',
      'a',
      '~',
      '',
      'C:',
      '\\',
      ' ',
      '...',
      '. .',
      'é',
      '\u2024\u2024',
      '%2e%2e',
      '-',
    )
    const path = fc.oneof(
      fc.array(part, { maxLength: 6 }).map((p) => p.join('/')),
      fc.array(part, { maxLength: 6 }).map((p) => p.join('\\')),
      fc.string({ maxLength: 40 }),
    )
    fc.assert(
      fc.property(path, (p) => {
        try {
          files.folder.write(files.check(p), new Uint8Array([1]))
        } catch (error) {
          if (!(error instanceof StoreError)) throw error
        }
        expect(readdirSync(root).filter((n) => n !== 'in')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('refuses files that are too large', () => {
    const root = emptyFolder()
    const folder = new DiskFolder(root, join(root, 'lock'), 10)
    writeFileSync(join(root, 'big'), 'x'.repeat(11))
    expect(() => folder.read('big')).toThrow(/larger/)
    expect(() => folder.write('new', new Uint8Array(11))).toThrow(/larger/)
  })
})

describe('decodeText', () => {
  it('knows UTF-8, UTF-16, Windows-1252 and what is no text', () => {
    expect(decodeText(new TextEncoder().encode('é'))).toMatchObject({ text: 'é', encoding: 'utf-8' })
    expect(decodeText(Uint8Array.from([0xff, 0xfe, 0xe9, 0]))).toMatchObject({ text: 'é', encoding: 'utf-16' })
    expect(decodeText(Uint8Array.from([0xfe, 0xff, 0, 0xe9]))).toMatchObject({ text: 'é', encoding: 'utf-16' })
    expect(decodeText(Uint8Array.from([0xe9, 0x20, 0x80]))).toMatchObject({ text: 'é €', encoding: 'windows-1252' })
    expect(decodeText(Uint8Array.from([1, 0, 2]))).toBeUndefined()
  })
})
