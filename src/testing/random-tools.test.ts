import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LlamaEngine } from '../engine/llama/engine.js'
import { packageRoot } from '../engine/package-root.js'
import { constrainedCall, randomTools } from './random-tools.js'

it('constrained calls of random tools are read back whole and valid, even at temperature 2', {
  timeout: 180_000,
}, async () => {
  const gguf = join(packageRoot(), 'models', 'botpsy-nano', 'botpsy-nano.Q8_0.gguf')
  const engine = await LlamaEngine.load({ gguf, threads: 1, gpu: 'off' })
  try {
    const verdicts = { whole: 0, cut: 0, wrong: 0 }
    for (const [index, tools] of fc.sample(randomTools, { numRuns: 40, seed: 7 }).entries()) {
      const { verdict, text, problem } = await constrainedCall(engine, tools, index, 120)
      expect([verdict === 'wrong', problem, text]).toEqual([false, '', text])
      verdicts[verdict]++
    }
    // Noise in a string may go on for ever; most calls must come to an end all the same.
    expect(verdicts.whole).toBeGreaterThan(20)
  } finally {
    await engine.close()
  }
})
