import type { JsonObject, JsonValue, ToolCall } from '../chat/types.js'
import type { Effect } from '../tools/contract.js'

/** How a run ended. `asked`: a question to the owner is open; `unapproved`: an approval was needed that nobody could give. */
export type RunStatus = 'done' | 'asked' | 'failed' | 'unapproved' | 'aborted'

/** What an entry of the journal says, by its type. One type a thing that happened; nothing is ever changed afterwards. */
export type JournalBody =
  | {
      readonly type: 'run.start'
      readonly thread: string
      readonly request: string
      readonly model: string
      /** Tools that the model is shown during this run. */
      readonly tools: readonly string[]
      /** Process that runs it: a run whose process lives is not resumed by another one. */
      readonly pid: number
      /** Which process of that id: see `processBirth`. */
      readonly born?: string
      /** IANA zone in which "tomorrow" was meant. */
      readonly zone?: string
      /** The request itself is outside text: where from. */
      readonly requestFrom?: string
      /** Outside text that the model is shown from the beginning: descriptions of tools from elsewhere. */
      readonly outside?: readonly { readonly label: string; readonly text: string }[]
    }
  /** A process takes over an interrupted run. `call` names the state it found (`after SEQ`): one process a state can. */
  | { readonly type: 'run.resume'; readonly pid: number; readonly call: string; readonly born?: string }
  | {
      readonly type: 'assistant'
      readonly content: string
      readonly reasoning?: string
      readonly toolCalls: readonly ToolCall[]
      readonly outputTokens: number
      /** True when the host wrote it (a tool's question, a fallback), not the model. */
      readonly byHost?: boolean
    }
  /** The host told the model that something could not be read or used. */
  | { readonly type: 'feedback'; readonly content: string }
  | {
      readonly type: 'decision'
      readonly call: string
      readonly decision: 'allow' | 'ask' | 'deny'
      readonly rule: string
      /** Why it was decided so, in words. */
      readonly why?: string
      readonly provenance?: 'clean' | 'tainted'
      readonly effect?: Effect
      /** What would leave the device, and to which addresses. */
      readonly egress?: { readonly to: readonly string[]; readonly what: string }
      /** The arguments as they were judged; for calls that were not run these stand nowhere else. */
      readonly args?: JsonObject
      readonly origins: { readonly [argument: string]: string }
    }
  | { readonly type: 'ask'; readonly call: string; readonly hash: string; readonly expiresAt: number }
  | {
      readonly type: 'approval'
      readonly call: string
      readonly hash: string
      readonly answer: 'allow' | 'deny' | 'nobody' | 'expired'
      readonly expiresAt: number
    }
  /** The effect may start once this is on disk. */
  | {
      readonly type: 'intent'
      readonly call: string
      readonly name: string
      readonly args: JsonObject
      readonly effect: Effect
      readonly key: string
      /** Field of the tool. */
      readonly field?: string
      /** Where outside text in the arguments comes from. */
      readonly taintedBy?: string
      /** Names of the arguments that hold it. */
      readonly tainted?: readonly string[]
    }
  /** A tool ran (or was found to have run before a crash). `content` is whole, however long. */
  | {
      readonly type: 'outcome'
      readonly call: string
      readonly name: string
      readonly ok: boolean
      readonly content: string
      readonly data?: JsonValue
      readonly question?: string
      readonly unavailable?: boolean
      readonly undo?: JsonObject
      readonly untrusted: boolean
      /** Where the outside text in it comes from. */
      readonly outside?: string
      readonly effect: Effect
      readonly reconciled?: boolean
    }
  /** A call that did not run: unknown tool, invalid arguments, a missing value, refused. */
  | {
      readonly type: 'refused'
      readonly call: string
      readonly name: string
      readonly content: string
      readonly question?: string
      /** Where outside text in `content` comes from. */
      readonly outside?: string
      readonly reason:
        | 'unknown-tool'
        | 'invalid'
        | 'missing'
        | 'denied'
        | 'unknown-outcome'
        | 'aborted'
        | 'repeated'
        | 'question-only'
        | 'not-possible'
    }
  | { readonly type: 'undo.intent'; readonly target: number; readonly name: string; readonly key: string }
  | { readonly type: 'undo.outcome'; readonly target: number; readonly ok: boolean; readonly content: string }
  | { readonly type: 'run.end'; readonly status: RunStatus; readonly text: string; readonly stop: string }

/** One line of the journal. */
export interface JournalEntry {
  /** Grows by one with each entry of the journal. */
  readonly seq: number
  readonly run: string
  /** Milliseconds since 1970, by the host's clock. */
  readonly at: number
  readonly body: JournalBody
}
