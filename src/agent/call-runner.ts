import type { JsonObject, ToolCall } from '../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../tools/contract.js'
import {
  APPROVAL_LIFETIME_MS,
  type ApprovalDesk,
  type ApprovalRequest,
  type Approver,
  approvalHash,
} from './approval.js'
import type { AgentEvent } from './events.js'
import type { JournalBody } from './journal-entry.js'
import type { Limits } from './limits.js'
import { warningsOf } from './look-alikes.js'
import { onlyAsks } from './only-asks.js'
import { type PreflightRules, type Prepared, preflight, previewOf, withAddresses } from './preflight.js'
import { outsideIn, remember, taintOf } from './taint.js'
import type { TaintRegister } from './taint-register.js'

/** What running the calls of one turn needs of the run. */
export interface CallScope {
  readonly run: string
  readonly rules: PreflightRules
  readonly desk: ApprovalDesk
  /** What outside text was written where, in this run and before. */
  readonly taint: TaintRegister
  readonly approver: Approver
  readonly limits: Limits
  readonly now: () => Date
  readonly timeZone: string
  readonly request: string
  readonly signal: AbortSignal | undefined
  /** Writes to the journal and the thread, all or none. */
  readonly record: (...bodies: JournalBody[]) => void
  readonly emit: (event: AgentEvent) => void
  /** First line of what an identical call with an effect gave in an earlier turn of this run. */
  readonly doneBefore: (tool: string, args: JsonObject) => string | undefined
  /** Text of a result as the model sees it. */
  readonly fit: (content: string) => string
}

/** What became of a turn's calls, beyond their results. */
export interface TurnOutcome {
  /** Calls that the model got wrong (unknown tool, invalid arguments). */
  readonly mistakes: number
  /** The first question to the owner. */
  readonly question?: { readonly call: string; readonly text: string }
  /** An approval was needed that nobody could give, or the run may ask no more. */
  readonly unapproved?: Unapproved
  /** Calls that were not run because the same was done before. */
  readonly repeated: number
}

/** What could not be approved, in words, and why. */
export interface Unapproved {
  readonly why: 'nobody' | 'limit'
  readonly what: string
}

/**
 * Runs the calls of one turn. Each is judged in call order; neighbouring reads then run at the same time, everything with
 * an effect runs alone and in order. Results are recorded as they come; the thread puts them in call order. A failure of
 * a tool is a result, never a throw.
 */
export async function runCalls(calls: readonly ToolCall[], scope: CallScope): Promise<TurnOutcome> {
  let mistakes = 0
  let question: TurnOutcome['question']
  let unapproved: TurnOutcome['unapproved']
  let repeated = 0
  const refuse = (
    call: ToolCall,
    reason: Extract<JournalBody, { type: 'refused' }>['reason'],
    content: string,
    asks?: string,
    outside?: string,
  ): void => {
    scope.record({
      type: 'refused',
      call: call.id,
      name: call.name,
      content,
      reason,
      ...(asks ? { question: asks } : {}),
      ...(outside ? { outside } : {}),
    })
    scope.emit({
      type: 'result',
      call: call.id,
      name: call.name,
      ok: false,
      content: scope.fit(content),
      undoable: false,
    })
    if (asks) {
      question ??= { call: call.id, text: asks }
      scope.emit({ type: 'ask', kind: 'question', call: call.id, question: asks })
    }
  }

  let reads: Promise<void>[] = []
  const settleReads = async (): Promise<void> => {
    await Promise.all(reads)
    reads = []
  }
  const finish = async (prepared: Prepared): Promise<void> => {
    const asked = await execute(prepared, scope)
    if (asked) question ??= { call: prepared.call.id, text: asked }
  }

  for (const [position, call] of calls.entries()) {
    if (scope.signal?.aborted) {
      refuse(call, 'aborted', 'The run was aborted before this call.')
      continue
    }
    if (position >= scope.limits.callsPerTurn) {
      mistakes++
      refuse(call, 'invalid', `Not run: at most ${scope.limits.callsPerTurn} calls at a time.`)
      continue
    }
    const judged = preflight(call, scope.rules)
    const checked =
      judged.kind === 'ready'
        ? await withAddresses(judged, contextOf(call, scope), scope.rules, (address) =>
            scope.taint.find(judged.tool.field, address),
          )
        : judged
    if (checked.kind === 'unfit') {
      scope.emit({ type: 'call', call: call.id, name: call.name, arguments: call.arguments })
      if (checked.reason !== 'missing') mistakes++
      refuse(call, checked.reason, checked.content, checked.question)
      continue
    }
    scope.emit({ type: 'call', call: call.id, name: call.name, arguments: checked.args, effect: checked.effect })
    if (checked.effect !== 'read') {
      const before = checked.tool.repeatable ? undefined : scope.doneBefore(call.name, checked.args)
      if (before !== undefined) {
        repeated++
        refuse(call, 'repeated', `Not done again, since this request did it already: ${before}`)
        continue
      }
      if (onlyAsks(scope.request)) {
        mistakes++
        refuse(call, 'question-only', questionOnly(checked.tool.field, scope.rules))
        continue
      }
    }
    if (checked.effect === 'read' && checked.verdict.decision === 'allow') {
      scope.record(decisionOf(checked))
      reads.push(finish(checked))
      continue
    }
    await settleReads()
    const permission = await permit(checked, scope)
    if (permission.answer === 'not-possible') {
      const { question: asks, content } = permission.result
      refuse(call, 'not-possible', content, asks, outsideIn(checked.tool, checked.args, permission.result, scope.taint))
      continue
    }
    if (permission.answer !== 'allow') {
      const { answer, what } = permission
      if (answer === 'nobody' || answer === 'limit') unapproved ??= { why: answer, what }
      refuse(call, 'denied', DENIALS[answer])
      continue
    }
    await finish(checked)
  }
  await settleReads()
  return { mistakes, repeated, ...(question ? { question } : {}), ...(unapproved ? { unapproved } : {}) }
}

