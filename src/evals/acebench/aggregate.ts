import { pyRound } from '../python/round.js'
import { AGENT_CATEGORIES, NORMAL_CATEGORIES, SPECIAL_CATEGORIES } from './cases.js'

/** A scored case as the summary sees it. */
export interface AceBenchResult {
  readonly category: string
  readonly id: string
  /** 0 for the first; turns of one conversation count together within a trial. */
  readonly trial: number
  readonly valid: boolean
  /** Of agent_*: the share of milestones. */
  readonly process?: number
}

/** The figures of the official table, 0 to 1, three decimals as published. */
export interface AceBenchSummary {
  readonly categories: { readonly [category: string]: number }
  readonly process: { readonly [category: string]: number }
  readonly atom: number
  readonly singleTurn: number
  readonly multiTurn: number
  readonly normal: number
  readonly special: number
  readonly agent: number
  readonly overall: number
  /** Categories without a case, which count as 0. */
  readonly missing: readonly string[]
}

/** Shares of the groups in the total; they add up to 1.0001, as published. */
const WEIGHTS = { special: 0.2676, normal: 0.578, agent: 0.1545 }

/**
 * Sums results up as the official table does. A conversation of normal_multi_turn_* counts when all its turns are right;
 * means over categories are not weighted by their sizes.
 *
 * Source: generate_result_csv and multiplt_turn_accuracy of ACEBench.
 */
export function summarizeAceBench(results: readonly AceBenchResult[]): AceBenchSummary {
  const categories: Record<string, number> = {}
  const process: Record<string, number> = {}
  const missing: string[] = []
  for (const category of [...NORMAL_CATEGORIES, ...SPECIAL_CATEGORIES, ...AGENT_CATEGORIES]) {
    const own = results.filter((result) => result.category === category)
    if (own.length === 0) missing.push(category)
    categories[category] = accuracy(category, own)
    if (category.startsWith('agent')) process[category] = pyRound(mean(own.map((result) => result.process ?? 0)), 3)
  }
  const over = (names: readonly string[]): number => pyRound(mean(names.map((name) => categories[name] ?? 0)), 3)
  const named = (part: string): number => over(NORMAL_CATEGORIES.filter((name) => name.includes(part)))
  const [normal, special, agent] = [over(NORMAL_CATEGORIES), over(SPECIAL_CATEGORIES), over(AGENT_CATEGORIES)]
  return {
    categories,
    process,
    atom: named('_atom_'),
    singleTurn: named('_single_turn_'),
    multiTurn: named('_multi_turn_'),
    normal,
    special,
    agent,
    overall: pyRound(special * WEIGHTS.special + normal * WEIGHTS.normal + agent * WEIGHTS.agent, 3),
    missing,
  }
}

function accuracy(category: string, results: readonly AceBenchResult[]): number {
  if (category.startsWith('normal_multi_turn')) {
    const conversations = new Map<string, boolean>()
    for (const { id, trial, valid } of results) {
      const key = `${trial}:${id.split('_').at(-2)}`
      conversations.set(key, (conversations.get(key) ?? true) && valid)
    }
    return pyRound(mean([...conversations.values()].map(Number)), 3)
  }
  const share = mean(results.map(({ valid }) => Number(valid)))
  // The only accuracies that the official code does not round.
  return category.startsWith('special') ? share : pyRound(share, 3)
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
