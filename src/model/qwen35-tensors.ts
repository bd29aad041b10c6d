import { ConversionError } from './conversion-error.js'
import type { Qwen35Config } from './hf-config.js'
import { type Span, type TensorPlan, tiledHeads } from './tensor-plan.js'

/** llama.cpp's names of the tensors of a layer, by transformers' names. */
const LAYER_TENSORS: Readonly<Record<string, string>> = {
  'input_layernorm.weight': 'attn_norm.weight',
  'post_attention_layernorm.weight': 'post_attention_norm.weight',
  'mlp.gate_proj.weight': 'ffn_gate.weight',
  'mlp.up_proj.weight': 'ffn_up.weight',
  'mlp.down_proj.weight': 'ffn_down.weight',
  'self_attn.q_proj.weight': 'attn_q.weight',
  'self_attn.k_proj.weight': 'attn_k.weight',
  'self_attn.v_proj.weight': 'attn_v.weight',
  'self_attn.o_proj.weight': 'attn_output.weight',
  'self_attn.q_norm.weight': 'attn_q_norm.weight',
  'self_attn.k_norm.weight': 'attn_k_norm.weight',
  'linear_attn.in_proj_qkv.weight': 'attn_qkv.weight',
  'linear_attn.in_proj_z.weight': 'attn_gate.weight',
  'linear_attn.in_proj_a.weight': 'ssm_alpha.weight',
  'linear_attn.in_proj_b.weight': 'ssm_beta.weight',
  'linear_attn.conv1d.weight': 'ssm_conv1d.weight',
  'linear_attn.out_proj.weight': 'ssm_out.weight',
  'linear_attn.norm.weight': 'ssm_norm.weight',
  'linear_attn.A_log': 'ssm_a',
  'linear_attn.dt_bias': 'ssm_dt.bias',
}

const OUTER_TENSORS: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
}

/** Parts of a checkpoint that the text model does without: the vision tower and the multi-token predictor. */
const LEFT_OUT = /^(model\.)?(visual|mtp)\./

/** llama.cpp's name of a Qwen3.5 tensor, or undefined when there is none. Names of the multimodal checkpoint are understood. */
export function qwen35TargetName(name: string): string | undefined {
  const plain = name.replace(/^model\.language_model\./, 'model.').replace(/^language_model\.model\./, 'model.')
  const layer = /^model\.layers\.(\d+)\.(.+)$/.exec(plain)
  if (layer === null) return OUTER_TENSORS[plain]
  const target = LAYER_TENSORS[layer[2]!]
  return target === undefined ? undefined : `blk.${layer[1]}.${target}`
}

/**
 * How the tensors of a Qwen3.5 checkpoint become llama.cpp's (DESIGN section 9), in the order of the checkpoint.
 *
 * @param tensors name and PyTorch shape of every tensor.
 * @throws ConversionError `unsupported` for a tensor that has no place, `shape` when dimensions disagree with the configuration.
 */
export function planQwen35(
  where: string,
  config: Qwen35Config,
  tensors: Iterable<{ readonly name: string; readonly shape: readonly number[] }>,
): TensorPlan[] {
  const plans: TensorPlan[] = []
  for (const { name, shape } of tensors) {
    if (LEFT_OUT.test(name)) continue
    const target = qwen35TargetName(name)
    if (target === undefined)
      throw new ConversionError('unsupported', where, `tensor ${name} has no place in a Qwen3.5 GGUF`)
    if (target === 'output.weight' && config.tie_word_embeddings) continue
    plans.push({ source: name, target, ...sizes(where, name, target, shape), ...transform(config, name, target) })
  }
  refuseGaps(where, config, plans)
  return plans
}

function sizes(
  where: string,
  name: string,
  target: string,
  shape: readonly number[],
): Pick<TensorPlan, 'rows' | 'columns' | 'vector'> {
  const flat =
    target.endsWith('ssm_conv1d.weight') && shape.length === 3 && shape[1] === 1 ? [shape[0]!, shape[2]!] : shape
  if (flat.length === 1) return { rows: flat[0]!, columns: 1, vector: true }
  if (flat.length === 2) return { rows: flat[0]!, columns: flat[1]!, vector: false }
  throw new ConversionError('shape', where, `${name} has ${shape.length} dimensions`)
}

function transform(config: Qwen35Config, name: string, target: string): Partial<TensorPlan> {
  const orders = qwen35HeadOrders(
    {
      keyHeads: config.linear_num_key_heads,
      valueHeads: config.linear_num_value_heads,
      headSize: config.linear_key_head_dim,
    },
    target,
  )
  if (target.endsWith('.ssm_a')) return { ...orders, change: (value) => -Math.fround(Math.exp(value)) }
  if (name.endsWith('norm.weight') && !name.endsWith('linear_attn.norm.weight')) return { change: (value) => value + 1 }
  return orders
}

