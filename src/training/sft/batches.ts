import { seededRandom } from '../../evals/random.js'
import type { LazyExample, TokenisedExample } from './example.js'
import { deriveSeed, shuffle } from './seed.js'
import type { TokenSource } from './source.js'

/** Where in the data a run stands: the next step is `step` of pool `pool` of epoch `epoch`. */
export interface DataPosition {
  readonly epoch: number
  readonly pool: number
  readonly step: number
}

/** Sizes of batches, in tokens with padding; a pool is counted in examples. */
export interface BatchSizes {
  readonly tokens: number
  readonly microTokens: number
  readonly pool: number
}

/** The examples of one optimizer step, in parts of one request each, and the position after it. */
export interface StepBatch {
  readonly parts: readonly (readonly TokenisedExample[])[]
  readonly next: DataPosition
}

/**
 * Optimizer steps from a position on, without end unless an epoch gives no example. An epoch draws examples from all sources, mixed by their shares, until
 * every source is used up; a pool of examples is sorted by length, cut into batches and shuffled. What comes depends on
 * the seed and the position alone, so that a resumed run sees what the uninterrupted one would have seen.
 */
export async function* stepsFrom(
  sources: readonly TokenSource[],
  sizes: BatchSizes,
  seed: number,
  from: DataPosition,
): AsyncGenerator<StepBatch, void> {
  let { pool, step } = from
  for (let epoch = from.epoch; ; epoch++) {
    const fromStart = pool === 0 && step === 0
    let given = 0
    let seen = 0
    for await (const drawn of pools(mixed(sources, epoch, seed), sizes.pool)) {
      if (seen++ < pool) continue
      const examples = drawn.flatMap((make) => make())
      const steps = planSteps(examples, sizes, deriveSeed(seed, 'pool', epoch, pool))
      for (; step < steps.length; step++) {
        const last = step === steps.length - 1
        const next = last ? { epoch, pool: pool + 1, step: 0 } : { epoch, pool, step: step + 1 }
        given++
        yield { parts: steps[step] as TokenisedExample[][], next }
      }
      pool++
      step = 0
    }
    if (fromStart && given === 0) return
    pool = 0
    step = 0
  }
}

async function* pools(examples: AsyncIterable<LazyExample>, size: number): AsyncGenerator<LazyExample[]> {
  let pool: LazyExample[] = []
  for await (const example of examples) {
    pool.push(example)
    if (pool.length < size) continue
    yield pool
    pool = []
  }
  if (pool.length > 0) yield pool
}

async function* mixed(sources: readonly TokenSource[], epoch: number, seed: number): AsyncGenerator<LazyExample> {
  const random = seededRandom(deriveSeed(seed, 'mix', epoch))
  const open = sources.map(({ share, ...source }) => ({ share, items: source.epoch(epoch)[Symbol.asyncIterator]() }))
  while (open.length > 0) {
    let at = random() * open.reduce((sum, source) => sum + source.share, 0)
    let chosen = open.findIndex((source) => {
      at -= source.share
      return at < 0
    })
    if (chosen < 0) chosen = open.length - 1
    const drawn = await open[chosen]?.items.next()
    if (drawn === undefined || drawn.done) open.splice(chosen, 1)
    else yield drawn.value
  }
}

/** Cuts a pool into steps, each into parts; all of similar size, none above the limits unless one example is. */
export function planSteps(
  examples: readonly TokenisedExample[],
  sizes: BatchSizes,
  seed: number,
): TokenisedExample[][][] {
  const parts = shuffle(
    planParts(shuffle([...examples], deriveSeed(seed, 'order')), sizes.microTokens),
    deriveSeed(seed, 'parts'),
  )
  const total = parts.reduce((sum, part) => sum + padded(part), 0)
  const steps = Array.from({ length: Math.ceil(total / sizes.tokens) }, () => ({
    cost: 0,
    parts: [] as TokenisedExample[][],
  }))
  for (const part of parts) {
    const cost = padded(part)
    let lightest = steps[0]
    for (const step of steps) if (lightest !== undefined && step.cost < lightest.cost) lightest = step
    if (lightest === undefined || (lightest.cost > 0 && lightest.cost + cost > sizes.tokens)) {
      lightest = { cost: 0, parts: [] }
      steps.push(lightest)
    }
    lightest.cost += cost
    lightest.parts.push(part)
  }
  return steps.filter((step) => step.parts.length > 0).map((step) => step.parts)
}

/** Examples of similar length together, at most `limit` tokens with padding in each part. */
export function planParts(examples: readonly TokenisedExample[], limit: number): TokenisedExample[][] {
  const sorted = [...examples].sort((a, b) => b.tokens.length - a.tokens.length)
  const parts: TokenisedExample[][] = []
  let part: TokenisedExample[] = []
  for (const example of sorted) {
    const longest = part[0]?.tokens.length ?? example.tokens.length
    if (part.length > 0 && longest * (part.length + 1) > limit) {
      parts.push(part)
      part = []
    }
    part.push(example)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** Tokens of a part when every example is padded to the longest. */
function padded(part: readonly TokenisedExample[]): number {
  return part.length * part.reduce((longest, example) => Math.max(longest, example.tokens.length), 0)
}
