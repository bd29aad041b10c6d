import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tinyQwen } from '../testing/tiny-qwen.js'
import { WorkerClient, WorkerCrashError, WorkerError } from './worker-client.js'

const config = tinyQwen({ vocab_size: 64, max_position_embeddings: 128 })

/** Two sequences of 6 and 4 tokens; the first token of each cannot be predicted. */
const batch = {
  tokens: Int32Array.of(1, 2, 3, 4, 5, 6, 9, 8, 7, 6),
  sequenceIds: Int32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
  weights: Float32Array.of(0, 0, 1, 1, 0.5, 1, 0, 1, 1, 1),
}
const weights = 6.5

describe('WorkerClient', { timeout: 180_000 }, () => {
  let worker: WorkerClient
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-worker-'))
    worker = await WorkerClient.start()
  }, 600_000)
  afterAll(async () => {
    await worker.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('learns a batch: loss agrees with the log-probabilities and falls', async () => {
    const made = await worker.createModel({ id: 'a', config, seed: 1 })
    expect(made).toMatchObject({ id: 'a', vocabSize: 64, step: 0, train: 'full' })
    const { logprobs, topIds } = await worker.forward('a', batch, 2)
    expect(topIds).toHaveLength(20)
    const expected = -batch.weights.reduce((sum, weight, i) => sum + weight * (logprobs[i] as number), 0) / weights
    let last = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5; i++) {
      const done = await worker.forwardBackward({
        model: 'a',
        batch,
        loss: { name: 'cross_entropy' },
        divisor: weights,
      })
      if (i === 0) expect(done.loss).toBeCloseTo(expected, 4)
      expect(done).toMatchObject({ tokens: 10, weighted: 7 })
      expect(done.loss).toBeLessThan(last)
      last = done.loss
      expect(await worker.optimStep({ model: 'a', lr: 0.01, maxGradNorm: 1 })).toMatchObject({ step: i + 1 })
    }
  })

  it('saves with files of its own and goes on from there exactly', async () => {
    const path = join(folder, 'saved')
    await worker.save({ model: 'a', path, files: { 'note.txt': Buffer.from('hi') } })
    await worker.createModel({ id: 'b', config, seed: 2 })
    expect(await worker.load('b', path)).toBe(5)
    for (const model of ['a', 'b']) {
      await worker.forwardBackward({ model, batch, loss: { name: 'cross_entropy' }, divisor: weights })
      await worker.optimStep({ model, lr: 0.01 })
    }
    expect((await worker.forward('b', batch)).logprobs).toEqual((await worker.forward('a', batch)).logprobs)
    await worker.deleteModel('b')
    expect((await worker.models()).map((model) => model.id)).toEqual(['a'])
  })

  it('samples the same from the same seed, with the model’s own log-probabilities', async () => {
    const request = {
      model: 'a',
      prompts: { tokens: Int32Array.of(1, 2, 3, 9, 8), lengths: Int32Array.of(3, 2) },
      n: 2,
      maxTokens: 6,
      seed: 5,
    }
    const one = await worker.sample(request)
    expect(await worker.sample(request)).toMatchObject({ ids: one.ids, lengths: one.lengths, stops: one.stops })
    expect(one.lengths).toHaveLength(4)
    const first = [...one.ids.subarray(0, one.lengths[0])]
    const tokens = Int32Array.of(1, 2, 3, ...first)
    const { logprobs } = await worker.forward('a', { tokens, sequenceIds: new Int32Array(tokens.length) })
    first.forEach((_, i) => {
      expect(one.logprobs[i]).toBeCloseTo(logprobs[3 + i] as number, 3)
    })
  })

  it('reports what the worker refuses', async () => {
    const call = worker.forward('nobody', batch)
    await expect(call).rejects.toBeInstanceOf(WorkerError)
    await expect(call).rejects.toMatchObject({ code: 'unknown_model', status: 404 })
    const outside = { ...batch, tokens: batch.tokens.map((token) => token + 1000) }
    await expect(worker.forward('a', outside)).rejects.toMatchObject({ code: 'bad_batch', status: 400 })
    expect((await worker.capabilities()).protocol).toBe(1)
  })

  it('says that the worker died, to the request that waits and to later ones', async () => {
    const other = await WorkerClient.start()
    await other.createModel({ id: 'a', config: { ...config, max_position_embeddings: 4096 } })
    const long = {
      model: 'a',
      prompts: { tokens: Int32Array.of(1), lengths: Int32Array.of(1) },
      n: 64,
      maxTokens: 2000,
    }
    const waiting = other.sample(long).catch((error: unknown) => error)
    await other.models()
    process.kill(other.pid as number, 'SIGKILL')
    expect(await waiting).toMatchObject({ name: 'WorkerCrashError', code: 'crashed' })
    expect(((await waiting) as Error).message).toContain('SIGKILL')
    await expect(other.capabilities()).rejects.toBeInstanceOf(WorkerCrashError)
    await other.close()
  })

  it('says why a worker did not start', async () => {
    await expect(WorkerClient.start({ python: process.execPath })).rejects.toMatchObject({ code: 'start-failed' })
    await expect(WorkerClient.start({ threads: -1 })).rejects.toMatchObject({
      code: 'start-failed',
      stderrTail: expect.stringContaining('threads'),
    })
  })
})
