import type { EngineEvent, StopReason } from '../contract.js'
import { EngineError } from '../errors.js'
import type { SamplerConfig } from './addon.js'
import type { CallConstraint } from './call-constraint.js'
import type { NativeModel } from './native-model.js'
import type { WireRequest } from './protocol.js'
import type { Sequence } from './sequence.js'
import { TextStream } from './text-stream.js'
import { endsInThink, FORCED_CLOSE, ThinkTracker } from './think-tracker.js'

/** Most recent generated tokens that penalties look at. */
const PENALTY_WINDOW = 256
/** Control tokens whose text belongs to a dialect and is emitted; the text of others never leaks. */
const MARKERS = /^<\/?(?:think|tool_call|tool_response)>$|^<\|tool_call_(?:start|end)\|>$/

/** What one generation works on. */
export interface GenerationInput {
  readonly native: NativeModel
  /** Rolled back to the first `cached` tokens of the prompt. */
  readonly sequence: Sequence
  readonly prompt: readonly number[]
  /** How many leading tokens the sequence holds already; less than the prompt's length. */
  readonly cached: number
  /** Lengths of the prompt at which its state should be kept, ascending. */
  readonly boundaries: readonly number[]
  /** Called when the state of such a length is ready and was not cached. */
  readonly onBoundary: (length: number) => Promise<void>
  readonly request: WireRequest
  /** Tokens per native call while the prompt is evaluated. */
  readonly batch: number
  readonly constraint?: CallConstraint
  readonly signal: AbortSignal
  readonly emit: (event: EngineEvent) => void
}

/** One generation from prompt to `end`. */
export class Generation {
  private readonly started = performance.now()
  private firstAt: number | undefined
  private readonly generated: number[] = []
  private readonly think: ThinkTracker
  private readonly stream: TextStream
  private readonly stopIds: ReadonlySet<number>
  private readonly limit: number

