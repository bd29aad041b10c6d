import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DataPosition, planParts, planSteps, stepsFrom } from './batches.js'
import type { LazyExample, TokenisedExample } from './example.js'
import { learningRate } from './schedule.js'
import type { TokenSource } from './source.js'

function example(id: number, length: number): TokenisedExample {
  const weights = new Float32Array(length).fill(1)
  weights[0] = 0
  return { tokens: new Int32Array(length).fill(id), weights, turns: Int32Array.of(1, length) }
}

function source(name: string, lengths: readonly number[], made: string[] = []): TokenSource {
  return {
    name,
    identity: name,
    share: lengths.length,
    async *epoch(epoch) {
      for (const [i, length] of lengths.entries()) {
        const make: LazyExample = () => {
          made.push(`${epoch}:${i}`)
          return [example(i, length)]
        }
        yield make
      }
    },
  }
}

const lengths = fc.array(fc.integer({ min: 2, max: 100 }), { minLength: 1, maxLength: 60 })

describe('planning of batches', () => {
  it('uses every example once, keeps parts and steps within their limits', () => {
    fc.assert(
      fc.property(lengths, fc.integer({ min: 100, max: 400 }), fc.integer({ min: 1, max: 5 }), (all, micro, times) => {
        const examples = all.map((length, i) => example(i, length))
        const sizes = { tokens: micro * times, microTokens: micro, pool: 100 }
        const steps = planSteps(examples, sizes, 3)
        const ids = steps.flat(2).map((one) => one.tokens[0] as number)
        expect(ids.sort((a, b) => a - b)).toEqual(all.map((_, i) => i))
        const cost = (part: readonly TokenisedExample[]) =>
          part.length * Math.max(...part.map((one) => one.tokens.length))
        for (const step of steps) {
          for (const part of step) expect(cost(part)).toBeLessThanOrEqual(micro)
          expect(step.reduce((sum, part) => sum + cost(part), 0)).toBeLessThanOrEqual(sizes.tokens)
        }
      }),
    )
  })

  it('puts examples of similar length together', () => {
    const parts = planParts(
      [50, 2, 49, 3, 48, 2].map((length, i) => example(i, length)),
      150,
    )
    expect(parts.map((part) => part.map((one) => one.tokens.length))).toEqual([
      [50, 49, 48],
      [3, 2, 2],
    ])
  })
})

describe('stepsFrom', () => {
  const sizes = { tokens: 300, microTokens: 150, pool: 7 }
  const all = [source('a', [90, 20, 30, 70, 10, 50, 60, 20, 80]), source('b', [5, 100, 100, 40])]
  const take = async (from: DataPosition, count: number) => {
    const taken: { ids: number[][][]; next: DataPosition }[] = []
    for await (const { parts, next } of stepsFrom(all, sizes, 11, from)) {
      taken.push({ ids: parts.map((part) => part.map((one) => [one.tokens[0] as number, one.tokens.length])), next })
      if (taken.length === count) break
    }
    return taken
  }

  it('goes on from any position as if it had never stopped', async () => {
    const whole = await take({ epoch: 0, pool: 0, step: 0 }, 25)
    expect(whole.at(-1)?.next.epoch).toBeGreaterThan(1)
    for (let stop = 0; stop < 20; stop++) {
      const next = whole[stop]?.next as DataPosition
      expect(await take(next, 5)).toEqual(whole.slice(stop + 1, stop + 6))
    }
  })

  it('uses each example once in every epoch, in another order', async () => {
    const epochs: string[][] = []
    // A step's next position is in the step's own epoch.
    for (const { ids, next } of await take({ epoch: 0, pool: 0, step: 0 }, 40)) {
      epochs[next.epoch] = [...(epochs[next.epoch] ?? []), ...ids.flat().map(String)]
    }
    expect(epochs.length).toBeGreaterThan(3)
    const sorted = epochs.slice(0, -1).map((epoch) => [...epoch].sort())
    expect(sorted[0]).toHaveLength(13)
    for (const epoch of sorted) expect(epoch).toEqual(sorted[0])
    expect(epochs[0]).not.toEqual(epochs[1])
  })

  it('does not make the examples of pools that it skips', async () => {
    const made: string[] = []
    const one = source(
      'a',
      Array.from({ length: 30 }, () => 50),
      made,
    )
    for await (const _ of stepsFrom([one], { ...sizes, pool: 10 }, 1, { epoch: 0, pool: 2, step: 0 })) break
    expect(made.sort()).toEqual(Array.from({ length: 10 }, (_, i) => `0:${20 + i}`).sort())
  })

  it('ends when an epoch gives nothing', async () => {
    const empty: TokenSource = {
      ...source('none', [9, 9]),
      async *epoch() {
        yield () => []
      },
    }
    const taken: unknown[] = []
    for await (const step of stepsFrom([empty], sizes, 1, { epoch: 0, pool: 0, step: 0 })) taken.push(step)
    expect(taken).toEqual([])
  })
})

describe('learningRate', () => {
  const schedule = { kind: 'cosine', peak: 1, warmup: 10, floor: 0.1 } as const
  it('warms up, then falls along a cosine to the floor', () => {
    expect(learningRate(schedule, 0, 110)).toBeCloseTo(0.1)
    expect(learningRate(schedule, 9, 110)).toBeCloseTo(1)
    expect(learningRate(schedule, 60, 110)).toBeCloseTo(0.55)
    expect(learningRate(schedule, 110, 110)).toBeCloseTo(0.1)
    expect(learningRate(schedule, 500, 110)).toBeCloseTo(0.1)
  })
  it('stays, then decays (wsd)', () => {
    const wsd = { ...schedule, kind: 'wsd', decay: 16 } as const
    expect(learningRate(wsd, 50, 100)).toBe(1)
    expect(learningRate(wsd, 84, 100)).toBe(1)
    expect(learningRate(wsd, 88, 100)).toBeCloseTo(0.1 + 0.9 * 0.5)
    expect(learningRate(wsd, 100, 100)).toBeCloseTo(0.1)
  })
})
