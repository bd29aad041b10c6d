/**
 * Time of the host in one model turn, outside the engine: shortlist, rendering by the embedded model's template, parsing,
 * validation, policy, provenance and journal, with all tools of the package registered. The model is scripted: it sets an
 * alarm in the Qwen3.5 dialect and then answers. Shown apart: what the tool itself takes (it writes an .ics file), and
 * what the disk takes for fsync, as the same runs with the data folder in memory (/dev/shm where there is one) and on
 * disk. CPU time is printed beside wall time, since a busy machine stretches the latter.
 *
 *     npx tsx bench/host-turn.ts [RUNS=200]
 *
 * Bar: median at most 3 ms a turn without fsync.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from '../src/agent/agent.js'
import { Journal } from '../src/agent/journal.js'
import { nanoTemplateSource } from '../src/chat/nano.js'
import { render } from '../src/chat/render.js'
import { ChatTemplate } from '../src/chat/template.js'
import { allContracts } from '../src/domains/contracts.js'
import { createDomains } from '../src/domains/domains.js'
import { toolPhrasings } from '../src/domains/phrasings.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo } from '../src/engine/contract.js'
import type { Tool } from '../src/tools/contract.js'
import { ToolRegistry } from '../src/tools/registry.js'
import { toolIndex } from '../src/tools/shortlist.js'

const runs = Number(process.argv[2] ?? 200)

/** Renders as the in-process engine does (that is the host's time), then says its lines (that is not). */
class TalkingEngine implements Engine {
  readonly model: ModelInfo = {
    name: 'scripted',
    contextLength: 4096,
    dialect: 'qwen3.5',
    chatTemplate: nanoTemplateSource,
  }
  /** Milliseconds inside the engine proper. */
  spent = 0
  readonly #template = new ChatTemplate(nanoTemplateSource)

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    render(this.#template, { messages: request.messages ?? [], tools: request.tools, think: false })
    const answered = request.messages?.some((message) => message.role === 'tool')
    const text = answered
      ? 'The alarm is set.'
      : '<tool_call>\n<function=alarm_set>\n<parameter=when>\nquarter past six tomorrow morning\n</parameter>\n</function>\n</tool_call>'
    for (const token of text.match(/.{1,4}/gs) ?? []) {
      const began = performance.now()
      await new Promise((resolve) => setImmediate(resolve))
      this.spent += performance.now() - began
      yield { type: 'token', text: token }
    }
    const usage = {
      promptTokens: 800,
      cachedTokens: 700,
      outputTokens: 30,
      reasoningTokens: 0,
      promptMs: 0,
      outputMs: 0,
    }
    yield { type: 'end', stop: 'end', usage }
  }

  score(): Promise<Float32Array> {
    return Promise.reject(new Error('not scored here'))
  }

  async close(): Promise<void> {}
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

interface Times {
  readonly wall: number[]
  readonly cpu: number[]
  readonly tool: number[]
}

async function measure(parent: string): Promise<Times> {
  const folder = mkdtempSync(join(parent, 'botpsy-host-'))
  const domains = createDomains({ home: folder })
  const missing = allContracts.filter((contract) => !domains.some((tool) => tool.name === contract.name))
  const stubs = missing.map((contract): Tool => ({ ...contract, run: async () => ({ ok: true, content: 'Done.' }) }))
  let inTools = 0
  const timed = [...domains, ...stubs].map(
    (tool): Tool => ({
      ...tool,
      run: async (args, context) => {
        const began = performance.now()
        const cpu = process.cpuUsage()
        const result = await tool.run(args, context)
        inTools += performance.now() - began
        toolCpu += cpuMs(cpu)
        return result
      },
    }),
  )
  let toolCpu = 0
  const registry = new ToolRegistry<Tool>(timed).addPhrasings(toolPhrasings())
  toolIndex(registry)
  const journal = new Journal(join(folder, 'journal.sqlite'))
  const engine = new TalkingEngine()
  const agent = new Agent({ engine, registry, journal, answers: 'checked' })
  const times: Times = { wall: [], cpu: [], tool: [] }
  for (let i = 0; i < runs + 20; i++) {
    engine.spent = 0
    inTools = 0
    toolCpu = 0
    const cpu = process.cpuUsage()
    const began = performance.now()
    const end = await agent.run('set an alarm for quarter past six tomorrow morning')
    const host = performance.now() - began - engine.spent - inTools
    const hostCpu = cpuMs(cpu) - toolCpu
    if (end.status !== 'done' || end.usage.calls !== 1) throw new Error(`the run went wrong: ${end.text}`)
    // The first runs compile code; a process that answers one request pays that once, see the README.
    if (i >= 20) {
      times.wall.push(host / end.usage.steps)
      times.cpu.push(hostCpu / end.usage.steps)
      times.tool.push(inTools)
    }
    const cancelled = await registry.get('alarm_cancel')?.run(
      {},
      {
        now: () => new Date(),
        timeZone: agent.timeZone,
        request: '',
        idempotencyKey: `clean-${i}`,
      },
    )
    if (!cancelled?.ok) throw new Error(`cleaning went wrong: ${cancelled?.content}`)
  }
  journal.close()
  domains.close()
  rmSync(folder, { recursive: true, force: true })
  for (const list of Object.values(times)) list.sort((a: number, b: number) => a - b)
  return times
}

const at = (times: readonly number[], share: number): string =>
  (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2)
const memory = await measure(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
const disk = await measure(tmpdir())
console.log(
  `host time a turn, ${allContracts.length} tools, ${runs} runs of two turns (a call with a write, an answer)`,
)
const line = (times: Times): string =>
  `median ${at(times.wall, 0.5)} ms, p95 ${at(times.wall, 0.95)} ms; CPU median ${at(times.cpu, 0.5)} ms; the tool itself ${at(times.tool, 0.5)} ms a call`
console.log(`  without fsync: ${line(memory)}`)
console.log(`  on disk:       ${line(disk)}`)
console.log(
  JSON.stringify({
    medianMs: Number(at(memory.wall, 0.5)),
    p95Ms: Number(at(memory.wall, 0.95)),
    cpuMedianMs: Number(at(memory.cpu, 0.5)),
    diskMedianMs: Number(at(disk.wall, 0.5)),
  }),
)
