/**
 * Tokens/s of the training worker against TRL's SFTTrainer: same model, data and optimizer, in one run on this machine.
 *
 *   npx tsx bench/training-speed.ts [--steps 6] [--rows 8] [--length 512] [--small] [--json]
 *
 * Each side runs at 1 and at 2 threads, TRL in float32 and bfloat16; the best setting of each counts. Bars: ours ≥ 1.5 ×
 * TRL's; our step ≤ 1.6 × its matrix products alone (measured separately at the same threads). TRL is installed beside the
 * worker's environment, in the user's cache, for this bench alone. `--small` runs a toy shape, to see that it works.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { ChatTemplate, nanoTemplateSource } from '../src/chat/index.js'
import { cacheFolder, ensurePythonEnv, WorkerClient } from '../src/engine/index.js'
import { Tokenizer, toTokenizerJson } from '../src/model/index.js'
import type { TokenisedExample } from '../src/training/sft/example.js'
import { packBatch, weightSum } from '../src/training/sft/requests.js'
import { tinyVocabulary } from '../src/training/sft/testing/tiny.js'
import { tokenise } from '../src/training/sft/tokenise.js'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '6' },
    rows: { type: 'string', default: '8' },
    length: { type: 'string', default: '512' },
    small: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const steps = Number(values.steps)
const rows = Number(values.rows)
const length = Number(values.length)
/** Steps at the start that are not timed: caches fill, memory is first touched. */
const WARM = 2
const optimizer = { lr: 1e-3, beta1: 0.9, beta2: 0.95, eps: 1e-8, maxGradNorm: 1 }
const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const trainer = join(here, '..', 'trainer')
const say = (line: string) => process.stderr.write(`${line}\n`)

/** The hybrid model of some 8 million parameters that DESIGN names, or a toy. */
const config = {
  model_type: 'qwen3_5_text',
  vocab_size: values.small ? 512 : 4096,
  hidden_size: values.small ? 64 : 256,
  intermediate_size: values.small ? 128 : 768,
  num_hidden_layers: values.small ? 4 : 8,
  full_attention_interval: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: values.small ? 16 : 64,
  linear_conv_kernel_dim: 4,
  linear_num_key_heads: 4,
  linear_num_value_heads: 4,
  linear_key_head_dim: values.small ? 16 : 64,
  linear_value_head_dim: values.small ? 16 : 64,
  max_position_embeddings: 4096,
  tie_word_embeddings: true,
}

