import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConversionError } from './conversion-error.js'
import { GgufFile } from './gguf-reader.js'
import { halvedRows, interleavedRows } from './llama-tensors.js'
import { convertLoraToGguf } from './lora-to-gguf.js'
import { encodeFloats } from './quantize-tensor.js'
import { writeSafetensors } from './safetensors-writer.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-lora-'))
afterAll(() => rmSync(root, { recursive: true }))

const RANK = 2
const llama = { model_type: 'llama', num_attention_heads: 4, num_key_value_heads: 2 }
const qwen = {
  architectures: ['Qwen3_5ForCausalLM'],
  model_type: 'qwen3_5_text',
  vocab_size: 64,
  hidden_size: 16,
  intermediate_size: 8,
  num_hidden_layers: 4,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  head_dim: 8,
  rms_norm_eps: 1e-6,
  max_position_embeddings: 64,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 4,
  linear_value_head_dim: 4,
  linear_num_key_heads: 2,
  linear_num_value_heads: 4,
}

/** Small whole numbers: their products and sums are exact in every type. */
function matrix(rows: number, columns: number, seed: number): Float32Array {
  return Float32Array.from({ length: rows * columns }, (_, i) => ((i * 7 + seed * 13) % 11) - 5)
}

/** up [rows × rank] · down [rank × columns], row by row. */
function product(up: Float32Array, down: Float32Array, rows: number, columns: number): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) =>
      Array.from({ length: RANK }, (_, k) => up[row * RANK + k]! * down[k * columns + column]!).reduce((a, b) => a + b),
    ),
  )
}

async function adapter(
  base: object,
  modules: Record<string, [rows: number, columns: number]>,
  config: object = {},
): Promise<{ folder: string; base: string }> {
  const folder = mkdtempSync(join(root, 'adapter-'))
  const baseFolder = mkdtempSync(join(root, 'base-'))
  writeFileSync(join(baseFolder, 'config.json'), JSON.stringify(base))
  writeFileSync(
    join(folder, 'adapter_config.json'),
    JSON.stringify({ peft_type: 'LORA', r: RANK, lora_alpha: 8, ...config }),
  )
  const tensors = Object.entries(modules).flatMap(([name, [rows, columns]], i) => [
    {
      name: `base_model.model.${name}.lora_A.weight`,
      dtype: 'F32' as const,
      shape: [RANK, columns],
      data: async () => encodeFloats('F32', matrix(RANK, columns, i)),
    },
    {
      name: `base_model.model.${name}.lora_B.weight`,
      dtype: 'F32' as const,
      shape: [rows, RANK],
      data: async () => encodeFloats('F32', matrix(rows, RANK, i + 50)),
    },
  ])
  await writeSafetensors(join(folder, 'adapter_model.safetensors'), tensors)
  return { folder, base: baseFolder }
}

/** The change that a converted adapter makes to one matrix. */
async function changeOf(path: string, target: string): Promise<number[][]> {
  const file = await GgufFile.open(path)
  try {
    const [columns, rank] = file.tensor(`${target}.lora_a`).shape
    const [again, rows] = file.tensor(`${target}.lora_b`).shape
    expect([rank, again]).toEqual([RANK, RANK])
    return product(await file.floats(`${target}.lora_b`), await file.floats(`${target}.lora_a`), rows!, columns!)
  } finally {
    await file.close()
  }
}

