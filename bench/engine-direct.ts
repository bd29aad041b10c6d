/**
 * The reference of bench/engine-speed.ts: the bundled llama.cpp library driven directly, through koffi, in a loop of
 * llama_decode and greedy sampling. Runs as a process of its own: reads one job a line, answers one line.
 *
 * Struct layouts: include/llama.h of llama.cpp v0.4.0, the version inside node-llama-cpp 3.21.1.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import koffi from 'koffi'

const [file = '', threads = '2', batch = '128', context = '4096'] = process.argv.slice(2)
const require = createRequire(fileURLToPath(import.meta.resolve('node-llama-cpp')))
const folder = join(dirname(require.resolve('@node-llama-cpp/linux-x64')), '..', 'bins', 'linux-x64')
const library = (name: string): string => join(folder, readdirSync(folder).find((f) => f.startsWith(name)) ?? name)
const ggml = koffi.load(library('libggml.'), { global: true })
const llama = koffi.load(library('libllama.'))

koffi.struct('model_params', {
  devices: 'void *',
  overrides: 'void *',
  n_gpu_layers: 'int',
  split_mode: 'int',
  load_mode: 'int',
  lazy_mode: 'int',
  main_gpu: 'int',
  tensor_split: 'void *',
  progress: 'void *',
  progress_data: 'void *',
  kv_overrides: 'void *',
  booleans: koffi.array('uint8_t', 6),
})
koffi.struct('context_params', {
  n_ctx: 'uint32_t',
  n_batch: 'uint32_t',
  n_ubatch: 'uint32_t',
  n_seq_max: 'uint32_t',
  n_rs_seq: 'uint32_t',
  n_outputs_max: 'uint32_t',
  n_outputs_max_per_seq: 'uint32_t',
  n_threads: 'int32_t',
  n_threads_batch: 'int32_t',
  kinds: koffi.array('int', 5),
  scales: koffi.array('float', 6),
  yarn_orig_ctx: 'uint32_t',
  defrag_thold: 'float',
  cb_eval: 'void *',
  cb_eval_data: 'void *',
  type_k: 'int',
  type_v: 'int',
  abort: 'void *',
  abort_data: 'void *',
  booleans: koffi.array('uint8_t', 6),
  samplers: 'void *',
  n_samplers: 'size_t',
  other: 'void *',
})
koffi.struct('batch', {
  n_tokens: 'int32_t',
  token: 'void *',
  embd: 'void *',
  pos: 'void *',
  n_seq_id: 'void *',
  seq_id: 'void *',
  logits: 'void *',
})

const quiet = koffi.register(() => undefined, koffi.pointer(koffi.proto('void log(int, const char *, void *)')))
llama.func('void llama_log_set(void *, void *)')(quiet, null)
ggml.func('void ggml_backend_load_all_from_path(const char *)')(folder)
llama.func('void llama_backend_init()')()
const modelParams = llama.func('model_params llama_model_default_params()')() as Record<string, unknown>
const contextParams = llama.func('context_params llama_context_default_params()')() as Record<string, unknown>
const model: unknown = llama.func('void *llama_model_load_from_file(const char *, model_params)')(file, {
  ...modelParams,
  n_gpu_layers: 0,
})
const ctx: unknown = llama.func('void *llama_init_from_model(void *, context_params)')(model, {
  ...contextParams,
  n_ctx: Number(context),
  n_batch: Number(batch),
  n_ubatch: Number(batch),
  n_threads: Number(threads),
  n_threads_batch: Number(threads),
})
if (model === null || ctx === null) throw new Error('llama.cpp did not load the model')
const memory: unknown = llama.func('void *llama_get_memory(void *)')(ctx)
const clear = llama.func('void llama_memory_clear(void *, bool)')
const batchOf = llama.func('batch llama_batch_get_one(int32_t *, int32_t)')
const decode = llama.func('int32_t llama_decode(void *, batch)')
const sampler: unknown = llama.func('void *llama_sampler_init_greedy()')()
const sample = llama.func('int32_t llama_sampler_sample(void *, void *, int32_t)')

const evaluate = (tokens: Int32Array): void => {
  const code = decode(ctx, batchOf(tokens, tokens.length)) as number
  if (code !== 0) throw new Error(`llama_decode returned ${code}`)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { prompt, count } = JSON.parse(line) as { prompt: number[]; count: number }
  clear(memory, true)
  const started = performance.now()
  for (let at = 0; at < prompt.length; at += Number(batch))
    evaluate(Int32Array.from(prompt.slice(at, at + Number(batch))))
  const ids = [sample(sampler, ctx, -1) as number]
  const first = performance.now()
  while (ids.length < count) {
    evaluate(Int32Array.of(ids.at(-1)!))
    ids.push(sample(sampler, ctx, -1) as number)
  }
  const done = performance.now()
  process.stdout.write(`${JSON.stringify({ promptMs: first - started, outputMs: done - first, ids })}\n`)
}
