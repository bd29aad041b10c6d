import type { Dialect, Message, ToolSpec } from '../chat/types.js'

/** What an engine knows about its loaded model. */
export interface ModelInfo {
  readonly name: string
  /** Path of the weights, absent for remote engines. */
  readonly file?: string
  /** Context length in tokens. */
  readonly contextLength: number
  readonly dialect: Dialect
  /** Jinja source of the chat template; absent when the endpoint renders by itself. */
  readonly chatTemplate?: string
  /** SHA-256 (hex) over the vocabulary, absent for remote engines. */
  readonly vocabularyHash?: string
}

/** How the next token is chosen. Temperature 0 is greedy. */
export interface Sampling {
  readonly temperature?: number
  readonly topK?: number
  readonly topP?: number
  readonly minP?: number
  /** Same seed, same request, same engine build: same tokens. */
  readonly seed?: number
  readonly repeatPenalty?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
}

/**
 * Constrains what follows the dialect's call opening.
 *
 * The engine reads the grammar itself as well, so text that only one continuation can follow needs no extra member:
 * it is found in the grammar, appended as a prompt batch and emitted as `forced` tokens.
 */
export interface CallGrammar {
  /**
   * GBNF text (llama.cpp's grammar format) with a rule named `root`. An unquoted `</tool_call>` (GBNF's own way to name a
   * token by its text) stands for that token where the vocabulary has it as one, and for its literal characters
   * otherwise, so one grammar serves every vocabulary. Where `trigger` is given, `root` describes what follows the
   * trigger up to and including the close of one call; when it is complete the generation is free again and the next
   * trigger starts it anew.
   */
  readonly gbnf: string
  /** Literal text at whose generation the grammar starts, e.g. `<tool_call>`. Absent: the grammar binds from the first token. */
  readonly trigger?: string
  /**
   * Natural logarithms of weights by the text that a call begins with (up to and with what ends the tool's name). The engine
   * chooses among these beginnings by the model's probability times the weight. An engine that cannot leaves them out.
   */
  readonly weights?: { readonly [beginning: string]: number }
}

/** One generation. Either messages (rendered by the model's template) or a ready prompt. */
export interface GenerateRequest {
  readonly messages?: readonly Message[]
  readonly tools?: readonly ToolSpec[]
  /** Rendered text with control tokens, or token ids; takes the place of `messages`. */
  readonly prompt?: string | readonly number[]
  /** Thinking off, on, or on with a budget of so many tokens (then it is closed by force). Default: the model's own default. */
  readonly think?: boolean | number
  readonly sampling?: Sampling
  /** Most tokens to generate. */
  readonly maxTokens?: number
  readonly grammar?: CallGrammar
  /** Additional token ids that end the generation. */
  readonly stopIds?: readonly number[]
  /** Texts that end the generation; the text itself is not emitted. */
  readonly stopTexts?: readonly string[]
  /** Ask for the log-probability of each generated token (slower). */
  readonly logprobs?: boolean
  /**
   * Leading part of a `prompt` given as text that other requests share (system text and tools). It is evaluated up to
   * its end first, so that its state can be kept in memory and on disk. Found by the engine itself for `messages`.
   */
  readonly sharedPrefix?: string
  /** Key of a conversation whose cached prefix may be reused; requests with one key are serialised. */
  readonly cacheKey?: string
  readonly signal?: AbortSignal
}

/** Why a generation ended: end-of-turn token, token limit, stop text or id, or the caller's signal. */
export type StopReason = 'end' | 'length' | 'stop' | 'abort'

/** Token accounting of one generation. */
export interface Usage {
  readonly promptTokens: number
  /** Of these, how many came from a cache and were not evaluated again. */
  readonly cachedTokens: number
  readonly outputTokens: number
  /** Of these, tokens inside the think block. */
  readonly reasoningTokens: number
  readonly promptMs: number
  readonly outputMs: number
}

/** What a generation yields, in order: tokens, then one `end`. */
export type EngineEvent =
  | {
      readonly type: 'token'
      /** Text that became certain with this token; may be empty while a multi-byte character is incomplete. */
      readonly text: string
      /** Token id; absent for remote engines that do not tell. */
      readonly id?: number
      /** Natural-log probability, present when asked for. */
      readonly logprob?: number
      /** True for text that the grammar forced and that was appended without sampling. */
      readonly forced?: boolean
    }
  | {
      readonly type: 'calls'
      /** Structured calls of engines that parse by themselves (OpenAI-compatible endpoints, scripted). Arguments as JSON text. */
      readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
    }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'end'; readonly stop: StopReason; readonly usage: Usage }

/** Log-probabilities of given tokens after a given prefix. */
export interface ScoreRequest {
  /** Token ids of the whole sequence. */
  readonly tokens: readonly number[]
  /** Index of the first token to score; at least 1. */
  readonly from: number
  readonly signal?: AbortSignal
}

/** A loaded model that can write and score text. Implementations: llama.cpp in a child process, OpenAI-compatible endpoint, scripted. */
export interface Engine {
  readonly model: ModelInfo
  /** Streams one generation. Throws typed errors before the first event only; later failures end the iteration with a throw. */
  generate(request: GenerateRequest): AsyncIterable<EngineEvent>
  /** Natural-log probability of each token from `from` on: Float32Array[T − from]. */
  score(request: ScoreRequest): Promise<Float32Array>
  /** Token ids of a text; control tokens in the text are recognised when `special` is true. Absent for remote engines. */
  tokenize?(text: string, special?: boolean): Promise<number[]>
  close(): Promise<void>
}
