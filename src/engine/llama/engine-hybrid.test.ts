import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../chat/types.js'
import { writeGguf } from '../../model/gguf-writer.js'
import { encodeFloats } from '../../model/quantize-tensor.js'
import { collect } from '../../testing/collect.js'
import { writeHybridModel } from '../../testing/hybrid-model.js'
import { LlamaEngine, type LlamaOptions } from './engine.js'

/** A random model of the Qwen3.5 architecture: what it says makes no sense, but it says the same to the same prompt. */
const folder = mkdtempSync(join(tmpdir(), 'botpsy-engine-'))
const gguf = join(folder, 'tiny.gguf')
const system: Message = { role: 'system', content: 'You keep a household. '.repeat(24) }
const user = (content: string): Message => ({ role: 'user', content })

const load = (options: Partial<LlamaOptions> = {}): Promise<LlamaEngine> =>
  LlamaEngine.load({ gguf, threads: 1, gpu: 'off', ...options })

beforeAll(() => writeHybridModel(gguf))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a body with an engine that is closed whatever happens. */
async function withEngine<T>(options: Partial<LlamaOptions>, body: (engine: LlamaEngine) => Promise<T>): Promise<T> {
  const engine = await load(options)
  try {
    return await body(engine)
  } finally {
    await engine.close()
  }
}

describe('a recurrent model', () => {
  test('tells what it is', () =>
    withEngine({}, async (engine) => {
      expect(engine.model).toMatchObject({ name: 'random hybrid', dialect: 'qwen3.5', contextLength: 4096 })
      expect(engine.model.vocabularyHash).toMatch(/^[0-9a-f]{64}$/)
      expect(engine.loaded).toMatchObject({ architecture: 'qwen35', device: 'cpu' })
    }))

  test('rolls back to the shared prefix and to the last turn without changing what it says', async () => {
    const cold = async (messages: readonly Message[]) =>
      withEngine({}, async (engine) => (await collect(engine, { messages, maxTokens: 12 })).ids)
    const first = [system, user('What time is it?')]
    const other = [system, user('Turn on the lamp.')]
    await withEngine({}, async (engine) => {
      const a = await collect(engine, { messages: first, maxTokens: 12 })
      expect(a.usage.cachedTokens).toBe(0)
      const grown: Message[] = [...first, { role: 'assistant', content: 'Noon.', toolCalls: [] }, user('Thanks')]
      const b = await collect(engine, { messages: grown, maxTokens: 12 })
      expect(b.usage.cachedTokens).toBeGreaterThan(a.usage.promptTokens - 20)
      const c = await collect(engine, { messages: other, maxTokens: 12 })
      const prefix =
        c.usage.promptTokens -
        (await engine.tokenize('Turn on the lamp.<|im_end|>\n<|im_start|>assistant\n', true)).length
      expect(c.usage.cachedTokens).toBe(prefix)
      expect(a.ids).toEqual(await cold(first))
      expect(b.ids).toEqual(await cold(grown))
      expect(c.ids).toEqual(await cold(other))
    })
  })

  test('runs several requests in one batch, each as if it were alone', () =>
    withEngine({ parallel: 3, contextLength: 1024 }, async (engine) => {
      const ask = (content: string, extra = {}) =>
        collect(engine, { messages: [system, user(content)], maxTokens: 16, ...extra })
      const alone = [await ask('one'), await ask('two'), await ask('three')]
      const together = await Promise.all([ask('one'), ask('two'), ask('three'), ask('one')])
      expect(together.map((run) => run.ids.length)).toEqual([...alone, alone[0]!].map((run) => run.ids.length))
      expect(together[0]!.ids.slice(0, 4)).toEqual(alone[0]!.ids.slice(0, 4))
    }))

  test('serialises requests with one cache key', () =>
    withEngine({ parallel: 2, contextLength: 1024 }, async (engine) => {
      const order: string[] = []
      const run = async (name: string) => {
        for await (const event of engine.generate({ prompt: 'abc', maxTokens: 8, cacheKey: 'thread' }))
          if (event.type === 'token') order.push(name)
      }
      await Promise.all([run('a'), run('b')])
      expect(order.join('')).toMatch(/^a+b+$/)
    }))
})

