import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { convertGgufToHf, convertHfToGguf, GgufFile, tokenizerFromGguf, writeCheckpoint } from '../model/index.js'
import { collect } from '../testing/collect.js'
import { findModelFile, needs } from '../testing/datasets.js'
import { LlamaEngine } from './llama/engine.js'
import { ensurePythonEnv } from './python-env.js'

const folder = mkdtempSync(join(tmpdir(), 'botpsy-real-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const vocabulary = findModelFile('tokenizer.json.gz')
const reference = findModelFile('reference.jsonl.gz')
const smol = findModelFile('SmolLM2-135M-Instruct.Q4_1.gguf')

/** Lines of the reference file. */
function referenceLines(): { text: string; ids: number[] }[] {
  return gunzipSync(readFileSync(reference!))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; ids: number[] })
}

const qwen = {
  architectures: ['Qwen3_5ForCausalLM'],
  vocab_size: 248_320,
  hidden_size: 32,
  intermediate_size: 32,
  num_hidden_layers: 1,
  full_attention_interval: 1,
  num_attention_heads: 1,
  num_key_value_heads: 1,
  head_dim: 32,
  rms_norm_eps: 1e-6,
  max_position_embeddings: 512,
  tie_word_embeddings: true,
  linear_conv_kernel_dim: 4,
  linear_key_head_dim: 8,
  linear_value_head_dim: 8,
  linear_num_key_heads: 1,
  linear_num_value_heads: 1,
  rope_parameters: { rope_theta: 10_000, mrope_section: [2, 1, 1] },
}

/** A folder as transformers saves it, with random weights around the real vocabulary. */
async function writeRandomQwen(target: string): Promise<void> {
  writeFileSync(join(target, 'config.json'), JSON.stringify(qwen))
  writeFileSync(join(target, 'tokenizer.json'), gunzipSync(readFileSync(vocabulary!)))
  const shapes: Record<string, number[]> = {
    'model.embed_tokens.weight': [248_320, 32],
    'model.norm.weight': [32],
    'model.layers.0.input_layernorm.weight': [32],
    'model.layers.0.post_attention_layernorm.weight': [32],
    'model.layers.0.mlp.gate_proj.weight': [32, 32],
    'model.layers.0.mlp.up_proj.weight': [32, 32],
    'model.layers.0.mlp.down_proj.weight': [32, 32],
    'model.layers.0.self_attn.q_proj.weight': [64, 32],
    'model.layers.0.self_attn.k_proj.weight': [32, 32],
    'model.layers.0.self_attn.v_proj.weight': [32, 32],
    'model.layers.0.self_attn.o_proj.weight': [32, 32],
    'model.layers.0.self_attn.q_norm.weight': [32],
    'model.layers.0.self_attn.k_norm.weight': [32],
  }
  let state = 1
  const random = (count: number): Uint8Array => {
    const values = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      values[i] = state / 2 ** 32 - 0.5
    }
    return new Uint8Array(values.buffer)
  }
  await writeCheckpoint(
    target,
    Object.entries(shapes).map(([name, shape]) => ({
      name,
      dtype: 'F32',
      shape,
      data: async () => random(shape.reduce((a, b) => a * b, 1)),
    })),
  )
}

describe.skipIf(needs('the Qwen3.5 vocabulary (BOTPSY_MODELS)', vocabulary && reference))(
  'the Qwen3.5 vocabulary',
  () => {
    test('in a GGUF of ours gives the reference ids, through llama.cpp and through our tokenizer', async () => {
      const source = mkdtempSync(join(folder, 'qwen-'))
      await writeRandomQwen(source)
      const gguf = join(source, 'model.gguf')
      await convertHfToGguf(source, gguf, { dtype: 'Q8_0' })
      const file = await GgufFile.open(gguf)
      const ours = tokenizerFromGguf(file)
      await file.close()
      const engine = await LlamaEngine.load({ gguf, threads: 1, gpu: 'off', contextLength: 256 })
      try {
        const lines = referenceLines()
        expect(lines.length).toBeGreaterThan(2000)
        const wrong: string[] = []
        for (const { text, ids } of lines) {
          const wanted = ids.join()
          if (ours.encode(text).join() !== wanted) wrong.push(`ours: ${text}`)
          if ((await engine.tokenize(text.normalize('NFC'), true)).join() !== wanted) wrong.push(`llama.cpp: ${text}`)
        }
        expect(wrong).toEqual([])
      } finally {
        await engine.close()
      }
    }, 900_000)
  },
)

/** Loads a folder with transformers and answers; the first thing that it prints on its last line is the answer. */
const ASK = `
import sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
torch.set_num_threads(1)
model = AutoModelForCausalLM.from_pretrained(sys.argv[1])
tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
prompt = tokenizer.apply_chat_template([{"role": "user", "content": sys.argv[2]}], add_generation_prompt=True, tokenize=False)
ids = tokenizer(prompt, add_special_tokens=False, return_tensors="pt")
out = model.generate(**ids, max_new_tokens=16, do_sample=False)
print(tokenizer.decode(out[0][ids["input_ids"].shape[1]:], skip_special_tokens=True))
`

describe.skipIf(needs('SmolLM2-135M-Instruct (BOTPSY_MODELS)', smol))('a pretrained model', () => {
  const question = 'What is the capital of France?'
  const answer = 'The capital of France is Paris.'

  test('every tensor is dequantised as the Python package gguf does it', async () => {
    const file = await GgufFile.open(smol!)
    try {
      const hash = createHash('sha256')
      for (const name of file.tensors.keys()) {
        const values = await file.floats(name)
        hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
      }
      // gguf-py 0.19.0: dequantize of every tensor in the order of the file, as float32 bytes.
      expect(hash.digest('hex')).toBe('1034100613c22abd3cc047d99b02ed7a8d419bc245f4cf54a4736c5f699ba569')
    } finally {
      await file.close()
    }
  }, 900_000)

  test('answers through the engine, and its tokenizer is ours', async () => {
    const engine = await LlamaEngine.load({ gguf: smol!, threads: 1, gpu: 'off', contextLength: 512 })
    const file = await GgufFile.open(smol!)
    try {
      // Without the template's standing instructions, with which two answers are so close that 8-bit activations decide.
      const prompt = `<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`
      const said = await collect(engine, { prompt, maxTokens: 16, sampling: { temperature: 0 } })
      expect(said.text.trim()).toBe(answer)
      const ours = tokenizerFromGguf(file)
      const texts = [
        "Hello, world! It's 12345 o'clock.",
        'café 明天 😀\n\n  x',
        '<|im_start|>user\nhi<|im_end|>',
        'a  b\t\tc \r\n d',
      ]
      for (const text of texts) expect(ours.encode(text), text).toEqual(await engine.tokenize(text, true))
    } finally {
      await file.close()
      await engine.close()
    }
  }, 900_000)

  test('written as safetensors, transformers loads it and answers alike', async () => {
    const { python } = await ensurePythonEnv()
    const target = join(folder, 'smol')
    await convertGgufToHf(smol!, target)
    const output = await new Promise<string>((resolve, reject) => {
      execFile(python, ['-c', ASK, target, question], (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      )
    })
    expect(output.trim()).toBe(answer)
  }, 900_000)
})
