import { EngineError } from '../errors.js'
import type { NativeModel } from './native-model.js'
import type { Sequence } from './sequence.js'

/** Smallest probability that a log is taken of; llama.cpp hands probabilities over as float32. */
const TINY = 1e-38

/** Natural-log probability of each token of `tokens[from..]` given all before it, on an empty sequence. */
export async function scoreTokens(
  native: NativeModel,
  sequence: Sequence,
  tokens: readonly number[],
  from: number,
  batch: number,
  signal: AbortSignal,
): Promise<Float32Array> {
  const out = new Float32Array(tokens.length - from)
  const sampler = new native.addon.AddonSampler(native.model)
  // Greedy and unfiltered: the probabilities are then the model's own.
  sampler.applyConfig({ temperature: 0, topK: 0, topP: 1, minP: 0, seed: 0 })
  try {
    for (let at = 0; at < tokens.length - 1; at += batch) {
      if (signal.aborted) throw new EngineError('aborted', 'Scoring was aborted.')
      const piece = tokens.slice(at, Math.min(at + batch, tokens.length - 1))
      const offsets = [...piece.keys()].filter((offset) => at + offset + 1 >= from)
      await sequence.appendAndSee(piece, offsets, sampler, (offset, pairs) => {
        const next = tokens[at + offset + 1]!
        let probability = 0
        for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === next) probability = pairs[i + 1]!
        out[at + offset + 1 - from] = Math.log(Math.max(probability, TINY))
      })
    }
    return out
  } finally {
    sampler.dispose()
  }
}
