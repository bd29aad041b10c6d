import type { JsonObject, JsonValue } from '../chat/types.js'
import type { Effect } from '../tools/contract.js'
import type { ApprovalRequest } from './approval.js'
import type { RunStatus } from './journal-entry.js'

/** Token and time accounting of a run. */
export interface RunUsage {
  readonly promptTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** Model turns taken. */
  readonly steps: number
  readonly calls: number
  /** Milliseconds inside the engine. */
  readonly engineMs: number
  /** Milliseconds from start to end. */
  readonly totalMs: number
}

/** Why a run stopped. */
export type Stop =
  | 'answer'
  | 'question'
  | 'step-budget'
  | 'token-budget'
  | 'repairs'
  | 'loop'
  | 'approval'
  | 'unavailable'
  | 'engine-error'
  | 'host-error'
  | 'abort'

/** What a run reports while it goes; `--json` prints one a line. Times are milliseconds since 1970. */
export type AgentEvent =
  | {
      readonly type: 'run.start'
      readonly run: string
      readonly thread: string
      readonly request: string
      readonly model: string
      readonly tools: readonly string[]
      readonly at: number
      readonly resumed?: boolean
    }
  /** Visible text as it is written. What the host finally says is `run.end`'s text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call'
      readonly call: string
      readonly name: string
      readonly arguments: JsonObject
      readonly effect?: Effect
    }
  /** The host needs the owner: an approval, or the answer to a question. */
  | { readonly type: 'ask'; readonly kind: 'approval'; readonly call: string; readonly request: ApprovalRequest }
  | { readonly type: 'ask'; readonly kind: 'question'; readonly call: string; readonly question: string }
  | {
      readonly type: 'approval'
      readonly call: string
      readonly answer: 'allow' | 'deny' | 'nobody' | 'expired' | 'limit'
      readonly rule: string
    }
  | {
      readonly type: 'result'
      readonly call: string
      readonly name: string
      readonly ok: boolean
      /** As the model sees it (cut when it was too long). */
      readonly content: string
      readonly data?: JsonValue
      readonly undoable: boolean
      /** True when nothing that could answer is connected. */
      readonly unavailable?: boolean
    }
  | { readonly type: 'malformed'; readonly message: string; readonly text: string }
  | {
      readonly type: 'run.end'
      readonly run: string
      readonly status: RunStatus
      readonly stop: Stop
      /** What the owner is told. */
      readonly text: string
      /** True when the host, not the model, wrote the text. */
      readonly byHost: boolean
      readonly usage: RunUsage
      readonly error?: string
    }

/** The last event of a run. */
export type RunEnd = Extract<AgentEvent, { type: 'run.end' }>

/** An event as JSON can hold it: maps become objects. */
export function eventToJson(event: AgentEvent): string {
  return JSON.stringify(event, (_key, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value))
}