interface Timing {
  readonly setting: string
  readonly losses: readonly number[]
  /** Median of the timed steps. */
  readonly seconds: number
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'botpsy-bench-'))
  try {
    const { python } = await ensurePythonEnv({ onProgress: say })
    const overlay = await trlFolder(python)
    const { batches, tokenizerJson } = data()
    const tokens = rows * length
    const taught = batches[0]?.flatMap((example) => [...example.weights]).filter((weight) => weight > 0).length ?? 0
    say(
      `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; ${rows} × ${length} tokens a step, ${taught} taught.`,
    )

    const model = join(folder, 'model')
    await saveModel(python, model, tokenizerJson)
    const ours: Timing[] = []
    const theirs: Timing[] = []
    for (const threads of [1, 2].filter((n) => n <= cpus().length)) {
      ours.push(report(await runWorker(python, model, batches, threads), tokens))
      for (const bf16 of [false, true]) {
        theirs.push(report(await runTrl(python, overlay, folder, model, batches, threads, bf16), tokens))
      }
    }
    const best = (list: readonly Timing[]) => list.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    const [own, trl] = [best(ours), best(theirs)]
    const threads = Number(own.setting.match(/(\d+) thread/)?.[1] ?? 1)
    const products = await matrixProducts(python, folder, taught, threads)
    const ratio = trl.seconds / own.seconds
    const all = products.linear + products.attention + products.delta
    const apart = Math.max(
      ...(ours[0]?.losses ?? []).map((loss, i) => Math.abs(loss - (theirs[0]?.losses[i] ?? Number.NaN))),
    )
    say(
      `Best: ${own.setting} ${Math.round(tokens / own.seconds)} tokens/s, ${trl.setting} ${Math.round(tokens / trl.seconds)} tokens/s.`,
    )
    say(`Ratio ${ratio.toFixed(2)} (bar 1.5). Largest difference of the losses in float32: ${apart.toExponential(1)}.`)
    say(
      `Matrix products alone: ${all.toFixed(3)} s (linear layers ${products.linear.toFixed(3)}, attention ` +
        `${products.attention.toFixed(3)}, delta rule ${products.delta.toFixed(3)}); the step is ${(own.seconds / all).toFixed(2)} × ` +
        `them (bar 1.6), ${(own.seconds / (products.linear + products.attention)).toFixed(2)} × without the delta rule's.`,
    )
    if (values.json) {
      const summary = { ours, theirs, ratio, lossDifference: apart, products, stepOverProducts: own.seconds / all }
      process.stdout.write(`${JSON.stringify(summary)}\n`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(timing: Timing, tokens: number): Timing {
  const losses = timing.losses.map((loss) => loss.toFixed(4)).join(' ')
  say(
    `${timing.setting}: ${timing.seconds.toFixed(3)} s, ${Math.round(tokens / timing.seconds)} tokens/s; losses ${losses}`,
  )
  return timing
}

/** Rows of exactly `length` tokens, cut from conversations with a pattern that can be learned. */
function data(): { batches: TokenisedExample[][]; tokenizerJson: Buffer } {
  const tools = [{ name: 'light_set', description: 'Switch a light.', parameters: { type: 'object' } }]
  const rooms = ['kitchen', 'hall', 'garden', 'attic', 'cellar', 'bedroom', 'bathroom', 'porch']
  const count = steps + WARM
  const conversations = Array.from({ length: count * rows }, (_, n) => ({
    tools,
    exchanges: Array.from({ length: 40 }, (_, e) => {
      const room = rooms[(n * 7 + e * 3) % rooms.length] as string
      return [
        {
          role: 'user' as const,
          content: `Please turn the ${room} light ${(n + e) % 2 === 0 ? 'on' : 'off'}, number ${n * 40 + e}.`,
        },
        {
          role: 'assistant' as const,
          content: '',
          toolCalls: [{ id: 'a', name: 'light_set', arguments: { room, on: (n + e) % 2 === 0 } }],
        },
      ]
    }),
  }))
  const spec = tinyVocabulary(
    conversations.slice(0, 8).map((one) => JSON.stringify(one)),
    500,
  )
  const tokenizer = new Tokenizer(spec)
  const template = new ChatTemplate(nanoTemplateSource)
  const examples = conversations.map((conversation): TokenisedExample => {
    const [example] = tokenise(conversation, template, tokenizer, { maxTokens: 1e9 })
    if (example === undefined || example.tokens.length < length)
      throw new Error(`Rows of ${length} tokens are too long for this bench.`)
    return {
      tokens: example.tokens.slice(0, length),
      weights: example.weights.slice(0, length),
      turns: new Int32Array(0),
    }
  })
  const batches = Array.from({ length: count }, (_, s) => examples.slice(s * rows, (s + 1) * rows))
  return { batches, tokenizerJson: Buffer.from(JSON.stringify(toTokenizerJson(spec))) }
}

async function saveModel(python: string, path: string, tokenizerJson: Buffer): Promise<void> {
  const worker = await WorkerClient.start({ python })
  try {
    const made = await worker.createModel({ id: 'new', config, seed: 1 })
    say(`${made.architecture}: ${made.parameters} parameters.`)
    const roles = { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: '<|im_end|>', pad_token: '<|endoftext|>' }
    const files = { 'tokenizer.json': tokenizerJson, 'tokenizer_config.json': Buffer.from(JSON.stringify(roles)) }
    await worker.save({ model: 'new', path, state: false, files })
  } finally {
    await worker.close()
  }
}

async function runWorker(
  python: string,
  checkpoint: string,
  batches: TokenisedExample[][],
  threads: number,
): Promise<Timing> {
  const worker = await WorkerClient.start({ python, threads })
  try {
    const { kernels } = await worker.createModel({ id: 'a', checkpoint })
    const losses: number[] = []
    const seconds: number[] = []
    for (const batch of batches) {
      const began = performance.now()
      const divisor = weightSum([batch])
      const loss = { name: 'cross_entropy' } as const
      const done = await worker.forwardBackward({ model: 'a', batch: packBatch(batch), loss, divisor })
      await worker.optimStep({ model: 'a', ...optimizer })
      seconds.push((performance.now() - began) / 1000)
      losses.push(done.loss)
    }
    return {
      setting: `worker, ${threads} threads, float32, ${kernels} kernels`,
      losses,
      seconds: median(seconds.slice(WARM)),
    }
  } finally {
    await worker.close()
  }
}

const StepLine = z.object({ step: z.number(), loss: z.number(), seconds: z.number() })

async function runTrl(
  python: string,
  overlay: string,
  folder: string,
  model: string,
  batches: TokenisedExample[][],
  threads: number,
  bf16: boolean,
): Promise<Timing> {
  const spec = join(folder, 'trl.json')
  const rowsOf = (batch: readonly TokenisedExample[]) =>
    batch.map(({ tokens, weights }) => ({
      input_ids: [...tokens],
      labels: [...tokens].map((token, i) => (weights[i] === 0 ? -100 : token)),
    }))
  const output = join(folder, 'trl')
  writeFileSync(spec, JSON.stringify({ ...optimizer, model, steps: batches.map(rowsOf), threads, bf16, output }))
  const child = spawn(python, [join(trainer, 'bench', 'trl_steps.py'), spec], {
    env: {
      ...process.env,
      PYTHONPATH: [overlay, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
      OMP_NUM_THREADS: String(threads),
      HF_HUB_OFFLINE: '1',
      TOKENIZERS_PARALLELISM: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line))
  const losses: number[] = []
  const seconds: number[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{"step"')) return
    const step = StepLine.parse(JSON.parse(line))
    losses.push(step.loss)
    seconds.push(step.seconds)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0 || losses.length !== batches.length)
    throw new Error(`TRL failed (${code}):\n${log.slice(-25).join('\n')}`)
  const setting = `TRL, ${threads} threads, ${bf16 ? 'bfloat16' : 'float32'}`
  return { setting, losses, seconds: median(seconds.slice(WARM)) }
}

const Products = z.object({ linear: z.number(), attention: z.number(), delta: z.number() })

async function matrixProducts(
  python: string,
  folder: string,
  taught: number,
  threads: number,
): Promise<z.infer<typeof Products>> {
  const spec = join(folder, 'products.json')
  writeFileSync(spec, JSON.stringify({ config, rows, length, taught, threads, repeats: 5 }))
  const { stdout } = await run(python, [join(trainer, 'bench', 'matrix_products.py'), spec])
  return Products.parse(JSON.parse(stdout))
}

/** TRL beside the worker's environment, installed once, without the packages that the environment has. */
async function trlFolder(python: string): Promise<string> {
  const list = join(here, 'training-trl.txt')
  const { stdout: version } = await run(python, ['-c', 'import sys; print(sys.version_info[:2])'])
  const key = createHash('sha256').update(readFileSync(list)).update(version).digest('hex').slice(0, 16)
  const folder = join(cacheFolder(), 'bench', `trl-${key}`)
  if (existsSync(folder)) return folder
  say('Installing TRL for the bench.')
  await mkdir(join(folder, '..'), { recursive: true })
  const temporary = `${folder}.${process.pid}.part`
  await run(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', temporary, '-r', list], {
    maxBuffer: 1 << 24,
  })
  await rename(temporary, folder).catch(async () => await rm(temporary, { recursive: true, force: true }))
  return folder
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

await main()
