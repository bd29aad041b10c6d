/**
 * Names most like a misspelt one, best first. Likeness is the share of common character pairs (Dice over padded
 * bigrams, case and separators ignored), so that swapped words ("alarm_set") are found as well as slips ("set_alram").
 *
 * @param name what was written
 * @param candidates what exists
 * @param limit most names to return
 */
export function closestNames(name: string, candidates: readonly string[], limit = 3): string[] {
  const wanted = pairs(name)
  return candidates
    .map((candidate) => ({ candidate, score: dice(wanted, pairs(candidate)) }))
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

function pairs(name: string): Set<string> {
  const found = new Set<string>()
  for (const word of name.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    if (word === '') continue
    const padded = ` ${word} `
    for (let i = 0; i + 1 < padded.length; i++) found.add(padded.slice(i, i + 2))
  }
  return found
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  let common = 0
  for (const pair of a) if (b.has(pair)) common++
  return (2 * common) / (a.size + b.size)
}
