import type { ForwardResult, WorkerBatch } from '../../engine/worker-client.js'
import type { TokenisedExample } from './example.js'
import type { EvaluationMetrics } from './metrics.js'

/** Examples one after another in the worker's packed form. */
export function packBatch(examples: readonly TokenisedExample[]): WorkerBatch & { readonly weights: Float32Array } {
  const total = examples.reduce((sum, example) => sum + example.tokens.length, 0)
  const tokens = new Int32Array(total)
  const sequenceIds = new Int32Array(total)
  const weights = new Float32Array(total)
  let at = 0
  examples.forEach((example, index) => {
    tokens.set(example.tokens, at)
    weights.set(example.weights, at)
    sequenceIds.fill(index, at, at + example.tokens.length)
    at += example.tokens.length
  })
  return { tokens, sequenceIds, weights }
}

/** Sum of weights, added in order in double precision, so that equal data gives equal divisors. */
export function weightSum(parts: readonly (readonly TokenisedExample[])[]): number {
  let sum = 0
  for (const part of parts) for (const example of part) for (const weight of example.weights) sum += weight
  return sum
}

/** Adds up what evaluation measures over several requests. */
export class EvaluationTally {
  #loss = 0
  #weight = 0
  #tokens = 0
  #right = 0
  #turns = 0
  #exact = 0

  /** Takes in the answer of `/v1/forward` with `topK` 1 for {@link packBatch} of the same examples. */
  add(examples: readonly TokenisedExample[], result: ForwardResult): void {
    let at = 0
    for (const example of examples) {
      example.weights.forEach((weight, i) => {
        this.#loss -= weight * (result.logprobs[at + i] ?? 0)
        this.#weight += weight
      })
      for (let t = 0; t < example.turns.length; t += 2) {
        const from = example.turns[t] as number
        const to = example.turns[t + 1] as number
        let right = 0
        for (let i = from; i < to; i++) if (result.topIds?.[at + i] === example.tokens[i]) right++
        this.#right += right
        this.#tokens += to - from
        this.#turns++
        if (right === to - from) this.#exact++
      }
      at += example.tokens.length
    }
  }

  /** The figures so far. */
  metrics(step: number, file: string, seconds: number): EvaluationMetrics {
    return {
      type: 'evaluation',
      step,
      file,
      loss: this.#loss / this.#weight,
      tokenAccuracy: this.#right / this.#tokens,
      turnAccuracy: this.#exact / this.#turns,
      turns: this.#turns,
      seconds,
    }
  }
}
