import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Checkpoint } from './checkpoint.js'
import { ConversionError } from './conversion-error.js'
import type { GgufValue } from './gguf-format.js'
import { GgufFile } from './gguf-reader.js'
import { type GgufTensorSource, writeGguf } from './gguf-writer.js'
import { readJsonObject, readQwen35Config } from './hf-config.js'
import { interleavedRows, llamaTargetName } from './llama-tensors.js'
import { type LinearHeads, qwen35HeadOrders, qwen35TargetName } from './qwen35-tensors.js'
import { planToGguf, type Span } from './tensor-plan.js'

/** What the conversion has to know of the model that an adapter belongs to. */
type AdapterBase =
  | { readonly architecture: 'llama'; readonly heads: number; readonly keyValueHeads: number }
  | { readonly architecture: 'qwen35'; readonly linear: LinearHeads }

/** How to convert an adapter. */
export interface ConvertLoraOptions {
  /** The model it belongs to: a GGUF file, or a folder saved by transformers. Its architecture and heads are read. */
  readonly base: string
  /** Type of the matrices (default F16). */
  readonly dtype?: 'F32' | 'F16' | 'BF16'
  /** `general.name` (default: none). */
  readonly name?: string
}

const adapterSchema = z.object({
  peft_type: z.literal('LORA'),
  lora_alpha: z.number().positive(),
  r: z.number().int().positive(),
  use_rslora: z.boolean().default(false),
  use_dora: z.literal(false).nullish(),
  alpha_pattern: z.record(z.string(), z.number()).default({}),
  modules_to_save: z.array(z.string()).nullish(),
  bias: z.string().default('none'),
})

const llamaSchema = z.object({
  num_attention_heads: z.number().int().positive(),
  num_key_value_heads: z.number().int().positive().optional(),
})

/**
 * Converts a LoRA adapter saved by peft (adapter_config.json, adapter_model.safetensors) to the GGUF form that llama.cpp applies on
 * top of a model. Architectures: Qwen3.5 and Llama, whose changes of order (value heads; rows of q and k) are applied to the adapter.
 *
 * @throws ConversionError `unsupported` for DoRA, trained biases or whole modules, per-module alphas and other architectures.
 */
export async function convertLoraToGguf(folder: string, out: string, options: ConvertLoraOptions): Promise<void> {
  const where = join(folder, 'adapter_config.json')
  const parsed = adapterSchema.safeParse(await readJsonObject(where))
  if (!parsed.success) throw new ConversionError('unsupported', where, z.prettifyError(parsed.error))
  const adapter = parsed.data
  if (
    Object.keys(adapter.alpha_pattern).length > 0 ||
    (adapter.modules_to_save ?? []).length > 0 ||
    adapter.bias !== 'none'
  ) {
    throw new ConversionError('unsupported', where, 'an adapter with alpha_pattern, modules_to_save or bias')
  }
  const base = await readBase(options.base)
  const checkpoint = await Checkpoint.open(folder, 'adapter_model')
  try {
    // llama.cpp scales by alpha / rank; rank-stabilised LoRA means alpha / √rank.
    const alpha = adapter.use_rslora ? adapter.lora_alpha * Math.sqrt(adapter.r) : adapter.lora_alpha
    const metadata: [string, GgufValue][] = [
      ['general.architecture', { type: 'string', value: base.architecture }],
      ['general.type', { type: 'string', value: 'adapter' }],
      ['adapter.type', { type: 'string', value: 'lora' }],
      ...(options.name === undefined
        ? []
        : [['general.name', { type: 'string', value: options.name }] as [string, GgufValue]]),
      ['adapter.lora.alpha', { type: 'f32', value: alpha }],
      ['general.quantization_version', { type: 'u32', value: 2 }],
    ]
    await writeGguf(out, { metadata, tensors: planPairs(folder, base, checkpoint, options.dtype ?? 'F16') })
  } finally {
    await checkpoint.close()
  }
}

