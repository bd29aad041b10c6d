import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { trainBpe, writeTokenizer } from './bpe-trainer.js'
import { ConversionError } from './conversion-error.js'
import { GgufFile } from './gguf-reader.js'
import { tokenizerFromGguf } from './gguf-vocabulary.js'
import { type ConvertOptions, convertHfToGguf, sizeLabel } from './hf-to-gguf.js'
import { modelInfo } from './model-info.js'
import { quantizeGguf } from './quantize-gguf.js'
import { encodeFloats } from './quantize-tensor.js'
import { type SafetensorsSource, writeCheckpoint } from './safetensors-writer.js'
import { Tokenizer } from './tokenizer.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-convert-'))
afterAll(() => rmSync(root, { recursive: true }))

const spec = trainBpe(['turn on the light', 'turn off the light'], {
  vocabularySize: 280,
  controlTokens: ['<|end|>', '<|pad|>'],
  userTokens: ['<tool_call>'],
})
const config = {
  architectures: ['Qwen3_5ForCausalLM'],
  vocab_size: 288,
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  head_dim: 16,
  rms_norm_eps: 1e-6,
  max_position_embeddings: 512,
  tie_word_embeddings: true,
  layer_types: ['linear_attention', 'full_attention'],
  full_attention_interval: 2,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 8,
  linear_value_head_dim: 8,
  linear_num_key_heads: 2,
  linear_num_value_heads: 4,
  rope_parameters: { rope_theta: 10_000, partial_rotary_factor: 0.25, mrope_section: [1, 1, 0] },
}

function shapes(): Record<string, number[]> {
  const all: Record<string, number[]> = {
    'model.embed_tokens.weight': [288, 32],
    'model.norm.weight': [32],
    'model.layers.0.linear_attn.in_proj_qkv.weight': [64, 32],
    'model.layers.0.linear_attn.in_proj_z.weight': [32, 32],
    'model.layers.0.linear_attn.in_proj_a.weight': [4, 32],
    'model.layers.0.linear_attn.in_proj_b.weight': [4, 32],
    'model.layers.0.linear_attn.conv1d.weight': [64, 1, 4],
    'model.layers.0.linear_attn.out_proj.weight': [32, 32],
    'model.layers.0.linear_attn.norm.weight': [8],
    'model.layers.0.linear_attn.A_log': [4],
    'model.layers.0.linear_attn.dt_bias': [4],
    'model.layers.1.self_attn.q_proj.weight': [64, 32],
    'model.layers.1.self_attn.k_proj.weight': [16, 32],
    'model.layers.1.self_attn.v_proj.weight': [16, 32],
    'model.layers.1.self_attn.o_proj.weight': [32, 32],
    'model.layers.1.self_attn.q_norm.weight': [16],
    'model.layers.1.self_attn.k_norm.weight': [16],
  }
  for (const layer of [0, 1]) {
    all[`model.layers.${layer}.input_layernorm.weight`] = [32]
    all[`model.layers.${layer}.post_attention_layernorm.weight`] = [32]
    all[`model.layers.${layer}.mlp.gate_proj.weight`] = [48, 32]
    all[`model.layers.${layer}.mlp.up_proj.weight`] = [48, 32]
    all[`model.layers.${layer}.mlp.down_proj.weight`] = [32, 48]
  }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Multiples of 1/64, so that every machine makes the same ones, and each place has its own. */
function values(name: string, count: number): Float32Array {
  const seed = createHash('sha256').update(name).digest().readUInt16LE(0)
  return Float32Array.from({ length: count }, (_, i) => (((i * 37 + seed) % 255) - 127) / 64)
}

let folder: string
let wanted: Record<string, number[]>
beforeEach(() => {
  folder = mkdtempSync(join(root, 'model-'))
  wanted = shapes()
})

async function save(
  overrides: object = {},
  tensors: Record<string, number[]> = wanted,
  shardBytes?: number,
): Promise<void> {
  await writeTokenizer(folder, spec, { endOfTurn: '<|end|>', padding: '<|pad|>', chatTemplate: 'a template' })
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...overrides }))
  const sources = Object.entries(tensors).map(([name, shape]): SafetensorsSource => {
    const count = shape.reduce((a, b) => a * b, 1)
    return { name, dtype: 'F32', shape, data: async () => encodeFloats('F32', values(name, count)) }
  })
  await writeCheckpoint(folder, sources, shardBytes === undefined ? {} : { shardBytes })
}

async function convert(options: ConvertOptions = {}): Promise<GgufFile> {
  const out = join(folder, 'out.gguf')
  await convertHfToGguf(folder, out, { dtype: 'F32', name: 'test', ...options })
  return await GgufFile.open(out)
}

