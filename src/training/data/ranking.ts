import { allContracts } from '../../domains/contracts.js'
import { ToolRegistry } from '../../tools/registry.js'
import { ToolIndex } from '../../tools/shortlist.js'

/**
 * Ranks tools for training requests by the shortlist that is in use. Two indexes over one half of the phrasings each:
 * a request is ranked by the half it is not in, as a fresh request would be.
 */
export class HeldOutRanking {
  readonly #halves: readonly [ToolIndex, ToolIndex]
  readonly #cache = new Map<string, readonly string[]>()

  constructor(phrasings: Iterable<{ readonly tool: string; readonly text: string }>) {
    const halves: [{ [tool: string]: string[] }, { [tool: string]: string[] }] = [{}, {}]
    for (const { tool, text } of phrasings) {
      const half = halves[halfOf(text)]
      half[tool] ??= []
      half[tool].push(text)
    }
    this.#halves = [this.#index(halves[0]), this.#index(halves[1])]
  }

  #index(phrasings: { readonly [tool: string]: readonly string[] }): ToolIndex {
    return new ToolIndex(new ToolRegistry(allContracts).addPhrasings(phrasings))
  }

  /** Names of all tools, best first. */
  rank(text: string): readonly string[] {
    let ranked = this.#cache.get(text)
    if (!ranked) {
      ranked = this.#halves[halfOf(text) === 0 ? 1 : 0].rank(text).map(({ name }) => name)
      if (this.#cache.size < 50_000) this.#cache.set(text, ranked)
    }
    return ranked
  }
}

function halfOf(text: string): 0 | 1 {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return ((hash >>> 7) & 1) === 0 ? 0 : 1
}
