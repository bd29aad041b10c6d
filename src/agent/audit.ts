import type { JsonObject, JsonValue } from '../chat/types.js'
import type { Effect } from '../tools/contract.js'
import type { Journal } from './journal.js'
import type { JournalBody, JournalEntry, RunStatus } from './journal-entry.js'

/** One call as the journal tells it. */
export interface AuditedCall {
  readonly call: string
  readonly tool: string
  readonly effect?: Effect
  /** Every argument with its value and where it came from (`owner: you`, `untrusted: the result of email_read` …). */
  readonly arguments: { readonly [name: string]: { readonly value: JsonValue; readonly from: string } }
  /** `unknown`: it began, and nobody knows whether it happened. */
  readonly outcome: 'ran' | 'failed' | 'refused' | 'unknown'
  /** First line of what came of it. */
  readonly said: string
  readonly decision?: 'allow' | 'ask' | 'deny'
  /** `table:…`, `rule:…` or `approve:…`. */
  readonly rule?: string
  readonly why?: string
  readonly approval?: 'allow' | 'deny' | 'nobody' | 'expired'
  /** Why it was not run. */
  readonly refusal?: string
  readonly egress?: { readonly to: readonly string[]; readonly what: string }
  /** Its result brought outside text into the conversation: where from. */
  readonly outside?: string
  /** Its arguments carried outside text: where from. */
  readonly taintedBy?: string
  /** Number of the outcome, for `botpsy undo`. */
  readonly seq?: number
  readonly undone?: boolean
}

/** One request with everything that was done for it. */
export interface AuditedRun {
  readonly run: string
  readonly thread: string
  /** Milliseconds since 1970, by the clock of the time. */
  readonly at: number
  readonly request: string
  readonly model: string
  readonly outside: readonly { readonly label: string }[]
  readonly calls: readonly AuditedCall[]
  readonly status?: RunStatus
  readonly stop?: string
}

/**
 * What ran, who approved it, by which rule, and from what each argument came; also what was refused and why.
 * @param which the newest requests, or one by its id (or an unambiguous beginning of it)
 * @throws JournalError
 */
export function audit(journal: Journal, which: { readonly last: number } | { readonly run: string }): AuditedRun[] {
  const starts =
    'last' in which
      ? journal.runs(which.last).reverse()
      : journal.runs(Number.MAX_SAFE_INTEGER).filter((entry) => entry.run.startsWith(which.run))
  if ('run' in which && starts.length > 1) return []
  return starts.map((start) => runOf(journal.entries(start.run)))
}

function runOf(entries: readonly JournalEntry[]): AuditedRun {
  const start = entries[0]!
  const begun = bodies(entries, 'run.start')[0]
  const end = bodies(entries, 'run.end')[0]
  const asked = bodies(entries, 'assistant').flatMap((body) => body.toolCalls)
  return {
    run: start.run,
    thread: begun?.thread ?? '',
    at: start.at,
    request: begun?.request ?? '',
    model: begun?.model ?? '',
    outside: (begun?.outside ?? []).map(({ label }) => ({ label })),
    calls: asked.map((call) => callOf(call.id, call.name, call.arguments, entries)),
    ...(end ? { status: end.status, stop: end.stop } : {}),
  }
}

function callOf(id: string, tool: string, given: JsonObject, entries: readonly JournalEntry[]): AuditedCall {
  const own = entries.filter(({ body }) => 'call' in body && body.call === id)
  const decision = bodies(own, 'decision').at(-1)
  const intent = bodies(own, 'intent')[0]
  const outcome = bodies(own, 'outcome')[0]
  const refused = bodies(own, 'refused')[0]
  const approval = bodies(own, 'approval').at(-1)
  const seq = own.find(({ body }) => body.type === 'outcome')?.seq
  const undone = bodies(entries, 'undo.outcome').some((body) => body.ok && body.target === seq)
  const effect = intent?.effect ?? outcome?.effect ?? decision?.effect
  const args = intent?.args ?? decision?.args ?? given
  const origins = decision?.origins ?? {}
  const content = outcome?.content ?? refused?.content ?? 'It is not known whether this happened.'
  return {
    call: id,
    tool,
    ...(effect ? { effect } : {}),
    arguments: Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, { value, from: origins[name] ?? 'the model' }]),
    ),
    outcome: outcome ? (outcome.ok ? 'ran' : 'failed') : refused ? 'refused' : 'unknown',
    said: (content.split('\n').find((line) => line.trim() !== '') ?? '').trim(),
    ...(decision ? { decision: decision.decision, rule: decision.rule } : {}),
    ...(decision?.why ? { why: decision.why } : {}),
    ...(approval ? { approval: approval.answer } : {}),
    ...(refused ? { refusal: refused.reason } : {}),
    ...(decision?.egress ? { egress: decision.egress } : {}),
    ...(outcome?.outside || refused?.outside ? { outside: outcome?.outside ?? refused?.outside ?? '' } : {}),
    ...(intent?.taintedBy ? { taintedBy: intent.taintedBy } : {}),
    ...(seq === undefined ? {} : { seq }),
    ...(undone ? { undone } : {}),
  }
}

function bodies<T extends JournalBody['type']>(
  entries: readonly JournalEntry[],
  type: T,
): Extract<JournalBody, { type: T }>[] {
  return entries.flatMap(({ body }) => (body.type === type ? [body as Extract<JournalBody, { type: T }>] : []))
}