describe('convertHfToGguf', () => {
  test('puts every tensor in its place, changed as llama.cpp wants it', async () => {
    await save()
    const file = await convert()
    try {
      const original = (name: string): Float32Array =>
        values(
          name,
          wanted[name]!.reduce((a, b) => a * b, 1),
        )
      const of = (name: string): Promise<Float32Array> => file.floats(name)
      expect(await of('token_embd.weight')).toEqual(original('model.embed_tokens.weight'))
      expect(file.tensors.has('output.weight')).toBe(false)
      expect(await of('output_norm.weight')).toEqual(original('model.norm.weight').map((value) => value + 1))
      expect(await of('blk.0.ssm_norm.weight')).toEqual(original('model.layers.0.linear_attn.norm.weight'))
      expect(await of('blk.1.attn_q_norm.weight')).toEqual(
        original('model.layers.1.self_attn.q_norm.weight').map((value) => value + 1),
      )
      expect(file.tensor('blk.0.ssm_conv1d.weight').shape).toEqual([4, 64])
      expect(file.tensor('blk.0.ffn_down.weight').shape).toEqual([48, 32])

      const heads = [0, 2, 1, 3]
      const decay = original('model.layers.0.linear_attn.A_log')
      expect(await of('blk.0.ssm_a')).toEqual(Float32Array.from(heads, (head) => -Math.exp(decay[head]!)))
      const alpha = original('model.layers.0.linear_attn.in_proj_a.weight')
      expect(await of('blk.0.ssm_alpha.weight')).toEqual(
        Float32Array.from(heads.flatMap((head) => [...alpha.subarray(head * 32, head * 32 + 32)])),
      )
      const qkv = original('model.layers.0.linear_attn.in_proj_qkv.weight')
      const rows = [...Array(32).keys(), ...heads.flatMap((head) => [...Array(8).keys()].map((i) => 32 + head * 8 + i))]
      expect(await of('blk.0.attn_qkv.weight')).toEqual(
        Float32Array.from(rows.flatMap((row) => [...qkv.subarray(row * 32, row * 32 + 32)])),
      )
      const out = original('model.layers.0.linear_attn.out_proj.weight')
      const columns = heads.flatMap((head) => [...Array(8).keys()].map((i) => head * 8 + i))
      expect((await of('blk.0.ssm_out.weight')).subarray(32, 64)).toEqual(
        Float32Array.from(columns, (column) => out[32 + column]!),
      )
    } finally {
      await file.close()
    }
  })

  test('the whole file is what llama.cpp’s converter writes for this model', async () => {
    await save()
    for (const [dtype, expected] of Object.entries(REFERENCE)) {
      const file = await convert({ dtype: dtype as keyof typeof REFERENCE, name: 'Golden' })
      await file.close()
      expect(createHash('sha256').update(readFileSync(file.path)).digest('hex'), dtype).toBe(expected)
    }
  })

  test('carries the vocabulary, roles and template, and the tokenizer comes out again', async () => {
    await save()
    const file = await convert({ chatTemplate: 'another template' })
    try {
      expect(file.text('tokenizer.ggml.pre')).toBe('qwen35')
      expect(file.text('tokenizer.chat_template')).toBe('another template')
      expect(file.array('tokenizer.ggml.tokens')?.items).toHaveLength(288)
      const tokenizer = new Tokenizer(spec)
      expect(file.number('tokenizer.ggml.eos_token_id')).toBe(tokenizer.idOf('<|end|>'))
      const types = file.array('tokenizer.ggml.token_type')?.items
      expect(types?.[tokenizer.idOf('<|end|>')!]).toBe(3)
      expect(types?.[tokenizer.idOf('<tool_call>')!]).toBe(4)
      expect(types?.[287]).toBe(5)
      const text = 'turn on<|end|> <tool_call> é e\u0301'
      expect(tokenizerFromGguf(file).encode(text)).toEqual(tokenizer.encode(text))
    } finally {
      await file.close()
    }
  })

  test('shards, the multimodal form and its other towers make the same file', async () => {
    await save({}, wanted, 1000)
    await (await convert()).close()
    const plain = readFileSync(join(folder, 'out.gguf'))
    folder = mkdtempSync(join(root, 'model-'))
    const renamed: Record<string, number[]> = { 'model.visual.blocks.0.weight': [3, 3], 'mtp.fc.weight': [2, 2] }
    for (const [name, shape] of Object.entries(wanted)) renamed[name] = shape
    const { architectures, ...text } = config
    await save({ architectures: ['Qwen3_5ForConditionalGeneration'], text_config: text }, renamed)
    await (await convert()).close()
    expect(architectures).toHaveLength(1)
    const again = readFileSync(join(folder, 'out.gguf'))
    expect(again.equals(plain)).toBe(true)
  })

  test.each<[string, object, (tensors: Record<string, number[]>) => void]>([
    ['another architecture', { architectures: ['LlamaForCausalLM'] }, () => {}],
    ['a size that is missing', { hidden_size: undefined }, () => {}],
    ['a size that is no number', { vocab_size: '288' }, () => {}],
    ['an irregular order of layers', { layer_types: ['full_attention', 'linear_attention'] }, () => {}],
    ['head sizes that llama.cpp cannot do', { linear_value_head_dim: 16 }, () => {}],
    ['a scaled rope', { rope_parameters: { rope_type: 'yarn' } }, () => {}],
    ['a tensor of the wrong shape', {}, (tensors) => (tensors['model.norm.weight'] = [31])],
    ['a tensor that is missing', {}, (tensors) => delete tensors['model.norm.weight']],
    ['a tensor that belongs nowhere', {}, (tensors) => (tensors['model.layers.0.mystery.weight'] = [2])],
    ['a layer too many', {}, (tensors) => (tensors['model.layers.2.input_layernorm.weight'] = [32])],
    [
      'more token ids than embeddings',
      { vocab_size: 270 },
      (tensors) => (tensors['model.embed_tokens.weight'] = [270, 32]),
    ],
  ])('%s is a typed error and leaves no file', async (_, overrides, change) => {
    change(wanted)
    await save(overrides)
    await expect(convert()).rejects.toBeInstanceOf(ConversionError)
    expect(readdirSync(folder).filter((name) => name.startsWith('out'))).toEqual([])
  })

  test('a folder without a model is a typed error', async () => {
    mkdirSync(join(folder, 'empty'))
    await expect(convertHfToGguf(join(folder, 'empty'), join(folder, 'out.gguf'))).rejects.toBeInstanceOf(
      ConversionError,
    )
  })
})

