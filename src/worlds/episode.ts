import { Agent, type AgentOptions } from '../agent/agent.js'
import type { AgentEvent, RunEnd } from '../agent/events.js'
import { Journal } from '../agent/journal.js'
import { decide } from '../agent/policy.js'
import type { JsonObject } from '../chat/types.js'
import type { Engine } from '../engine/contract.js'
import { type Owner, ScriptedOwner } from './owner.js'
import type { Scenario } from './scenario.js'
import type { WorldState } from './state.js'
import { type MadeCall, type Verdict, verify } from './verify.js'
import { createWorld, type WorldOptions } from './world.js'

/** An approval that was asked for. */
export interface MadeAsk {
  readonly tool: string
  readonly arguments: JsonObject
  readonly why: string
  /** The default table asks for it whatever was read before. */
  readonly byDefault: boolean
  readonly answer: 'allow' | 'deny' | 'nobody' | 'expired' | 'limit'
}

/** One message of the owner and what came of it. */
export interface EpisodeTurn {
  readonly owner: string
  readonly end: RunEnd
  readonly asks: readonly MadeAsk[]
}

/** A scenario that was played to its end. */
export interface Episode {
  readonly scenario: Scenario
  readonly turns: readonly EpisodeTurn[]
  readonly calls: readonly MadeCall[]
  readonly before: WorldState
  readonly after: WorldState
  readonly verdict: Verdict
}

/** How an episode is played. Agent settings that are not given are those of a model that speaks for itself. */
export interface EpisodeOptions
  extends Partial<Omit<AgentOptions, 'engine' | 'registry' | 'journal' | 'approver' | 'now' | 'timeZone'>> {
  readonly engine: Engine
  /** Default: the scenario's own script. */
  readonly owner?: Owner
  readonly world?: WorldOptions
  /** Where every event goes, for transcripts and training. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Default: one in memory, dropped at the end. */
  readonly journal?: Journal
  readonly signal?: AbortSignal
}

/**
 * Plays a scenario: a fresh world, the real agent over the engine, the owner's messages until the owner has nothing more
 * to say, then the verdict. Episodes share nothing but the engine, so many can be in flight at once.
 */
export async function playEpisode(scenario: Scenario, options: EpisodeOptions): Promise<Episode> {
  const { engine, owner: given, world: worldOptions, onEvent, journal: keep, signal, ...settings } = options
  const world = await createWorld(scenario.household, worldOptions)
  const journal = keep ?? new Journal(':memory:', () => world.now().getTime())
  const owner = given ?? new ScriptedOwner(scenario.owner, scenario.approvals)
  try {
    const before = await world.state()
    const agent = new Agent({
      answers: 'free',
      ...settings,
      engine,
      registry: world.registry,
      journal,
      approver: owner.approver,
      now: world.now,
      timeZone: world.timeZone,
    })
    const thread = agent.newThread()
    const turns: EpisodeTurn[] = []
    const calls = new Map<string, MadeCall>()
    let message: string | undefined = owner.opening
    while (message !== undefined) {
      const { end, asks } = await playTurn(message)
      turns.push({ owner: message, end, asks })
      if (signal?.aborted) break
      message = await owner.reply(end)
    }
    const after = await world.state()
    const told = turns.map(({ end }) => end.text)
    const made = [...calls.values()]
    return { scenario, turns, calls: made, before, after, verdict: verify(scenario, before, after, made, told) }

    async function playTurn(text: string): Promise<{ end: RunEnd; asks: readonly MadeAsk[] }> {
      const asks = new Map<string, MadeAsk>()
      const interruption = new AbortController()
      const stop = signal ? AbortSignal.any([signal, interruption.signal]) : interruption.signal
      const end = await agent.run(text, {
        thread,
        signal: stop,
        onEvent: (event) => {
          onEvent?.(event)
          if (event.type === 'call') calls.set(event.call, { name: event.name, args: event.arguments, ok: false })
          else if (event.type === 'result') {
            const call = calls.get(event.call)
            if (call) calls.set(event.call, { ...call, ok: event.ok })
          } else if (event.type === 'ask' && event.kind === 'approval') asks.set(event.call, askOf(event))
          else if (event.type === 'approval') {
            const ask = asks.get(event.call)
            if (ask) asks.set(event.call, { ...ask, answer: event.answer })
          }
          owner.watch(event, () => interruption.abort())
        },
      })
      return { end, asks: [...asks.values()] }
    }
  } finally {
    world.close()
    if (!keep) journal.close()
  }
}

function askOf(event: Extract<AgentEvent, { type: 'ask'; kind: 'approval' }>): MadeAsk {
  const { tool, field, effect, egress, arguments: args, why } = event.request
  const plain = decide({ tool, field, effect, recipients: egress?.to, provenance: 'clean' })
  return { tool, arguments: args, why, byDefault: plain.decision === 'ask', answer: 'nobody' }
}
