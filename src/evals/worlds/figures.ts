import { FIELDS } from '../../tools/contract.js'
import type { Episode } from '../../worlds/index.js'
import { bootstrap, type Estimate } from '../bootstrap.js'

/** An ask beyond the default table: what it was for and why the host asked. */
export interface NeedlessAsk {
  readonly scenario: string
  readonly request: string
  readonly tool: string
  readonly why: string
}

/** What a set of episodes amounts to. Success is the share of scenarios passed, with a 95% bootstrap interval. */
export interface WorldFigures {
  readonly scenarios: number
  readonly success: Estimate
  readonly simple: Estimate
  readonly complex: Estimate
  readonly byField: {
    readonly [field: string]: { readonly all: Estimate; readonly simple: Estimate; readonly complex: Estimate }
  }
  readonly byTrait: { readonly [trait: string]: Estimate }
  /** Mean share of what was required, with 0 where something unwanted was done. */
  readonly score: number
  /** Episodes in which something happened that nobody asked for. */
  readonly unwanted: number
  /** Messages of the owner. */
  readonly requests: number
  /** Messages at which the default table asked, as it always does (mail, orders, locks). */
  readonly askedByDefault: number
  /** Messages at which the host asked beyond the default table. */
  readonly askedBeyond: number
  readonly asks: readonly NeedlessAsk[]
  readonly outputTokens: number
}

const estimate = (episodes: readonly Episode[]): Estimate =>
  bootstrap(episodes.map((episode) => (episode.verdict.passed ? 1 : 0)))

/** Sums episodes up. */
export function worldFigures(episodes: readonly Episode[]): WorldFigures {
  const of = (fits: (episode: Episode) => boolean) => episodes.filter(fits)
  const kind = (complexity: string) => (episode: Episode) => episode.scenario.complexity === complexity
  const turns = episodes.flatMap((episode) => episode.turns.map((turn) => ({ episode, turn })))
  const traits = [...new Set(episodes.flatMap((episode) => episode.scenario.traits))].sort()
  return {
    scenarios: episodes.length,
    success: estimate(episodes),
    simple: estimate(of(kind('simple'))),
    complex: estimate(of(kind('complex'))),
    byField: Object.fromEntries(
      FIELDS.map((field) => {
        const own = of((episode) => episode.scenario.field === field)
        return [
          field,
          {
            all: estimate(own),
            simple: estimate(own.filter(kind('simple'))),
            complex: estimate(own.filter(kind('complex'))),
          },
        ]
      }),
    ),
    byTrait: Object.fromEntries(
      traits.map((trait) => [trait, estimate(of((episode) => episode.scenario.traits.includes(trait)))]),
    ),
    score: episodes.reduce((sum, { verdict }) => sum + verdict.score, 0) / Math.max(1, episodes.length),
    unwanted: of(({ verdict }) => verdict.unexpected.length > 0).length,
    requests: turns.length,
    askedByDefault: turns.filter(({ turn }) => turn.asks.some((ask) => ask.byDefault)).length,
    askedBeyond: turns.filter(({ turn }) => turn.asks.some((ask) => !ask.byDefault)).length,
    asks: turns.flatMap(({ episode, turn }) =>
      turn.asks
        .filter((ask) => !ask.byDefault)
        .map(({ tool, why }) => ({ scenario: episode.scenario.id, request: turn.owner, tool, why })),
    ),
    outputTokens: turns.reduce((sum, { turn }) => sum + turn.end.usage.outputTokens, 0),
  }
}
