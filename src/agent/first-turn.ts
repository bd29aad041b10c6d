import type { Message } from '../chat/types.js'
import type { Engine, Sampling } from '../engine/contract.js'
import type { ToolContract } from '../tools/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import { shortlist, shortlistWeights } from '../tools/shortlist.js'
import { DEFAULT_LIMITS } from './limits.js'
import { callableFor } from './only-asks.js'
import { type Turn, takeTurn } from './turn.js'

/** How the first turn is taken; the same settings as {@link AgentOptions} has. */
export interface FirstTurnOptions {
  readonly engine: Engine
  /** Contracts are enough: nothing is run. */
  readonly registry: ToolRegistry<ToolContract> | ToolRegistry
  readonly system?: string
  readonly shown?: number
  readonly think?: boolean | number
  readonly sampling?: Sampling
  /** As in {@link AgentOptions}. */
  readonly shortlistWeight?: number
  /** As in {@link AgentOptions}. */
  readonly quote?: boolean
  /** Constrain calls by a grammar. Default true. */
  readonly constrain?: boolean
  readonly signal?: AbortSignal
}

/** What the model did first, and which tools it was shown. */
export interface FirstTurn extends Turn {
  readonly shown: readonly string[]
}

const noop = (): void => undefined

/**
 * What the agent would do with a request, stopped before anything runs: the same shortlist, rendering, grammar, engine
 * and parser as {@link Agent.run}, without journal, policy and tools. For evaluation and for showing a plan.
 */
export async function firstTurn(request: string, options: FirstTurnOptions): Promise<FirstTurn> {
  const shown = shortlist(options.registry, request, options.shown === undefined ? {} : { k: options.shown })
  const specsOf = (names: readonly string[]) => names.flatMap((name) => options.registry.spec(name) ?? [])
  const messages: Message[] = [{ role: 'user', content: request }]
  if (options.system) messages.unshift({ role: 'system', content: options.system })
  const turn = await takeTurn({
    engine: options.engine,
    messages,
    specs: specsOf(shown),
    callable: callableFor(request, shown, (name) => options.registry.get(name)),
    weights: shortlistWeights(options.registry, request, shown, options.shortlistWeight),
    quote: options.quote,
    think: options.think,
    sampling: options.sampling,
    maxTokens: DEFAULT_LIMITS.turnTokens,
    constrain: options.constrain ?? true,
    cacheKey: '',
    signal: options.signal,
    onText: noop,
    onReasoning: noop,
  })
  return { ...turn, shown }
}
