import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConversionError } from './conversion-error.js'
import { GgufFile } from './gguf-reader.js'
import { tokenizerFromGguf } from './gguf-vocabulary.js'
import { halvedRows, llamaSourceName } from './llama-tensors.js'
import { type SafetensorsSource, writeCheckpoint } from './safetensors-writer.js'
import { encodedRows, type TensorPlan } from './tensor-plan.js'
import { toTokenizerJson } from './tokenizer-json.js'
import { writeWhole } from './whole-file.js'

/** How to write a checkpoint. */
export interface GgufToHfOptions {
  /** Type of all tensors (default BF16). */
  readonly dtype?: 'F32' | 'F16' | 'BF16'
  /** Bytes after which a new shard begins (default 5 GB). */
  readonly shardBytes?: number
}

const TORCH_NAME = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' } as const

/**
 * Writes a GGUF file of the Llama architecture as a folder that transformers loads: dequantised safetensors, config.json,
 * tokenizer.json and its configuration with the chat template. The rows of q and k go back to transformers' order.
 *
 * @throws ConversionError `unsupported` for another architecture, scaled rope or a tensor that has no place; GgufError, TokenizerError.
 */
export async function convertGgufToHf(input: string, folder: string, options: GgufToHfOptions = {}): Promise<void> {
  const { dtype = 'BF16' } = options
  const file = await GgufFile.open(input)
  try {
    const shape = llamaShape(file)
    const tokenizer = tokenizerFromGguf(file)
    const tensors = [...file.tensors.keys()].map((name): SafetensorsSource => {
      const plan = planTensor(file, name, shape)
      const dimensions = plan.vector ? [plan.rows] : [plan.rows, plan.columns]
      return { name: plan.target, dtype, shape: dimensions, data: () => encodedRows(plan, dtype, file) }
    })
    await mkdir(folder, { recursive: true })
    await writeJson(join(folder, 'config.json'), configOf(file, shape, TORCH_NAME[dtype]))
    await writeJson(join(folder, 'tokenizer.json'), toTokenizerJson(tokenizer.spec))
    await writeJson(join(folder, 'tokenizer_config.json'), tokenizerConfigOf(file, shape))
    const template = file.text('tokenizer.chat_template')
    if (template !== undefined) await writeWhole(join(folder, 'chat_template.jinja'), template)
    await writeCheckpoint(folder, tensors, options.shardBytes === undefined ? {} : { shardBytes: options.shardBytes })
  } finally {
    await file.close()
  }
}

interface LlamaShape {
  readonly hidden: number
  readonly layers: number
  readonly heads: number
  readonly keyValueHeads: number
  readonly headSize: number
  readonly feedForward: number
  readonly context: number
  readonly epsilon: number
  readonly ropeBase: number
  readonly vocabulary: number
  readonly tied: boolean
}

function llamaShape(file: GgufFile): LlamaShape {
  const architecture = file.text('general.architecture')
  if (architecture !== 'llama') {
    throw new ConversionError(
      'unsupported',
      file.path,
      `architecture ${architecture ?? '(none)'}; only llama is written as safetensors`,
    )
  }
  const scaling = file.text('llama.rope.scaling.type')
  if ((scaling !== undefined && scaling !== 'none') || file.tensors.has('rope_freqs.weight')) {
    throw new ConversionError('unsupported', file.path, 'a Llama with scaled rope')
  }
  const need = (key: string): number => {
    const value = file.number(`llama.${key}`)
    if (value === undefined) throw new ConversionError('config', file.path, `no llama.${key} in its metadata`)
    return value
  }
  const hidden = need('embedding_length')
  const heads = need('attention.head_count')
  return {
    hidden,
    heads,
    layers: need('block_count'),
    keyValueHeads: file.number('llama.attention.head_count_kv') ?? heads,
    headSize: file.number('llama.attention.key_length') ?? hidden / heads,
    feedForward: need('feed_forward_length'),
    context: need('context_length'),
    epsilon: need('attention.layer_norm_rms_epsilon'),
    ropeBase: file.number('llama.rope.freq_base') ?? 10_000,
    vocabulary: file.tensor('token_embd.weight').shape[1]!,
    tied: !file.tensors.has('output.weight'),
  }
}

function planTensor(file: GgufFile, name: string, shape: LlamaShape): TensorPlan {
  const target = llamaSourceName(name)
  const dimensions = file.tensor(name).shape
  if (target === undefined || dimensions.length > 2)
    throw new ConversionError('unsupported', file.path, `tensor ${name} has no place in a Llama checkpoint`)
  if (dimensions.length === 1) return { source: name, target, rows: dimensions[0]!, columns: 1, vector: true }
  const heads = name.endsWith('attn_q.weight')
    ? shape.heads
    : name.endsWith('attn_k.weight')
      ? shape.keyValueHeads
      : undefined
  if (heads !== undefined && dimensions[1] !== heads * shape.headSize) {
    throw new ConversionError(
      'shape',
      file.path,
      `${name} has ${dimensions[1]} rows where ${heads} heads of ${shape.headSize} belong`,
    )
  }
  return {
    source: name,
    target,
    rows: dimensions[1]!,
    columns: dimensions[0]!,
    vector: false,
    ...(heads !== undefined && { rowOrder: halvedRows(heads, shape.headSize) }),
  }
}

/** transformers counts in doubles, GGUF in float32: 1e-5 should not become 0.000009999999747378752. */
function shortest(value: number): number {
  return Number(value.toPrecision(7))
}

function configOf(file: GgufFile, shape: LlamaShape, dtype: string): object {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    dtype,
    vocab_size: shape.vocabulary,
    hidden_size: shape.hidden,
    intermediate_size: shape.feedForward,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.keyValueHeads,
    head_dim: shape.headSize,
    max_position_embeddings: shape.context,
    rms_norm_eps: shortest(shape.epsilon),
    rope_parameters: { rope_type: 'default', rope_theta: shortest(shape.ropeBase) },
    rope_theta: shortest(shape.ropeBase),
    tie_word_embeddings: shape.tied,
    attention_bias: false,
    mlp_bias: false,
    hidden_act: 'silu',
    bos_token_id: file.number('tokenizer.ggml.bos_token_id') ?? null,
    eos_token_id: file.number('tokenizer.ggml.eos_token_id') ?? null,
    pad_token_id: file.number('tokenizer.ggml.padding_token_id') ?? null,
  }
}

function tokenizerConfigOf(file: GgufFile, shape: LlamaShape): object {
  const tokens = file.array('tokenizer.ggml.tokens')?.items ?? []
  const token = (role: string): unknown => tokens[file.number(`tokenizer.ggml.${role}_token_id`) ?? -1] ?? null
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    add_bos_token: false,
    add_prefix_space: false,
    clean_up_tokenization_spaces: false,
    bos_token: token('bos'),
    eos_token: token('eos'),
    pad_token: token('padding'),
    unk_token: token('unknown'),
    model_max_length: shape.context,
  }
}

async function writeJson(path: string, value: object): Promise<void> {
  await writeWhole(path, `${JSON.stringify(value, null, path.endsWith('tokenizer.json') ? 0 : 2)}\n`)
}
