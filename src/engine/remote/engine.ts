import type { Dialect } from '../../chat/types.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo, ScoreRequest, StopReason, Usage } from '../contract.js'
import { EngineError } from '../errors.js'
import type { HttpClient, HttpOptions } from './http.js'
import { toWireMessages, toWireTools, type WireCallDelta, WireChunk, WireEcho, WireModels } from './protocol.js'
import { reason, saidBy } from './reasons.js'
import { sseData } from './sse.js'

/** Assumed when neither the caller nor the endpoint tells the context length. */
const ASSUMED_CONTEXT = 32_768

/** Where a model runs and how to reach it. */
export interface RemoteOptions extends HttpOptions {
  /** Address up to and including the version, e.g. `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** Model as the endpoint names it. Default: the first it lists. */
  readonly model?: string
  readonly contextLength?: number
  /** For hosts that render prompts themselves and send them as text. Default `plain`: the endpoint parses calls. */
  readonly dialect?: Dialect
  readonly chatTemplate?: string
  /** Members added to every request body, e.g. provider settings. */
  readonly extra?: Readonly<Record<string, unknown>>
}

interface OpenCall {
  id: string
  name: string
  arguments: string
}

/**
 * A model behind any OpenAI-compatible endpoint (vLLM, SGLang, llama-server, Ollama, LM Studio): `messages` go to
 * /chat/completions, where the endpoint renders and parses; a ready `prompt` (text, or ids where the endpoint takes them)
 * goes to /completions. Grammars are not sent: the endpoint constrains calls in its own way. A thinking budget turns
 * thinking on; its length is up to the endpoint.
 */
export class RemoteEngine implements Engine {
  private constructor(
    readonly model: ModelInfo,
    private readonly http: HttpClient,
    private readonly options: RemoteOptions,
  ) {}

