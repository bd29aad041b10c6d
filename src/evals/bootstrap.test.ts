import { describe, expect, it } from 'vitest'
import { bootstrap } from './bootstrap.js'
import { seededRandom } from './random.js'

describe('bootstrap', () => {
  it('covers the true mean about as often as it says', () => {
    const random = seededRandom(7)
    let covered = 0
    const runs = 300
    for (let r = 0; r < runs; r++) {
      const values = Array.from({ length: 100 }, () => (random() < 0.3 ? 1 : 0))
      const { low, high } = bootstrap(values, { resamples: 300, seed: r })
      if (low <= 0.3 && 0.3 <= high) covered++
    }
    expect(covered / runs).toBeGreaterThan(0.88)
    expect(covered / runs).toBeLessThan(0.995)
  })

  it('repeats from its seed and changes with it', () => {
    const values = Array.from({ length: 50 }, (_, i) => Math.sqrt(i))
    expect(bootstrap(values, { seed: 3 })).toEqual(bootstrap(values, { seed: 3 }))
    expect(bootstrap(values, { seed: 3 }).low).not.toBe(bootstrap(values, { seed: 4 }).low)
  })

  it('says NaN for nothing and no width for a constant', () => {
    expect(bootstrap([]).mean).toBeNaN()
    expect(bootstrap([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2, n: 3 })
  })
})
