import type { NativeModel } from './native-model.js'

/** Longest text of one token that is looked for. */
const LONGEST_TOKEN = 24

/** What is added to the logits of single tokens before one is chosen. */
export interface TokenBias {
  readonly tokenBiasKeys: Uint32Array
  readonly tokenBiasValues: Float32Array
}

/**
 * Follows which of several beginnings a text still fits, and says what each next token adds to its log-probability so
 * that the beginnings are chosen by the model's probability times their weight: for a token t after the text p,
 * log Σ w(beginnings with p·t) − log Σ w(beginnings with p), a product of experts taken token by token.
 */
export class BeginningWeights {
  private text = ''
  private left: readonly (readonly [text: string, weight: number])[]

  /** @param weights natural logarithms by beginning; the same beginning is never part of another */
  constructor(
    private readonly model: Pick<NativeModel, 'tokenize'>,
    weights: { readonly [beginning: string]: number },
  ) {
    this.left = Object.entries(weights).map(([text, log]) => [text, Math.exp(log)] as const)
  }

  /** Takes text that was appended. */
  push(text: string): void {
    this.text += text
    this.left = this.left.filter(([beginning]) => beginning.startsWith(this.text))
  }

  /** What to add now; undefined when there is nothing to choose. */
  bias(): TokenBias | undefined {
    if (this.left.length < 2) return undefined
    const sums = new Map<number, number>()
    let all = 0
    for (const [beginning, weight] of this.left) {
      all += weight
      const rest = beginning.slice(this.text.length)
      for (let end = 1; end <= Math.min(rest.length, LONGEST_TOKEN); end++) {
        const ids = this.model.tokenize(rest.slice(0, end), false)
        const id = ids.length === 1 ? ids[0] : undefined
        if (id !== undefined) sums.set(id, (sums.get(id) ?? 0) + weight)
      }
    }
    const ids = [...sums.keys()]
    return {
      tokenBiasKeys: Uint32Array.from(ids),
      tokenBiasValues: Float32Array.from(ids, (id) => Math.log((sums.get(id) ?? all) / all)),
    }
  }
}
