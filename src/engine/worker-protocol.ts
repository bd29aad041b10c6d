import { z } from 'zod'

/** Several token sequences in one packed array (trainer/PROTOCOL.md, "Batch"); T tokens in all. */
export interface WorkerBatch {
  /** Token ids, T. */
  readonly tokens: Int32Array
  /** Which sequence each token belongs to, T; each sequence is one contiguous run. */
  readonly sequenceIds: Int32Array
  /** Position of each token in its sequence, T; default from 0. */
  readonly positions?: Int32Array
  /** Weight of predicting each token from those before it, T. */
  readonly weights?: Float32Array
  /** Advantage of each token, T; policy losses only. */
  readonly advantages?: Float32Array
  /** Natural-log probability under the policy that sampled, T; policy losses only. */
  readonly oldLogprobs?: Float32Array
}

/** A model to hold in the worker: exactly one of `checkpoint` and `config`. */
export interface CreateModel {
  readonly id: string
  /** Hugging Face folder, or one that {@link SaveModel} wrote. */
  readonly checkpoint?: string
  /** Content of a config.json with `model_type`; weights are drawn from `seed`. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly seed?: number
  readonly dtype?: 'float32' | 'bfloat16'
  readonly train?: 'full' | 'lora' | 'none'
  readonly lora?: {
    readonly rank: number
    readonly alpha: number
    readonly dropout?: number
    readonly targets?: readonly string[]
    readonly seed?: number
  }
  /** Folder of adapter weights (PEFT format) to start from. */
  readonly adapter?: string
  /** `auto` uses the hand-written CPU kernels where the architecture has them. */
  readonly kernels?: 'auto' | 'reference'
}

/** What is summed, times each token's weight. */
export type WorkerLoss =
  | { readonly name: 'cross_entropy' }
  | { readonly name: 'importance_sampling' }
  | { readonly name: 'ppo'; readonly clipLow?: number; readonly clipHigh?: number }
  | { readonly name: 'reverse_kl'; readonly teacher: string }

/** One addition to the gradient of Σ weights · loss / divisor. */
export interface ForwardBackward {
  readonly model: string
  readonly batch: WorkerBatch
  readonly loss: WorkerLoss
  /** The same number for every part of one accumulated step. */
  readonly divisor: number
  readonly logprobs?: boolean
}

/** One AdamW step. */
export interface OptimStep {
  readonly model: string
  readonly lr: number
  readonly beta1?: number
  readonly beta2?: number
  readonly eps?: number
  readonly weightDecay?: number
  /** Absent or 0: no clipping. */
  readonly maxGradNorm?: number
}

/** Batched sampling. */
export interface SampleRequest {
  readonly model: string
  /** P prompts, one after another. */
  readonly prompts: { readonly tokens: Int32Array; readonly lengths: Int32Array }
  /** Samples of each prompt. */
  readonly n?: number
  readonly maxTokens: number
  /** 0 is greedy. */
  readonly temperature?: number
  readonly topK?: number
  readonly topP?: number
  readonly minP?: number
  readonly seed?: number
  readonly stopIds?: readonly number[]
}

/** Where and how a model is written. */
export interface SaveModel {
  readonly model: string
  readonly path: string
  readonly weights?: 'float32' | 'bfloat16'
  /** Also what a resumed run needs: optimizer, step, random state. */
  readonly state?: boolean
  /** LoRA: write the merged full weights. */
  readonly merge?: boolean
  /** Small files of the client, placed in the same folder before it appears. */
  readonly files?: Readonly<Record<string, Uint8Array>>
  readonly overwrite?: boolean
}

const int32 = z.instanceof(Uint8Array).transform((bytes) => new Int32Array(copied(bytes)))
const float32 = z.instanceof(Uint8Array).transform((bytes) => new Float32Array(copied(bytes)))
const count = z.number().int().nonnegative()

/** A copy that begins at an address fit for 4-byte elements. */
function copied(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.byteLength - (bytes.byteLength % 4))
  new Uint8Array(buffer).set(bytes.subarray(0, buffer.byteLength))
  return buffer
}

/** Description of a model in the worker. */
export const ModelDescription = z.object({
  id: z.string(),
  architecture: z.string(),
  parameters: count,
  trainable: count,
  vocabSize: count,
  contextLength: count,
  dtype: z.string(),
  train: z.string(),
  kernels: z.enum(['fast', 'reference']),
  step: count,
  config: z.record(z.string(), z.unknown()),
})
/** Description of a model in the worker. */
export type ModelDescription = z.infer<typeof ModelDescription>

/** Answer of `GET /v1/capabilities`. */
export const Capabilities = z.object({
  protocol: count,
  version: z.string(),
  device: z.string(),
  threads: count,
  losses: z.array(z.string()),
  dtypes: z.array(z.string()),
  fastArchitectures: z.array(z.string()),
  versions: z.record(z.string(), z.string()),
  models: z.array(ModelDescription),
})
/** Answer of `GET /v1/capabilities`. */
export type Capabilities = z.infer<typeof Capabilities>

/** Answer of `GET /v1/models`. */
export const ModelList = z.object({ models: z.array(ModelDescription) })

/** Answer of `/v1/forward`: natural-log probabilities, T; the first token of a sequence has 0. */
export const ForwardResult = z.object({
  logprobs: float32,
  topIds: int32.optional(),
  topLogprobs: float32.optional(),
})
/** Answer of `/v1/forward`. */
export type ForwardResult = z.infer<typeof ForwardResult>

/** Answer of `/v1/forward_backward`. */
export const ForwardBackwardResult = z.object({
  loss: z.number(),
  lossSum: z.number(),
  weightSum: z.number(),
  tokens: count,
  weighted: count,
  seconds: z.number(),
  logprobs: float32.optional(),
  metrics: z.record(z.string(), z.number()),
})
/** Answer of `/v1/forward_backward`. */
export type ForwardBackwardResult = z.infer<typeof ForwardBackwardResult>

/** Answer of `/v1/optim_step`: steps taken and the gradient's global norm before clipping. */
export const OptimStepResult = z.object({ step: count, gradNorm: z.number(), seconds: z.number() })
/** Answer of `/v1/optim_step`. */
export type OptimStepResult = z.infer<typeof OptimStepResult>

/** Answer of `/v1/sample`: P × n samples, one after another, in the order of the prompts. */
export const SampleResult = z.object({
  ids: int32,
  logprobs: float32,
  lengths: int32,
  stops: z.array(z.enum(['stop', 'length'])),
  seconds: z.number(),
})
/** Answer of `/v1/sample`. */
export type SampleResult = z.infer<typeof SampleResult>

/** Answer of `/v1/save`. */
export const SaveResult = z.object({ path: z.string(), step: count, bytes: count })
/** Answer of `/v1/save`. */
export type SaveResult = z.infer<typeof SaveResult>

/** Answer of `/v1/load`. */
export const LoadResult = z.object({ step: count })

/** Body of every refusal. */
export const ErrorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), where: z.string(), help: z.string() }),
})

/** Answer without content. */
export const Empty = z.object({})