/** The first line is for the owner, should the model find no other way; the second for the model. */
function questionOnly(field: Tool['field'], { registry, shown }: PreflightRules): string {
  const looking = shown.filter((name) => {
    const tool = registry.get(name)
    return tool?.field === field && tool.effect({}) === 'read'
  })
  const line = 'I did not find that out; nothing was changed, because you only asked.'
  return looking.length === 0 ? line : `${line}\nTo answer, use a tool that only looks: ${looking.join(', ')}.`
}

const DENIALS = {
  deny: 'Not done: the owner declined this. Do not ask for it again.',
  policy: 'Not done: the policy forbids this.',
  nobody: 'Not done: this needs the approval of the owner, and nobody could be asked.',
  expired: 'Not done: the approval came too late.',
  limit: 'Not done: this run already asked for approval too often.',
} as const

type Permission =
  | { readonly answer: 'allow' }
  | { readonly answer: keyof typeof DENIALS; readonly what: string }
  | { readonly answer: 'not-possible'; readonly result: ToolResult }

async function permit(prepared: Prepared, scope: CallScope): Promise<Permission> {
  const { verdict, call } = prepared
  // What runs at once is recorded together with its intent.
  if (verdict.decision === 'allow') return { answer: 'allow' }
  scope.record(decisionOf(prepared))
  if (verdict.decision === 'deny') {
    scope.emit({ type: 'approval', call: call.id, answer: 'deny', rule: verdict.rule })
    return { answer: 'policy', what: prepared.tool.description }
  }
  const preview = await previewOf(prepared, contextOf(call, scope))
  // What would only end in a question or a failure is nothing to approve.
  if (typeof preview === 'object') return { answer: 'not-possible', result: preview }
  const hash = approvalHash(prepared.tool.name, prepared.args, scope.run)
  const request: ApprovalRequest = {
    run: scope.run,
    call: call.id,
    tool: prepared.tool.name,
    field: prepared.tool.field,
    description: prepared.tool.description,
    effect: prepared.effect,
    arguments: prepared.args,
    origins: prepared.origins,
    egress: addressed(prepared),
    warnings: warningsOf(prepared.args, scope.rules.provenance.known),
    why: verdict.why,
    preview,
    hash,
    expiresAt: scope.now().getTime() + APPROVAL_LIFETIME_MS,
  }
  const onAsk = (): void => {
    scope.record({ type: 'ask', call: call.id, hash, expiresAt: request.expiresAt })
    scope.emit({ type: 'ask', kind: 'approval', call: call.id, request })
  }
  const approved = await scope.desk.request(request, onAsk, scope.signal)
  if (approved.answer !== 'limit') {
    scope.record({ type: 'approval', call: call.id, hash, answer: approved.answer, expiresAt: request.expiresAt })
  }
  scope.emit({ type: 'approval', call: call.id, answer: approved.answer, rule: verdict.rule })
  return { answer: approved.answer, what: preview ?? prepared.tool.description }
}

/** What leaves, with the addresses that names stand for beside them. */
function addressed({ egress, addresses }: Prepared): Prepared['egress'] {
  if (!egress || !addresses) return egress
  const further = addresses.filter((address) => !egress.to.some((said) => said.includes(address)))
  const said =
    addresses.length > 0 && further.length === addresses.length ? egress.to.filter((to) => to !== '') : egress.to
  return { ...egress, to: further.length === 0 ? said : [...said.slice(0, 20), ...further.map((a) => `<${a}>`)] }
}

