import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Journal, JournalError } from './journal.js'
import { rescueJournal } from './rescue.js'

const RUNS = 200

/** Everything that a decision hangs on: what is open, what happened in each run. */
const view = (journal: Journal): string =>
  JSON.stringify([
    journal.openRuns(),
    journal.ofType('outcome', 1000).map(({ seq }) => seq),
    Array.from({ length: RUNS }, (_, n) => journal.entries(`run-${n}`).map(({ seq, body }) => [seq, body.type])),
  ])

it('with flipped bytes in any page works as before or says that it is damaged, and rescue keeps all but that page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'journal.sqlite')
  const written = new Journal(file)
  for (let n = 0; n < RUNS; n++) {
    const run = `run-${n}`
    const content = `Noted: thing ${n}.`
    const key = `${run}:call_1`
    written.append(
      run,
      { type: 'run.start', thread: `t${n}`, request: `note thing ${n}`, model: 'm', tools: ['note_add'], pid: 1 },
      { type: 'intent', call: 'call_1', name: 'note_add', args: { text: `thing ${n}` }, effect: 'write', key },
      { type: 'outcome', call: 'call_1', name: 'note_add', ok: true, content, untrusted: false, effect: 'write' },
    )
    if (n % 20 !== 19) written.append(run, { type: 'run.end', status: 'done', text: '', stop: 'answer' })
  }
  const entries = 4 * RUNS - RUNS / 20
  const expected = view(written)
  written.close()
  const whole = readFileSync(file)
  let noticed = 0
  for (let page = 0; page < whole.length / 4096; page++) {
    const broken = Buffer.from(whole)
    for (let i = 0; i < 8; i++) broken[page * 4096 + i] = (broken[page * 4096 + i] ?? 0) ^ 0xff
    const copy = join(folder, `page-${page}.sqlite`)
    writeFileSync(copy, broken)
    try {
      const opened = new Journal(copy)
      try {
        expect(view(opened), `page ${page}`).toBe(expected)
        opened.append('new', { type: 'feedback', content: 'x' })
      } finally {
        opened.close()
      }
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      noticed++
      expect(error.code).toBe('corrupt')
      expect(error.message).toMatch(/damaged.*botpsy audit --rescue/)
      const { kept, missing } = rescueJournal(copy)
      // A page holds about thirty of these entries.
      expect(kept, `page ${page}`).toBeGreaterThan(entries - 60)
      const gone = missing.reduce((sum, [from, to]) => sum + to - from + 1, 0)
      expect(kept + gone, `page ${page}`).toBeLessThanOrEqual(entries)
      const again = new Journal(copy)
      expect(again.openRuns()).toEqual([])
      again.close()
    }
  }
  expect(noticed).toBeGreaterThan(20)
}, 120_000)
