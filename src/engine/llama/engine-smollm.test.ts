import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../testing/collect.js'
import { findModelFile, needs } from '../../testing/datasets.js'
import { LlamaEngine } from './engine.js'

/** A real pretrained model: SmolLM2-135M-Instruct, Llama architecture, Q4_1. Its vocabulary has no call or think tokens. */
const gguf = findModelFile('SmolLM2-135M-Instruct.Q4_1.gguf')

const CHAT = '<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n'

const GRAMMAR = String.raw`
root ::= "\n{\"name\": \"" call "}\n" </tool_call>
call ::= "set_light\", \"arguments\": {\"room\": " text ", \"state\": \"" ("on" | "off") "\"}" | "get_weather\", \"arguments\": {\"city\": " text "}"
text ::= "\"" [^"\\\n]{1,30} "\""
`

describe.skipIf(needs('SmolLM2-135M-Instruct.Q4_1.gguf in BOTPSY_MODELS', gguf))('SmolLM2', () => {
  let engine: LlamaEngine

  beforeAll(async () => {
    engine = await LlamaEngine.load({ gguf: gguf!, threads: 1, parallel: 2, contextLength: 1024, gpu: 'off' })
  }, 300_000)
  afterAll(() => engine.close())

  test('answers and ends by itself', async () => {
    expect(await collect(engine, { prompt: CHAT, maxTokens: 40 })).toMatchObject({
      text: 'The capital of France is Paris.',
      stop: 'end',
    })
  })

  test('renders messages through the template in its file', async () => {
    const run = await collect(engine, {
      messages: [
        { role: 'system', content: 'You are terse.' },
        { role: 'user', content: 'Name a colour.' },
      ],
      maxTokens: 6,
    })
    const spelled = `<|im_start|>system\nYou are terse.<|im_end|>\n<|im_start|>user\nName a colour.<|im_end|>\n<|im_start|>assistant\n`
    expect(run.usage.promptTokens).toBe((await engine.tokenize(spelled, true)).length)
    expect(run.ids).toEqual((await collect(engine, { prompt: spelled, maxTokens: 6 })).ids)
  })

  test('streams tokens whose ids spell the text, with log-probabilities that scoring confirms', async () => {
    const run = await collect(engine, { prompt: CHAT, maxTokens: 8, logprobs: true })
    const prompt = await engine.tokenize(CHAT, true)
    expect(await engine.tokenize(run.text)).toEqual(run.ids)
    const scored = await engine.score({ tokens: [...prompt, ...run.ids], from: prompt.length })
    expect(scored).toHaveLength(run.ids.length)
    for (const [i, logprob] of run.logprobs.entries()) expect(Math.abs(scored[i]! - logprob)).toBeLessThan(0.02)
  })

  test('samples the same with the same seed, and otherwise with another', async () => {
    const sample = async (seed: number) =>
      (await collect(engine, { prompt: CHAT, maxTokens: 12, sampling: { temperature: 1.5, seed }, cacheKey: 'seed' }))
        .ids
    await sample(1)
    const first = await sample(1)
    expect(await sample(1)).toEqual(first)
    expect(await sample(2)).not.toEqual(first)
  })

  test('stops at texts without a trace of them, at ids, and at the budget', async () => {
    const whole = await collect(engine, { prompt: CHAT, maxTokens: 6 })
    const at = whole.text.indexOf(' of')
    expect(at).toBeGreaterThan(0)
    const stopped = await collect(engine, { prompt: CHAT, maxTokens: 8, stopTexts: [' of Fr', 'never'] })
    expect(stopped).toMatchObject({ text: whole.text.slice(0, at), stop: 'stop' })
    const byId = await collect(engine, { prompt: CHAT, maxTokens: 8, stopIds: [whole.ids[3]!] })
    expect(byId).toMatchObject({ ids: whole.ids.slice(0, 3), stop: 'stop' })
    expect(whole).toMatchObject({ stop: 'length', usage: { outputTokens: 6 } })
  })

  test('a penalty keeps it from repeating', async () => {
    const prompt = 'dog dog dog dog dog dog dog dog'
    const free = await collect(engine, { prompt, maxTokens: 10 })
    const penalised = await collect(engine, {
      prompt,
      maxTokens: 10,
      sampling: { frequencyPenalty: 2, presencePenalty: 2 },
    })
    expect(new Set(penalised.ids).size).toBeGreaterThan(new Set(free.ids).size)
  })

  test('an abort during the prompt or the answer ends it at once', async () => {
    const long = { prompt: `${'The lamp is on. '.repeat(120)}${CHAT}`, maxTokens: 200 }
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    const early = await collect(engine, { ...long, signal: controller.signal })
    expect(early).toMatchObject({ stop: 'abort', usage: { outputTokens: 0 } })
    const later = new AbortController()
    let tokens = 0
    for await (const event of engine.generate({ prompt: CHAT, maxTokens: 200, signal: later.signal })) {
      if (event.type === 'token' && ++tokens === 3) later.abort()
      if (event.type === 'end') expect(event.stop).toBe('abort')
    }
    expect(tokens).toBeLessThan(12)
    const gone = new AbortController()
    gone.abort()
    await expect(collect(engine, { prompt: CHAT, signal: gone.signal })).rejects.toMatchObject({ code: 'aborted' })
  })

  test('a reader that leaves early stops the work', async () => {
    for await (const event of engine.generate({ prompt: CHAT, maxTokens: 900 })) if (event.type === 'token') break
    const next = await collect(engine, { prompt: CHAT, maxTokens: 2 })
    expect(next.usage.outputTokens).toBe(2)
  })
})

