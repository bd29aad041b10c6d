import type { JsonObject, ToolSpec } from '../chat/types.js'
import { shortlistWeights } from '../tools/shortlist.js'
import type { Agent, RunOptions } from './agent.js'
import { finalAnswer, firstLine, type Told } from './answer.js'
import { ApprovalDesk, type RecordedApproval } from './approval.js'
import { type CallScope, runCalls, type TurnOutcome } from './call-runner.js'
import { canonicalJson, hashOf } from './canonical.js'
import { compact, fitResult } from './compaction.js'
import type { AgentEvent, RunEnd, Stop } from './events.js'
import { JournalError } from './journal.js'
import type { JournalBody, JournalEntry, RunStatus } from './journal-entry.js'
import { callableFor } from './only-asks.js'
import { processBirth, processLives } from './process-lives.js'
import { settle } from './settle.js'
import { Thread } from './thread.js'
import { type Turn, takeTurn } from './turn.js'

/** Runs that this process works on: another agent of the same process must not take one over. */
const active = new Set<string>()

/** Reasons for refusing a call that the model could have known. */
const MISTAKES: ReadonlySet<string> = new Set(['unknown-tool', 'invalid', 'question-only'])

/** How far the clock may be corrected backwards before the time that passed is unknown. */
const CLOCK_SLACK_MS = 60_000

