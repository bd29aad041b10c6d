const DROP = new Set([
  'the',
  'a',
  'an',
  'my',
  'our',
  'your',
  'his',
  'her',
  'their',
  'this',
  'that',
  'these',
  'those',
  'please',
  'of',
  'in',
  'on',
  'at',
  'to',
  'for',
  's',
  'some',
  'any',
])

/** Words of a name in one spelling: no case, accents, punctuation, articles or possessives; plurals become singular. */
export function keyWords(text: string): readonly string[] {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .match(/[\p{L}\p{N}]+/gu)
  const kept = (words ?? []).filter((w) => !DROP.has(w)).map(singular)
  return kept.length > 0 ? kept : (words ?? [])
}

/** A plain guess at the singular of an English word. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|news)$/.test(word)) return word
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Edit distance with adjacent swaps, at most `limit` + 1. */
export function distance(a: string, b: string, limit = 3): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** What {@link findNamed} found: matches of equal standing, else names that look alike. */
export interface Found<T> {
  readonly matches: readonly T[]
  readonly near: readonly T[]
}

/**
 * Items that a phrase names, by tiers: all words equal, else all the phrase's words occur in the name (or the name's in
 * the phrase); near misses apart, for "did you mean". An item may go by several names.
 */
export function findNamed<T>(phrase: string, items: readonly T[], names: (item: T) => readonly string[]): Found<T> {
  const wanted = keyWords(phrase)
  if (wanted.length === 0) return { matches: [], near: [] }
  const key = wanted.join(' ')
  const keys = items.map((item) => ({ item, names: names(item).map(keyWords) }))
  const tier = (fits: (name: readonly string[]) => boolean): readonly T[] =>
    keys.filter((k) => k.names.some(fits)).map((k) => k.item)
  const within = (part: readonly string[], whole: readonly string[]) =>
    part.length > 0 && part.every((w) => whole.includes(w))
  for (const fits of [
    (n: readonly string[]) => n.join(' ') === key || n.join('') === wanted.join(''),
    (n: readonly string[]) => within(wanted, n),
    (n: readonly string[]) => within(n, wanted),
    (n: readonly string[]) => wanted.every((w) => w.length >= 3 && n.some((x) => x.startsWith(w))),
  ]) {
    const matches = tier(fits)
    if (matches.length > 0) return { matches, near: [] }
  }
  const close = (w: string) => Math.max(1, Math.floor(w.length / 3))
  const alike = (w: string, n: readonly string[]) =>
    n.some((x) => distance(w, x) <= close(w) || (x.length >= 3 && x.startsWith(w.slice(0, 3)) && w.length >= 2))
  return {
    matches: [],
    near: tier((n) => wanted.some((w) => alike(w, n)) || distance(n.join(' '), key) <= close(key)).slice(0, 3),
  }
}

/** "a, b and c". */
export function listWords(words: readonly string[], joint = 'and'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`
}

/** The end of "no such thing": `; did you mean a or b?`, or `otherwise` where no name looks alike. */
export function didYouMean(names: readonly string[], otherwise = '.'): string {
  return names.length > 0 ? `; did you mean ${listWords(names, 'or')}?` : otherwise
}

/** "1 item", "2 items". */
export function countWords(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : /(?:s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`.replace(/ys$/, 'ies')
}
