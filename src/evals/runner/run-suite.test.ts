import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineError } from '../../engine/errors.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import { ask } from './ask.js'
import { compareRuns, signTest } from './compare-runs.js'
import { htmlReport } from './html-report.js'
import { endsInLoop } from './loops.js'
import { runFigures } from './run-figures.js'
import { readRun } from './run-folder.js'
import { type RunSuiteOptions, runSuite } from './run-suite.js'
import { formatComparison, formatRun } from './run-table.js'
import type { Suite } from './suite.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'botpsy-run-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Sum {
  readonly id: string
  readonly a: number
  readonly b: number
  readonly labels: { readonly [name: string]: string }
}

const sums: Suite<Sum, string> = {
  name: 'sums',
  version: '1',
  title: 'Sums',
  cases: async () =>
    Array.from({ length: 12 }, (_, i) => ({
      id: `sum-${i}`,
      a: i,
      b: i % 3,
      labels: { category: i % 2 === 0 ? 'even' : 'odd' },
    })),
  run: async ({ a, b }, context) => (await ask(context, [{ role: 'user', content: `${a}+${b}` }])).content,
  score: ({ a, b }, said) => ({ value: Number(said === String(a + b)), metrics: { short: Number(said.length < 3) } }),
  aggregate: (scored) => [
    { name: 'right', value: scored.filter(({ score }) => score.value === 1).length / scored.length },
  ],
}

/** Adds, and is wrong about sums above `limit`. */
const adder = (limit = 99) =>
  new ScriptedEngine({
    turns: ({ messages }) => {
      const [a = 0, b = 0] = String(messages?.at(-1)?.content).split('+').map(Number)
      return a + b > limit ? 'many' : String(a + b)
    },
  })

const options = (engine: RunSuiteOptions['engine'], more: Partial<RunSuiteOptions> = {}): RunSuiteOptions => ({
  engine,
  folder: join(folder, 'run'),
  model: { name: 'adder', from: 'test' },
  botpsy: '0',
  ...more,
})

