import { closeSync, mkdtempSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Journal, JournalError } from './journal.js'
import type { JournalBody } from './journal-entry.js'
import { rescueJournal } from './rescue.js'

const outcome = (n: number): JournalBody => ({
  type: 'outcome',
  call: `call_${n}`,
  name: 'note_add',
  ok: true,
  content: `Noted: thing ${n}, ${'with some words to fill the pages '.repeat(6)}`,
  untrusted: false,
  effect: 'write',
})

/** A journal of one run with 300 outcomes and a second one that is still open. */
function journal(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'botpsy-rescue-')), 'journal.sqlite')
  const written = new Journal(file)
  const start = { type: 'run.start', thread: 't', request: 'x', model: 'm', tools: [], pid: 1 } as const
  written.append('a', start)
  written.append('a', ...Array.from({ length: 300 }, (_, n) => outcome(n)))
  written.append('a', { type: 'run.end', status: 'done', text: '', stop: 'answer' })
  written.append('b', start)
  written.close()
  return file
}

/** Overwrites a page with noise. @param page from 1 */
function damage(file: string, page: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
}

describe('a journal with a damaged page', () => {
  it('keeps a copy of the file and every entry on the other pages; open runs are ended, not resumed', () => {
    const file = journal()
    const pages = statSync(file).size / 4096
    damage(file, Math.floor(pages / 2))
    const broken = readFileSync(file)
    const report = rescueJournal(file)
    expect(readFileSync(report.backup).equals(broken)).toBe(true)
    expect(report.kept).toBeGreaterThan(200)
    const lost = report.missing.reduce((sum, [from, to]) => sum + to - from + 1, 0)
    expect(report.kept + lost).toBe(303)
    expect(report.ended).toEqual(['b'])
    const again = new Journal(file)
    expect(again.openRuns()).toEqual([])
    expect(again.entries('a').length + again.entries('b').length).toBe(report.kept + 1)
    again.append('c', outcome(1))
    expect(again.entries('c')[0]?.seq).toBeGreaterThan(303)
    again.close()
  })

  it('says so in words that tell what to do, whichever page it is, and loses at most that page', () => {
    fc.assert(
      fc.property(fc.nat(), (at) => {
        const file = journal()
        const pages = statSync(file).size / 4096
        const page = 1 + (at % pages)
        damage(file, page)
        try {
          const opened = new Journal(file)
          opened.entries('a')
          opened.openRuns()
          opened.close()
        } catch (error) {
          expect(error).toBeInstanceOf(JournalError)
          expect(String(error)).toMatch(/damaged.*botpsy audit --rescue/)
        }
        const { kept, backup } = rescueJournal(file)
        expect(kept).toBeGreaterThan(250)
        expect(statSync(backup).size).toBe(pages * 4096)
      }),
      { numRuns: 15 },
    )
  })

  it('keeps everything of a whole journal, also behind a damaged header, and begins anew where nothing can be read', () => {
    const whole = journal()
    expect(rescueJournal(whole)).toMatchObject({ kept: 303, missing: [] })
    const headless = journal()
    damage(headless, 1)
    expect(rescueJournal(headless)).toMatchObject({ kept: 303, missing: [] })
    writeFileSync(headless, 'nothing of it is left')
    expect(rescueJournal(headless).kept).toBe(0)
    expect(new Journal(headless).runs()).toEqual([])
  })
})
