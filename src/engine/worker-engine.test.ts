import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChatTemplate, nanoTemplateSource } from '../chat/index.js'
import { Tokenizer, toTokenizerJson, trainBpe } from '../model/index.js'
import { tinyQwen } from '../testing/tiny-qwen.js'
import type { EngineEvent, GenerateRequest } from './contract.js'
import { WorkerClient } from './worker-client.js'
import { WorkerEngine } from './worker-engine.js'

const spec = trainBpe(['the lamp is on and the lamp is off, thinking about the lamp'], {
  vocabularySize: 300,
  controlTokens: ['<|im_start|>', '<|im_end|>'],
  userTokens: ['<think>', '</think>'],
})
const tokenizer = new Tokenizer(spec)
const config = tinyQwen({ vocab_size: 320 })

describe('WorkerEngine', { timeout: 180_000 }, () => {
  let folder: string
  let client: WorkerClient
  let engine: WorkerEngine
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-worker-engine-'))
    client = await WorkerClient.start()
    await client.createModel({ id: 'tiny', config, seed: 3 })
    const template = new ChatTemplate(nanoTemplateSource)
    engine = WorkerEngine.over({ client, id: 'tiny', tokenizer, template, contextLength: 256 })
  }, 600_000)
  afterAll(async () => {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = async (on: WorkerEngine, request: GenerateRequest) => {
    const events: EngineEvent[] = []
    for await (const event of on.generate(request)) events.push(event)
    const tokens = events.flatMap((event) => (event.type === 'token' ? [event] : []))
    const end = events.at(-1)
    if (end?.type !== 'end') throw new Error('no end')
    return { tokens, text: tokens.map((token) => token.text).join(''), end }
  }
  const messages = [{ role: 'user' as const, content: 'is the lamp on?' }]

  it('writes greedily, with the log-probabilities that score gives', async () => {
    const { tokens, end } = await run(engine, { messages, maxTokens: 12, logprobs: true })
    expect(tokens.length).toBeGreaterThan(0)
    expect(tokens.length).toBe(end.usage.outputTokens)
    const prompt = tokenizer.encode(
      '<|im_start|>user\nis the lamp on?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
    )
    expect(end.usage.promptTokens).toBe(prompt.length)
    const ids = tokens.map((token) => token.id as number)
    const scored = await engine.score({ tokens: [...prompt, ...ids], from: prompt.length })
    tokens.forEach((token, i) => {
      expect(token.logprob).toBeCloseTo(scored[i] as number, 3)
    })
  })

  it('cuts at a stop text and repeats itself from a seed', async () => {
    const sampling = { temperature: 1.5, seed: 9 }
    const one = await run(engine, { messages, maxTokens: 40, sampling })
    expect((await run(engine, { messages, maxTokens: 40, sampling })).text).toBe(one.text)
    const stop = one.text.slice(5, 8)
    const cut = await run(engine, { messages, maxTokens: 40, sampling, stopTexts: [stop] })
    expect(cut.text).toBe(one.text.slice(0, one.text.indexOf(stop)))
    expect(cut.end.stop).toBe('stop')
  })

  it('closes a think block over its budget by force', async () => {
    const { tokens, text, end } = await run(engine, { messages, maxTokens: 30, think: 5 })
    expect(text).toContain('\n</think>\n\n')
    expect(tokens.slice(0, 5).some((token) => token.forced)).toBe(false)
    expect(tokens.filter((token) => token.forced).length).toBeGreaterThan(0)
    expect(end.usage.reasoningTokens).toBeGreaterThan(5)
    expect(end.usage.reasoningTokens).toBeLessThan(12)
  })

  it('loads a saved folder and answers alike; refuses what it cannot do', async () => {
    const path = join(folder, 'saved')
    const files = {
      'tokenizer.json': Buffer.from(JSON.stringify(toTokenizerJson(spec))),
      'chat_template.jinja': Buffer.from(nanoTemplateSource),
    }
    await client.save({ model: 'tiny', path, state: false, files })
    const loaded = await WorkerEngine.load(path)
    try {
      const request = { messages, maxTokens: 20 }
      expect((await run(loaded, request)).text).toBe((await run(engine, request)).text)
      await expect(run(loaded, { messages, grammar: { gbnf: 'root ::= "a"' } })).rejects.toMatchObject({
        code: 'bad-request',
      })
      await expect(run(loaded, { prompt: new Array(300).fill(1) })).rejects.toMatchObject({ code: 'context-full' })
    } finally {
      await loaded.close()
    }
  })
})
