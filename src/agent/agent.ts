import type { Message, ToolSpec } from '../chat/types.js'
import type { Engine, Sampling } from '../engine/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import { shortlist } from '../tools/shortlist.js'
import type { Approver } from './approval.js'
import { NOBODY } from './approval.js'
import type { AgentEvent, RunEnd } from './events.js'
import type { Journal } from './journal.js'
import { DEFAULT_LIMITS, type Limits } from './limits.js'
import type { PolicyRow } from './policy.js'
import type { PolicyRule } from './policy-rules.js'
import { Run } from './run.js'
import { dateLine, localZone } from './system-text.js'
import { Thread } from './thread.js'

/** What an agent is made of. Everything that is not named has a safe default. */
export interface AgentOptions {
  readonly engine: Engine
  readonly registry: ToolRegistry
  readonly journal: Journal
  /** Who answers approvals. Default: nobody, so everything that would ask is denied. */
  readonly approver?: Approver
  /** Current time. Default: the system clock. */
  readonly now?: () => Date
  /** IANA zone. Default: this machine's. */
  readonly timeZone?: string
  /** Standing instructions. Default: none. */
  readonly system?: string
  /** Append the day and zone to the standing instructions. Default false. */
  readonly tellDate?: boolean
  /** The owner's policy rules. */
  readonly rules?: readonly PolicyRule[]
  /** The policy table. Default: {@link DEFAULT_POLICY}. */
  readonly table?: readonly PolicyRow[]
  /** Classes of `--approve`. */
  readonly approved?: readonly string[]
  readonly limits?: Partial<Limits>
  readonly think?: boolean | number
  readonly sampling?: Sampling
  /** Constrain calls by a grammar where the dialect allows. Default true. */
  readonly constrain?: boolean
  /**
   * `checked`: the model's closing words are used only if everything in them stands in a result or in the owner's
   * words, else the results' own first lines (for very small models). `free`: the words are used as they are.
   */
  readonly answers?: 'checked' | 'free'
  /** Most tools shown. Default 8 of more than 10. */
  readonly shown?: number
  /**
   * In the first turn a tool is chosen by the model's probability times its shortlist score to this power (for very small
   * models, to which the words of a request tell less than they tell the shortlist). Default 0: the model alone.
   */
  readonly shortlistWeight?: number
  /** Strings in calls must be quotations from what the owner and the tools said (for very small models). */
  readonly quote?: boolean
}

/** How one request is run. */
export interface RunOptions {
  /** The conversation that the request continues; a new one by default. */
  readonly thread?: Thread
  /**
   * The request was not said now but read back from a store (an automation's): if outside text was written into it, it is
   * outside text and asks for nothing.
   */
  readonly stored?: boolean
  readonly signal?: AbortSignal
  readonly onEvent?: (event: AgentEvent) => void
}

/** A system text and the tools that go with a run. */
export interface Frame {
  readonly system: readonly Message[]
  readonly specs: readonly ToolSpec[]
}

/**
 * The loop of requests, model turns and tool calls over one engine, tool set and journal. One agent serves many threads,
 * one after the other or at the same time.
 */
export class Agent {
  readonly limits: Limits
  readonly approver: Approver
  readonly now: () => Date
  readonly timeZone: string
  readonly #specs = new Map<string, readonly ToolSpec[]>()

  constructor(readonly options: AgentOptions) {
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.approver = options.approver ?? NOBODY
    this.now = options.now ?? (() => new Date())
    this.timeZone = options.timeZone ?? localZone()
  }

  /** A new conversation. */
  newThread(): Thread {
    return new Thread(this.options.journal.newRun())
  }

  /**
   * Does what the owner asks, as far as policy and owner allow. Always ends with a `run.end` event, whatever happens in
   * model, tools or host; that event is returned.
   * @throws JournalError when not even the start can be recorded
   */
  async run(request: string, options: RunOptions = {}): Promise<RunEnd> {
    const thread = options.thread ?? this.newThread()
    const shown = shortlist(this.options.registry, request, {
      thread: thread.tools,
      ...(this.options.shown === undefined ? {} : { k: this.options.shown }),
    })
    return Run.start(this, thread, request, shown, options).go()
  }

  /**
   * Goes on with a run that a crash interrupted: finished calls are not repeated, calls of which it is not known whether
   * they happened are settled first. Runs that another living process works on are left alone (undefined).
   */
  async resume(run: string, options: Omit<RunOptions, 'thread'> = {}): Promise<RunEnd | undefined> {
    return (await Run.resume(this, run, options))?.go()
  }

  /** Resumes every interrupted run, oldest first. */
  async resumeAll(options: Omit<RunOptions, 'thread'> = {}): Promise<RunEnd[]> {
    const ends: RunEnd[] = []
    for (const run of this.options.journal.openRuns()) {
      const end = await this.resume(run, options)
      if (end) ends.push(end)
    }
    return ends
  }

  /** The tools of these names as the model sees them; the same array each time, so that engines can cache by it. */
  specsOf(names: readonly string[]): readonly ToolSpec[] {
    const key = `${this.options.registry.version} ${names.join(' ')}`
    let specs = this.#specs.get(key)
    if (!specs) {
      specs = names.flatMap((name) => this.options.registry.spec(name) ?? [])
      if (this.#specs.size > 256) this.#specs.clear()
      this.#specs.set(key, specs)
    }
    return specs
  }

  /** System messages of a run. */
  systemMessages(notice: string): Message[] {
    const date = this.options.tellDate ? dateLine(this.now(), this.timeZone) : ''
    const content = [this.options.system ?? '', notice, date].filter((part) => part !== '').join('\n')
    return content === '' ? [] : [{ role: 'system', content }]
  }
}