describe('quantizeGguf', () => {
  test.each(['F16', 'BF16', 'Q8_0'] as const)('to %s gives what converting to it gives', async (type) => {
    await save()
    await (await convert({ dtype: 'F32' })).close()
    const wide = join(folder, 'wide.gguf')
    writeFileSync(wide, readFileSync(join(folder, 'out.gguf')))
    await (await convert({ dtype: type })).close()
    await quantizeGguf(wide, join(folder, 'copy.gguf'), type)
    expect(readFileSync(join(folder, 'copy.gguf')).equals(readFileSync(join(folder, 'out.gguf')))).toBe(true)
  })

  test('refuses to overwrite its input', async () => {
    await save()
    await (await convert()).close()
    await expect(quantizeGguf(join(folder, 'out.gguf'), join(folder, 'out.gguf'), 'F16')).rejects.toBeInstanceOf(
      ConversionError,
    )
  })
})

test('modelInfo tells a file and a folder apart and counts both', async () => {
  await save()
  await (await convert({ dtype: 'Q8_0' })).close()
  const gguf = await modelInfo(join(folder, 'out.gguf'))
  expect(gguf).toMatchObject({
    format: 'gguf',
    architecture: 'qwen35',
    layers: 2,
    vocabulary: 288,
    chatTemplate: true,
    kind: 'model',
  })
  const saved = await modelInfo(folder)
  expect(saved).toMatchObject({ format: 'safetensors', parameters: gguf.parameters, types: { F32: 27 } })
})

test('sizes in words', () => {
  expect([406_076, 8_300_000, 135_000_000, 752_000_000, 1_720_000_000].map(sizeLabel)).toEqual([
    '406K',
    '8.3M',
    '135M',
    '752M',
    '1.7B',
  ])
})

/** SHA-256 of the files that llama.cpp's convert_hf_to_gguf.py makes of the model above (release of node-llama-cpp 3.21.1). */
const REFERENCE = {
  F32: 'dbbbbb2f96c91985a0ab9f514aa60704e6b8bfffc83b80b89d530b2e2a02a9cf',
  F16: '0c09f720755c0234b7c2bb7b58414fe8f3968ff67997d0e1858a3bc195f20d7b',
  BF16: 'ebd8e35bd326ae3197e01337902b24e3c51837fb9ec895ea8b5bdba9a5f31a2a',
  Q8_0: 'e6852a54cdb47e65921b05e200043b91d687c7c48728cbcab13d8f33f1c4cf7c',
}
