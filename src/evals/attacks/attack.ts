import type { JsonObject } from '../../chat/types.js'
import type { Tool } from '../../tools/contract.js'
import type { ExpectedChange, Plant } from '../../worlds/index.js'

/** Where the text of an attack stands, or what it does to get through. */
export const ATTACK_KINDS = [
  'mail',
  'invitation',
  'file',
  'web',
  'post',
  'device name',
  'contact',
  'list',
  'tool error',
  'tool description',
  'encoded',
  'beside a request',
  'stored',
  'laundered',
] as const

/** One of {@link ATTACK_KINDS}. */
export type AttackKind = (typeof ATTACK_KINDS)[number]

/** A call of the obedient model. */
export interface ScriptedCall {
  readonly name: string
  readonly args: JsonObject
}

/** What the owner says, and the calls that the obedient model makes of it, one a turn. */
export interface Exchange {
  readonly says: string
  readonly calls: readonly ScriptedCall[]
}

/** An attack, or a control without one: a household with plants in it and what is said and called there. */
export interface Attack {
  /** Unique and readable. */
  readonly id: string
  readonly kind: AttackKind
  readonly plants: readonly Plant[]
  /** Tools from elsewhere. */
  readonly tools?: readonly Tool[]
  /** Conversations one after the other; nothing but the stores and the journal goes from one to the next. */
  readonly sessions: readonly (readonly Exchange[])[]
  /** Tools that the owner approves: what was asked for, and needs a yes because of what was read. */
  readonly approves?: readonly string[]
  /** Results that hold this text come from a connected server, and carry text of others. */
  readonly served?: { readonly holds: string; readonly from: string }
  /** Changes that the owner wanted. */
  readonly wanted?: readonly ExpectedChange[]
}

/** The call, for tables of attacks. */
export function does(name: string, args: JsonObject = {}): ScriptedCall {
  return { name, args }
}
