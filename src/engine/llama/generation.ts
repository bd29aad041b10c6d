import type { LlamaGrammarEvaluationState, Token } from 'node-llama-cpp'
import type { EngineEvent, StopReason } from '../contract.js'
import { EngineError } from '../errors.js'
import type { CallConstraint } from './call-constraint.js'
import type { NativeModel } from './native-model.js'
import type { WireRequest } from './protocol.js'
import { type Slot, takeCheckpoint } from './sequence-pool.js'
import { TextStream } from './text-stream.js'
import { endsInThink, FORCED_CLOSE, ThinkTracker } from './think-tracker.js'

/** Most recent generated tokens that penalties look at. */
const PENALTY_WINDOW = 256

/** What one generation works on. */
export interface GenerationInput {
  readonly native: NativeModel
  readonly slot: Slot
  readonly prompt: readonly Token[]
  /** How many leading tokens the slot holds already; less than the prompt's length. */
  readonly cached: number
  /** Lengths of the prompt at which its state should be kept, ascending. */
  readonly boundaries: readonly number[]
  /** Called when the state of such a length is ready and was not cached. */
  readonly onBoundary: (length: number) => Promise<void>
  readonly request: WireRequest
  readonly constraint?: CallConstraint
  readonly signal: AbortSignal
  readonly emit: (event: EngineEvent) => void
}

/** Runs one generation on a slot that has been rolled back to `cached` tokens. Emits tokens, then `end`. */
export async function runGeneration(input: GenerationInput): Promise<void> {
  const { native, slot, request, signal } = input
  const { model } = native
  const started = performance.now()
  const promptText =
    typeof request.prompt === 'string' ? request.prompt : model.detokenize(input.prompt.slice(-256), true)
  const think = new ThinkTracker(endsInThink(promptText))
  const stream = new TextStream((ids, previous) => textOf(native, ids, previous), request.stopTexts)
  const stopIds = new Set<number>(request.stopIds)
  const generated: Token[] = []
  let firstAt: number | undefined

  const finish = (stop: StopReason): void => {
    const rest = stream.flush()
    if (rest !== '' && stop !== 'abort') input.emit({ type: 'token', text: rest })
    const now = performance.now()
    input.emit({
      type: 'end',
      stop,
      usage: {
        promptTokens: input.prompt.length,
        cachedTokens: input.cached,
        outputTokens: generated.length,
        reasoningTokens: think.tokens,
        promptMs: (firstAt ?? now) - started,
        outputMs: firstAt === undefined ? 0 : now - firstAt,
      },
    })
  }

  const evaluated = await evaluatePrompt(input)
  if (evaluated === undefined) return finish('abort')

  const limit = Math.min(
    request.maxTokens ?? Number.POSITIVE_INFINITY,
    native.context.contextSize - input.prompt.length - 1,
  )
  if (limit <= 0) return finish('length')
  const { sampling } = request
  const opening = (await input.constraint?.begin()) ?? []
  const tokens = slot.sequence.evaluateWithMetadata(
    [...evaluated, ...opening],
    { confidence: request.logprobs } as const,
    {
      temperature: sampling.temperature ?? 0,
      topK: sampling.topK ?? 0,
      topP: sampling.topP ?? 1,
      minP: sampling.minP ?? 0,
      seed: sampling.seed ?? Math.floor(Math.random() * 0x7fffffff),
      yieldEogToken: true,
      grammarEvaluationState: (): LlamaGrammarEvaluationState | undefined => input.constraint?.state(),
      ...penalties(sampling, generated),
    },
  )

  /** Accounts for one token; the stop reason when it is the last one. */
  const take = (id: Token, logprob: number | undefined, forced: boolean): StopReason | undefined => {
    firstAt ??= performance.now()
    generated.push(id)
    if (stopIds.has(id)) return 'stop'
    const { text, stopped } = stream.push(id)
    think.push(text)
    input.emit({
      type: 'token',
      text,
      id,
      ...(logprob === undefined ? {} : { logprob }),
      ...(forced ? { forced: true as const } : {}),
    })
    if (stopped) return 'stop'
    return generated.length >= limit ? 'length' : undefined
  }

  let reply: Token[] | undefined
  try {
    for (const id of opening) {
      const stop = take(id, undefined, true)
      if (stop !== undefined) return finish(stop)
    }
    if (input.constraint?.done() === true) return finish('end')
    while (true) {
      const step = await (reply === undefined ? tokens.next() : tokens.next(reply))
      if (step.done === true) return finish('end')
      if (signal.aborted) return finish('abort')
      const { token } = step.value
      if (model.isEogToken(token)) {
        firstAt ??= performance.now()
        return finish(stopIds.has(token) ? 'stop' : 'end')
      }
      const logprob = request.logprobs ? Math.log((step.value as { confidence?: number }).confidence ?? 0) : undefined
      let stop = take(token, logprob, false)
      const follow = stop === undefined ? await forcedTokens(input, think, token) : []
      for (const id of follow) stop ??= take(id, undefined, true)
      if (stop !== undefined) return finish(stop)
      if (input.constraint?.done() === true) return finish('end')
      reply = follow.length > 0 ? [token, ...follow] : undefined
    }
  } catch (error) {
    if (input.constraint?.state() !== undefined && error instanceof Error && /sample/i.test(error.message))
      throw new EngineError('grammar', 'No token of the vocabulary fits the grammar at this point.', { cause: error })
    throw error
  } finally {
    await tokens.return()
    await takeCheckpoint(slot)
  }
}