  /** Asks the endpoint for its models unless name and context length are given. Throws EngineError. */
  static async connect(options: RemoteOptions): Promise<RemoteEngine> {
    // Loaded when needed: the HTTP client takes a tenth of a second that a local model should not wait for.
    const { HttpClient } = await import('./http.js')
    const http = new HttpClient(options.baseUrl.replace(/\/+$/, ''), options)
    try {
      let { model, contextLength } = options
      if (model === undefined || contextLength === undefined) {
        const known = await listModels(http, model === undefined)
        const found = model === undefined ? known[0] : known.find((entry) => entry.id === model)
        model ??= found?.id
        contextLength ??= found?.max_model_len ?? found?.context_length ?? found?.meta?.n_ctx_train ?? undefined
      }
      if (model === undefined) throw new EngineError('endpoint', `${http.baseUrl} lists no model; name one.`)
      const info: ModelInfo = {
        name: model,
        contextLength: contextLength ?? ASSUMED_CONTEXT,
        dialect: options.dialect ?? 'plain',
        ...(options.chatTemplate === undefined ? {} : { chatTemplate: options.chatTemplate }),
      }
      return new RemoteEngine(info, http, options)
    } catch (error) {
      await http.close()
      throw error
    }
  }

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    const { signal } = request
    if (request.messages === undefined && request.prompt === undefined)
      throw new EngineError('bad-request', 'Give messages or a prompt.')
    const started = performance.now()
    const state = new StreamState(started)
    let response: Awaited<ReturnType<HttpClient['send']>>
    try {
      const path = request.prompt === undefined ? '/chat/completions' : '/completions'
      response = await this.http.send(path, this.body(request), signal)
    } catch (error) {
      if (signal?.aborted !== true) throw error
      return yield { type: 'end', stop: 'abort', usage: state.usage() }
    }
    try {
      if (response.body === null) throw new EngineError('endpoint', `${this.http.baseUrl} sent no body.`)
      for await (const data of sseData(response.body)) {
        if (data === '[DONE]') break
        yield* state.take(this.chunk(data), request.logprobs === true)
      }
    } catch (error) {
      if (signal?.aborted === true) return yield { type: 'end', stop: 'abort', usage: state.usage() }
      if (error instanceof EngineError) throw error
      throw new EngineError('network', `The connection to ${this.http.baseUrl} broke: ${reason(error)}.`, {
        cause: error,
      })
    }
    if (state.stop === undefined)
      throw new EngineError('network', `${this.http.baseUrl} ended its answer before it was complete.`)
    if (state.calls.length > 0) yield { type: 'calls', calls: state.calls }
    yield { type: 'end', stop: state.stop, usage: state.usage() }
  }

  /** Needs an endpoint that echoes prompts with log-probabilities and takes token ids (vLLM does). */
  async score({ tokens, from, signal }: ScoreRequest): Promise<Float32Array> {
    if (!Number.isInteger(from) || from < 1 || from > tokens.length)
      throw new EngineError('bad-request', `Scoring must start between 1 and ${tokens.length}, not at ${from}.`)
    const body = {
      model: this.model.name,
      prompt: tokens,
      max_tokens: 1,
      echo: true,
      logprobs: 0,
      ...this.options.extra,
    }
    const response = await this.http.send('/completions', body, signal)
    const parsed = WireEcho.safeParse(await response.json().catch(() => undefined))
    const all = parsed.success ? parsed.data.choices[0]?.logprobs?.token_logprobs : undefined
    const wanted = all?.slice(from, tokens.length)
    if (wanted === undefined || wanted.length !== tokens.length - from || wanted.includes(null))
      throw new EngineError('endpoint', `${this.http.baseUrl} does not give the log-probabilities of a prompt.`)
    return Float32Array.from(wanted as number[])
  }

  async close(): Promise<void> {
    await this.http.close()
  }

  private body(request: GenerateRequest): object {
    const { sampling = {}, stopTexts = [], stopIds = [], tools = [], think } = request
    const given = {
      temperature: sampling.temperature,
      top_k: sampling.topK,
      top_p: sampling.topP,
      min_p: sampling.minP,
      seed: sampling.seed,
      repetition_penalty: sampling.repeatPenalty,
      presence_penalty: sampling.presencePenalty,
      frequency_penalty: sampling.frequencyPenalty,
      max_tokens: request.maxTokens,
      stop: stopTexts.length > 0 ? stopTexts : undefined,
      stop_token_ids: stopIds.length > 0 ? stopIds : undefined,
    }
    const chat = request.prompt === undefined
    return {
      model: this.model.name,
      stream: true,
      stream_options: { include_usage: true },
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      ...(chat
        ? {
            messages: toWireMessages(request.messages ?? []),
            ...(tools.length > 0 ? { tools: toWireTools(tools) } : {}),
            ...(think === undefined
              ? {}
              : { chat_template_kwargs: { enable_thinking: think !== false && think !== 0 } }),
            ...(request.logprobs === true ? { logprobs: true } : {}),
          }
        : { prompt: request.prompt, ...(request.logprobs === true ? { logprobs: 1 } : {}) }),
      ...this.options.extra,
    }
  }

  private chunk(data: string): WireChunk {
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch (error) {
      throw new EngineError('endpoint', `${this.http.baseUrl} sent an event that is not JSON: ${data.slice(0, 120)}`, {
        cause: error,
      })
    }
    const parsed = WireChunk.safeParse(value)
    if (!parsed.success)
      throw new EngineError('endpoint', `${this.http.baseUrl} sent an event of another form: ${data.slice(0, 120)}`)
    if (parsed.data.error !== undefined && parsed.data.error !== null)
      throw new EngineError('endpoint', `${this.http.baseUrl} failed while answering: ${saidBy(data)}`)
    return parsed.data
  }
}

/** What has been received of one answer. */
class StreamState {
  stop: StopReason | undefined
  private readonly open = new Map<number, OpenCall>()
  private reported: WireChunk['usage']
  private pieces = 0
  private reasoningPieces = 0
  private firstAt: number | undefined

