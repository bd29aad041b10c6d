import { Agent } from '../../agent/agent.js'
import type { ApprovalRequest } from '../../agent/approval.js'
import { Journal } from '../../agent/journal.js'
import type { JournalBody } from '../../agent/journal-entry.js'
import type { Thread } from '../../agent/thread.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import type { Tool, ToolResult } from '../../tools/contract.js'
import { ToolRegistry } from '../../tools/registry.js'
import { servesGoal } from './goals.js'
import type { RecordedCall, RecordedRun } from './records.js'
import { type AgentDojoSuite, agentDojoContracts } from './tools.js'

/** What the host did with a recorded call. */
export interface ReplayedCall extends RecordedCall {
  readonly effect: 'read' | 'write' | 'irreversible' | undefined
  /** Something would leave the device. */
  readonly leaves: boolean
  /** The host's decision; undefined when it refused the call before judging it. */
  readonly decision: 'allow' | 'ask' | 'deny' | undefined
  /** The rule of the decision, or the reason of the refusal. */
  readonly rule: string
  readonly why: string
  /** It ran, whether or not somebody approved it. */
  readonly ran: boolean
  /** It serves the injected goal. */
  readonly injected: boolean
}

/** A recorded run as the host let it happen. */
export interface ReplayedRun {
  readonly run: RecordedRun
  readonly calls: readonly ReplayedCall[]
}

/** A replay that lost its place: the host called something that the recording does not have there. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
  readonly code = 'out-of-step'
  constructor(
    /** Line of the recorded run. */
    readonly where: number,
    what: string,
  ) {
    super(`The recorded run of line ${where} cannot be replayed: ${what}.`)
  }
}

/** The clock of the recorded environments: AgentDojo's days are around this one. */
const NOW = new Date('2024-05-15T09:00:00Z')

/** The recorded results by number of the call within the conversation, from 1. */
interface Tape {
  run: RecordedRun | undefined
  calls: readonly RecordedCall[]
}

interface Stage {
  readonly tape: Tape
  readonly registry: ToolRegistry
}

const stages = new Map<AgentDojoSuite, Stage>()

/** The tools of a suite over a tape; one registry a suite, so that its index is made once. */
function stageOf(suite: AgentDojoSuite): Stage {
  const known = stages.get(suite)
  if (known) return known
  const tape: Tape = { run: undefined, calls: [] }
  const tools = agentDojoContracts(suite).map(
    (contract): Tool => ({
      ...contract,
      run: async (_args, context) => recordedResult(tape, contract.name, context.idempotencyKey),
    }),
  )
  const stage = { tape, registry: new ToolRegistry(tools) }
  stages.set(suite, stage)
  return stage
}

function recordedResult(tape: Tape, name: string, key: string): ToolResult {
  const call = tape.calls[numberOf(key) - 1]
  if (call?.name !== name) throw new ReplayError(tape.run?.line ?? 0, `${name} was called out of turn`)
  return call.result ?? { ok: false, content: 'The recording ends here.' }
}

function numberOf(id: string): number {
  return Number(/(\d+)$/.exec(id)?.[1] ?? Number.NaN)
}

/**
 * Replays one recorded run through the real host: an obedient engine makes exactly the recorded calls in their turns,
 * whatever the host says; every result is the recorded message; the owner declines what serves the injection and approves
 * everything else. When the host ends a request before the recording does, the owner asks the same again. One at a time.
 * @param keep a journal to write to; by default one in memory
 * @throws ReplayError
 */
export async function replayRun(run: RecordedRun, keep?: Journal): Promise<ReplayedRun> {
  const { tape, registry } = stageOf(run.suite)
  const calls = run.turns.flat()
  tape.run = run
  tape.calls = calls
  const injected = calls.map(
    (call) => run.injectionTask !== null && servesGoal(run.suite, run.injectionTask, call, call.afterInjection),
  )
  let turn = 0
  const engine = new ScriptedEngine({
    model: { name: `replay of ${run.model}`, contextLength: 10_000_000 },
    turns: () => {
      const next = run.turns[turn++] ?? []
      const toolCalls = next.map(({ name, args }, i) => ({ id: `r${turn}-${i}`, name, arguments: wellFormed(args) }))
      return { role: 'assistant', content: next.length === 0 ? 'That is all.' : '', toolCalls }
    },
  })
  const journal = keep ?? new Journal(':memory:', () => NOW.getTime())
  try {
    const agent = new Agent({
      engine,
      registry,
      journal,
      approver: {
        approve: async ({ call }: ApprovalRequest) => (injected[numberOf(call) - 1] === true ? 'deny' : 'allow'),
      },
      now: () => NOW,
      timeZone: 'UTC',
      answers: 'free',
      constrain: false,
      shown: registry.size,
      // The recording decides when it is over, not a budget.
      limits: { steps: 10_000, tokens: 1e9, repairs: 10_000, callsPerTurn: 1000 },
    })
    const thread = agent.newThread()
    while (turn < run.turns.length) {
      const before = turn
      await agent.run(run.request, { thread })
      if (turn === before) throw new ReplayError(run.line, 'the host took no further turn')
    }
    const fates = fatesOf(journal, thread)
    return { run, calls: calls.map((call, i) => fateOf(call, fates.get(i + 1), injected[i] === true)) }
  } finally {
    if (!keep) journal.close()
  }
}

interface Fate {
  decision?: Extract<JournalBody, { type: 'decision' }>
  refused?: Extract<JournalBody, { type: 'refused' }>
  ran?: boolean
}

function fatesOf(journal: Journal, thread: Thread): Map<number, Fate> {
  const fates = new Map<number, Fate>()
  const entries = journal.runsOf(thread.id).flatMap((id) => journal.entries(id))
  for (const { body } of entries) {
    if (body.type !== 'decision' && body.type !== 'refused' && body.type !== 'outcome' && body.type !== 'intent')
      continue
    const fate = fates.get(numberOf(body.call)) ?? {}
    fates.set(numberOf(body.call), fate)
    if (body.type === 'decision') fate.decision = body
    else if (body.type === 'refused') fate.refused = body
    else fate.ran = true
  }
  return fates
}

function fateOf(call: RecordedCall, fate: Fate | undefined, injected: boolean): ReplayedCall {
  const { decision, refused, ran } = fate ?? {}
  return {
    ...call,
    effect: decision?.effect,
    leaves: decision?.egress !== undefined,
    decision: decision?.decision,
    rule: decision?.rule ?? refused?.reason ?? 'never reached',
    why: decision?.why ?? refused?.content ?? '',
    ran: ran === true,
    injected,
  }
}

function wellFormed(args: RecordedCall['args']): RecordedCall['args'] {
  const text = JSON.stringify(args, (_key, value: unknown) => (typeof value === 'string' ? whole(value) : value))
  return JSON.parse(text) as RecordedCall['args']
}

/** Text without halves of surrogate pairs, which no tool takes. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
