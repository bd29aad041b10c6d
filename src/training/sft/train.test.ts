import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bestCheckpoint } from './checkpoints.js'
import { readRecipe } from './recipe.js'
import { LineReporter } from './report.js'
import { tinyConfig, tinyRecipe, writeTinyRun } from './testing/tiny.js'
import { trainSft } from './train.js'

const Line = z.looseObject({ type: z.string(), step: z.number(), loss: z.number().optional() })

describe('trainSft', { timeout: 300_000 }, () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-sft-'))
    writeTinyRun(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const recipeFile = (output: string, changes: Readonly<Record<string, unknown>> = {}) => {
    const file = join(folder, `${output}.json`)
    writeFileSync(file, tinyRecipe(output, changes))
    return file
  }
  const train = async (output: string, options: Parameters<typeof trainSft>[1] = {}, changes = {}) =>
    await trainSft(await readRecipe(recipeFile(output, changes)), { reporter: new LineReporter(() => {}), ...options })
  const metrics = (output: string) =>
    readFileSync(join(folder, output, 'metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => Line.parse(JSON.parse(line)))
  /** What must be equal in two runs: everything but times. */
  const course = (output: string) =>
    metrics(output)
      .filter((line) => line.type !== 'session')
      .map(({ seconds: _, ...rest }) => rest)
  const hash = (checkpoint: string) =>
    ['model.safetensors', 'trainer-state.safetensors'].map((name) =>
      createHash('sha256')
        .update(readFileSync(join(checkpoint, name)))
        .digest('hex'),
    )

  it('learns, evaluates, keeps the last checkpoints and the best', async () => {
    const result = await train('whole')
    expect(result).toMatchObject({ status: 'done', step: 12 })
    const steps = metrics('whole').filter((line) => line.type === 'step')
    expect(steps.map((line) => line.step)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(steps.at(-1)?.loss).toBeLessThan((steps[0]?.loss as number) - 1)
    const evaluations = metrics('whole').filter((line) => line.type === 'evaluation')
    expect(evaluations.map((line) => line.step)).toEqual([6, 12])
    expect(readdirSync(join(folder, 'whole')).filter((name) => name.startsWith('step-'))).toHaveLength(2)
    expect(await bestCheckpoint(join(folder, 'whole'))).toBe(result.checkpoint)
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja']) {
      expect(existsSync(join(result.checkpoint, file)), file).toBe(true)
    }
  })

  /** Starts a run as a user would, in a process group of its own, and signals the group when it has taken `step` steps. */
  const signalled = async (output: string, step: number, signal: NodeJS.Signals) => {
    const script = fileURLToPath(new URL('./run.ts', import.meta.url))
    const args = ['--import', 'tsx', script, recipeFile(output)]
    const child = spawn(process.execPath, args, { stdio: 'ignore', detached: true })
    const gone = new Promise<unknown>((resolve) => child.once('exit', (code, by) => resolve(code ?? by)))
    const log = join(folder, output, 'metrics.jsonl')
    const taken = () => existsSync(log) && readFileSync(log, 'utf8').includes(`"type":"step","step":${step},`)
    while (child.exitCode === null && !taken()) await sleep(10)
    process.kill(-(child.pid as number), signal)
    return await gone
  }

  it('gives the same weights when it was killed and resumed as when it was not', async () => {
    expect(await signalled('killed', 7, 'SIGKILL')).toBe('SIGKILL')
    expect(existsSync(join(folder, 'killed', 'step-0000012'))).toBe(false)
    const result = await train('killed')
    const sessions = metrics('killed').filter((line) => line.type === 'session')
    expect(sessions).toHaveLength(2)
    expect(sessions[1]?.step).toBeGreaterThan(0)
    expect(hash(result.checkpoint)).toEqual(hash(join(folder, 'whole', 'step-0000012')))
    expect(course('killed')).toEqual(course('whole'))
  })

  it('stops on Ctrl+C with a checkpoint of the step in progress and goes on exactly', async () => {
    expect(await signalled('stopped', 5, 'SIGINT')).toBe(130)
    const saved = readdirSync(join(folder, 'stopped')).filter((name) => name.startsWith('step-'))
    const last = metrics('stopped').at(-1)?.step as number
    expect(last).toBeGreaterThanOrEqual(5)
    expect(last).toBeLessThan(12)
    expect(saved).toContain(`step-${String(last).padStart(7, '0')}`)
    const result = await train('stopped')
    expect(hash(result.checkpoint)).toEqual(hash(join(folder, 'whole', 'step-0000012')))
    expect(course('stopped')).toEqual(course('whole'))
  })

  it('stops when its time is up', async () => {
    const result = await train('timed', { maxSeconds: 0 })
    expect(result).toMatchObject({ status: 'stopped', step: 0 })
    expect(existsSync(join(result.checkpoint, 'model.safetensors'))).toBe(true)
  })

  it('refuses to go on with another model, and goes on with other data', async () => {
    const other = { model: { config: { ...tinyConfig, intermediate_size: 96 } } }
    await expect(train('timed', {}, other)).rejects.toMatchObject({ code: 'run-differs' })
    const lines: string[] = []
    const changed = { data: { sources: [{ file: 'train.jsonl' }], maxTokens: 400, pool: 16 }, steps: 1 }
    const result = await train('timed', { reporter: new LineReporter((line) => lines.push(line)) }, changed)
    expect(result).toMatchObject({ status: 'done', step: 1 })
    expect(lines.join('\n')).toContain('new epoch')
  })

  it('trains from a generator module, and says what is wrong with recipes and data', async () => {
    writeFileSync(
      join(folder, 'generator.mjs'),
      `export const make = ({ n }) => ({ size: n, *epoch(epoch, seed) { for (let i = 0; i < n; i++) yield { messages: [
        { role: 'user', content: 'say ' + ((seed + i) % 7) }, { role: 'assistant', content: 'epoch ' + epoch, toolCalls: [] }] } } })`,
    )
    const data = { sources: [{ module: 'generator.mjs', export: 'make', options: { n: 6 } }], maxTokens: 256 }
    expect(await train('generated', {}, { data, steps: 3, evaluation: undefined })).toMatchObject({ step: 3 })
    const seen = metrics('generated').filter((line) => line.type === 'step')
    expect(seen.map((line) => line.epoch)).toEqual([0, 1, 2])

    await expect(train('bad', {}, { steps: 'many' })).rejects.toMatchObject({ code: 'bad-recipe' })
    const unknown = { data: { ...data, sources: [{ generator: 'nobody' }] } }
    await expect(train('bad', {}, unknown)).rejects.toMatchObject({ code: 'bad-source' })
    writeFileSync(join(folder, 'broken.jsonl'), '{"messages":[{"role":"assistant","content":5}]}\n')
    const broken = { data: { ...data, sources: [{ file: 'broken.jsonl' }] } }
    await expect(train('bad', {}, broken)).rejects.toMatchObject({
      code: 'bad-data',
      where: expect.stringMatching(/broken\.jsonl:1$/),
      message: expect.stringContaining('messages.0.content'),
    })
  })
})
