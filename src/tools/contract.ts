import type { z } from 'zod'
import type { JsonObject, JsonValue } from '../chat/types.js'

/** The nine fields of work. */
export const FIELDS = [
  'web search',
  'research',
  'commerce',
  'finance',
  'business operations',
  'device control',
  'files',
  'calendar',
  'messaging',
] as const

/** One of the nine fields of work. */
export type Field = (typeof FIELDS)[number]

/** What a call does to the world: nothing; something that can be undone; something that cannot. */
export type Effect = 'read' | 'write' | 'irreversible'

/** What leaves the device with a call, and to whom. */
export interface Egress {
  /** Recipient: an address, a host, a person's name, a service. */
  readonly to: readonly string[]
  /** What is carried out, in words for the owner ("the text of the message"). */
  readonly what: string
}

/**
 * What the model and the policy see of a tool; pure data and pure functions, so that data synthesis, evaluation and
 * the real host share it without loading a store.
 */
export interface ToolContract<P extends z.ZodObject = z.ZodObject> {
  /** snake_case, unique. */
  readonly name: string
  readonly field: Field
  /** One short sentence, imperative. */
  readonly description: string
  /** Parameters as a zod object; emitted as JSON Schema. */
  readonly parameters: P
  /**
   * Parameters without which the tool cannot act, with the question that the host puts to the owner when a call leaves
   * them out. They are optional in the schema, so that a model is never forced to invent a value.
   */
  readonly asks?: { readonly [parameter: string]: string }
  /** Ways people ask for this; read by the shortlist only. */
  readonly examples?: readonly string[]
  readonly effect: (args: JsonObject) => Effect
  readonly egress?: (args: JsonObject) => Egress | undefined
  /** True when results carry text from the outside world. */
  readonly untrusted?: boolean
  /**
   * Where this contract's own description and schema come from, when that is outside ("the MCP server x"). Whoever is
   * shown such a tool has read outside text.
   */
  readonly describedBy?: string
  /**
   * True when the same call again is meant as more of it (louder, the next song). Any other call with an effect is done
   * once in a request, however often the model repeats it.
   */
  readonly repeatable?: boolean
}

/** The moment and place a call runs in. */
export interface ToolContext {
  /** Current time; stores never read the system clock. */
  readonly now: () => Date
  /** IANA zone of the owner, e.g. `Europe/Budapest`. */
  readonly timeZone: string
  /** The owner's last message, for tools whose question is the request itself (maths, facts). */
  readonly request: string
  /** Unique per intended effect: running twice with the same key must have the effect once. */
  readonly idempotencyKey: string
  /**
   * What outside text the arguments stem from ("mail from x@y"), when any of them does. A store that keeps them may keep
   * this too; the agent remembers it in any case.
   */
  readonly taintedBy?: string
  /** Hours in which the owner works, where they told; minutes after midnight, days from 1 (Monday) to 7, all when absent. */
  readonly workingHours?: { readonly from: number; readonly to: number; readonly days?: readonly number[] }
  readonly signal?: AbortSignal
}

/** What a tool says. A failure is a value that the model can act on, never a throw. */
export interface ToolResult {
  readonly ok: boolean
  /** Text for the model. The first line is one plain sentence that could be read to the owner as it is. */
  readonly content: string
  /** The same for programs. */
  readonly data?: JsonValue
  /** A question to the owner that must be answered before the call can run (two people named Ann). */
  readonly question?: string
  /**
   * True when nothing that could answer is connected: no failure of the call, and no other try will help. Goes with `ok`
   * false, and with `content` in the host's own words, which never taints; never set it for text from outside.
   */
  readonly unavailable?: boolean
  /** How to take the effect back; kept in the journal. */
  readonly undo?: JsonObject
  /**
   * Where outside text in this result comes from ("mail from x@y", "calendar invitation"), for tools whose results are
   * outside text only now and then. Taints as {@link ToolContract.untrusted} does.
   */
  readonly untrusted?: string
}

/** A tool that can run: its contract with an implementation over some store or server. */
export interface Tool<P extends z.ZodObject = z.ZodObject> extends ToolContract<P> {
  run(args: JsonObject, context: ToolContext): Promise<ToolResult>
  /**
   * One sentence on what `run` would do now, with resolved times, recipients and amounts; shown before an approval. A
   * result (`ok` false) when `run` would do nothing but ask or fail: then nobody is asked to approve it.
   */
  preview?(args: JsonObject, context: ToolContext): Promise<string | ToolResult>
  /**
   * The addresses (or other names that cannot mean two) to which a call with egress would go, for the owner's rules and
   * approvals. Undefined or empty when it cannot be told; then the names as they were said count.
   */
  recipients?(
    args: JsonObject,
    context: ToolContext,
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>
  /** Takes back what `run` reported in `undo`. Reverting twice must revert once: a crash may have hidden the first time. */
  revert?(undo: JsonObject, context: ToolContext): Promise<ToolResult>
  /**
   * After a crash: did the effect with this idempotency key happen? A result with `ok` true: it did, and this is what
   * `run` would have said. `ok` false: it is certain that it did not, and it may be run. `undefined`: it cannot be known,
   * and the owner decides.
   */
  reconcile?(key: string, args: JsonObject, context: ToolContext): Promise<ToolResult | undefined>
}
