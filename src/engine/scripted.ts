import type { AssistantMessage } from '../chat/types.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo, ScoreRequest, StopReason } from './contract.js'
import { EngineError } from './errors.js'
import { TextStream } from './llama/text-stream.js'

/** What the scripted model says in one turn: raw model text, a finished message, or a failure. */
export type ScriptedTurn = string | AssistantMessage | Error

/** How a scripted engine behaves. */
export interface ScriptedOptions {
  /** Turns in order; a function is asked with each request and its number (from 0). */
  readonly turns: readonly ScriptedTurn[] | ((request: GenerateRequest, index: number) => ScriptedTurn)
  /** Replaces parts of the model information (default: dialect qwen3.5, 32,768 tokens, no template). */
  readonly model?: Partial<ModelInfo>
  /** Pause before each token in milliseconds, for tests of aborts. Default 0. */
  readonly delayMs?: number
}

/**
 * An engine that says what it was given. Raw text comes as token events (a word with its leading white space is a token,
 * `<…>` tags are tokens of their own) and is to be parsed like a model's; a message comes the way an endpoint that parses
 * by itself reports it (`reasoning`, tokens, `calls`). Keeps every request in `requests`.
 */
export class ScriptedEngine implements Engine {
  readonly model: ModelInfo
  /** All requests so far, the oldest first. */
  readonly requests: GenerateRequest[] = []
  private readonly words: string[] = []
  private readonly ids = new Map<string, number>()
  private closed = false

  constructor(private readonly options: ScriptedOptions) {
    this.model = { name: 'scripted', contextLength: 32_768, dialect: 'qwen3.5', ...options.model }
  }

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    if (this.closed) throw new EngineError('closed', 'The engine was closed.')
    const index = this.requests.push(request) - 1
    const turn = this.turn(request, index)
    if (turn instanceof Error) throw turn
    const promptTokens = this.count(request)
    let outputTokens = 0
    const end = (stop: StopReason): EngineEvent => ({
      type: 'end',
      stop,
      usage: { promptTokens, cachedTokens: 0, outputTokens, reasoningTokens: 0, promptMs: 0, outputMs: 0 },
    })
    const message = typeof turn === 'string' ? undefined : turn
    if (message?.reasoning !== undefined) yield { type: 'reasoning', text: message.reasoning }
    const stream = new TextStream((ids) => ids.map((id) => this.words[id] ?? '').join(''), request.stopTexts ?? [])
    for (const id of this.encode(message === undefined ? (turn as string) : message.content)) {
      if ((this.options.delayMs ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, this.options.delayMs))
      if (request.signal?.aborted === true) return yield end('abort')
      outputTokens++
      if (request.stopIds?.includes(id) === true) return yield end('stop')
      const { text, stopped } = stream.push(id)
      yield { type: 'token', text, id, ...(request.logprobs === true ? { logprob: this.uniform() } : {}) }
      if (stopped) return yield end('stop')
      if (outputTokens >= (request.maxTokens ?? Number.POSITIVE_INFINITY))
        return yield* this.rest(stream, end('length'))
    }
    if (message !== undefined && message.toolCalls.length > 0)
      yield {
        type: 'calls',
        calls: message.toolCalls.map((call) => ({
          id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
        })),
      }
    yield* this.rest(stream, end('end'))
  }

  /** Every token is as likely as any other that was seen so far. */
  async score(request: ScoreRequest): Promise<Float32Array> {
    return new Float32Array(request.tokens.length - request.from).fill(this.uniform())
  }

  async tokenize(text: string): Promise<number[]> {
    return this.encode(text)
  }

  async close(): Promise<void> {
    this.closed = true
  }

  private *rest(stream: TextStream, end: EngineEvent): Generator<EngineEvent, void, void> {
    const text = stream.flush()
    if (text !== '') yield { type: 'token', text }
    yield end
  }

  private turn(request: GenerateRequest, index: number): ScriptedTurn {
    const { turns } = this.options
    const turn = typeof turns === 'function' ? turns(request, index) : turns[index]
    if (turn === undefined)
      throw new EngineError('bad-request', `The script has ${turns.length} turns; request ${index + 1} has none.`)
    return turn
  }

  private encode(text: string): number[] {
    return (text.match(/<[^<>\s]*>|\s*[^\s<]+|\s+|</g) ?? []).map((word) => {
      const known = this.ids.get(word)
      if (known !== undefined) return known
      const id = this.words.push(word) - 1
      this.ids.set(word, id)
      return id
    })
  }

  private count(request: GenerateRequest): number {
    const { prompt } = request
    if (typeof prompt === 'string') return this.encode(prompt).length
    if (prompt !== undefined) return prompt.length
    return this.encode((request.messages ?? []).map((message) => message.content).join('\n')).length
  }

  private uniform(): number {
    return -Math.log(Math.max(1, this.words.length))
  }
}
