/** A text in NFC with the way back to the text it was made from. */
export interface NormalizedText {
  readonly text: string
  /** Index in the original of the character that an index of `text` came from; absent when nothing changed. */
  readonly originOf: ((index: number) => number) | undefined
}

/**
 * Normalises to NFC and keeps track of places. Inside a cluster that changed (a letter with its combining marks, a Hangul
 * syllable), every place maps to the start of the cluster.
 */
export function normalizeWithMap(original: string): NormalizedText {
  const text = original.normalize('NFC')
  if (text === original) return { text, originOf: undefined }
  const normalStarts: number[] = []
  const originalStarts: number[] = []
  let at = 0
  let rebuilt = ''
  for (const cluster of original.match(CLUSTER) ?? []) {
    normalStarts.push(rebuilt.length)
    originalStarts.push(at)
    rebuilt += cluster.normalize('NFC')
    at += cluster.length
  }
  if (rebuilt !== text) return { text, originOf: (index) => Math.min(index, original.length - 1) }
  return {
    text,
    originOf: (index) => {
      const cluster = lastAtMost(normalStarts, index)
      const inside = index - normalStarts[cluster]!
      const unchanged = original.startsWith(text.slice(normalStarts[cluster]!, index + 1), originalStarts[cluster]!)
      return originalStarts[cluster]! + (unchanged ? inside : 0)
    },
  }
}

/** What may combine under NFC with the character before it: marks, and Hangul vowels and finals after a Hangul letter. */
const CLUSTER = /[\s\S](?:\p{M}|[\u1160-\u11ff])*/gu

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
