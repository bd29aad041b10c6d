import type { CallGrammar, EngineEvent, Sampling } from '../contract.js'
import type { EngineErrorCode } from '../errors.js'

/** What the native process needs to know to load a model. */
export interface LoadOptions {
  /** Path of the GGUF file. */
  readonly gguf: string
  /** LoRA adapters in GGUF form, applied on top. */
  readonly lora: readonly { readonly file: string; readonly scale: number }[]
  /** Tokens that one sequence can hold; 0 takes the model's own, at most 8,192. */
  readonly contextLength: number
  /** Requests that run at the same time, each with a context of its own. */
  readonly parallel: number
  readonly threads: number
  /** Keep to that number even where other programs hold the cores. */
  readonly fixedThreads: boolean
  /** Tokens evaluated in one native call; an abort waits for at most one such call. */
  readonly batch: number
  /** Precision of cached keys and values. */
  readonly cachePrecision: 'f16' | 'f32'
  /** `auto` takes a GPU build where one is installed and works. */
  readonly gpu: 'auto' | 'off'
  /** Folder for states kept across runs; absent: nothing is written. */
  readonly cacheFolder?: string
  readonly cacheBytes: number
}

/** A generation as it crosses to the native process: text is rendered, options are plain data. */
export interface WireRequest {
  readonly prompt: string | readonly number[]
  readonly sharedPrefix?: string
  readonly sampling: Sampling
  readonly maxTokens?: number
  /** Most tokens inside the think block; absent: no limit. */
  readonly thinkBudget?: number
  readonly grammar?: CallGrammar
  readonly stopIds: readonly number[]
  readonly stopTexts: readonly string[]
  readonly logprobs: boolean
  readonly cacheKey?: string
}

/** From the engine to the native process. */
export type ToChild =
  | { readonly type: 'load'; readonly options: LoadOptions }
  | { readonly type: 'generate'; readonly id: number; readonly request: WireRequest }
  | { readonly type: 'score'; readonly id: number; readonly tokens: readonly number[]; readonly from: number }
  | { readonly type: 'tokenize'; readonly id: number; readonly text: string; readonly special: boolean }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'close' }

/** What the native process learned from the model file. */
export interface LoadedModel {
  readonly name: string
  readonly architecture: string
  readonly contextLength: number
  readonly chatTemplate?: string
  readonly bosText?: string
  readonly eosText?: string
  readonly vocabularyHash: string
  /** `cpu`, `cuda`, `vulkan` or `metal`. */
  readonly device: string
}

/** From the native process to the engine. */
export type FromChild =
  | { readonly type: 'loaded'; readonly model: LoadedModel }
  | { readonly type: 'failed'; readonly id?: number; readonly code: EngineErrorCode; readonly message: string }
  | { readonly type: 'event'; readonly id: number; readonly event: EngineEvent }
  | { readonly type: 'scored'; readonly id: number; readonly logprobs: Float32Array }
  | { readonly type: 'tokens'; readonly id: number; readonly tokens: readonly number[] }
