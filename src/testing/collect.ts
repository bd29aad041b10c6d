import type { Engine, EngineEvent, GenerateRequest, StopReason, Usage } from '../engine/contract.js'

/** Everything that one generation said. */
export interface Collected {
  readonly text: string
  readonly ids: readonly number[]
  readonly forced: readonly boolean[]
  readonly logprobs: readonly number[]
  readonly events: readonly EngineEvent[]
  readonly stop: StopReason
  readonly usage: Usage
}

/** Runs a generation to its end. */
export async function collect(engine: Engine, request: GenerateRequest): Promise<Collected> {
  const events: EngineEvent[] = []
  for await (const event of engine.generate(request)) events.push(event)
  const tokens = events.flatMap((event) => (event.type === 'token' ? [event] : []))
  const end = events.at(-1)
  if (end?.type !== 'end') throw new Error('the generation has no end')
  return {
    text: tokens.map((token) => token.text).join(''),
    ids: tokens.flatMap((token) => (token.id === undefined ? [] : [token.id])),
    forced: tokens.map((token) => token.forced === true),
    logprobs: tokens.flatMap((token) => (token.logprob === undefined ? [] : [token.logprob])),
    events,
    stop: end.stop,
    usage: end.usage,
  }
}
