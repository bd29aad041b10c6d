import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { convertHfToGguf, Tokenizer, trainBpe, writeTokenizer } from '../model/index.js'
import { collect } from '../testing/collect.js'
import { LlamaEngine } from './llama/engine.js'
import { packageRoot } from './package-root.js'
import { ensurePythonEnv } from './python-env.js'

const STEPS = 64
const COMPARED = 20
/** Prompts on whose way two tokens come closer than this (in log-probability) are left out: there rounding decides. */
const SAFE_GAP = 2e-3
const VOCABULARY = 640
const folder = mkdtempSync(join(tmpdir(), 'botpsy-parity-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sentences = [
  'Set an alarm for a quarter past six tomorrow morning.',
  'Is the light in the kitchen on?',
  'Wie wird das Wetter morgen in Köln?',
  '{"name": "lights_set", "arguments": {"room": "hall", "on": true}}',
  'x = [i * 2 for i in range(10)]',
  'Tell my sister that I shall be late, about half an hour.',
  '明天早上六点叫我起床',
  'Play something quiet.',
  'What is 17 times 23?',
  'Remind me to water the plants every Monday.',
]
const prompts = [
  ...sentences,
  ...sentences.map(
    (text, i) => `<|turn|>user\n${text}<|close|>\n<|turn|>assistant\n${sentences[(i + 3) % 10]!.slice(0, 3 * i)}`,
  ),
  ...sentences.map((text, i) => `${text} ${sentences[(i + 7) % 10]}`),
  ...sentences.map((text, i) => `${sentences[(i + 1) % 10]!.slice(5)}\n<tool_call>\n${text.slice(0, 20)}`),
]
const spec = trainBpe(sentences, {
  vocabularySize: 600,
  controlTokens: ['<|turn|>', '<|close|>'],
  userTokens: ['<tool_call>'],
})
const tokenizer = new Tokenizer(spec)
const promptIds = prompts.map((prompt) => tokenizer.encode(prompt))

const referenceSchema = z.object({
  tokens: z.array(z.array(z.number())),
  logprobs: z.array(z.number()),
  gaps: z.array(z.number()),
})

let python: string
beforeAll(async () => {
  python = (await ensurePythonEnv()).python
}, 900_000)

async function askTransformers(target: string, shape: object): Promise<z.infer<typeof referenceSchema>> {
  const silent = Array.from({ length: VOCABULARY }, (_, id) => id).filter((id) => id >= spec.vocabulary.length)
  const job = JSON.stringify({ vocabulary: VOCABULARY, silent, steps: STEPS, prompts: promptIds, ...shape })
  const output = await new Promise<string>((resolve, reject) => {
    const script = join(packageRoot(), 'trainer', 'tests', 'parity_qwen35.py')
    const child = execFile(python, [script, target], { maxBuffer: 1 << 26 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
    child.stdin?.end(job)
  })
  return referenceSchema.parse(JSON.parse(output))
}

describe('llama.cpp says what transformers says', () => {
  test.each([
    ['as many value heads as key heads, tied embeddings', { key_heads: 2, value_heads: 2, tied: true }],
    ['three value heads to a key head, own output matrix', { key_heads: 2, value_heads: 6, tied: false }],
  ])(
    '%s',
    async (_, shape) => {
      const source = mkdtempSync(join(folder, 'model-'))
      await writeTokenizer(source, spec, { endOfTurn: '<|close|>', padding: '<|close|>' })
      const reference = await askTransformers(source, shape)
      const clear = promptIds.map((_, i) => i).filter((i) => reference.gaps[i]! > SAFE_GAP)
      expect(clear.length).toBeGreaterThanOrEqual(COMPARED)
      const gguf = join(source, 'model.gguf')
      await convertHfToGguf(source, gguf, { dtype: 'F32' })
      const engine = await LlamaEngine.load({ gguf, threads: 1, gpu: 'off', contextLength: 512, cachePrecision: 'f32' })
      try {
        for (const i of clear.slice(0, COMPARED)) {
          const prompt = promptIds[i]!
          expect(await engine.tokenize(prompts[i]!, true)).toEqual(prompt)
          const run = await collect(engine, { prompt, maxTokens: STEPS, sampling: { temperature: 0 } })
          expect(run.ids).toEqual(reference.tokens[i])
          const [first] = await engine.score({ tokens: [...prompt, run.ids[0]!], from: prompt.length })
          expect(Math.abs(first! - reference.logprobs[i]!)).toBeLessThan(1e-3)
        }
      } finally {
        await engine.close()
      }
    },
    900_000,
  )
})
