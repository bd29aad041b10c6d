import { Heap } from './heap.js'

/** Words longer than this many symbols are merged with a heap, so that a megabyte without a space stays fast. */
const SCAN_LIMIT = 64
const CACHE_ENTRIES = 200_000

/** Merge rules of a byte-level BPE, in order of their rank. */
export interface MergeTable {
  /** Token id of each single byte: number[256]; −1 for a byte without a token, which is left out of encodings. */
  readonly byteIds: ArrayLike<number>
  /** Left and right token id and the id of the merged token, by rank. */
  readonly merges: readonly (readonly [left: number, right: number, merged: number])[]
  /** Number of ids; every id above is smaller. */
  readonly size: number
}

/**
 * Byte-pair encoding of single words: repeatedly merges the adjacent pair of lowest rank, the leftmost first (Sennrich et al. 2016,
 * as the tokenizers library and llama.cpp do it). Results of short words are cached.
 */
export class BytePairEncoder {
  private readonly rankOf = new Map<number, number>()
  private readonly mergedOf: Int32Array
  private readonly cache = new Map<string, readonly number[]>()
  private readonly utf8 = new TextEncoder()

  constructor(private readonly table: MergeTable) {
    this.mergedOf = new Int32Array(table.merges.length)
    table.merges.forEach(([left, right, merged], rank) => {
      const key = left * table.size + right
      if (!this.rankOf.has(key)) this.rankOf.set(key, rank)
      this.mergedOf[rank] = merged
    })
  }

  /** Token ids of one word. */
  encode(word: string): readonly number[] {
    const cached = this.cache.get(word)
    if (cached !== undefined) return cached
    const bytes = this.utf8.encode(word)
    const ids = Array.from(bytes, (byte) => this.table.byteIds[byte] as number).filter((id) => id >= 0)
    const merged = ids.length <= SCAN_LIMIT ? this.mergeByScan(ids) : this.mergeByHeap(ids)
    if (word.length <= SCAN_LIMIT) {
      if (this.cache.size >= CACHE_ENTRIES) this.cache.clear()
      this.cache.set(word, merged)
    }
    return merged
  }

  private rank(left: number, right: number): number {
    return this.rankOf.get(left * this.table.size + right) ?? Number.POSITIVE_INFINITY
  }

  private mergeByScan(ids: number[]): number[] {
    const ranks: number[] = []
    for (let i = 0; i + 1 < ids.length; i++) ranks.push(this.rank(ids[i]!, ids[i + 1]!))
    for (;;) {
      let best = Number.POSITIVE_INFINITY
      let at = -1
      for (let i = 0; i < ranks.length; i++) {
        if (ranks[i]! < best) {
          best = ranks[i]!
          at = i
        }
      }
      if (at < 0) return ids
      ids[at] = this.mergedOf[best]!
      ids.splice(at + 1, 1)
      ranks.splice(at, 1)
      if (at > 0) ranks[at - 1] = this.rank(ids[at - 1]!, ids[at]!)
      if (at < ranks.length) ranks[at] = this.rank(ids[at]!, ids[at + 1]!)
    }
  }

  private mergeByHeap(ids: number[]): number[] {
    const next = Int32Array.from(ids, (_, i) => i + 1)
    const previous = Int32Array.from(ids, (_, i) => i - 1)
    const heap = new Heap(before)
    const offer = (left: number): void => {
      const right = next[left]!
      if (left < 0 || right >= ids.length) return
      const rank = this.rank(ids[left]!, ids[right]!)
      if (rank !== Number.POSITIVE_INFINITY) heap.push({ rank, left })
    }
    for (let i = 0; i + 1 < ids.length; i++) offer(i)
    for (let top = heap.pop(); top !== undefined; top = heap.pop()) {
      const { rank, left } = top
      const right = next[left]!
      const stale = ids[left]! < 0 || right >= ids.length || this.rank(ids[left]!, ids[right]!) !== rank
      if (stale) continue
      ids[left] = this.mergedOf[rank]!
      ids[right] = -1
      const after = next[right]!
      next[left] = after
      if (after < ids.length) previous[after] = left
      if (previous[left]! >= 0) offer(previous[left]!)
      offer(left)
    }
    return ids.filter((id) => id >= 0)
  }
}

interface Candidate {
  readonly rank: number
  readonly left: number
}

/** Lowest rank first, then leftmost. */
function before(a: Candidate, b: Candidate): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.left < b.left)
}