describe('states on disk', () => {
  const request = { messages: [system, user('hello')], maxTokens: 10 }

  test('are found by the next process, and damaged ones are removed', async () => {
    const cacheFolder = join(folder, 'states')
    const cold = await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    expect(cold.usage.cachedTokens).toBe(0)
    const state = readdirSync(cacheFolder).find((name) => name.endsWith('.state'))!
    const warm = await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    expect(warm.usage.cachedTokens).toBeGreaterThan(500)
    expect(warm.ids).toEqual(cold.ids)

    const bytes = readFileSync(join(cacheFolder, state))
    bytes[bytes.length >> 1]! ^= 0xff
    writeFileSync(join(cacheFolder, state), bytes)
    const again = await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    expect(again.usage.cachedTokens).toBe(0)
    expect(again.ids).toEqual(cold.ids)

    writeFileSync(join(cacheFolder, state), 'not a state')
    writeFileSync(join(cacheFolder, 'mine.txt'), 'keep me')
    const once = await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    expect(once.usage.cachedTokens).toBe(0)
    expect(readFileSync(join(cacheFolder, 'mine.txt'), 'utf8')).toBe('keep me')
    const repaired = await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    expect(repaired.usage.cachedTokens).toBeGreaterThan(500)
  })

  test('of another model are not taken', async () => {
    const cacheFolder = join(folder, 'others')
    const other = join(folder, 'other.gguf')
    await writeHybridModel(other, undefined, 2)
    await withEngine({ cacheFolder }, (engine) => collect(engine, request))
    const run = await withEngine({ gguf: other, cacheFolder }, (engine) => collect(engine, request))
    expect(run.usage.cachedTokens).toBe(0)
    expect(readdirSync(cacheFolder).filter((name) => name.endsWith('.state'))).toHaveLength(2)
  })

  test('that cannot be written cost nothing but the cache', async () => {
    const blocked = join(folder, 'blocked')
    writeFileSync(blocked, 'a file where the folder should be')
    const run = await withEngine({ cacheFolder: blocked }, (engine) => collect(engine, request))
    expect(run.ids.length).toBeGreaterThan(0)
  })
})

describe('thinking', () => {
  const prompt = '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n<think>\n'

  test('is closed by force when its budget is spent, and the answer goes on', () =>
    withEngine({}, async (engine) => {
      const close = await engine.tokenize('\n</think>\n\n', true)
      const run = await collect(engine, { prompt, think: 6, maxTokens: 24, stopIds: [] })
      expect(run.ids.slice(6, 6 + close.length)).toEqual(close)
      expect(run.forced.slice(0, 6 + close.length)).toEqual([...Array(6).fill(false), ...close.map(() => true)])
      expect(run.ids.length).toBeGreaterThan(6 + close.length)
      expect(run.usage.reasoningTokens).toBeGreaterThanOrEqual(6)
      expect(run.usage.reasoningTokens).toBeLessThan(6 + close.length)
    }))

  test('has no effect on a prompt whose think block is closed', () =>
    withEngine({}, async (engine) => {
      const run = await collect(engine, { prompt: `${prompt}\n</think>\n\n`, think: 1, maxTokens: 8 })
      expect(run.forced.every((forced) => !forced)).toBe(true)
      expect(run.usage.reasoningTokens).toBe(0)
    }))
})

