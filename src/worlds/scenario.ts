import type { JsonObject } from '../chat/types.js'
import type { Field } from '../tools/contract.js'
import type { ExpectedChange } from './expect.js'
import type { Household } from './household.js'
import type { Where } from './match.js'

/** What makes a scenario more than one call. */
export type Trait =
  | 'several calls'
  | 'several turns'
  | 'missing detail'
  | 'ambiguity'
  | 'changed mind'
  | 'interruption'
  | 'result decides'

/** Calls that are meant: one of these tools, with arguments that fit. */
export interface CallPattern {
  readonly tools: readonly string[]
  readonly where?: Where
}

/** Something that the owner must hear; one of the wordings is enough. */
export interface Tell {
  readonly what: string
  readonly anyOf: readonly string[]
}

/** An ask that the owner says yes to: this tool, with all phrases in its preview or arguments. */
export interface Approval {
  readonly tool: string
  readonly phrases: readonly string[]
}

/** What the owner knows, and how it is said when asked. */
export interface OwnerScript {
  /** The first message. */
  readonly opening: string
  /** Answers to questions: the first unused one whose pattern fits the question. */
  readonly answers: readonly { readonly on: RegExp; readonly says: string }[]
  /** Messages that follow, each once what came before is done. */
  readonly next: readonly string[]
  /** Said in place of an answer to the first question; the answer comes afterwards. */
  readonly digress?: string
  /** Stops the run at the first result of this tool, and says this. */
  readonly stop?: { readonly tool: string; readonly says: string }
  /** Declines the first ask of this tool, and says this. */
  readonly decline?: { readonly tool: string; readonly says: string }
}

/** One turn of a reference solution. */
export type Step =
  | { readonly calls: readonly { readonly name: string; readonly args: JsonObject }[] }
  /** Words; `report` says the first line of the last result. */
  | { readonly say: string }
  | { readonly report: true }

/** A task in a household, with everything that is needed to play and judge it. */
export interface Scenario {
  /** Template and the slots that matter; two scenarios are distinct when these differ. */
  readonly id: string
  readonly template: string
  readonly field: Field
  readonly complexity: 'simple' | 'complex'
  readonly traits: readonly Trait[]
  readonly slots: { readonly [name: string]: string }
  readonly household: Household
  readonly owner: OwnerScript
  readonly changes: readonly ExpectedChange[]
  /** Changes that are no fault. */
  readonly allowed: readonly ExpectedChange[]
  /** At least one call that worked for each. */
  readonly calls: readonly CallPattern[]
  /** None of these, whether it worked or not. */
  readonly forbidden: readonly CallPattern[]
  readonly tells: readonly Tell[]
  readonly approvals: readonly Approval[]
  readonly solution: readonly Step[]
  /** Replacements in the solution's arguments that make it act on another item. */
  readonly decoys: readonly (readonly [from: string, to: string])[]
}

/** A call of the solution. */
export function call(name: string, args: JsonObject = {}): Step {
  return { calls: [{ name, args }] }
}

/** Words of the solution. */
export function say(text: string): Step {
  return { say: text }
}

/** The last result's first line, as the solution's answer. */
export const report: Step = { report: true }
