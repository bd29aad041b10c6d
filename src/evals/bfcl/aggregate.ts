/** Result of one category: share of right answers (0 to 1) and number of cases. */
export interface CategoryScore {
  readonly accuracy: number
  readonly total: number
}

/** Scores of a model as the leaderboard sums them up; shares from 0 to 1. */
export interface BfclSummary {
  /** 10 % non-live, 10 % live, 10 % irrelevance, 30 % multi-turn, 40 % agentic. */
  readonly overall: number
  readonly nonLive: number
  /** Mean of the simple categories in Python, Java and JavaScript. */
  readonly nonLiveSimple: number
  readonly live: number
  readonly irrelevance: number
  readonly multiTurn: number
  readonly agentic: number
  readonly webSearch: number
  readonly memory: number
  /** Categories without a result; each counts as 0 in every mean. */
  readonly missing: readonly string[]
}

const WEIGHTS = { nonLive: 0.1, live: 0.1, irrelevance: 0.1, multiTurn: 0.3, agentic: 0.4 }

/**
 * Sums category results up to the leaderboard's figures: means that count every category alike, except for the live
 * categories, which weigh by their number of cases.
 *
 * Source: generate_leaderboard_csv of BFCL v4. A missing live category needs its number of cases to weigh right, so give
 * it with accuracy 0.
 */
export function summarizeBfcl(scores: ReadonlyMap<string, CategoryScore>): BfclSummary {
  const missing: string[] = []
  const of = (category: string): CategoryScore => {
    const found = scores.get(category)
    if (!found) missing.push(category)
    return found ?? { accuracy: 0, total: 0 }
  }
  const meanOf = (...categories: string[]): number => mean(categories.map((category) => of(category).accuracy))
  const nonLiveSimple = meanOf('simple_python', 'simple_java', 'simple_javascript')
  const nonLive = mean([nonLiveSimple, ...['multiple', 'parallel', 'parallel_multiple'].map((one) => of(one).accuracy)])
  const live = weighted(['live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple'].map(of))
  const irrelevance = meanOf('irrelevance', 'live_irrelevance')
  const multiTurn = meanOf(
    'multi_turn_base',
    'multi_turn_miss_func',
    'multi_turn_miss_param',
    'multi_turn_long_context',
  )
  const webSearch = meanOf('web_search_base', 'web_search_no_snippet')
  const memory = meanOf('memory_kv', 'memory_vector', 'memory_rec_sum')
  const parts = { nonLive, live, irrelevance, multiTurn, agentic: mean([webSearch, memory]) }
  const overall =
    parts.nonLive * WEIGHTS.nonLive +
    parts.live * WEIGHTS.live +
    parts.irrelevance * WEIGHTS.irrelevance +
    parts.multiTurn * WEIGHTS.multiTurn +
    parts.agentic * WEIGHTS.agentic
  return { overall, nonLiveSimple, webSearch, memory, ...parts, missing }
}

function mean(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

function weighted(scores: readonly CategoryScore[]): number {
  const total = scores.reduce((sum, score) => sum + score.total, 0)
  return total === 0 ? 0 : scores.reduce((sum, score) => sum + score.accuracy * score.total, 0) / total
}