function decisionOf(prepared: Prepared): JournalBody {
  const { call, verdict, origins, provenance, effect, args } = prepared
  const egress = addressed(prepared)
  return {
    type: 'decision',
    call: call.id,
    decision: verdict.decision,
    rule: verdict.rule,
    why: verdict.why,
    provenance,
    effect,
    ...(egress ? { egress: { to: egress.to, what: egress.what } } : {}),
    args,
    origins: Object.fromEntries([...origins].map(([name, origin]) => [name, `${origin.kind}: ${origin.label}`])),
  }
}

/** Key of an intended effect: the same again for the same call after a crash, and for no other call. */
export function idempotencyKey(run: string, call: string): string {
  return `${run}:${call}`
}

function contextOf(call: ToolCall, scope: CallScope, taintedBy?: string): ToolContext {
  return {
    now: scope.now,
    timeZone: scope.timeZone,
    request: scope.request,
    idempotencyKey: idempotencyKey(scope.run, call.id),
    ...(taintedBy === undefined ? {} : { taintedBy }),
    ...(scope.signal ? { signal: scope.signal } : {}),
  }
}

/** Runs one permitted call. Returns the tool's question to the owner, if it has one. */
async function execute(prepared: Prepared, scope: CallScope): Promise<string | undefined> {
  const { call, tool, args, effect } = prepared
  const taint = taintOf(prepared, scope.rules, scope.taint)
  const context = contextOf(call, scope, taint?.label)
  if (effect !== 'read') {
    // Before the effect: a crash behind it must not make outside text look like the owner's.
    if (taint) remember(scope.taint, tool, taint)
    const before = prepared.verdict.decision === 'allow' ? [decisionOf(prepared)] : []
    scope.record(...before, {
      type: 'intent',
      call: call.id,
      name: tool.name,
      args,
      effect,
      key: context.idempotencyKey,
      ...(taint ? { field: tool.field, taintedBy: taint.label, tainted: taint.names } : {}),
    })
  }
  const result = await guarded(tool, () => tool.run(args, context), scope.limits.callMs)
  return conclude(prepared.call, tool, effect, result, scope, { args, taint })
}

/** What is known of a call beside its result. */
export interface Concluding {
  readonly args: JsonObject
  /** The effect carried outside text. */
  readonly taint?: { readonly label: string } | undefined
  /** It was found to have happened before a crash. */
  readonly reconciled?: boolean
}

/** Records and reports what a call gave. Returns its question to the owner. */
export function conclude(
  call: ToolCall,
  tool: Tool,
  effect: Prepared['effect'],
  result: ToolResult,
  scope: CallScope,
  { args, taint, reconciled = false }: Concluding,
): string | undefined {
  const content =
    result.content.trim() === '' ? (result.ok ? 'Done.' : 'It failed without saying why.') : result.content
  const outside = outsideIn(tool, args, result, scope.taint)
  if (effect !== 'read' && (taint || outside)) {
    remember(scope.taint, tool, { label: taint?.label ?? outside ?? tool.name, result, outside: outside !== undefined })
  }
  scope.record({
    type: 'outcome',
    call: call.id,
    name: tool.name,
    ok: result.ok,
    content,
    untrusted: outside !== undefined,
    effect,
    ...(outside === undefined ? {} : { outside }),
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.question === undefined ? {} : { question: result.question }),
    ...(result.unavailable === true ? { unavailable: true } : {}),
    ...(result.undo === undefined ? {} : { undo: result.undo }),
    ...(reconciled ? { reconciled } : {}),
  })
  scope.emit({
    type: 'result',
    call: call.id,
    name: tool.name,
    ok: result.ok,
    content: scope.fit(content),
    undoable: result.undo !== undefined && tool.revert !== undefined,
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.unavailable === true ? { unavailable: true } : {}),
  })
  if (result.question !== undefined) {
    scope.emit({ type: 'ask', kind: 'question', call: call.id, question: result.question })
  }
  return result.question
}

async function guarded(tool: Tool, work: () => Promise<ToolResult>, limitMs: number): Promise<ToolResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ToolResult>((resolve) => {
    timer = setTimeout(() => {
      const seconds = Math.round(limitMs / 1000)
      resolve({
        ok: false,
        content: `${tool.name} did not answer within ${seconds} s; whether it happened is not known.`,
      })
    }, limitMs)
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    // What a program says when it breaks may quote a server or a file.
    return {
      ok: false,
      content: `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`,
      untrusted: `an error of ${tool.name}`,
    }
  } finally {
    clearTimeout(timer)
  }
}
