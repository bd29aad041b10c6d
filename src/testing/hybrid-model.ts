import { seededRandom } from '../evals/random.js'
import { charOfByte } from '../model/byte-alphabet.js'
import type { GgufValue } from '../model/gguf-format.js'
import { type GgufTensorSource, writeGguf } from '../model/gguf-writer.js'
import { encodeFloats } from '../model/quantize-tensor.js'

/** Sizes of a randomly initialised Qwen3.5-shaped model. */
export interface HybridShape {
  readonly hidden: number
  readonly layers: number
  readonly feedForward: number
  readonly heads: number
  readonly headsKv: number
  readonly headSize: number
  /** Heads of the linear attention (keys as many as values). */
  readonly linearHeads: number
  readonly linearHeadSize: number
  readonly vocabulary: number
  readonly context: number
  readonly sections: readonly [number, number, number, number]
  /** Type of the matrices. */
  readonly type: 'F32' | 'Q8_0'
}

/** Small enough to be written in a few milliseconds. */
export const TINY_HYBRID: HybridShape = {
  hidden: 64,
  layers: 4,
  feedForward: 128,
  heads: 2,
  headsKv: 1,
  headSize: 32,
  linearHeads: 2,
  linearHeadSize: 32,
  vocabulary: 320,
  context: 4096,
  sections: [2, 1, 1, 0],
  type: 'F32',
}

/** The shape of Qwen3.5-0.8B: 752 M parameters, 0.8 GB as Q8_0. */
export const HYBRID_08B: HybridShape = {
  hidden: 1024,
  layers: 24,
  feedForward: 3584,
  heads: 8,
  headsKv: 2,
  headSize: 256,
  linearHeads: 16,
  linearHeadSize: 128,
  vocabulary: 248_320,
  context: 32_768,
  sections: [11, 11, 10, 0],
  type: 'Q8_0',
}

/** Control tokens of the random models; `<think>` and the call tags are user-defined, as in Qwen3.5. */
const SPECIAL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<think>', '</think>', '<tool_call>', '</tool_call>']

