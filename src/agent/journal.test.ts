import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Journal, JournalError } from './journal.js'

const file = (): string => join(mkdtempSync(join(tmpdir(), 'botpsy-journal-')), 'journal.sqlite')
const start = { type: 'run.start', thread: 't', request: 'x', model: 'm', tools: [], pid: 1 } as const
const intent = { type: 'intent', call: 'call_1', name: 'n', args: {}, effect: 'write', key: 'k' } as const

describe('Journal', () => {
  it('reads back what was appended, over openings', () => {
    const path = file()
    const first = new Journal(path, () => 42)
    first.append('r', start)
    first.append('r', intent)
    first.close()
    const again = new Journal(path)
    expect(again.entries('r')).toEqual([
      { seq: 1, run: 'r', at: 42, body: start },
      { seq: 2, run: 'r', at: 42, body: intent },
    ])
    expect(again.openRuns()).toEqual(['r'])
    again.append('r', { type: 'run.end', status: 'done', text: '', stop: 'answer' })
    expect(again.openRuns()).toEqual([])
    expect(again.runsOf('t')).toEqual(['r'])
  })

  it('keeps every line: nothing can be changed or removed', () => {
    const path = file()
    const journal = new Journal(path)
    journal.append('r', start)
    const raw = new Database(path)
    expect(() => raw.exec("UPDATE entries SET body = '{}'")).toThrow(/only grows/)
    expect(() => raw.exec('DELETE FROM entries')).toThrow(/only grows/)
  })

  it('takes one intent and one outcome a call, so that two processes cannot both go on', () => {
    const journal = new Journal(file())
    journal.append('r', intent)
    expect(() => journal.append('r', intent)).toThrow(JournalError)
    const refused = { type: 'refused', call: 'call_1', name: 'n', content: '', reason: 'denied' } as const
    journal.append('r', refused)
    expect(() => journal.append('r', refused)).toThrow(/Another process/)
  })

  it('lets one process take over an interrupted run as it found it', () => {
    const path = file()
    const [first, second] = [new Journal(path), new Journal(path)]
    first.append('r', start)
    first.append('r', { type: 'run.resume', pid: 2, call: 'after 1' })
    expect(() => second.append('r', { type: 'run.resume', pid: 3, call: 'after 1' })).toThrow(/Another process/)
    second.append('r', { type: 'run.resume', pid: 3, call: 'after 2' })
  })

  it('appends all of several entries or none', () => {
    const journal = new Journal(file())
    journal.append('r', intent)
    expect(() => journal.append('r', start, intent)).toThrow(JournalError)
    expect(journal.entries('r')).toHaveLength(1)
  })

  it('says what is wrong with a file that is no journal, or a newer one', () => {
    const broken = file()
    writeFileSync(broken, 'this is not a database, it only looks like a file with some length to it'.repeat(20))
    expect(() => new Journal(broken)).toThrow(/damaged/)
    const foreign = file()
    const other = new Database(foreign)
    other.pragma('user_version = 1')
    other.close()
    expect(() => new Journal(foreign)).toThrow(/damaged/)
    const bad = file()
    const journal = new Journal(bad)
    const lines = new Database(bad)
    lines.exec("INSERT INTO entries (run, at, type, call, body) VALUES ('r', 1, 'run.start', NULL, '{half')")
    expect(() => journal.entries('r')).toThrow(/damaged/)
    const newer = file()
    const raw = new Database(newer)
    raw.pragma('user_version = 99')
    raw.close()
    expect(() => new Journal(newer)).toThrow(/newer BotPsy/)
    expect(() => new Journal(join(tmpdir(), 'no', 'such', 'folder', 'j.sqlite'))).toThrow(/cannot be opened/)
  })
})
