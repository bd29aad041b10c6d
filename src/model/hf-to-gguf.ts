import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { Checkpoint } from './checkpoint.js'
import { FILE_TYPE_NUMBER, GGML_TYPES, type GgmlType, type GgufValue } from './gguf-format.js'
import { vocabularyMetadata } from './gguf-vocabulary.js'
import { writeGguf } from './gguf-writer.js'
import { type Qwen35Config, readOptionalJsonObject, readQwen35Config } from './hf-config.js'
import type { WritableType } from './quantize-tensor.js'
import { planQwen35 } from './qwen35-tensors.js'
import { planToGguf, type TensorPlan } from './tensor-plan.js'
import type { Tokenizer } from './tokenizer.js'
import { readTokenizerJson } from './tokenizer-json.js'

/** How to convert. */
export interface ConvertOptions {
  /** Type of the matrices (default BF16); vectors, norms and convolutions stay F32. */
  readonly dtype?: WritableType
  /** Jinja text that takes the place of the folder's own chat template. */
  readonly chatTemplate?: string
  /** `general.name` (default: the folder's name). */
  readonly name?: string
  /** Further metadata, such as `general.license`, added after the name. */
  readonly metadata?: Iterable<readonly [key: string, value: GgufValue]>
}

/**
 * Converts a folder saved by transformers (config.json, safetensors, tokenizer.json) to one GGUF file as llama.cpp's own converter
 * writes it. Architecture: Qwen3.5 (text). Tensors are streamed; the file appears when it is complete.
 *
 * @throws ConversionError, SafetensorsError, TokenizerError or GgufError, by what is wrong.
 */
export async function convertHfToGguf(folder: string, out: string, options: ConvertOptions = {}): Promise<void> {
  const config = await readQwen35Config(folder)
  const tokenizer = await readTokenizerJson(join(folder, 'tokenizer.json'))
  const checkpoint = await Checkpoint.open(folder)
  try {
    const plans = planQwen35(
      folder,
      config,
      checkpoint.names.map((name) => checkpoint.tensor(name)),
    )
    const dtype = options.dtype ?? 'BF16'
    await writeGguf(out, {
      metadata: [
        ...generalMetadata(folder, plans, await samplingMetadata(folder), options),
        ...modelMetadata(config, dtype),
        ['general.quantization_version', { type: 'u32', value: 2 }],
        ...vocabularyMetadata(folder, tokenizer.spec, config.vocab_size),
        ...(await roleMetadata(folder, config, tokenizer)),
        ...(await templateMetadata(folder, options.chatTemplate)),
      ],
      tensors: plans.map((plan) => planToGguf(plan, typeOf(plan, dtype), checkpoint)),
    })
  } finally {
    await checkpoint.close()
  }
}

/**
 * Type of a tensor in a file made mostly of `dtype`: vectors, norms and convolutions stay F32, and rows that are no whole blocks
 * fall back to F16.
 */
export function storedType(name: string, vector: boolean, columns: number, dtype: WritableType): WritableType {
  if (vector || name.endsWith('_norm.weight') || name.endsWith('ssm_conv1d.weight')) return 'F32'
  return columns % GGML_TYPES[dtype as GgmlType].blockElements === 0 ? dtype : 'F16'
}

function typeOf(plan: TensorPlan, dtype: WritableType): WritableType {
  return storedType(plan.target, plan.vector, plan.columns, dtype)
}

function generalMetadata(
  folder: string,
  plans: readonly TensorPlan[],
  sampling: readonly (readonly [string, GgufValue])[],
  options: ConvertOptions,
): (readonly [string, GgufValue])[] {
  const parameters = plans.reduce((sum, { rows, columns }) => sum + rows * columns, 0)
  return [
    ['general.architecture', { type: 'string', value: 'qwen35' }],
    ['general.type', { type: 'string', value: 'model' }],
    ...sampling,
    ['general.name', { type: 'string', value: options.name ?? basename(resolve(folder)) }],
    ['general.size_label', { type: 'string', value: sizeLabel(parameters) }],
    ...(options.metadata ?? []),
  ]
}

/** A parameter count in words, as llama.cpp writes `general.size_label`: 406K, 8.3M, 1.7B. */
export function sizeLabel(parameters: number): string {
  const [unit, suffix] =
    parameters > 1e12 ? [1e12, 'T'] : parameters > 1e9 ? [1e9, 'B'] : parameters > 1e6 ? [1e6, 'M'] : [1e3, 'K']
  const scaled = parameters / (unit as number)
  const whole = Math.round(scaled)
  const digits = Math.max(2 - (whole === 0 ? 0 : String(whole).length), 0)
  return `${scaled.toFixed(digits)}${suffix}`
}

