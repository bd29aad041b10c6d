import { createHash } from 'node:crypto'
import { seededRandom } from '../../evals/random.js'

/** A 32-bit seed for one purpose, so that purposes and epochs draw independently of each other. */
export function deriveSeed(seed: number, ...purpose: readonly (string | number)[]): number {
  return createHash('sha256')
    .update(JSON.stringify([seed, ...purpose]))
    .digest()
    .readUInt32LE(0)
}

/** Shuffles in place (Fisher–Yates) by a derived seed. @returns the same array. */
export function shuffle<T>(items: T[], seed: number): T[] {
  const random = seededRandom(seed)
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = items[i] as T
    items[i] = items[j] as T
    items[j] = kept
  }
  return items
}
