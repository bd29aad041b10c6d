import type { ControlledEvaluateInputItem, Token } from 'node-llama-cpp'
import { EngineError } from '../errors.js'
import type { NativeModel } from './native-model.js'
import type { Slot } from './sequence-pool.js'

/** Smallest probability that a log is taken of; llama.cpp hands probabilities over as float32. */
const TINY = 1e-38

/** Natural-log probability of each token of `tokens[from..]` given all before it, on an empty slot. */
export async function scoreTokens(
  native: NativeModel,
  slot: Slot,
  tokens: readonly Token[],
  from: number,
  signal: AbortSignal,
): Promise<Float32Array> {
  if (!Number.isInteger(from) || from < 1 || from > tokens.length)
    throw new EngineError('bad-request', `Scoring must start between 1 and ${tokens.length}, not at ${from}.`)
  const out = new Float32Array(tokens.length - from)
  for (let at = 0; at < tokens.length - 1; ) {
    if (signal.aborted) throw new EngineError('aborted', 'Scoring was aborted.')
    const end = Math.min(at + native.context.batchSize, tokens.length - 1)
    const items: ControlledEvaluateInputItem[] = []
    for (let i = at; i < end; i++)
      items.push(i + 1 >= from ? [tokens[i]!, { generateNext: { probabilities: true, options: RAW } }] : tokens[i]!)
    const results = await slot.sequence.controlledEvaluate(items)
    for (let i = Math.max(at, from - 1); i < end; i++) {
      const probability = results[i - at]?.next.probabilities?.get(tokens[i + 1]!)
      out[i + 1 - from] = Math.log(Math.max(probability ?? 0, TINY))
    }
    at = end
  }
  return out
}

/** Greedy and unfiltered: the probabilities are then the model's own. */
const RAW = { temperature: 0, topK: 0, topP: 1, minP: 0 } as const
