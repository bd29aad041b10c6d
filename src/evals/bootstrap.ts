import { seededRandom } from './random.js'

/** A mean with its bootstrap interval; all in the unit of the values. */
export interface Estimate {
  readonly mean: number
  readonly low: number
  readonly high: number
  /** Number of values. */
  readonly n: number
}

/** Options of {@link bootstrap}. */
export interface BootstrapOptions {
  /** Number of resamples (default 1000). */
  readonly resamples?: number
  /** Coverage (default 0.95). */
  readonly level?: number
  readonly seed?: number
}

/**
 * Mean and percentile bootstrap interval of independent values (Efron & Tibshirani, "An Introduction to the Bootstrap",
 * 1993, section 13.3). An empty list gives NaN throughout.
 */
export function bootstrap(values: readonly number[], options: BootstrapOptions = {}): Estimate {
  const n = values.length
  if (n === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN, n }
  const resamples = options.resamples ?? 1000
  const tail = (1 - (options.level ?? 0.95)) / 2
  const random = seededRandom(options.seed ?? 1)
  const means = new Float64Array(resamples)
  for (let r = 0; r < resamples; r++) {
    let sum = 0
    for (let i = 0; i < n; i++) sum += values[Math.floor(random() * n)]!
    means[r] = sum / n
  }
  means.sort()
  const at = (q: number): number => means[Math.min(resamples - 1, Math.max(0, Math.round(q * (resamples - 1))))]!
  return { mean: values.reduce((a, b) => a + b, 0) / n, low: at(tail), high: at(1 - tail), n }
}
