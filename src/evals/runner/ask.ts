import { type Turn, takeTurn } from '../../agent/turn.js'
import type { Message, ToolSpec } from '../../chat/types.js'
import type { EngineEvent, GenerateRequest } from '../../engine/contract.js'
import type { CaseContext } from './suite.js'

const noop = (): void => undefined

/** Longest answer where neither suite nor user says. */
const MOST_TOKENS = 2048

/** A turn with what the engine gave before anything was read from it. */
export interface AskedTurn extends Turn {
  /** The model's text with its markers. */
  readonly raw: string
  /** Calls of an endpoint that parses by itself, arguments as JSON text. */
  readonly structured: readonly { readonly name: string; readonly arguments: string }[]
}

/** Takes one turn of the model as a case has it: rendered by the model's own template, read by its dialect's parser. */
export async function ask(
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
): Promise<AskedTurn> {
  let raw = ''
  const structured: { name: string; arguments: string }[] = []
  const { engine } = context
  async function* generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    for await (const event of engine.generate(request)) {
      if (event.type === 'token') raw += event.text
      else if (event.type === 'calls')
        structured.push(...event.calls.map(({ name, arguments: args }) => ({ name, arguments: args })))
      yield event
    }
  }
  const turn = await takeTurn({
    engine: { model: engine.model, generate, score: (request) => engine.score(request), close: async () => {} },
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
  return { ...turn, raw, structured }
}
