/**
 * Speed of the in-process engine, as ratios within one run.
 *
 *   npx tsx bench/engine-speed.ts MODEL.gguf [--rounds N] [--prompt N] [--tokens N]
 *   npx tsx bench/engine-speed.ts random-0.8b        writes a 0.8 GB Q8_0 file of that shape with random weights first
 *   --json                                           one object as the last line
 *
 * 1. Prompt and decode speed against the bundled llama.cpp library driven directly (bench/engine-direct.ts): same file,
 *    batch, threads and tokens, rounds in turn, the best of each. Bar: 0.97.
 * 2. First token behind a 2,000-token prefix: cold, warm in the same process (bar 5%), after a restart (bar 15%).
 * 3. A constrained call with jump-ahead against free decoding of as many tokens (bar 1.3).
 * Other work on the machine spoils the numbers: the load is printed with them.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LlamaEngine } from '../src/engine/llama/engine.js'
import { physicalCores } from '../src/engine/llama/threads.js'
import { collect } from '../src/testing/collect.js'
import { HYBRID_08B, writeHybridModel } from '../src/testing/hybrid-model.js'

const args = process.argv.slice(2)
const option = (name: string, fallback: number): number =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback
const rounds = option('--rounds', 3)
const promptLength = option('--prompt', 512)
const count = option('--tokens', 48)
const threads = option('--threads', physicalCores())
const folder = mkdtempSync(join(tmpdir(), 'botpsy-bench-'))
let gguf = args.find((arg) => !arg.startsWith('--') && !/^\d+$/.test(arg)) ?? ''

interface Timing {
  readonly promptMs: number
  readonly outputMs: number
  readonly ids: readonly number[]
}

/** CPU time that a process has used, in milliseconds; undefined where /proc does not tell. */
function cpuMs(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return undefined
  }
}

/** The direct process, asked one job at a time. */
class Direct {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly lines: AsyncIterator<string>