/** Heads of Qwen3.5's linear attention. */
export interface LinearHeads {
  readonly keyHeads: number
  readonly valueHeads: number
  /** Size of a key head and of a value head. */
  readonly headSize: number
}

/** Rows and columns of a tensor of llama.cpp in the order of the checkpoint's, where value heads are more than key heads. */
export function qwen35HeadOrders(
  { keyHeads: keys, valueHeads: values, headSize: size }: LinearHeads,
  target: string,
): { rowOrder?: readonly Span[]; columnOrder?: readonly Span[] } {
  if (keys === values) return {}
  const afterKeys = { start: 0, length: 2 * keys * size }
  switch (target.replace(/^blk\.\d+\./, '')) {
    case 'attn_qkv.weight':
    case 'ssm_conv1d.weight':
      return { rowOrder: [afterKeys, ...tiledHeads(afterKeys.length, keys, values, size)] }
    case 'attn_gate.weight':
      return { rowOrder: tiledHeads(0, keys, values, size) }
    case 'ssm_alpha.weight':
    case 'ssm_beta.weight':
    case 'ssm_a':
    case 'ssm_dt.bias':
      return { rowOrder: tiledHeads(0, keys, values, 1) }
    case 'ssm_out.weight':
      return { columnOrder: tiledHeads(0, keys, values, size) }
    default:
      return {}
  }
}

function refuseGaps(where: string, config: Qwen35Config, plans: readonly TensorPlan[]): void {
  const byTarget = new Map(plans.map((plan) => [plan.target, plan]))
  for (const [target, [rows, columns]] of expectedShapes(config)) {
    const plan = byTarget.get(target)
    if (plan === undefined) throw new ConversionError('shape', where, `no tensor for ${target}`)
    if (plan.rows !== rows || plan.columns !== columns) {
      throw new ConversionError(
        'shape',
        where,
        `${plan.source} is ${plan.rows} × ${plan.columns} where the configuration asks for ${rows} × ${columns}`,
      )
    }
    byTarget.delete(target)
  }
  const [extra] = byTarget.values()
  if (extra !== undefined)
    throw new ConversionError('shape', where, `${extra.source} is not asked for by the configuration`)
}

/** Rows and columns of every tensor that llama.cpp expects. */
function expectedShapes(config: Qwen35Config): Map<string, readonly [rows: number, columns: number]> {
  const { hidden_size: hidden, intermediate_size: inner, vocab_size: vocabulary, head_dim: head } = config
  const heads = config.num_attention_heads * head
  const keyValue = config.num_key_value_heads * head
  const values = config.linear_num_value_heads * config.linear_value_head_dim
  const channels = values + 2 * config.linear_num_key_heads * config.linear_key_head_dim
  const shapes = new Map<string, readonly [number, number]>([
    ['token_embd.weight', [vocabulary, hidden]],
    ['output_norm.weight', [hidden, 1]],
  ])
  if (!config.tie_word_embeddings) shapes.set('output.weight', [vocabulary, hidden])
  for (let layer = 0; layer < config.num_hidden_layers; layer++) {
    const add = (name: string, rows: number, columns: number): void => {
      shapes.set(`blk.${layer}.${name}`, [rows, columns])
    }
    add('attn_norm.weight', hidden, 1)
    add('post_attention_norm.weight', hidden, 1)
    add('ffn_gate.weight', inner, hidden)
    add('ffn_up.weight', inner, hidden)
    add('ffn_down.weight', hidden, inner)
    if ((layer + 1) % config.interval === 0) {
      add('attn_q.weight', 2 * heads, hidden)
      add('attn_k.weight', keyValue, hidden)
      add('attn_v.weight', keyValue, hidden)
      add('attn_output.weight', hidden, heads)
      add('attn_q_norm.weight', head, 1)
      add('attn_k_norm.weight', head, 1)
    } else {
      add('attn_qkv.weight', channels, hidden)
      add('attn_gate.weight', values, hidden)
      add('ssm_alpha.weight', config.linear_num_value_heads, hidden)
      add('ssm_beta.weight', config.linear_num_value_heads, hidden)
      add('ssm_conv1d.weight', channels, config.linear_conv_kernel_dim)
      add('ssm_out.weight', hidden, values)
      add('ssm_norm.weight', config.linear_value_head_dim, 1)
      add('ssm_a', config.linear_num_value_heads, 1)
      add('ssm_dt.bias', config.linear_num_value_heads, 1)
    }
  }
  return shapes
}