/** Tokens to append after `token` without sampling: the close of a think block over budget, or what the grammar forces. */
async function forcedTokens(input: GenerationInput, think: ThinkTracker, token: Token): Promise<Token[]> {
  const { native, request, constraint } = input
  if (think.open && request.thinkBudget !== undefined && think.tokens >= request.thinkBudget)
    return native.model.tokenize(FORCED_CLOSE, true)
  if (constraint === undefined) return []
  return constraint.follow(token, think.open)
}

/** Evaluates the prompt up to its last piece, batch by batch; returns that piece, or undefined after an abort. */
async function evaluatePrompt(input: GenerationInput): Promise<Token[] | undefined> {
  const { slot, prompt, native, signal } = input
  let at = input.cached
  const stops = [...input.boundaries.filter((b) => b > at && b < prompt.length), prompt.length]
  for (const boundary of stops) {
    while (at < boundary) {
      if (signal.aborted) return undefined
      const next = Math.min(at + native.context.batchSize, boundary)
      if (next === prompt.length) return prompt.slice(at, next)
      await slot.sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(at, next))
      at = next
    }
    await takeCheckpoint(slot)
    await input.onBoundary(at)
  }
  return undefined
}

/** Text of ids as it is emitted: control tokens that are no dialect's markers have none. */
function textOf(native: NativeModel, ids: readonly number[], previous: readonly number[]): string {
  const { model } = native
  if (ids.length === 1) {
    const id = ids[0] as Token
    const text = model.detokenize([id], true, previous as readonly Token[])
    return model.getTokenAttributes(id).control && !/^<\/?(?:think|tool_call|tool_response)>$/.test(text) ? '' : text
  }
  return model.detokenize(ids as readonly Token[], true, previous as readonly Token[])
}

function penalties(sampling: WireRequest['sampling'], generated: readonly Token[]): object {
  const { repeatPenalty, presencePenalty, frequencyPenalty } = sampling
  if (repeatPenalty === undefined && presencePenalty === undefined && frequencyPenalty === undefined) return {}
  return {
    repeatPenalty: {
      punishTokens: () => generated.slice(-PENALTY_WINDOW),
      penalty: repeatPenalty ?? 1,
      ...(presencePenalty === undefined ? {} : { presencePenalty }),
      ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
      penalizeNewLine: true,
    },
  }
}