  constructor() {
    const script = fileURLToPath(new URL('./engine-direct.ts', import.meta.url))
    this.child = spawn(process.execPath, ['--import', 'tsx', script, gguf, `${threads}`, '128', '4096'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }) as unknown as ChildProcessWithoutNullStreams
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  async run(prompt: readonly number[]): Promise<Timing> {
    this.child.stdin.write(`${JSON.stringify({ prompt, count })}\n`)
    const { value, done } = await this.lines.next()
    if (done === true) throw new Error('the direct process ended')
    return JSON.parse(value) as Timing
  }

  close(): void {
    this.child.stdin.end()
  }
}

const load = (cacheFolder?: string): Promise<LlamaEngine> =>
  LlamaEngine.load({ gguf, threads, contextLength: 4096, gpu: 'off', ...(cacheFolder ? { cacheFolder } : {}) })

async function speed(): Promise<{
  prompt: number
  decode: number
  cpu: number
  promptPerSecond: number
  decodePerSecond: number
}> {
  const engine = await load()
  const direct = new Direct()
  const words = 'the lamp in the kitchen is on and the radio plays a song about rain '
  const text = await engine.tokenize(words.repeat(200))
  const best = { engine: [1e12, 1e12], direct: [1e12, 1e12] }
  const note = (of: number[], timing: Timing): void => {
    of[0] = Math.min(of[0]!, timing.promptMs / promptLength)
    of[1] = Math.min(of[1]!, timing.outputMs / Math.max(1, timing.ids.length - 1))
  }
  const cpu = { engine: 0, direct: 0 }
  await collect(engine, { prompt: text.slice(40, 40 + promptLength), maxTokens: 4 })
  for (let round = 0; round < rounds; round++) {
    const prompt = text.slice(round, round + promptLength)
    const before = cpuMs(engine.pid) ?? Number.NaN
    const run = await collect(engine, { prompt, maxTokens: count })
    cpu.engine += (cpuMs(engine.pid) ?? Number.NaN) - before
    note(best.engine, { ...run.usage, ids: run.ids })
    if (round === 0) await direct.run(prompt)
    const directBefore = cpuMs(direct.pid) ?? Number.NaN
    const reference = await direct.run(prompt)
    cpu.direct += (cpuMs(direct.pid) ?? Number.NaN) - directBefore
    // The reference does not stop at an end-of-turn token; until there both must have said the same.
    if (run.ids.slice(0, 8).some((id, i) => reference.ids[i] !== id))
      process.stdout.write('(the two chose different tokens)\n')
    note(best.direct, reference)
  }
  direct.close()
  await engine.close()
  return {
    prompt: best.direct[0]! / best.engine[0]!,
    decode: best.direct[1]! / best.engine[1]!,
    cpu: cpu.direct / cpu.engine,
    promptPerSecond: 1000 / best.engine[0]!,
    decodePerSecond: 1000 / best.engine[1]!,
  }
}

async function firstToken(): Promise<{ coldMs: number; warmMs: number; restartMs: number; loadMs: number }> {
  const cache = join(folder, 'states')
  const prefix = `<|im_start|>system\n${'A tool that turns a lamp on or off in a room of the house. '.repeat(142)}<|im_end|>\n`
  const first = async (engine: LlamaEngine, request: string): Promise<number> => {
    const started = performance.now()
    const prompt = `${prefix}<|im_start|>user\n${request}<|im_end|>\n<|im_start|>assistant\n`
    for await (const event of engine.generate({ prompt, sharedPrefix: prefix, maxTokens: 1 }))
      if (event.type === 'token') break
    return performance.now() - started
  }
  let engine = await load(cache)
  const coldMs = await first(engine, 'Turn on the lamp in the kitchen.')
  const warmMs = await first(engine, 'Is it raining in Budapest?')
  await engine.close()
  const started = performance.now()
  engine = await load(cache)
  const loadMs = performance.now() - started
  const restartMs = await first(engine, 'Wake me at seven.')
  await engine.close()
  return { coldMs, warmMs, restartMs, loadMs }
}

async function constrained(): Promise<{ ratio: number; tokens: number; forced: number }> {
  const engine = await load()
  const gbnf = String.raw`
root ::= "\n<function=set_lamp_brightness>\n<parameter=room_of_the_house>\n" ("kitchen" | "bedroom" | "living room") "\n</parameter>\n<parameter=brightness_in_percent>\n" [1-9] [0-9] "\n</parameter>\n<parameter=notify_the_owner>\n" ("True" | "False") "\n</parameter>\n</function>\n" </tool_call>`
  const prompt = '<|im_start|>user\nDim the kitchen lamp.<|im_end|>\n<|im_start|>assistant\n<tool_call>'
  let bound = Number.POSITIVE_INFINITY
  let free = Number.POSITIVE_INFINITY
  let tokens = 0
  let forced = 0
  for (let round = 0; round < rounds; round++) {
    const call = await collect(engine, { prompt, grammar: { gbnf }, maxTokens: 200 })
    tokens = call.ids.length
    forced = call.forced.filter((f) => f).length
    const total = call.usage.promptMs + call.usage.outputMs
    bound = Math.min(bound, total / tokens)
    const plain = await collect(engine, {
      prompt,
      maxTokens: tokens,
      grammar: { gbnf: `root ::= .{${tokens * 8}}`, trigger: 'nothing begins it' },
    })
    free = Math.min(free, (plain.usage.promptMs + plain.usage.outputMs) / Math.max(1, plain.ids.length))
  }
  await engine.close()
  return { ratio: free / bound, tokens, forced }
}

try {
  if (gguf === 'random-0.8b') {
    gguf = join(folder, 'random-0.8b.gguf')
    await writeHybridModel(gguf, HYBRID_08B)
  }
  if (!existsSync(gguf)) throw new Error('name a GGUF file, or random-0.8b')
  const result = {
    threads,
    loadBefore: loadavg()[0],
    speed: await speed(),
    firstToken: await firstToken(),
    call: await constrained(),
    loadAfter: loadavg()[0],
  }
  const { speed: s, firstToken: f, call: c } = result
  process.stdout.write(
    [
      `prompt  ${s.promptPerSecond.toFixed(1)} tokens/s, ${s.prompt.toFixed(3)} × direct (bar 0.97)`,
      `decode  ${s.decodePerSecond.toFixed(1)} tokens/s, ${s.decode.toFixed(3)} × direct (bar 0.97)`,
      `CPU time of both together, all rounds: ${s.cpu.toFixed(3)} × direct (tells most on a busy machine, with one thread)`,
      `first token  cold ${f.coldMs.toFixed(0)} ms, warm ${((100 * f.warmMs) / f.coldMs).toFixed(1)}% (bar 5%), after a restart ${((100 * f.restartMs) / f.coldMs).toFixed(1)}% (bar 15%; loading took ${f.loadMs.toFixed(0)} ms)`,
      `call of ${c.tokens} tokens, ${c.forced} of them forced: ${c.ratio.toFixed(2)} × free decoding (bar 1.3)`,
      `${threads} threads, load ${result.loadBefore?.toFixed(1)} before and ${result.loadAfter?.toFixed(1)} after\n`,
    ].join('\n'),
  )
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify(result)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
