import type { JsonObject, JsonValue } from '../../chat/types.js'
import type { Engine, Sampling } from '../../engine/contract.js'

/** One case of a suite. */
export interface EvalCase {
  /** Unique within the suite and the same in every run. */
  readonly id: string
  /** What breakdowns group by: `category`, `field`, `complexity` (simple, complex), `language` … */
  readonly labels?: { readonly [name: string]: string }
}

/** What a case is run with. */
export interface CaseContext {
  /** Records every generation; use it for all of them. */
  readonly engine: Engine
  /** 0 for the first trial. */
  readonly trial: number
  /** Of this case and trial alone, so that order and concurrency change nothing. */
  readonly seed: number
  readonly sampling: Sampling
  readonly think?: boolean | number
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

/** What became of a case. */
export interface Score {
  /** The number that the suite reports, 0 to 1. */
  readonly value: number
  /** Other numbers of the case, 0 to 1, averaged like `value` (`strict`, `loose`, `tool choice` …). */
  readonly metrics?: { readonly [name: string]: number }
  /** Share of `value` that a judging model gave. */
  readonly judged?: number
  /** Why, for the reader of a transcript. */
  readonly reason?: string
  readonly details?: JsonObject
}

/** A number of a whole run that is no mean over its cases, as a benchmark's weighted total. */
export interface Aggregate {
  readonly name: string
  /** 0 to 1. */
  readonly value: number
  /** How it is made, or what it lacks. */
  readonly note?: string
}

/** A scored case as {@link Suite.aggregate} sees it. */
export interface ScoredCase {
  readonly id: string
  readonly trial: number
  readonly labels: { readonly [name: string]: string }
  readonly score: Score
}

/**
 * A benchmark: cases, how a model is taken through one, and what its outcome is worth. Scores are made from outcomes
 * alone, so that a run can be scored again without a model.
 */
export interface Suite<C extends EvalCase = EvalCase, O extends JsonValue = JsonValue> {
  readonly name: string
  /** Changes whenever prompts or scores do. */
  readonly version: string
  readonly title: string
  /** What the reader of its numbers must know ("zero-shot: the official run shows five examples"). */
  readonly notes?: readonly string[]
  /** What sampling the official run uses, where it says. */
  readonly sampling?: Sampling
  /** All cases, always in the same order. @throws MissingDataError */
  cases(): Promise<readonly C[]>
  /** Takes a model through one case. A failure of the model is an outcome; only failures of the machine throw. */
  run(one: C, context: CaseContext): Promise<O>
  score(one: C, outcome: O): Score | Promise<Score>
  /** Totals that are no plain means. */
  aggregate?(scored: readonly ScoredCase[]): readonly Aggregate[]
}