function modelMetadata(config: Qwen35Config, dtype: WritableType): [string, GgufValue][] {
  const u32 = (key: string, value: number): [string, GgufValue] => [`qwen35.${key}`, { type: 'u32', value }]
  const f32 = (key: string, value: number): [string, GgufValue] => [`qwen35.${key}`, { type: 'f32', value }]
  const { mrope_section: given, rope_theta: base, partial_rotary_factor: part } = config.rope_parameters
  const sections: [string, GgufValue] = [
    'qwen35.rope.dimension_sections',
    { type: 'array', of: 'i32', items: given === undefined ? [11, 11, 10, 0] : [...given, 0, 0, 0, 0].slice(0, 4) },
  ]
  return [
    u32('block_count', config.num_hidden_layers),
    u32('context_length', config.max_position_embeddings),
    u32('embedding_length', config.hidden_size),
    u32('feed_forward_length', config.intermediate_size),
    u32('attention.head_count', config.num_attention_heads),
    u32('attention.head_count_kv', config.num_key_value_heads),
    ...(given === undefined ? [] : [sections]),
    f32('rope.freq_base', base),
    f32('attention.layer_norm_rms_epsilon', config.rms_norm_eps),
    u32('attention.key_length', config.head_dim),
    u32('attention.value_length', config.head_dim),
    ['general.file_type', { type: 'u32', value: FILE_TYPE_NUMBER[dtype] }],
    u32('ssm.conv_kernel', config.linear_conv_kernel_dim),
    u32('ssm.state_size', config.linear_key_head_dim),
    u32('ssm.group_count', config.linear_num_key_heads),
    u32('ssm.time_step_rank', config.linear_num_value_heads),
    u32('ssm.inner_size', config.linear_value_head_dim * config.linear_num_value_heads),
    u32('full_attention_interval', config.interval),
    u32('rope.dimension_count', Math.trunc(config.head_dim * part)),
    ...(given === undefined ? [sections] : []),
  ]
}

const SAMPLING_KEYS = [
  ['top_k', 'top_k', 'i32'],
  ['top_p', 'top_p', 'f32'],
  ['min_p', 'min_p', 'f32'],
  ['temperature', 'temp', 'f32'],
  ['repetition_penalty', 'penalty_repeat', 'f32'],
] as const

async function samplingMetadata(folder: string): Promise<[string, GgufValue][]> {
  const file = await readOptionalJsonObject(join(folder, 'generation_config.json'))
  const entries: [string, GgufValue][] = []
  for (const [key, name, type] of SAMPLING_KEYS) {
    const value = file[key]
    if (typeof value === 'number') entries.push([`general.sampling.${name}`, { type, value }])
  }
  return entries
}

const ROLES = [
  ['bos', 'bos'],
  ['eos', 'eos'],
  ['pad', 'padding'],
] as const

async function roleMetadata(
  folder: string,
  config: Qwen35Config,
  tokenizer: Tokenizer,
): Promise<[string, GgufValue][]> {
  const file = await readOptionalJsonObject(join(folder, 'tokenizer_config.json'))
  const entries: [string, GgufValue][] = []
  for (const [role, name] of ROLES) {
    const named = z.union([z.string(), z.object({ content: z.string() })]).safeParse(file[`${role}_token`])
    const text = named.success ? (typeof named.data === 'string' ? named.data : named.data.content) : undefined
    const configured = config[`${role}_token_id`]
    const id =
      (text === undefined ? undefined : tokenizer.idOf(text)) ??
      (Array.isArray(configured) ? configured[0] : configured)
    if (typeof id === 'number') entries.push([`tokenizer.ggml.${name}_token_id`, { type: 'u32', value: id }])
  }
  for (const role of ['bos', 'eos']) {
    const add = file[`add_${role}_token`]
    if (typeof add === 'boolean') entries.push([`tokenizer.ggml.add_${role}_token`, { type: 'bool', value: add }])
  }
  return entries
}

async function templateMetadata(folder: string, given: string | undefined): Promise<[string, GgufValue][]> {
  const beside = await readFile(join(folder, 'chat_template.jinja'), 'utf8').catch(() => undefined)
  const inConfig = (await readOptionalJsonObject(join(folder, 'tokenizer_config.json'))).chat_template
  const template = given ?? beside ?? (typeof inConfig === 'string' ? inConfig : undefined)
  return template === undefined ? [] : [['tokenizer.chat_template', { type: 'string', value: template }]]
}