describe('LoRA adapters', () => {
  const adapter = join(folder, 'adapter.gguf')
  const request = { prompt: 'The lamp is', maxTokens: 10 }

  beforeAll(async () => {
    const rank = 4
    const values = (n: number, f: (i: number) => number) => () => [
      encodeFloats(
        'F32',
        Float32Array.from({ length: n }, (_, i) => f(i)),
      ),
    ]
    await writeGguf(adapter, {
      metadata: [
        ['general.architecture', { type: 'string', value: 'qwen35' }],
        ['general.type', { type: 'string', value: 'adapter' }],
        ['adapter.type', { type: 'string', value: 'lora' }],
        ['adapter.lora.alpha', { type: 'f32', value: 8 }],
      ],
      tensors: [
        {
          name: 'blk.1.ffn_up.weight.lora_a',
          type: 'F32',
          shape: [64, rank],
          data: values(64 * rank, (i) => Math.sin(i)),
        },
        {
          name: 'blk.1.ffn_up.weight.lora_b',
          type: 'F32',
          shape: [rank, 128],
          data: values(rank * 128, (i) => Math.cos(i)),
        },
      ],
    })
  })

  test('change what the model says by their scale', async () => {
    const base = await withEngine({}, (engine) => collect(engine, request))
    const full = await withEngine({ lora: [adapter] }, (engine) => collect(engine, request))
    const none = await withEngine({ lora: [{ file: adapter, scale: 0 }] }, (engine) => collect(engine, request))
    expect(full.ids).not.toEqual(base.ids)
    expect(none.ids).toEqual(base.ids)
  })

  test('that do not fit are refused with a message', async () => {
    await expect(load({ lora: [gguf] })).rejects.toMatchObject({ code: 'load' })
    await expect(load({ lora: [join(folder, 'absent.gguf')] })).rejects.toThrow('no LoRA adapter file')
  })
})

describe('when things go wrong', () => {
  test('a crash fails the request in flight, and the next one works', () =>
    withEngine({}, async (engine) => {
      const before = await collect(engine, { prompt: 'abc', maxTokens: 6 })
      const pid = engine.pid!
      const doomed = (async () => {
        for await (const event of engine.generate({ prompt: 'abc', maxTokens: 3000 }))
          if (event.type === 'token') process.kill(pid, 'SIGSEGV')
      })()
      await expect(doomed).rejects.toMatchObject({ name: 'EngineError', code: 'crashed' })
      const after = await collect(engine, { prompt: 'abc', maxTokens: 6 })
      expect(after.ids).toEqual(before.ids)
      expect(engine.pid).not.toBe(pid)
    }))

  test.each([
    ['missing', () => join(folder, 'absent.gguf'), 'no model file'],
    ['a folder', () => folder, 'not a file'],
    [
      'no model',
      () => {
        const path = join(folder, 'junk.gguf')
        writeFileSync(path, 'GGUF junk')
        return path
      },
      'cannot use',
    ],
    [
      'cut off',
      () => {
        const path = join(folder, 'cut.gguf')
        writeFileSync(path, readFileSync(gguf).subarray(0, 400_000))
        return path
      },
      'cannot use',
    ],
  ])('a model file that is %s is a load error', async (_, path, message) => {
    await expect(load({ gguf: path() })).rejects.toMatchObject({
      code: 'load',
      message: expect.stringContaining(message),
    })
  })

  test('bad requests are refused and leave the engine usable', () =>
    withEngine({ contextLength: 256 }, async (engine) => {
      const refused = (request: Parameters<typeof collect>[1]) => expect(collect(engine, request)).rejects
      await refused({ prompt: '' }).toMatchObject({ code: 'bad-request' })
      await refused({ prompt: [5, 999_999] }).toMatchObject({ code: 'bad-request' })
      await refused({}).toMatchObject({ code: 'bad-request' })
      await refused({ prompt: 'abc '.repeat(300) }).toMatchObject({ code: 'context-full' })
      await refused({ prompt: 'a', grammar: { gbnf: 'root := "a"' } }).toMatchObject({ code: 'grammar' })
      await expect(engine.score({ tokens: [1, 2], from: 0 })).rejects.toMatchObject({ code: 'bad-request' })
      const full = await collect(engine, { prompt: 'abc', maxTokens: 5000 })
      expect(full.usage.outputTokens).toBeLessThan(256)
      expect(await engine.tokenize('the')).toEqual(await engine.tokenize('the'))
    }))

  test('a closed engine says so', async () => {
    const engine = await load()
    await engine.close()
    await engine.close()
    await expect(collect(engine, { prompt: 'a' })).rejects.toMatchObject({ code: 'closed' })
  })
})
