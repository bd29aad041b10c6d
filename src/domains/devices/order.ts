import type { JsonObject, JsonValue } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Command, Device } from './device.js'

/** The house as a device tool sees it. */
export interface View {
  readonly devices: readonly Device[]
  /** True for the built-in example house, false for real devices. */
  readonly example: boolean
  /** Lines that follow the first one of every result. */
  readonly notes: readonly string[]
  /** Names devices: "the kitchen ceiling light", "the lights in the hall". */
  readonly name: (list: readonly Device[], noun: string) => string
}

/** What a device tool wants done, and how to say that it was. */
export interface Order {
  readonly commands: readonly Command[]
  /** First sentence and data, from the devices as they are after the change. Some of them may be missing. */
  readonly say: (after: readonly Device[]) => { readonly first: string; readonly data?: JsonValue }
  /** More to say after that. */
  readonly lines?: readonly string[]
  /** Changes of the records that go with it, in the same transaction as its beginning. */
  readonly alongside?: () => void
}

/**
 * Decides what a call means for a house: an order, or a result (a question, a failure, a plan for later). Touches no
 * device; may change records, but only when it returns a success.
 */
export type Decide = (args: JsonObject, context: ToolContext, view: View) => ToolResult | Order

/** Whether a decision is already a result. */
export function isResult(decided: ToolResult | Order): decided is ToolResult {
  return 'ok' in decided
}
