import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LlamaEngine } from '../engine/llama/engine.js'
import { packageRoot } from '../engine/package-root.js'
import { callGrammar } from '../tools/grammar.js'
import { shortlist } from '../tools/shortlist.js'
import { openContracts } from './open-contracts.js'

const run = promisify(execFile)
const main = join(packageRoot(), 'src', 'cli', 'main.ts')

describe('the embedded model', { timeout: 180_000 }, () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-embedded-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('does the first request of the README on real data', async () => {
    const request = 'set an alarm for quarter past six tomorrow morning'
    const { stdout } = await run(process.execPath, ['--import', 'tsx', main, '--data', folder, '--json', request], {
      cwd: packageRoot(),
      env: { ...process.env, TZ: 'UTC' },
    })
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; name?: string; arguments?: Record<string, string> })
    const call = events.find((event) => event.type === 'call')
    expect(call).toMatchObject({ name: 'alarm_set', arguments: { when: expect.stringMatching(/quarter past six/) } })
    expect(events.at(-1)).toMatchObject({ type: 'run.end', status: 'done' })
    expect(readFileSync(join(folder, 'calendar', 'alarms.ics'), 'utf8')).toMatch(/DTSTART:\d{8}T061500Z/)
  })

  it('writes a constrained call in the tokens it was trained on', async () => {
    const engine = await LlamaEngine.load({
      gguf: join(packageRoot(), 'models', 'botpsy-nano', 'botpsy-nano.Q8_0.gguf'),
      threads: 1,
    })
    try {
      const registry = openContracts()
      for (const text of ['play some jazz music', 'set an alarm for six am tomorrow', 'turn off the kitchen lights']) {
        const tools = shortlist(registry, text).flatMap((name) => registry.spec(name) ?? [])
        const request = { messages: [{ role: 'user', content: text }], tools, sampling: { temperature: 0 } } as const
        const ids: number[][] = []
        let forced = 0
        for (const grammar of [undefined, callGrammar(tools, engine.model.dialect)]) {
          const written: number[] = []
          for await (const event of engine.generate({ ...request, maxTokens: 100, ...(grammar ? { grammar } : {}) })) {
            if (event.type !== 'token') continue
            written.push(event.id!)
            if (event.forced) forced++
          }
          ids.push(written)
        }
        expect(ids[1]).toEqual(ids[0])
        expect(forced).toBeGreaterThan(0)
      }
    } finally {
      await engine.close()
    }
  })
})
