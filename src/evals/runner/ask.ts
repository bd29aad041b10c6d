import { type Turn, takeTurn } from '../../agent/turn.js'
import type { Message, ToolSpec } from '../../chat/types.js'
import type { CaseContext } from './suite.js'

const noop = (): void => undefined

/** Longest answer where neither suite nor user says. */
const MOST_TOKENS = 2048

/** Takes one turn of the model as a case has it: rendered by the model's own template, read by its dialect's parser. */
export function ask(
  context: CaseContext,
  messages: readonly Message[],
  options: {
    readonly tools?: readonly ToolSpec[]
    readonly maxTokens?: number
    /** Keep calls to the grammar of the tools. Default false: benchmarks measure the model alone. */
    readonly constrain?: boolean
    /** Requests of one episode share it; see {@link GenerateRequest.cacheKey}. */
    readonly cacheKey?: string
  } = {},
): Promise<Turn> {
  return takeTurn({
    engine: context.engine,
    messages,
    specs: options.tools ?? [],
    think: context.think,
    sampling: context.sampling,
    maxTokens: context.maxTokens ?? options.maxTokens ?? MOST_TOKENS,
    constrain: options.constrain ?? false,
    cacheKey: options.cacheKey ?? '',
    signal: context.signal,
    onText: noop,
    onReasoning: noop,
  })
}