/** A chat template in the shape of Qwen's, without tools. */
const TEMPLATE =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}{# <function= #}'

/** Writes a GGUF file with random weights (a byte-level vocabulary without merges to speak of). Same seed, same file. */
export async function writeHybridModel(path: string, shape: HybridShape = TINY_HYBRID, seed = 1): Promise<void> {
  await writeGguf(path, { metadata: metadata(shape), tensors: tensors(shape, seed) })
}

function metadata(s: HybridShape): [string, GgufValue][] {
  const u32 = (value: number): GgufValue => ({ type: 'u32', value })
  const f32 = (value: number): GgufValue => ({ type: 'f32', value })
  const str = (value: string): GgufValue => ({ type: 'string', value })
  const bytes = Array.from({ length: 256 }, (_, byte) => charOfByte(byte))
  const space = charOfByte(32)
  const merged = [`${space}t`, 'he', `${space}a`]
  const words = [...bytes, ...merged, ...SPECIAL]
  const fill = Array.from({ length: s.vocabulary - words.length }, (_, i) => `filler${i}`)
  const types = [...bytes.map(() => 1), ...merged.map(() => 1), 3, 3, 3, 4, 4, 4, 4, ...fill.map(() => 5)]
  const id = (text: string): number => words.indexOf(text)
  const p = 'qwen35'
  return [
    ['general.architecture', str(p)],
    ['general.name', str('random hybrid')],
    [`${p}.block_count`, u32(s.layers)],
    [`${p}.context_length`, u32(s.context)],
    [`${p}.embedding_length`, u32(s.hidden)],
    [`${p}.feed_forward_length`, u32(s.feedForward)],
    [`${p}.attention.head_count`, u32(s.heads)],
    [`${p}.attention.head_count_kv`, u32(s.headsKv)],
    [`${p}.attention.key_length`, u32(s.headSize)],
    [`${p}.attention.value_length`, u32(s.headSize)],
    [`${p}.attention.layer_norm_rms_epsilon`, f32(1e-6)],
    [`${p}.rope.dimension_count`, u32(s.headSize / 4)],
    [`${p}.rope.dimension_sections`, { type: 'array', of: 'i32', items: s.sections }],
    [`${p}.rope.freq_base`, f32(1e7)],
    [`${p}.full_attention_interval`, u32(4)],
    [`${p}.ssm.conv_kernel`, u32(4)],
    [`${p}.ssm.state_size`, u32(s.linearHeadSize)],
    [`${p}.ssm.group_count`, u32(s.linearHeads)],
    [`${p}.ssm.time_step_rank`, u32(s.linearHeads)],
    [`${p}.ssm.inner_size`, u32(s.linearHeads * s.linearHeadSize)],
    ['tokenizer.ggml.model', str('gpt2')],
    ['tokenizer.ggml.pre', str('qwen35')],
    ['tokenizer.ggml.tokens', { type: 'array', of: 'string', items: [...words, ...fill] }],
    ['tokenizer.ggml.token_type', { type: 'array', of: 'i32', items: types }],
    ['tokenizer.ggml.merges', { type: 'array', of: 'string', items: [`${space} t`, 'h e', `${space} a`] }],
    ['tokenizer.ggml.eos_token_id', u32(id('<|im_end|>'))],
    ['tokenizer.ggml.padding_token_id', u32(id('<|endoftext|>'))],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', str(TEMPLATE)],
  ]
}

function tensors(s: HybridShape, seed: number): GgufTensorSource[] {
  const random = seededRandom(seed)
  const out: GgufTensorSource[] = []
  const add = (name: string, shape: number[], type: 'F32' | 'Q8_0', value: () => number): void => {
    out.push({
      name,
      type,
      shape,
      data: function* () {
        const row = shape[0]!
        const rows = shape.reduce((a, b) => a * b, 1) / row
        for (let r = 0; r < rows; r++) yield encodeFloats(type, Float32Array.from({ length: row }, value))
      },
    })
  }
  const matrix = (name: string, input: number, output: number): void => {
    const scale = 1.7 / Math.sqrt(input)
    add(name, [input, output], s.type, () => (random() * 2 - 1) * scale)
  }
  const vector = (name: string, size: number, value: () => number): void => add(name, [size], 'F32', value)
  const norm = (name: string, size: number): void => vector(name, size, () => 0.9 + 0.2 * random())
  matrix('token_embd.weight', s.hidden, s.vocabulary)
  norm('output_norm.weight', s.hidden)
  const inner = s.linearHeads * s.linearHeadSize
  for (let i = 0; i < s.layers; i++) {
    const b = `blk.${i}.`
    norm(`${b}attn_norm.weight`, s.hidden)
    norm(`${b}post_attention_norm.weight`, s.hidden)
    matrix(`${b}ffn_gate.weight`, s.hidden, s.feedForward)
    matrix(`${b}ffn_up.weight`, s.hidden, s.feedForward)
    matrix(`${b}ffn_down.weight`, s.feedForward, s.hidden)
    if ((i + 1) % 4 === 0) {
      matrix(`${b}attn_q.weight`, s.hidden, s.heads * s.headSize * 2)
      matrix(`${b}attn_k.weight`, s.hidden, s.headsKv * s.headSize)
      matrix(`${b}attn_v.weight`, s.hidden, s.headsKv * s.headSize)
      matrix(`${b}attn_output.weight`, s.heads * s.headSize, s.hidden)
      norm(`${b}attn_q_norm.weight`, s.headSize)
      norm(`${b}attn_k_norm.weight`, s.headSize)
    } else {
      matrix(`${b}attn_qkv.weight`, s.hidden, 3 * inner)
      matrix(`${b}attn_gate.weight`, s.hidden, inner)
      matrix(`${b}ssm_alpha.weight`, s.hidden, s.linearHeads)
      matrix(`${b}ssm_beta.weight`, s.hidden, s.linearHeads)
      add(`${b}ssm_conv1d.weight`, [4, 3 * inner], 'F32', () => random() - 0.5)
      matrix(`${b}ssm_out.weight`, inner, s.hidden)
      norm(`${b}ssm_norm.weight`, s.linearHeadSize)
      vector(`${b}ssm_a`, s.linearHeads, () => -0.1 - random())
      vector(`${b}ssm_dt.bias`, s.linearHeads, () => random() - 0.5)
    }
  }
  return out
}