describe.skipIf(needs('SmolLM2-135M-Instruct.Q4_1.gguf in BOTPSY_MODELS', gguf))('SmolLM2 under a grammar', () => {
  let engine: LlamaEngine

  beforeAll(async () => {
    engine = await LlamaEngine.load({ gguf: gguf!, threads: 1, contextLength: 1024, gpu: 'off' })
  }, 300_000)
  afterAll(() => engine.close())

  const system = (text: string): string =>
    `<|im_start|>system\n${text}<|im_end|>\n<|im_start|>user\nWhat is the weather in Budapest?<|im_end|>\n<|im_start|>assistant\n`

  test('writes a call from the first token on, most of it without sampling', async () => {
    const run = await collect(engine, { prompt: system('You call tools.'), maxTokens: 80, grammar: { gbnf: GRAMMAR } })
    expect(run.stop).toBe('end')
    const call: unknown = JSON.parse(run.text.replace('</tool_call>', ''))
    expect(call).toMatchObject({ name: expect.stringMatching(/^(?:get_weather|set_light)$/) })
    expect(run.forced.filter((forced) => forced).length).toBeGreaterThan(run.ids.length / 2)
  })

  test('is free before the trigger and after the call', async () => {
    const run = await collect(engine, {
      prompt: CHAT,
      maxTokens: 30,
      grammar: { gbnf: 'root ::= "\\n{" [a-z]{3} "}"', trigger: 'France is' },
    })
    expect(run.text).toMatch(/^The capital of France is\n\{[a-z]{3}\}/)
    expect(run.forced.some((forced) => forced)).toBe(true)
    expect(run.text.replace(/^[^}]*\}/, '')).not.toBe('')
  })

  test('a grammar that the vocabulary cannot follow is an error, not a hang', async () => {
    const never = collect(engine, { prompt: 'a', grammar: { gbnf: 'root ::= <[99999999]>' }, maxTokens: 5 })
    await expect(never).rejects.toMatchObject({ name: 'EngineError' })
    expect((await collect(engine, { prompt: CHAT, maxTokens: 2 })).ids).toHaveLength(2)
  })
})