  constructor(private readonly input: GenerationInput) {
    const { native, request, prompt } = input
    const text = typeof request.prompt === 'string' ? request.prompt : native.detokenize(prompt.slice(-256))
    this.think = new ThinkTracker(endsInThink(text))
    this.stream = new TextStream((ids, previous) => textOf(native, ids, previous), request.stopTexts)
    this.stopIds = new Set(request.stopIds)
    this.limit = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, native.info.contextLength - prompt.length - 1)
  }

  /** Emits tokens, then `end`. Throws EngineError. */
  async run(): Promise<void> {
    const { native, sequence, constraint, request, signal } = this.input
    const last = await this.evaluatePrompt()
    if (last === undefined) return this.finish('abort')
    if (this.limit <= 0) return this.finish('length')
    const opening = constraint?.begin() ?? []
    for (const id of opening) {
      const stop = this.take(id, undefined, true)
      if (stop !== undefined) return this.finish(stop)
    }
    if (constraint?.done() === true) return this.finish('end')
    const settings = samplerSettings(request.sampling)
    const sampler = new native.addon.AddonSampler(native.model)
    try {
      let next = [...last, ...opening]
      while (true) {
        const config = this.samplerConfig(settings)
        const sampled = await sequence.appendAndSample(next, sampler, config, request.logprobs)
        if (signal.aborted) return this.finish('abort')
        if (sampled === undefined)
          throw new EngineError('grammar', 'No token of the vocabulary fits the grammar at this point.')
        const { token, probability } = sampled
        // With nothing left over, sampling falls back to whatever stands first, and that may be an end.
        if (native.model.isEogToken(token) && constraint?.mayEnd() === false)
          throw new EngineError('grammar', 'No token of the vocabulary fits the grammar at this point.')
        if (native.model.isEogToken(token)) return this.finish(this.stopIds.has(token) ? 'stop' : 'end')
        let stop = this.take(token, probability === undefined ? undefined : Math.log(probability), false)
        const follow = stop === undefined ? this.mustFollow(token) : []
        for (const id of follow) stop ??= this.take(id, undefined, true)
        if (stop !== undefined) return this.finish(stop)
        if (constraint?.done() === true) return this.finish('end')
        next = [token, ...follow]
      }
    } finally {
      sampler.dispose()
      await sequence.takeCheckpoint()
    }
  }

  /** Evaluates the prompt up to its last piece, batch by batch; returns that piece, or undefined after an abort. */
  private async evaluatePrompt(): Promise<readonly number[] | undefined> {
    const { sequence, prompt, batch, signal, cached, boundaries, onBoundary } = this.input
    let at = cached
    for (const boundary of [...boundaries.filter((b) => b > at && b < prompt.length), prompt.length]) {
      while (at < boundary) {
        if (signal.aborted) return undefined
        const next = Math.min(at + batch, boundary)
        if (next === prompt.length) return prompt.slice(at, next)
        await sequence.append(prompt.slice(at, next))
        at = next
      }
      await sequence.takeCheckpoint()
      await onBoundary(at)
    }
    return undefined
  }

  /** Accounts for one token; the stop reason when it is the last one. */
  private take(id: number, logprob: number | undefined, forced: boolean): StopReason | undefined {
    this.firstAt ??= performance.now()
    this.generated.push(id)
    if (this.stopIds.has(id)) return 'stop'
    const { text, stopped } = this.stream.push(id)
    this.think.push(text)
    this.input.emit({
      type: 'token',
      text,
      id,
      ...(logprob === undefined ? {} : { logprob }),
      ...(forced ? { forced: true as const } : {}),
    })
    if (stopped) return 'stop'
    return this.generated.length >= this.limit ? 'length' : undefined
  }

  /** Tokens to append after `token` without sampling: the close of a think block over budget, or what the grammar forces. */
  private mustFollow(token: number): readonly number[] {
    const { native, request, constraint } = this.input
    if (this.think.open && request.thinkBudget !== undefined && this.think.tokens >= request.thinkBudget)
      return native.tokenize(FORCED_CLOSE, true)
    return constraint?.follow(token, this.think.open) ?? []
  }

  private samplerConfig(settings: SamplerConfig): SamplerConfig {
    const state = this.input.constraint?.state()
    const penalised = settings.repeatPenalty === undefined ? undefined : this.generated.slice(-PENALTY_WINDOW)
    const bias = this.input.constraint?.bias()
    if (state === undefined && penalised === undefined) return settings
    return {
      ...settings,
      ...(state === undefined ? {} : { grammarEvaluationState: state }),
      ...bias,
      ...(penalised === undefined ? {} : { repeatPenaltyTokens: Uint32Array.from(penalised) }),
    }
  }

  private finish(stop: StopReason): void {
    const { emit, prompt, cached } = this.input
    const rest = stop === 'abort' ? '' : this.stream.flush()
    if (rest !== '') emit({ type: 'token', text: rest })
    const now = performance.now()
    emit({
      type: 'end',
      stop,
      usage: {
        promptTokens: prompt.length,
        cachedTokens: cached,
        outputTokens: this.generated.length,
        reasoningTokens: this.think.tokens,
        promptMs: (this.firstAt ?? now) - this.started,
        outputMs: this.firstAt === undefined ? 0 : now - this.firstAt,
      },
    })
  }
}

/** Text of ids as it is emitted. */
function textOf(native: NativeModel, ids: readonly number[], previous: readonly number[]): string {
  const text = native.detokenize(ids, previous)
  return ids.length === 1 && native.isControl(ids[0]!) && !MARKERS.test(text) ? '' : text
}

function samplerSettings(sampling: WireRequest['sampling']): SamplerConfig {
  const { repeatPenalty, presencePenalty, frequencyPenalty } = sampling
  const penalised = repeatPenalty !== undefined || presencePenalty !== undefined || frequencyPenalty !== undefined
  return {
    temperature: sampling.temperature ?? 0,
    topK: sampling.topK ?? 0,
    topP: sampling.topP ?? 1,
    minP: sampling.minP ?? 0,
    seed: sampling.seed ?? Math.floor(Math.random() * 0x7fffffff),
    ...(penalised
      ? {
          repeatPenalty: repeatPenalty ?? 1,
          repeatPenaltyMaxTokens: PENALTY_WINDOW,
          repeatPenaltyPresencePenalty: presencePenalty ?? 0,
          repeatPenaltyFrequencyPenalty: frequencyPenalty ?? 0,
        }
      : {}),
  }
}
