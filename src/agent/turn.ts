import type { JsonObject, Message, ToolSpec } from '../chat/types.js'
import type { Engine, GenerateRequest, Sampling, StopReason, Usage } from '../engine/contract.js'
import { callGrammar } from '../tools/grammar.js'
import { createReader, type ReadCall } from './turn-reader.js'

/** How one turn is generated. */
export interface TurnRequest {
  readonly engine: Engine
  readonly messages: readonly Message[]
  /** Tools shown; the same array for every turn of a run, so that the engine recognises it. */
  readonly specs: readonly ToolSpec[]
  readonly think: boolean | number | undefined
  readonly sampling: Sampling | undefined
  readonly maxTokens: number
  /** Constrain calls to the shown tools. */
  readonly constrain: boolean
  /** Names of the tools that may be called, where these are fewer than the shown ones. */
  readonly callable?: readonly string[] | undefined
  /** Natural logarithms of weights of the shown tools, for the engine's choice among them. */
  readonly weights?: ReadonlyMap<string, number> | undefined
  /** Strings in calls must be quotations from what the owner and the tools said. */
  readonly quote?: boolean | undefined
  readonly cacheKey: string
  readonly signal: AbortSignal | undefined
  readonly onText: (text: string) => void
  readonly onReasoning: (text: string) => void
}

/** What the model wrote in one turn. */
export interface Turn {
  readonly reasoning: string
  readonly content: string
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
  /** What could not be read as a call, each fit to tell the model. */
  readonly malformed: readonly { readonly message: string; readonly text: string; readonly recovered: boolean }[]
  readonly stop: StopReason
  readonly usage: Usage
}

const NO_USAGE: Usage = {
  promptTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  promptMs: 0,
  outputMs: 0,
}

const grammars = new WeakMap<readonly ToolSpec[], GenerateRequest['grammar']>()

function grammarOf(request: TurnRequest): GenerateRequest['grammar'] {
  const { engine, weights, quote, messages, callable } = request
  const specs = callable ? request.specs.filter(({ name }) => callable.includes(name)) : request.specs
  if (weights || quote || callable) {
    const said = messages.flatMap((m) => (m.role === 'user' || m.role === 'tool' ? [m.content] : []))
    return callGrammar(specs, engine.model.dialect, {
      ...(weights ? { weights } : {}),
      ...(quote ? { quoted: said } : {}),
    })
  }
  if (!grammars.has(specs)) grammars.set(specs, callGrammar(specs, engine.model.dialect))
  return grammars.get(specs)
}

/** Generates one turn and reads it: text and reasoning are passed on as they come, calls are complete at the end. */
export async function takeTurn(request: TurnRequest): Promise<Turn> {
  const { engine, specs } = request
  const grammar = request.constrain && specs.length > 0 ? grammarOf(request) : undefined
  const reader = createReader(engine.model, specs, request.think)
  let reasoning = ''
  let content = ''
  let stop: StopReason = 'end'
  let usage = NO_USAGE
  const calls: ReadCall[] = []
  const malformed: { message: string; text: string; recovered: boolean }[] = []
  const take = (parts: ReturnType<typeof reader.push>): void => {
    for (const part of parts) {
      if (part.type === 'text') {
        content += part.text
        request.onText(part.text)
      } else if (part.type === 'reasoning') {
        reasoning += part.text
        request.onReasoning(part.text)
      } else if (part.type === 'call') calls.push(part.call)
      else if (part.type === 'malformed') malformed.push(part)
    }
  }
  const events = engine.generate({
    messages: request.messages,
    ...(specs.length > 0 ? { tools: specs } : {}),
    ...(request.think === undefined ? {} : { think: request.think }),
    ...(request.sampling ? { sampling: request.sampling } : {}),
    ...(grammar ? { grammar } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
    maxTokens: request.maxTokens,
    cacheKey: request.cacheKey,
  })
  for await (const event of events) {
    if (event.type === 'token') take(reader.push(event.text))
    else if (event.type === 'reasoning') {
      reasoning += event.text
      request.onReasoning(event.text)
    } else if (event.type === 'calls') take(reader.structured(event.calls))
    else {
      stop = event.stop
      usage = event.usage
    }
  }
  take(reader.end(stop))
  return { reasoning: reasoning.trim(), content: content.trim(), calls, malformed, stop, usage }
}
