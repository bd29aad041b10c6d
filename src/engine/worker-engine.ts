import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ChatTemplate, render } from '../chat/index.js'
import { readTokenizerJson, type Tokenizer } from '../model/index.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo, ScoreRequest, StopReason } from './contract.js'
import { EngineError } from './errors.js'
import { WorkerClient, type WorkerOptions } from './worker-client.js'

/** What closes a think block that used up its budget. */
const THINK_CLOSE = '\n</think>\n\n'

const MODEL = 'engine'

/** A model that a running worker holds already. */
export interface HeldModel {
  readonly client: WorkerClient
  /** Id of the model in the worker. */
  readonly id: string
  readonly tokenizer: Tokenizer
  readonly template: ChatTemplate
  readonly contextLength: number
  readonly name?: string
}

/**
 * The training worker as an engine, so that a checkpoint can be evaluated before it is exported. Made for correctness,
 * not for speed: a generation is one request, its tokens come when all are there. No grammar and no penalties.
 */
export class WorkerEngine implements Engine {
  readonly model: ModelInfo
  #owned = false
  #closed = false
  readonly #endId: number | undefined
  readonly #closeId: number | undefined

  private constructor(private readonly held: HeldModel) {
    const { template, tokenizer, contextLength } = held
    this.#endId = tokenizer.idOf(template.shape.endToken)
    this.#closeId = tokenizer.idOf('</think>')
    this.model = {
      name: held.name ?? held.id,
      contextLength,
      dialect: template.dialect,
      chatTemplate: template.source,
    }
  }

  /** An engine over a model that is in the worker already; closing it leaves the worker alone. */
  static over(held: HeldModel): WorkerEngine {
    return new WorkerEngine(held)
  }

  /**
   * Starts a worker for a checkpoint folder that holds `tokenizer.json` and `chat_template.jinja`, as the SFT stage
   * writes it. Closing the engine ends the worker.
   */
  static async load(folder: string, options: WorkerOptions = {}): Promise<WorkerEngine> {
    const tokenizer = await readTokenizerJson(join(folder, 'tokenizer.json'))
    const template = new ChatTemplate(await readFile(join(folder, 'chat_template.jinja'), 'utf8'))
    const client = await WorkerClient.start(options)
    try {
      const { contextLength } = await client.createModel({ id: MODEL, checkpoint: folder, train: 'none' })
      const engine = new WorkerEngine({ client, id: MODEL, tokenizer, template, contextLength, name: folder })
      engine.#owned = true
      return engine
    } catch (error) {
      await client.close()
      throw error
    }
  }

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    if (this.#closed) throw new EngineError('closed', 'The engine was closed.')
    if (request.grammar !== undefined) throw new EngineError('bad-request', 'The training worker knows no grammars.')
    const { presencePenalty, frequencyPenalty, repeatPenalty } = request.sampling ?? {}
    if (presencePenalty || frequencyPenalty || (repeatPenalty ?? 1) !== 1) {
      throw new EngineError('bad-request', 'The training worker knows no penalties.')
    }
    request.signal?.throwIfAborted()
    const prompt = this.#promptOf(request)
    const room = this.model.contextLength - prompt.length
    if (room < 1)
      throw new EngineError(
        'context-full',
        `The prompt has ${prompt.length} tokens, the context ${this.model.contextLength}.`,
      )
    const started = performance.now()
    const limit = Math.min(request.maxTokens ?? room, room)
    const written = await this.#sample(request, prompt, limit)
    const pieces = this.#textsOf(written.ids)
    const whole = pieces.join('')
    const cuts = (request.stopTexts ?? []).map((end) => whole.indexOf(end)).filter((at) => at >= 0)
    const cut = cuts.length === 0 ? undefined : Math.min(...cuts)
    let reasoning = 0
    let at = 0
    let open = endsOpen(this.held.tokenizer.decode(prompt.slice(-16)))
    for (const [i, id] of written.ids.entries()) {
      if (cut !== undefined && at >= cut) break
      if (open) reasoning++
      if (id === this.#closeId) open = false
      const piece = pieces[i] ?? ''
      at += piece.length
      const logprob = written.logprobs[i]
      yield {
        type: 'token',
        text: cut !== undefined && at > cut ? piece.slice(0, piece.length - (at - cut)) : piece,
        id,
        ...(request.logprobs && logprob !== undefined ? { logprob } : {}),
        ...(written.forced.has(i) ? { forced: true } : {}),
      }
    }
    const usage = {
      promptTokens: prompt.length,
      cachedTokens: 0,
      outputTokens: written.ids.length,
      reasoningTokens: reasoning,
      promptMs: 0,
      outputMs: performance.now() - started,
    }
    yield { type: 'end', stop: cut === undefined ? written.stop : 'stop', usage }
  }

  async score(request: ScoreRequest): Promise<Float32Array> {
    const { tokens, from } = request
    if (!Number.isInteger(from) || from < 1 || from > tokens.length) {
      throw new EngineError('bad-request', `Scoring must start between 1 and ${tokens.length}, not at ${from}.`)
    }
    request.signal?.throwIfAborted()
    const batch = { tokens: Int32Array.from(tokens), sequenceIds: new Int32Array(tokens.length) }
    return (await this.held.client.forward(this.held.id, batch)).logprobs.slice(from)
  }

  async tokenize(text: string, special = false): Promise<number[]> {
    return this.held.tokenizer.encode(text, { control: special })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#owned) await this.held.client.close()
  }

  /** Text that becomes certain with each token; a character may need several. */
  #textsOf(ids: readonly number[]): string[] {
    const decoder = new TextDecoder()
    return ids.map((id) => {
      // The embedding may have rows beyond the vocabulary, for alignment; they say nothing.
      const bytes = id < this.held.tokenizer.size ? this.held.tokenizer.tokenBytes(id) : new Uint8Array(0)
      return decoder.decode(bytes, { stream: true })
    })
  }