describe('runSuite', () => {
  it('keeps every case with score, transcript and cost, and makes the figures', async () => {
    const { progress, failures } = await runSuite(sums, options(adder(9), { concurrency: 3 }))
    expect(progress).toEqual({ done: 12, total: 12, before: 0 })
    expect(failures).toEqual([])
    const run = readRun(join(folder, 'run'))
    expect(run.records).toHaveLength(12)
    expect(run.records[0]?.transcript[0]).toMatchObject({
      input: [{ role: 'user', content: '0+0' }],
      text: '0',
      stop: 'end',
    })
    const figures = runFigures(run, sums)
    const wrong = Array.from({ length: 12 }, (_, i) => i + (i % 3)).filter((sum) => sum > 9).length
    expect(figures.score.mean).toBeCloseTo((12 - wrong) / 12)
    expect(figures.aggregates[0]?.value).toBeCloseTo((12 - wrong) / 12)
    expect(figures.groups.map(({ value, score }) => [value, score.n])).toEqual([
      ['even', 6],
      ['odd', 6],
    ])
    expect(figures.tokens.outputTokens).toBe(12)
    expect(formatRun(figures)).toContain('Sums: adder, 12 cases')
  })

  it('runs nothing twice when it goes on, and runs again what a kill tore', async () => {
    const stop = new AbortController()
    let seen = 0
    const first = await runSuite(
      sums,
      options(adder(), { signal: stop.signal, onCase: () => (++seen === 5 ? stop.abort() : undefined) }),
    )
    expect(first.aborted).toBe(true)
    expect(first.progress.done).toBe(5)
    appendFileSync(join(folder, 'run', 'results.jsonl'), '{"id":"sum-5","trial":0,"lab')
    const engine = adder()
    const second = await runSuite(sums, options(engine))
    expect(second.progress).toEqual({ done: 12, total: 12, before: 5 })
    expect(engine.requests).toHaveLength(7)
    expect(new Set(readRun(join(folder, 'run')).records.map(({ id }) => id)).size).toBe(12)
  })

  it('splits among shards, which may go on later, and reads them as one run', async () => {
    await runSuite(sums, options(adder(), { shard: { index: 1, of: 3 } }))
    expect(readRun(join(folder, 'run')).records).toHaveLength(4)
    await runSuite(sums, options(adder(), { shard: { index: 3, of: 3 } }))
    await runSuite(sums, options(adder(), { shard: { index: 2, of: 3 } }))
    expect(readRun(join(folder, 'run')).records).toHaveLength(12)
  })

  it('does not score what the machine failed, and tries it again', async () => {
    let broken = true
    const engine = new ScriptedEngine({
      turns: ({ messages }) => {
        if (broken && messages?.at(-1)?.content === '2+2') return new EngineError('crashed', 'gone')
        const [a = 0, b = 0] = String(messages?.at(-1)?.content).split('+').map(Number)
        return String(a + b)
      },
    })
    const first = await runSuite(sums, options(engine))
    expect(first.failures).toEqual([{ id: 'sum-2', trial: 0, error: 'EngineError: gone' }])
    expect(readRun(join(folder, 'run')).records).toHaveLength(11)
    broken = false
    expect((await runSuite(sums, options(engine))).progress).toEqual({ done: 12, total: 12, before: 11 })
  })

  it('counts a prompt beyond the context as wrong', async () => {
    const engine = new ScriptedEngine({ turns: () => new EngineError('context-full', 'too long') })
    const { failures } = await runSuite(sums, options(engine, { limit: 2 }))
    expect(failures).toEqual([])
    expect(runFigures(readRun(join(folder, 'run'))).score.mean).toBe(0)
  })

  it('refuses another run in the same folder, and says what differs', async () => {
    await runSuite(sums, options(adder(), { limit: 1 }))
    await expect(runSuite(sums, options(adder(), { seed: 7 }))).rejects.toThrow(/whose seed differ/)
    await expect(runSuite({ ...sums, version: '2' }, options(adder()))).rejects.toThrow(/suiteVersion/)
  })

  it('draws the same sample for every model', async () => {
    await runSuite(sums, options(adder(), { sample: 5 }))
    await runSuite(sums, options(adder(0), { sample: 5, folder: join(folder, 'other') }))
    const ids = (name: string) => readRun(join(folder, name)).records.map(({ id }) => id)
    expect(ids('run')).toHaveLength(5)
    expect(ids('run')).toEqual(ids('other'))
  })

  it('is killed in the middle and goes on, in real processes', async () => {
    const script = join(import.meta.dirname, 'testing', 'slow-run.ts')
    const start = () =>
      spawn(process.execPath, ['--import', 'tsx', script, join(folder, 'run')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const killed = start()
    await new Promise<void>((resolve) => {
      killed.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('3/')) killed.kill('SIGKILL')
      })
      killed.once('exit', () => resolve())
    })
    const before = readFileSync(join(folder, 'run', 'results.jsonl'), 'utf8')
      .trim()
      .split('\n').length
    expect(before).toBeGreaterThanOrEqual(3)
    const again = start()
    let said = ''
    again.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await new Promise((resolve) => again.once('exit', resolve))
    expect(said).toContain('done 20 of 20')
    const ids = readFileSync(join(folder, 'run', 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(20)
    expect(ids).toHaveLength(20)
  })
})

describe('figures of several trials', () => {
  it('estimates pass^j and pass@j without bias', async () => {
    let asked = 0
    // Right in two trials of three.
    const engine = new ScriptedEngine({ turns: () => (asked++ < 8 ? '0' : 'no') })
    await runSuite(sums, options(engine, { limit: 4, trials: 3, folder: join(folder, 'trials') }))
    const run = readRun(join(folder, 'trials'))
    const [one, two, three] = runFigures(run).passes
    const first = run.records.filter(({ id }) => id === 'sum-0').map(({ score }) => score.value)
    expect(first).toEqual([1, 1, 0])
    // One case of four has two right of three.
    expect(one?.all.mean).toBeCloseTo(2 / 3 / 4)
    expect(two?.all.mean).toBeCloseTo(1 / 3 / 4)
    expect(three?.all.mean).toBe(0)
    expect(two?.any.mean).toBeCloseTo(1 / 4)
  })
})

describe('compareRuns', () => {
  it('pairs by case, counts won and lost, and measures tokens where all are right', async () => {
    await runSuite(sums, options(adder(4)))
    await runSuite(
      sums,
      options(adder(), { folder: join(folder, 'better'), model: { name: 'better <b>', from: 'test' } }),
    )
    const runs = [readRun(join(folder, 'run')), readRun(join(folder, 'better'))]
    const comparison = compareRuns(runs)
    const lost = Array.from({ length: 12 }, (_, i) => i + (i % 3)).filter((sum) => sum > 4).length
    expect(comparison.differences[0]).toMatchObject({ won: lost, lost: 0 })
    expect(comparison.onCommonlyRight).toMatchObject({
      cases: 12 - lost,
      outputTokens: [1, 1],
      reasoningTokens: [0, 0],
    })
    expect(formatComparison(['a', 'b'], comparison)).toContain(`+${lost} −0 cases`)
    const html = htmlReport(runs, {
      suite: sums,
      published: [{ benchmark: 'x', model: 'theirs', value: 1, source: 'reported by its authors' }],
    })
    expect(html).toContain('better &lt;b&gt;')
    expect(html).not.toContain('<b>')
    expect(html.match(/<svg/g)?.length).toBeGreaterThanOrEqual(3)
    expect(html).not.toMatch(/(?:src|href)="http/)
  })

  it('refuses runs of other suites', async () => {
    await runSuite(sums, options(adder(), { limit: 1 }))
    await runSuite({ ...sums, name: 'else' }, options(adder(), { limit: 1, folder: join(folder, 'else') }))
    expect(() => compareRuns([readRun(join(folder, 'run')), readRun(join(folder, 'else'))])).toThrow(
      /their cases differ/,
    )
  })

  it('tests signs exactly', () => {
    expect(signTest(0, 0)).toBe(1)
    expect(signTest(5, 0)).toBeCloseTo(2 / 32)
    expect(signTest(3, 7)).toBeCloseTo(0.34375)
    expect(signTest(2000, 1000)).toBeLessThan(1e-50)
  })
})

describe('endsInLoop', () => {
  it('sees one stretch over and over at the end, and nothing else', () => {
    expect(endsInLoop(`First. ${'I will check the list again. '.repeat(6)}`)).toBe(true)
    expect(endsInLoop('0'.repeat(200))).toBe(true)
    expect(endsInLoop('no no no no')).toBe(false)
    expect(endsInLoop('One, two, three and then a long answer that says many different things and ends here.')).toBe(
      false,
    )
  })
})