/** Descriptions of shown tools that come from elsewhere: outside text that the model reads before anything else. */
function describedOutside(agent: Agent, shown: readonly string[]): { readonly label: string; readonly text: string }[] {
  const { registry } = agent.options
  return shown.flatMap((name) => {
    const from = registry.get(name)?.describedBy
    return from === undefined
      ? []
      : [{ label: `the description of ${name} (${from})`, text: JSON.stringify(registry.spec(name)) }]
  })
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

/** One request on its way through the loop: counts its budgets, writes its journal, tells its events. */
export class Run {
  #steps = 0
  #repairs = 0
  #outputTokens = 0
  #promptTokens = 0
  #cachedTokens = 0
  #reasoningTokens = 0
  #engineMs = 0
  readonly #startedAt: number
  /** Results of this run in order of recording. */
  readonly #told: Told[] = []
  readonly #seen = new Map<string, number>()
  /** Intents by call id, and what the calls with an effect that worked said, by tool and arguments. */
  readonly #intents = new Map<string, string>()
  readonly #worked = new Map<string, { readonly call: string; readonly said: string }[]>()
  readonly #desk: ApprovalDesk
  readonly #specs: readonly ToolSpec[]
  /** Names of the tools that may be called, where these are fewer than the shown ones. */
  #callable: readonly string[] | undefined
  /** Weights of the shown tools in the first turn's choice. */
  #weights: ReadonlyMap<string, number> | undefined
  #resumed: readonly JournalEntry[] = []
  /** The owner's zone is another one than when the run began. */
  #elsewhere = false

  private constructor(
    private readonly agent: Agent,
    private readonly thread: Thread,
    readonly id: string,
    private readonly shown: readonly string[],
    private readonly options: Omit<RunOptions, 'thread'>,
  ) {
    this.#startedAt = agent.now().getTime()
    this.#desk = new ApprovalDesk(agent.approver, () => agent.now().getTime())
    this.#specs = agent.specsOf(shown)
  }

  /** A new run; its start is in the journal when this returns. @throws JournalError */
  static start(agent: Agent, thread: Thread, request: string, shown: readonly string[], options: RunOptions): Run {
    const { journal, engine } = agent.options
    const run = new Run(agent, thread, journal.newRun(), shown, options)
    const { shortlistWeight, registry } = agent.options
    run.#callable = callableFor(request, shown, (name) => registry.get(name))
    run.#weights = shortlistWeights(registry, request, shown, shortlistWeight)
    const model = engine.model.name
    const outside = describedOutside(agent, shown)
    const from = options.stored ? journal.taint.find('device control', request) : undefined
    const born = processBirth()
    run.#record({
      type: 'run.start',
      thread: thread.id,
      request,
      model,
      tools: shown,
      pid: process.pid,
      zone: agent.timeZone,
      ...(born === undefined ? {} : { born }),
      ...(outside.length === 0 ? {} : { outside }),
      ...(from === undefined ? {} : { requestFrom: `a stored request, written from ${from}` }),
    })
    run.#announce(request, false)
    return run
  }

  /** A run that ended without a `run.end`, ready to go on; undefined when it did end or another process works on it. */
  static async resume(agent: Agent, id: string, options: Omit<RunOptions, 'thread'>): Promise<Run | undefined> {
    const { journal } = agent.options
    const entries = journal.entries(id)
    const start = entries.find((entry) => entry.body.type === 'run.start')?.body
    if (active.has(id) || start?.type !== 'run.start' || entries.some((entry) => entry.body.type === 'run.end'))
      return undefined
    const owners = entries.flatMap(({ body, at }) => ('pid' in body ? [{ pid: body.pid, at, born: body.born }] : []))
    const busy = owners.some(
      ({ pid, at, born }) => pid !== process.pid && processLives(pid, at, agent.now().getTime(), born),
    )
    if (busy) return undefined
    const thread = new Thread(start.thread)
    for (const run of journal.runsOf(start.thread)) {
      thread.replay(run === id ? entries : journal.entries(run))
      if (run === id) break
    }
    const run = new Run(agent, thread, id, start.tools, options)
    run.#elsewhere = start.zone !== undefined && start.zone !== agent.timeZone
    run.#restore(entries)
    try {
      const born = processBirth()
      run.#record({
        type: 'run.resume',
        pid: process.pid,
        call: `after ${entries.at(-1)?.seq ?? 0}`,
        ...(born === undefined ? {} : { born }),
      })
    } catch (error) {
      if (error instanceof JournalError && error.code === 'already-written') return undefined
      throw error
    }
    active.add(id)
    run.#announce(start.request, true)
    return run
  }

  /** Runs to the end. Never throws: what goes wrong in the host ends the run as `failed`. */
  async go(): Promise<RunEnd> {
    active.add(this.id)
    try {
      return await this.#loop()
    } catch (error) {
      if (this.options.signal?.aborted) return this.#end('aborted', 'abort', 'Stopped.', true)
      const text = error instanceof Error ? error.message : String(error)
      const stop = error instanceof Error && error.name === 'EngineError' ? 'engine-error' : 'host-error'
      return this.#end('failed', stop, this.#summary(`It failed: ${text}`), true, text)
    } finally {
      active.delete(this.id)
    }
  }

  async #loop(): Promise<RunEnd> {
    const early = await this.#finishInterrupted()
    if (early) return early
    if (this.#stale) return this.#endStale()
    const { limits } = this.agent
    for (;;) {
      if (this.options.signal?.aborted) return this.#end('aborted', 'abort', 'Stopped.', true)
      if (this.#steps >= limits.steps) {
        return this.#end('failed', 'step-budget', this.#summary(`I stopped after ${this.#steps} steps.`), true)
      }
      const room = limits.tokens - this.#outputTokens
      if (room <= 0)
        return this.#end('failed', 'token-budget', this.#summary('I stopped: the token budget is used up.'), true)

      const turn = await this.#generate(Math.min(room, limits.turnTokens))
      if (turn.stop === 'abort' || this.options.signal?.aborted) return this.#end('aborted', 'abort', 'Stopped.', true)
      this.#steps++
      const calls = turn.calls.map((call, i) => ({ id: this.thread.nextCallId(i), ...call }))
      const malformed = turn.malformed.filter(({ recovered }) => !recovered).map(({ message }) => message)
      for (const { message, text } of turn.malformed) this.#emit({ type: 'malformed', message, text })
      const written: JournalBody = {
        type: 'assistant',
        content: turn.content,
        toolCalls: calls,
        outputTokens: turn.usage.outputTokens,
        ...(turn.reasoning === '' ? {} : { reasoning: turn.reasoning }),
      }
      if (calls.length === 0 && malformed.length === 0) return this.#answer(turn, written)
      this.#record(written)
      if (calls.length > 0) {
        const end = this.#afterCalls(
          await runCalls(calls, this.#scope()),
          calls.map((call) => call.id),
        )
        if (end) return end
      }
      if (malformed.length > 0) {
        // After results that already say what happened, a broken closing turn is not worth another try.
        if (calls.length === 0 && this.#told.some((told) => told.ok)) return this.#answer({ ...turn, content: '' })
        if (++this.#repairs > limits.repairs) return this.#giveUp(malformed[0]!)
        this.#record({ type: 'feedback', content: malformed.slice(0, 3).join('\n') })
      }
    }
  }

  /** After a resume: settles calls in doubt, runs those that never started, and ends if the answer was already written. */
  async #finishInterrupted(): Promise<RunEnd | undefined> {
    const entries = this.#resumed
    if (entries.length === 0) return undefined
    const last = this.thread.lastTurn
    if (!last) return undefined
    if (last.toolCalls.length === 0) return this.#answer({ content: last.content })
    const scope = this.#scope()
    let question: TurnOutcome['question']
    let unapproved: TurnOutcome['unapproved']
    for (const call of this.thread.pending) {
      const intent = entries.find(({ body }) => body.type === 'intent' && body.call === call.id)?.body
      if (intent?.type !== 'intent') continue
      const settled = await settle(call, intent, scope, this.#stale)
      if (settled.question) question ??= { call: call.id, text: settled.question }
      if (settled.nobody) unapproved ??= { why: 'nobody', what: settled.what ?? call.name }
    }
    if (this.#stale) return this.#endStale()
    const rest = await runCalls(this.thread.pending, scope)
    for (const call of last.toolCalls) {
      const result = this.thread.result(call.id)
      if (result?.question) question ??= { call: call.id, text: result.question }
    }
    question ??= rest.question
    unapproved ??= rest.unapproved
    const outcome = {
      mistakes: rest.mistakes,
      repeated: rest.repeated,
      ...(question ? { question } : {}),
      ...(unapproved ? { unapproved } : {}),
    }
    return this.#afterCalls(
      outcome,
      last.toolCalls.map((call) => call.id),
    )
  }

  /**
   * May "tomorrow" and "in ten minutes" mean something else now? So much time passed since the crash, or the clock was set
   * back so that nobody knows how much, or the zone is another one.
   */
  get #stale(): boolean {
    const last = this.#resumed.at(-1)
    if (last === undefined) return false
    const passed = this.#startedAt - last.at
    return this.#elsewhere || passed > this.agent.limits.resumeMs || passed < -CLOCK_SLACK_MS
  }

  /** Ends an old run with what is known of it; what had not begun is not done. */
  #endStale(): RunEnd {
    const content = 'Not done: the program stopped before it.'
    for (const call of this.thread.pending) {
      this.#record({ type: 'refused', call: call.id, name: call.name, content, reason: 'aborted' })
    }
    const why = 'This was interrupted too long ago to go on with it. Ask again if you still want it.'
    return this.#end('failed', 'abort', this.#summary(why), true)
  }

  #afterCalls(outcome: TurnOutcome, calls: readonly string[]): RunEnd | undefined {
    if (outcome.unapproved) {
      const { why, what } = outcome.unapproved
      const text =
        why === 'limit'
          ? `Not done: ${shortened(what)}. This request needed your approval too many times.`
          : `Not done: ${shortened(what)}. This needs your approval, and nobody could be asked.`
      return this.#end('unapproved', 'approval', this.#summary(text, false), true)
    }
    if (outcome.question) {
      const done = this.#told.filter((told) => told.ok).map((told) => firstLine(told.content))
      const text = [...new Set([...done, outcome.question.text])].join('\n')
      return this.#end('asked', 'question', text, true)
    }
    if (outcome.mistakes > 0) {
      this.#repairs++
      if (this.#repairs > this.agent.limits.repairs) return this.#giveUp(this.#told.at(-1)?.content ?? '')
    }
    for (const id of calls) {
      const call = this.thread.lastTurn?.toolCalls.find((candidate) => candidate.id === id)
      const result = this.thread.result(id)
      if (!call || !result) continue
      const key = hashOf(call.name, canonicalJson(call.arguments), result.content)
      const times = (this.#seen.get(key) ?? 0) + 1
      this.#seen.set(key, times)
      if (times > 1) return this.#stopLoop('The same call gave the same result again.')
    }
    if (outcome.repeated === calls.length && calls.length > 0) return this.#stopLoop('')
    if (this.agent.options.answers !== 'free' && this.#onlyUnavailable()) {
      // Nothing to word: another turn could only try the same again.
      return this.#end('done', 'unavailable', this.#summary(''), true)
    }
    return undefined
  }

  #answer(turn: Pick<Turn, 'content'> & Partial<Pick<Turn, 'stop'>>, ...written: readonly JournalBody[]): RunEnd {
    // Whatever the words say: when nothing that was tried worked, the request was not done.
    const status = this.#nothingWorked() && !this.#onlyUnavailable() ? 'failed' : 'done'
    if (this.agent.options.answers === 'free' && turn.content !== '') {
      return this.#end(status, 'answer', turn.content, false, undefined, written)
    }
    const known = this.thread.messages().flatMap((message) => (message.role === 'assistant' ? [] : [message.content]))
    const { text, byHost } = finalAnswer(turn.stop === 'length' ? '' : turn.content, this.#told, known)
    if (text === '') return this.#end('failed', 'answer', 'I have no answer to this.', true, undefined, written)
    return this.#end(status, 'answer', text, byHost, undefined, written)
  }

  #nothingWorked(): boolean {
    return this.#told.length > 0 && this.#told.every((told) => !told.ok)
  }

  /** Everything that was tried would need something that is not connected: an answer, not a failure of the program. */
  #onlyUnavailable(): boolean {
    return this.#told.length > 0 && this.#told.every((told) => told.unavailable === true)
  }

  #stopLoop(why: string): RunEnd {
    const failed = this.#nothingWorked() && !this.#onlyUnavailable()
    return this.#end(failed ? 'failed' : 'done', 'loop', this.#summary(this.#nothingWorked() ? '' : why), true)
  }

  #giveUp(problem: string): RunEnd {
    return this.#end('failed', 'repairs', this.#summary(`I could not do this. ${firstLine(problem)}`), true)
  }

  async #generate(maxTokens: number): Promise<Turn> {
    const { engine, think, sampling, constrain } = this.agent.options
    const began = performance.now()
    const turn = await takeTurn({
      engine,
      messages: this.#conversation(),
      specs: this.#specs,
      think,
      sampling,
      maxTokens,
      constrain: constrain !== false,
      callable: this.#callable,
      weights: this.#steps <= 1 ? this.#weights : undefined,
      quote: this.agent.options.quote,
      cacheKey: this.thread.id,
      signal: this.options.signal,
      onText: (text) => this.#emit({ type: 'text', text }),
      onReasoning: (text) => this.#emit({ type: 'reasoning', text }),
    })
    this.#engineMs += performance.now() - began
    this.#outputTokens += turn.usage.outputTokens
    this.#promptTokens += turn.usage.promptTokens
    this.#cachedTokens += turn.usage.cachedTokens
    this.#reasoningTokens += turn.usage.reasoningTokens
    return turn
  }

  #conversation() {
    const { limits, options } = this.agent
    const context = options.engine.model.contextLength
    const messages = this.thread.messages((content) => fitResult(content, context * limits.resultShare))
    const toolTokens = this.#specs.reduce((sum, spec) => sum + JSON.stringify(spec).length / 3, 0)
    const room = Math.max(256, context * limits.historyShare - toolTokens)
    const compacted = compact(messages, room, this.thread.openQuestion)
    return [...this.agent.systemMessages(compacted.summary), ...compacted.messages]
  }

  #scope(): CallScope {
    const { registry, rules, table, approved, engine } = this.agent.options
    return {
      run: this.id,
      rules: {
        registry,
        shown: this.shown,
        rules: rules ?? [],
        approved: approved ?? [],
        ...(table ? { table } : {}),
        provenance: this.thread.provenance,
        now: this.agent.now,
        timeZone: this.agent.timeZone,
      },
      taint: this.agent.options.journal.taint,
      desk: this.#desk,
      approver: this.agent.approver,
      limits: this.agent.limits,
      now: this.agent.now,
      timeZone: this.agent.timeZone,
      request: this.thread.request,
      signal: this.options.signal,
      record: (...bodies) => this.#record(...bodies),
      emit: (event) => this.#emit(event),
      doneBefore: (tool, args) => this.#doneBefore(tool, args),
      fit: (content) => fitResult(content, engine.model.contextLength * this.agent.limits.resultShare),
    }
  }

  #doneBefore(tool: string, args: JsonObject): string | undefined {
    const now = new Set(this.thread.lastTurn?.toolCalls.map((call) => call.id))
    return this.#worked.get(`${tool} ${canonicalJson(args)}`)?.find(({ call }) => !now.has(call))?.said
  }

  /** What happened so far, for an ending that the model does not word: what was done first, then why it ended. */
  #summary(why: string, failures = true): string {
    const lines = this.#told.filter((told) => told.ok).map((told) => firstLine(told.content))
    const failed = this.#told
      .filter((told) => !told.ok && !(told.mistake && lines.length > 0))
      .map((told) => firstLine(told.content))
    return [...new Set([...lines, ...(failures ? failed.slice(-1) : []), why])].filter((line) => line !== '').join('\n')
  }

  #restore(entries: readonly JournalEntry[]): void {
    this.#resumed = entries
    const approvals: RecordedApproval[] = []
    const used = new Set<string>()
    let asks = 0
    const intended = new Set<string>()
    for (const { body } of entries) {
      if (body.type === 'intent') intended.add(body.call)
      this.#count(body)
      if (body.type === 'ask') asks++
      if (body.type === 'assistant' && !body.byHost) {
        this.#steps++
        this.#outputTokens += body.outputTokens
      }
      if (body.type === 'feedback') this.#repairs++
      if (body.type === 'refused' && MISTAKES.has(body.reason)) this.#repairs++
    }
    for (const { body } of entries) {
      if (body.type !== 'approval') continue
      approvals.push(body)
      if (intended.has(body.call)) used.add(body.hash)
    }
    this.#desk.restore(approvals, asks, used)
  }

  #count(body: JournalBody): void {
    if (body.type === 'intent') this.#intents.set(body.call, `${body.name} ${canonicalJson(body.args)}`)
    if (body.type === 'outcome') {
      const { name, ok, content, unavailable } = body
      this.#told.push({ name, ok, content, ...(unavailable ? { unavailable } : {}) })
      const intent = this.#intents.get(body.call)
      if (ok && intent !== undefined) {
        const before = this.#worked.get(intent) ?? []
        this.#worked.set(intent, [...before, { call: body.call, said: firstLine(content) }])
      }
    }
    // What was done already and is not done again is no failure.
    if (body.type === 'refused' && body.reason !== 'repeated') {
      const { name, content, reason } = body
      this.#told.push({ name, ok: false, content, ...(MISTAKES.has(reason) ? { mistake: true } : {}) })
    }
  }

  #record(...bodies: readonly JournalBody[]): void {
    this.agent.options.journal.append(this.id, ...bodies)
    for (const body of bodies) {
      this.thread.apply(body)
      this.#count(body)
    }
  }

  #announce(request: string, resumed: boolean): void {
    this.#emit({
      type: 'run.start',
      run: this.id,
      thread: this.thread.id,
      request,
      model: this.agent.options.engine.model.name,
      tools: this.shown,
      at: this.#startedAt,
      ...(resumed ? { resumed } : {}),
    })
  }

  #end(
    status: RunStatus,
    stop: Stop,
    text: string,
    byHost: boolean,
    error?: string,
    written: readonly JournalBody[] = [],
  ): RunEnd {
    const end: RunEnd = {
      type: 'run.end',
      run: this.id,
      status,
      stop,
      text,
      byHost,
      usage: {
        promptTokens: this.#promptTokens,
        cachedTokens: this.#cachedTokens,
        outputTokens: this.#outputTokens,
        reasoningTokens: this.#reasoningTokens,
        steps: this.#steps,
        calls: this.#told.length,
        engineMs: this.#engineMs,
        totalMs: this.agent.now().getTime() - this.#startedAt,
      },
      ...(error === undefined ? {} : { error }),
    }
    try {
      // What the owner read is part of the conversation, whoever wrote it.
      const words: JournalBody = { type: 'assistant', content: text, toolCalls: [], outputTokens: 0, byHost }
      const last: JournalBody = { type: 'run.end', status, text, stop }
      this.#record(...written, ...(byHost ? [words, last] : [last]))
    } catch (problem) {
      const said = problem instanceof Error ? problem.message : String(problem)
      const failed: RunEnd = { ...end, status: 'failed', stop: 'host-error', error: said }
      this.#emit(failed)
      return failed
    }
    this.#emit(end)
    return end
  }

  #emit(event: AgentEvent): void {
    this.options.onEvent?.(event)
  }
}
