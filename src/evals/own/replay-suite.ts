import { createHash } from 'node:crypto'
import { type FirstTurnOptions, firstTurn } from '../../agent/first-turn.js'
import type { Journal } from '../../agent/journal.js'
import type { JsonObject } from '../../chat/types.js'
import type { EvalCase, Suite } from '../runner/suite.js'
import { deepEqual } from './equal.js'

/** A call as a model wrote it. */
export interface OwnCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** A request of the owner, with the calls of the first turn that was taken then. */
export interface ReplayCase extends EvalCase {
  readonly request: string
  readonly before: readonly OwnCall[]
}

type OwnOutcome = { text: string; calls: { name: string; arguments: JsonObject }[] }

/** How a model is shown a request: as the agent has it, without the engine, which the runner brings. */
export type PlanOptions = Omit<FirstTurnOptions, 'engine' | 'signal'>

/** The owner's newest `last` requests, oldest first. Requests that came from outside text are left out. */
export function replayCases(journal: Journal, last: number): ReplayCase[] {
  return journal
    .runs(last)
    .reverse()
    .flatMap(({ run, body }): ReplayCase[] => {
      if (body.type !== 'run.start' || body.requestFrom !== undefined) return []
      const first = journal.entries(run).find((entry) => entry.body.type === 'assistant')?.body
      const before =
        first?.type === 'assistant'
          ? first.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments as JsonObject }))
          : []
      return [{ id: run, request: body.request, before, labels: { model: body.model } }]
    })
}

/**
 * The owner's own requests, taken by another model up to its first calls, which are not run: nothing has an effect and
 * nothing is sent but what the engine is shown. Its score is agreement with what was called then, which need not have
 * been right.
 */
export function replaySuite(cases: readonly ReplayCase[], options: PlanOptions): Suite<ReplayCase, OwnOutcome> {
  return {
    name: 'replay',
    version: contentVersion(cases),
    title: 'Own requests from the journal',
    notes: [
      'agreement with what was called then, right or wrong; only the first turn, each request by itself, not run',
    ],
    cases: async () => cases,
    run: async (one, context) => planOf(one.request, context, options),
    score: (one, outcome) => {
      const tools = sameTools(one.before, outcome.calls)
      const same = tools && one.before.every((call, at) => deepEqual(call.arguments, outcome.calls[at]?.arguments))
      return {
        value: Number(same),
        metrics: { tools: Number(tools) },
        reason: same ? 'as then' : `then ${shown(one.before)}, now ${shown(outcome.calls)}`,
      }
    },
  }
}

/** First turn of a model on a request, as an outcome. */
export async function planOf(
  request: string,
  context: Parameters<Suite['run']>[1],
  options: PlanOptions,
): Promise<OwnOutcome> {
  const turn = await firstTurn(request, {
    ...options,
    engine: context.engine,
    sampling: context.sampling,
    ...(context.think === undefined ? {} : { think: context.think }),
    ...(context.signal ? { signal: context.signal } : {}),
  })
  return { text: turn.content, calls: turn.calls.map(({ name, arguments: given }) => ({ name, arguments: given })) }
}

/** Whether two lists call the same tools in the same order. */
export function sameTools(a: readonly { readonly name: string }[], b: readonly { readonly name: string }[]): boolean {
  return a.length === b.length && a.every(({ name }, at) => name === b[at]?.name)
}

/** A version that changes with the content, so that a run never goes on with other cases. */
export function contentVersion(content: unknown): string {
  return `1-${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)}`
}

/** Calls in words, for a reason. */
export function shown(calls: readonly OwnCall[]): string {
  if (calls.length === 0) return 'no call'
  return calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`).join(', ')
}
