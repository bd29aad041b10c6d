import type { Task } from './exchange.js'
import type { ForeignMaker } from './foreign-tasks.js'
import type { Pools } from './grammar.js'
import type { HeldOutRanking } from './ranking.js'

/** A request that is answered in words. */
export interface WordsOnly {
  readonly text: string
  readonly answer: string
}

/** Shares of what a training text holds; each from 0 to 1. */
export interface Mix {
  /** Texts whose tools have other names or are not ours. */
  readonly foreign: number
  /** Exchanges answered in words without any tool. */
  readonly words: number
  /** Exchanges whose request no shown tool serves. */
  readonly declines: number
  /** Calls that go on: result and answer. */
  readonly results: number
  /** Exchanges with two calls at once. */
  readonly parallel: number
  /** Exchanges in two steps, with an error, or with a question about a missing value. */
  readonly longer: number
  /** Texts of one to three exchanges only, as in use. */
  readonly short: number
}

/** The mix of the embedded model. */
export const NANO_MIX: Mix = {
  foreign: 0.18,
  words: 0.12,
  declines: 0.03,
  results: 0.1,
  parallel: 0.03,
  longer: 0.05,
  short: 0.12,
}

/** Everything that composing needs. */
export interface ComposeInput {
  readonly tasks: { readonly [tool: string]: readonly Task[] }
  readonly words: readonly WordsOnly[]
  readonly ranking: HeldOutRanking
  readonly pools: Pools
  readonly resultPools: Pools
  readonly foreign: ForeignMaker
  readonly mix: Mix
  /** Tokens of one text, as estimated. */
  readonly budget: number
}
