import { keyWords } from '../words/match.js'

const ASKING = new Set(
  'what which who whom whose when where why how do does did is are was were be it there about tell me say says can could would you i and or'.split(
    ' ',
  ),
)

/** Words of a question that an answer should hold. */
export const askedWords = (question: string): readonly string[] => {
  const all = keyWords(question)
  const kept = all.filter((w) => !ASKING.has(w))
  return [...new Set(kept.length > 0 ? kept : all)]
}

/**
 * Texts that answer a question best: by BM25 (k1 = 1.2, b = 0.75; Robertson and Zaragoza 2009) over these texts alone.
 * Texts without any of the words are left out.
 */
export function rank<T>(question: string, items: readonly T[], text: (item: T) => string): readonly T[] {
  const wanted = askedWords(question)
  const held = items.map((item) => keyWords(text(item)))
  const mean = held.reduce((sum, words) => sum + words.length, 0) / Math.max(1, held.length)
  const same = (a: string, w: string): boolean =>
    a === w || (w.length > 4 && a.startsWith(w)) || (a.length > 4 && w.startsWith(a))
  const counts = held.map((words) => wanted.map((w) => words.filter((x) => same(x, w)).length))
  const weight = wanted.map((_, i) => {
    const n = counts.filter((c) => (c[i] ?? 0) > 0).length
    return Math.log(1 + (items.length - n + 0.5) / (n + 0.5))
  })
  return items
    .map((item, k) => {
      const length = held[k]?.length ?? 0
      const score = wanted.reduce((sum, _, i) => {
        const f = counts[k]?.[i] ?? 0
        return sum + ((weight[i] ?? 0) * f * 2.2) / (f + 1.2 * (0.25 + (0.75 * length) / mean))
      }, 0)
      return { item, score }
    })
    .filter((r) => r.score > 0)
    .sort((a, b) => b.score - a.score)
    .map((r) => r.item)
}
