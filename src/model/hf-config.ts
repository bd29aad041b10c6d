import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConversionError } from './conversion-error.js'

const count = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1)
const tokenId = z.union([z.number().int(), z.array(z.number().int()), z.null()]).optional()

const qwen35Schema = z.object({
  vocab_size: count,
  hidden_size: count,
  intermediate_size: count,
  num_hidden_layers: count.max(10_000),
  num_attention_heads: count,
  num_key_value_heads: count,
  head_dim: count,
  rms_norm_eps: z.number(),
  max_position_embeddings: count,
  tie_word_embeddings: z.boolean().default(false),
  layer_types: z.array(z.string()).optional(),
  full_attention_interval: count.optional(),
  linear_conv_kernel_dim: count,
  linear_key_head_dim: count,
  linear_value_head_dim: count,
  linear_num_key_heads: count,
  linear_num_value_heads: count,
  rope_parameters: z
    .object({
      rope_theta: z.number().default(10_000_000),
      partial_rotary_factor: z.number().default(0.25),
      mrope_section: z.array(z.number().int()).max(4).optional(),
      rope_type: z.string().default('default'),
    })
    .prefault({}),
  bos_token_id: tokenId,
  eos_token_id: tokenId,
  pad_token_id: tokenId,
})

/** The part of a Qwen3.5 `config.json` that defines the text model; names as transformers writes them. */
export type Qwen35Config = z.infer<typeof qwen35Schema> & {
  /** Every n-th layer has full attention, the others linear attention. */
  readonly interval: number
}

const architectures = new Set(['Qwen3_5ForCausalLM', 'Qwen3_5ForConditionalGeneration'])

/**
 * Reads a Qwen3.5 `config.json`; of the multimodal form the text part.
 * @throws ConversionError `config` or `unsupported`.
 */
export async function readQwen35Config(folder: string): Promise<Qwen35Config> {
  const path = join(folder, 'config.json')
  const file = await readJsonObject(path)
  const names = z.array(z.string()).catch([]).parse(file.architectures)
  if (!names.some((name) => architectures.has(name))) {
    const known = [...architectures].join(' or ')
    throw new ConversionError(
      'unsupported',
      path,
      `architecture ${names.join(', ') || '(none named)'}; ${known} can be converted`,
    )
  }
  const text = z.record(z.string(), z.unknown()).safeParse(file.text_config)
  const parsed = qwen35Schema.safeParse(text.success ? { ...file, ...text.data } : file)
  if (!parsed.success) throw new ConversionError('config', path, z.prettifyError(parsed.error))
  const config = parsed.data
  if (config.rope_parameters.rope_type !== 'default') {
    throw new ConversionError('unsupported', path, `rope type ${config.rope_parameters.rope_type}`)
  }
  if (config.linear_key_head_dim !== config.linear_value_head_dim) {
    throw new ConversionError('unsupported', path, 'llama.cpp needs linear_key_head_dim = linear_value_head_dim')
  }
  if (config.linear_num_value_heads % config.linear_num_key_heads !== 0) {
    throw new ConversionError('config', path, 'linear_num_value_heads is no multiple of linear_num_key_heads')
  }
  return { ...config, interval: intervalOf(path, config) }
}

function intervalOf(path: string, config: z.infer<typeof qwen35Schema>): number {
  const { layer_types: types, full_attention_interval: stated } = config
  if (types === undefined) return stated ?? 4
  const first = types.indexOf('full_attention') + 1
  const interval = stated ?? (first > 0 ? first : 4)
  const regular = types.every((type, i) => type === ((i + 1) % interval === 0 ? 'full_attention' : 'linear_attention'))
  if (!regular || types.length !== config.num_hidden_layers) {
    throw new ConversionError(
      'unsupported',
      path,
      `layer_types do not put full attention on every ${interval}th of the layers`,
    )
  }
  return interval
}

/** Reads a file that holds one JSON object. @throws ConversionError `config`. */
export async function readJsonObject(path: string): Promise<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new ConversionError(
      'config',
      path,
      `cannot be read as JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value)
  if (!parsed.success) throw new ConversionError('config', path, 'is no JSON object')
  return parsed.data
}

/** As `readJsonObject`, or an empty object when the file does not exist. */
export async function readOptionalJsonObject(path: string): Promise<Record<string, unknown>> {
  const exists = await readFile(path).then(
    () => true,
    () => false,
  )
  return exists ? await readJsonObject(path) : {}
}