test('a Llama adapter changes q and k in the row order of GGUF, the others as they are', async () => {
  const made = await adapter(llama, {
    'model.layers.3.self_attn.q_proj': [16, 12],
    'model.layers.3.self_attn.k_proj': [8, 12],
    'model.layers.3.mlp.down_proj': [12, 20],
  })
  const out = join(made.folder, 'out.gguf')
  await convertLoraToGguf(made.folder, out, { base: made.base })
  const q = product(matrix(16, RANK, 50), matrix(RANK, 12, 0), 16, 12)
  const k = product(matrix(8, RANK, 51), matrix(RANK, 12, 1), 8, 12)
  const order = [0, 2, 1, 3]
  expect(await changeOf(out, 'blk.3.attn_q.weight')).toEqual(q.map((_, row) => q[row - (row % 4) + order[row % 4]!]))
  expect(await changeOf(out, 'blk.3.attn_k.weight')).toEqual(k.map((_, row) => k[row - (row % 4) + order[row % 4]!]))
  expect(await changeOf(out, 'blk.3.ffn_down.weight')).toEqual(
    product(matrix(12, RANK, 52), matrix(RANK, 20, 2), 12, 20),
  )
  const file = await GgufFile.open(out)
  await file.close()
  expect(file.text('general.architecture')).toBe('llama')
  expect(file.text('general.type')).toBe('adapter')
  expect(file.text('adapter.type')).toBe('lora')
  expect(file.number('adapter.lora.alpha')).toBe(8)
})

test('a Qwen3.5 adapter follows the value heads, in rows and in columns', async () => {
  const made = await adapter(qwen, {
    'model.layers.0.linear_attn.in_proj_z': [16, 16],
    'model.layers.0.linear_attn.out_proj': [16, 16],
    'model.layers.3.self_attn.q_proj': [32, 16],
  })
  const out = join(made.folder, 'out.gguf')
  await convertLoraToGguf(made.folder, out, { base: made.base, dtype: 'F32' })
  const heads = [0, 2, 1, 3]
  const moved = (index: number): number => heads[Math.floor(index / 4)]! * 4 + (index % 4)
  const z = product(matrix(16, RANK, 50), matrix(RANK, 16, 0), 16, 16)
  const o = product(matrix(16, RANK, 51), matrix(RANK, 16, 1), 16, 16)
  expect(await changeOf(out, 'blk.0.attn_gate.weight')).toEqual(z.map((_, row) => z[moved(row)]))
  expect(await changeOf(out, 'blk.0.ssm_out.weight')).toEqual(
    o.map((row) => row.map((_, column) => row[moved(column)])),
  )
  expect(await changeOf(out, 'blk.3.attn_q.weight')).toEqual(product(matrix(32, RANK, 52), matrix(RANK, 16, 2), 32, 16))
})

test('rank-stabilised adapters keep their strength', async () => {
  const made = await adapter(llama, { 'model.layers.0.mlp.up_proj': [4, 4] }, { use_rslora: true })
  const out = join(made.folder, 'out.gguf')
  await convertLoraToGguf(made.folder, out, { base: made.base })
  const file = await GgufFile.open(out)
  await file.close()
  expect(file.number('adapter.lora.alpha')! / RANK).toBeCloseTo(8 / Math.sqrt(RANK), 5)
})

test.each<[string, Record<string, [number, number]>, object]>([
  ['DoRA', { 'model.layers.0.mlp.up_proj': [4, 4] }, { use_dora: true }],
  ['trained biases', { 'model.layers.0.mlp.up_proj': [4, 4] }, { bias: 'all' }],
  ['whole modules', { 'model.layers.0.mlp.up_proj': [4, 4] }, { modules_to_save: ['lm_head'] }],
  ['another method', { 'model.layers.0.mlp.up_proj': [4, 4] }, { peft_type: 'IA3' }],
  ['an unknown module', { 'model.layers.0.mystery': [4, 4] }, {}],
  ['rows that are no heads', { 'model.layers.0.self_attn.q_proj': [6, 4] }, {}],
])('%s is refused, with nothing written', async (_, modules, config) => {
  const made = await adapter(llama, modules, config)
  await expect(
    convertLoraToGguf(made.folder, join(made.folder, 'out.gguf'), { base: made.base }),
  ).rejects.toBeInstanceOf(ConversionError)
  expect(readdirSync(made.folder).sort()).toEqual(['adapter_config.json', 'adapter_model.safetensors'])
})

test('the two row orders undo each other', () => {
  const there = interleavedRows(3, 8).map(({ start }) => start)
  const back = halvedRows(3, 8).map(({ start }) => start)
  expect(back.map((row) => there[row])).toEqual([...Array(24).keys()])
  expect(there.slice(0, 4)).toEqual([0, 4, 1, 5])
})