function planPairs(
  where: string,
  base: AdapterBase,
  checkpoint: Checkpoint,
  dtype: 'F32' | 'F16' | 'BF16',
): GgufTensorSource[] {
  const tensors: GgufTensorSource[] = []
  const names = new Set(checkpoint.names)
  for (const name of names) {
    const parts = /^(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.default)?\.weight$/.exec(name)
    if (parts === null) throw new ConversionError('unsupported', where, `${name} is no half of a LoRA pair`)
    if (parts[2] === 'B') continue
    const other = name.replace('.lora_A', '.lora_B')
    if (!names.has(other)) throw new ConversionError('shape', where, `${name} has no ${other}`)
    const target =
      base.architecture === 'llama' ? llamaTargetName(`${parts[1]}.weight`) : qwen35TargetName(`${parts[1]}.weight`)
    if (target === undefined) throw new ConversionError('unsupported', where, `an adapter for ${parts[1]}`)
    const [rank, inner] = matrixOf(where, checkpoint, name)
    const [outer, again] = matrixOf(where, checkpoint, other)
    if (rank !== again) throw new ConversionError('shape', where, `${name} has rank ${rank}, ${other} rank ${again}`)
    const { rowOrder, columnOrder } = orders(where, base, target, outer)
    const down = { source: name, target: `${target}.lora_a`, rows: rank, columns: inner, vector: false }
    const up = { source: other, target: `${target}.lora_b`, rows: outer, columns: rank, vector: false }
    tensors.push(planToGguf({ ...down, ...(columnOrder !== undefined && { columnOrder }) }, dtype, checkpoint))
    tensors.push(planToGguf({ ...up, ...(rowOrder !== undefined && { rowOrder }) }, dtype, checkpoint))
  }
  if (tensors.length === 0) throw new ConversionError('shape', where, 'the adapter holds no pair')
  return tensors
}

function matrixOf(where: string, checkpoint: Checkpoint, name: string): readonly [rows: number, columns: number] {
  const { shape } = checkpoint.tensor(name)
  if (shape.length !== 2) throw new ConversionError('shape', where, `${name} has ${shape.length} dimensions`)
  return [shape[0]!, shape[1]!]
}

function orders(
  where: string,
  base: AdapterBase,
  target: string,
  rows: number,
): { rowOrder?: readonly Span[]; columnOrder?: readonly Span[] } {
  if (base.architecture === 'qwen35') return qwen35HeadOrders(base.linear, target)
  const heads = target.endsWith('attn_q.weight')
    ? base.heads
    : target.endsWith('attn_k.weight')
      ? base.keyValueHeads
      : undefined
  if (heads === undefined) return {}
  if (rows % (2 * heads) !== 0)
    throw new ConversionError('shape', where, `${rows} rows of ${target} are no ${heads} heads`)
  return { rowOrder: interleavedRows(heads, rows / heads) }
}

async function readBase(path: string): Promise<AdapterBase> {
  return (await stat(path)).isDirectory() ? await readFolderBase(path) : await readGgufBase(path)
}

async function readFolderBase(folder: string): Promise<AdapterBase> {
  const path = join(folder, 'config.json')
  const config = await readJsonObject(path)
  if (config.model_type !== 'llama') {
    const qwen = await readQwen35Config(folder)
    return {
      architecture: 'qwen35',
      linear: {
        keyHeads: qwen.linear_num_key_heads,
        valueHeads: qwen.linear_num_value_heads,
        headSize: qwen.linear_key_head_dim,
      },
    }
  }
  const llama = llamaSchema.safeParse(config)
  if (!llama.success) throw new ConversionError('config', path, z.prettifyError(llama.error))
  const heads = llama.data.num_attention_heads
  return { architecture: 'llama', heads, keyValueHeads: llama.data.num_key_value_heads ?? heads }
}

async function readGgufBase(path: string): Promise<AdapterBase> {
  const file = await GgufFile.open(path)
  await file.close()
  const architecture = file.text('general.architecture')
  const need = (key: string): number => {
    const value = file.number(`${architecture}.${key}`)
    if (value === undefined) throw new ConversionError('config', path, `no ${architecture}.${key} in its metadata`)
    return value
  }
  if (architecture === 'llama') {
    const heads = need('attention.head_count')
    return { architecture, heads, keyValueHeads: file.number('llama.attention.head_count_kv') ?? heads }
  }
  if (architecture === 'qwen35') {
    const linear = {
      keyHeads: need('ssm.group_count'),
      valueHeads: need('ssm.time_step_rank'),
      headSize: need('ssm.state_size'),
    }
    return { architecture, linear }
  }
  throw new ConversionError(
    'unsupported',
    path,
    `adapters for ${architecture ?? 'a file without an architecture'}; llama and qwen35 are known`,
  )
}
