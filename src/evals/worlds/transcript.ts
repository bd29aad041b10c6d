import type { Episode } from '../../worlds/index.js'

/** An episode as one JSON line: what was said and done, and the findings. */
export interface Transcript {
  readonly id: string
  readonly field: string
  readonly complexity: string
  readonly passed: boolean
  readonly score: number
  readonly turns: readonly {
    readonly owner: string
    readonly told: string
    readonly status: string
    readonly asks: number
  }[]
  readonly calls: Episode['calls']
  readonly findings: Episode['verdict']['findings']
}

/** What is kept of an episode. */
export function transcriptOf({ scenario, turns, calls, verdict }: Episode): Transcript {
  return {
    id: scenario.id,
    field: scenario.field,
    complexity: scenario.complexity,
    passed: verdict.passed,
    score: verdict.score,
    turns: turns.map(({ owner, end, asks }) => ({ owner, told: end.text, status: end.status, asks: asks.length })),
    calls,
    findings: verdict.findings,
  }
}