  constructor(private readonly started: number) {}

  get calls(): readonly OpenCall[] {
    return [...this.open.entries()].sort(([a], [b]) => a - b).map(([, call]) => call)
  }

  *take(chunk: WireChunk, wantLogprobs: boolean): Generator<EngineEvent, void, void> {
    this.reported = chunk.usage ?? this.reported
    const choice = chunk.choices?.find((c) => (c.index ?? 0) === 0)
    if (choice === undefined) return
    const reasoning = choice.delta?.reasoning_content ?? choice.delta?.reasoning ?? ''
    if (reasoning !== '') {
      this.count()
      this.reasoningPieces++
      yield { type: 'reasoning', text: reasoning }
    }
    const text = choice.delta?.content ?? choice.text ?? ''
    if (text !== '') yield* this.tokens(text, wantLogprobs ? logprobsOf(choice.logprobs) : [])
    for (const delta of choice.delta?.tool_calls ?? []) this.call(delta)
    if (choice.finish_reason === 'length') this.stop = 'length'
    else if (typeof choice.finish_reason === 'string')
      this.stop = choice.stop_reason === undefined || choice.stop_reason === null ? 'end' : 'stop'
  }

  usage(): Usage {
    const now = performance.now()
    const { reported } = this
    return {
      promptTokens: reported?.prompt_tokens ?? 0,
      cachedTokens: reported?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: reported?.completion_tokens ?? this.pieces,
      reasoningTokens: reported?.completion_tokens_details?.reasoning_tokens ?? this.reasoningPieces,
      promptMs: (this.firstAt ?? now) - this.started,
      outputMs: this.firstAt === undefined ? 0 : now - this.firstAt,
    }
  }

  /** One event per token where the endpoint tells the tokens and they make up the text; else one for the text. */
  private *tokens(text: string, logprobs: readonly { token: string; logprob: number }[]): Generator<EngineEvent> {
    if (logprobs.length > 0 && logprobs.map((entry) => entry.token).join('') === text) {
      for (const { token, logprob } of logprobs) {
        this.count()
        yield { type: 'token', text: token, logprob }
      }
      return
    }
    this.count()
    const only = logprobs.length === 1 ? logprobs[0] : undefined
    yield { type: 'token', text, ...(only === undefined ? {} : { logprob: only.logprob }) }
  }

  private call(delta: WireCallDelta): void {
    this.count()
    // Some endpoints send whole calls without an index: a new id then begins a new call.
    const index = delta.index ?? (delta.id ? this.open.size : Math.max(0, this.open.size - 1))
    const call = this.open.get(index) ?? { id: '', name: '', arguments: '' }
    call.id ||= delta.id ?? ''
    call.name += delta.function?.name ?? ''
    call.arguments += delta.function?.arguments ?? ''
    this.open.set(index, call)
  }

  private count(): void {
    this.firstAt ??= performance.now()
    this.pieces++
  }
}

function logprobsOf(
  logprobs: NonNullable<WireChunk['choices']>[number]['logprobs'],
): { token: string; logprob: number }[] {
  if (logprobs?.content) return logprobs.content
  return (logprobs?.tokens ?? []).flatMap((token, i) => {
    const logprob = logprobs?.token_logprobs?.[i]
    return typeof logprob === 'number' ? [{ token, logprob }] : []
  })
}

async function listModels(http: HttpClient, needed: boolean) {
  try {
    const response = await http.send('/models', undefined)
    const parsed = WireModels.safeParse(await response.json())
    if (parsed.success) return parsed.data.data
    if (needed) throw new EngineError('endpoint', `${http.baseUrl}/models is not a list of models.`)
  } catch (error) {
    // The list only adds the context length when the model is named; an endpoint may well not have it.
    if (needed || (error instanceof EngineError && error.code === 'unauthorized')) throw error
  }
  return []
}