  #promptOf(request: GenerateRequest): number[] {
    const { prompt, messages, tools, think } = request
    if (prompt !== undefined) {
      return typeof prompt === 'string' ? this.held.tokenizer.encode(prompt) : [...prompt]
    }
    if (messages === undefined) throw new EngineError('bad-request', 'Give messages or a prompt.')
    return this.held.tokenizer.encode(render(this.held.template, { messages, tools, think }).text)
  }

  /** One request to the worker, or two when the first stays in the think block beyond its budget. */
  async #sample(request: GenerateRequest, prompt: readonly number[], limit: number): Promise<Written> {
    const budget = typeof request.think === 'number' && request.think > 0 ? request.think : undefined
    if (budget === undefined || budget >= limit) return await this.#once(request, prompt, limit, [])
    const close = this.#closeId === undefined ? [] : [this.#closeId]
    const thought = await this.#once(request, prompt, budget, close)
    const closed = thought.ids.at(-1) === this.#closeId
    const forced = closed ? [] : this.held.tokenizer.encode(THINK_CLOSE)
    if (!closed && thought.stop !== 'length') return thought
    const before = [...thought.ids, ...forced]
    if (before.length >= limit) return { ...thought, stop: 'length' }
    const rest = await this.#once(request, [...prompt, ...before], limit - before.length, [])
    return {
      ids: [...before, ...rest.ids],
      logprobs: [...thought.logprobs, ...forced.map(() => undefined), ...rest.logprobs],
      forced: new Set(forced.map((_, i) => thought.ids.length + i)),
      stop: rest.stop,
    }
  }

  async #once(
    request: GenerateRequest,
    prompt: readonly number[],
    maxTokens: number,
    also: readonly number[],
  ): Promise<Written> {
    const { temperature = 0, topK, topP, minP, seed } = request.sampling ?? {}
    const stopIds = [...(this.#endId === undefined ? [] : [this.#endId]), ...(request.stopIds ?? []), ...also]
    const result = await this.held.client.sample({
      model: this.held.id,
      prompts: { tokens: Int32Array.from(prompt), lengths: Int32Array.of(prompt.length) },
      maxTokens,
      temperature,
      stopIds,
      seed: seed ?? Math.floor(Math.random() * 0x7fffffff),
      ...(topK === undefined ? {} : { topK }),
      ...(topP === undefined ? {} : { topP }),
      ...(minP === undefined ? {} : { minP }),
    })
    const ids = [...result.ids]
    const logprobs = [...result.logprobs]
    const last = ids.at(-1)
    const shown = last !== undefined && also.includes(last)
    if (result.stops[0] === 'length' || shown) {
      return { ids, logprobs, forced: new Set(), stop: result.stops[0] === 'length' ? 'length' : 'stop' }
    }
    // A token that ends the turn is no text.
    return {
      ids: ids.slice(0, -1),
      logprobs: logprobs.slice(0, -1),
      forced: new Set(),
      stop: last === this.#endId ? 'end' : 'stop',
    }
  }
}

interface Written {
  readonly ids: readonly number[]
  readonly logprobs: readonly (number | undefined)[]
  /** Indices of tokens that were appended without sampling. */
  readonly forced: ReadonlySet<number>
  readonly stop: StopReason
}

function endsOpen(prompt: string): boolean {
  return prompt.trimEnd().endsWith('<think>')
}
