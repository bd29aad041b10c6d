import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, LlamaEngine, WorkerEngine } from '../../engine/index.js'
import { bestCheckpoint } from './checkpoints.js'
import { exportModel } from './export.js'
import { readRecipe } from './recipe.js'
import { LineReporter } from './report.js'
import { lampConversations, tinyRecipe, writeTinyRun } from './testing/tiny.js'
import { trainSft } from './train.js'

describe('exportModel', { timeout: 300_000 }, () => {
  let folder: string
  let checkpoint: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-export-'))
    writeTinyRun(folder)
    const file = join(folder, 'recipe.json')
    writeFileSync(file, tinyRecipe('run', { steps: 6 }))
    await trainSft(await readRecipe(file), {
      reporter: new LineReporter(() => {}),
      recipeText: readFileSync(file, 'utf8'),
    })
    checkpoint = await bestCheckpoint(join(folder, 'run'))
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const answers = async (engine: Engine) => {
    const written: number[][] = []
    for (const { tools, exchanges } of lampConversations(4)) {
      const messages = exchanges?.[0]?.slice(0, 1) ?? []
      const ids: number[] = []
      for await (const event of engine.generate({
        messages,
        ...(tools === undefined ? {} : { tools }),
        maxTokens: 24,
      })) {
        if (event.type === 'token' && event.id !== undefined) ids.push(event.id)
      }
      written.push(ids)
    }
    await engine.close()
    return written
  }

  it('makes a folder that llama.cpp and transformers run as the checkpoint ran', async () => {
    const out = join(folder, 'models', 'tiny')
    const files = await exportModel(checkpoint, out, { types: ['F32', 'Q8_0'] })
    expect(files.map(({ file }) => file)).toEqual([
      'chat_template.jinja',
      'config.json',
      'model.safetensors',
      'recipe.yaml',
      'tiny.F32.gguf',
      'tiny.Q8_0.gguf',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
    expect(readdirSync(out)).toEqual(files.map(({ file }) => file))
    const size = (name: string) => files.find(({ file }) => file === name)?.bytes as number
    expect(size('tiny.Q8_0.gguf')).toBeLessThan(size('tiny.F32.gguf'))

    const expected = await answers(await WorkerEngine.load(checkpoint))
    expect(expected.flat().length).toBeGreaterThan(20)
    const gguf = join(out, 'tiny.F32.gguf')
    expect(await answers(await LlamaEngine.load({ gguf, threads: 1, gpu: 'off' }))).toEqual(expected)
    // BF16 rounds, so that the loaded folder need not choose the same tokens, but must hold the same model.
    const rounded = await WorkerEngine.load(out)
    const score = { tokens: expected[0] as number[], from: 1 }
    const close = await rounded.score(score)
    await rounded.close()
    const exact = await WorkerEngine.load(checkpoint)
    const scored = await exact.score(score)
    await exact.close()
    close.forEach((value, i) => {
      expect(Math.abs(value - (scored[i] as number))).toBeLessThan(0.1)
    })
  })

  it('refuses a folder that is no checkpoint and leaves nothing behind', async () => {
    const out = join(folder, 'models', 'nothing')
    await expect(exportModel(folder, out)).rejects.toMatchObject({ code: 'bad-checkpoint' })
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(join(folder, 'models')).some((name) => name.endsWith('.part'))).toBe(false)
  })
})
