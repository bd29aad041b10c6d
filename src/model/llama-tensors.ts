import type { Span } from './tensor-plan.js'

/** transformers' names of the tensors of a Llama layer, by llama.cpp's names. */
const LAYER_TENSORS: Readonly<Record<string, string>> = {
  'attn_norm.weight': 'input_layernorm.weight',
  'ffn_norm.weight': 'post_attention_layernorm.weight',
  'ffn_gate.weight': 'mlp.gate_proj.weight',
  'ffn_up.weight': 'mlp.up_proj.weight',
  'ffn_down.weight': 'mlp.down_proj.weight',
  'attn_q.weight': 'self_attn.q_proj.weight',
  'attn_k.weight': 'self_attn.k_proj.weight',
  'attn_v.weight': 'self_attn.v_proj.weight',
  'attn_output.weight': 'self_attn.o_proj.weight',
}

const OUTER_TENSORS: Readonly<Record<string, string>> = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output_norm.weight': 'model.norm.weight',
  'output.weight': 'lm_head.weight',
}

const TARGETS = new Map(Object.entries(LAYER_TENSORS).map(([target, source]) => [source, target]))

/** transformers' name of a Llama tensor by llama.cpp's, or undefined when there is none. */
export function llamaSourceName(target: string): string | undefined {
  const layer = /^blk\.(\d+)\.(.+)$/.exec(target)
  if (layer === null) return OUTER_TENSORS[target]
  const name = LAYER_TENSORS[layer[2]!]
  return name === undefined ? undefined : `model.layers.${layer[1]}.${name}`
}

/** llama.cpp's name of a layer's Llama tensor by transformers', or undefined when there is none. */
export function llamaTargetName(source: string): string | undefined {
  const layer = /^model\.layers\.(\d+)\.(.+)$/.exec(source)
  const target = layer === null ? undefined : TARGETS.get(layer[2]!)
  return target === undefined ? undefined : `blk.${layer![1]}.${target}`
}

/**
 * Row order of q or k when a Llama matrix goes to GGUF. transformers rotates the two halves of a head against each other, llama.cpp
 * neighbouring rows: row 2i + j of a head in GGUF is row j·(size/2) + i in transformers.
 */
export function interleavedRows(heads: number, headSize: number): Span[] {
  return headRows(heads, headSize, (row) => (row % 2) * (headSize / 2) + Math.floor(row / 2))
}

/** Row order of q or k when a Llama matrix comes from GGUF: the inverse of `interleavedRows`. */
export function halvedRows(heads: number, headSize: number): Span[] {
  return headRows(heads, headSize, (row) => 2 * (row % (headSize / 2)) + Math.floor(row / (headSize / 2)))
}

function headRows(heads: number, headSize: number, sourceOf: (row: number) => number): Span[] {
  return Array.from({ length: heads * headSize }, (_, row) => {
    const head = Math.floor(row / headSize)
    return { start: head * headSize + sourceOf(row % headSize), length: 1 }
  })
}
