import type { JsonObject, JsonValue } from '../chat/types.js'
import type { Tool, ToolResult } from '../tools/contract.js'
import type { PreflightRules, Prepared } from './preflight.js'
import { itemsOf, namedItems, type TaintRegister } from './taint-register.js'

/** The outside text in a call: which arguments hold it, and where it comes from. */
export interface Taint {
  readonly label: string
  /** Arguments whose value stems from outside text, or was written by the model after it read some. */
  readonly names: readonly string[]
  readonly args: JsonObject
}

/**
 * The outside text that a call would carry into a store, if any. What the model writes after reading outside text counts
 * as derived from it. A call on an item that outside text was written into carries it on (a copy, another name).
 */
export function taintOf(prepared: Prepared, rules: PreflightRules, register: TaintRegister): Taint | undefined {
  const { origins, tool, effect } = prepared
  if (rules.provenance.exposed) {
    const properties = rules.registry.spec(tool.name)?.parameters.properties ?? {}
    const foul = [...origins].filter(
      ([name, { kind }]) => (kind === 'untrusted' || kind === 'model') && properties[name]?.enum === undefined,
    )
    const first = foul.find(([, { kind }]) => kind === 'untrusted') ?? foul[0]
    if (first) {
      const label = first[1].kind === 'untrusted' ? first[1].label : 'the model, after it read outside text'
      return { label, names: foul.map(([name]) => name), args: prepared.args }
    }
  }
  if (effect === 'read') return undefined
  const carried = register.find(tool.field, '', namedItems(prepared.args))
  return carried === undefined ? undefined : { label: carried, names: [], args: prepared.args }
}

/**
 * Puts the outside text of an effect into the register: before it runs the arguments, afterwards the names of what it
 * made and, where the result itself is outside text, that text.
 * @throws TaintError
 */
export function remember(
  register: TaintRegister,
  tool: Pick<Tool, 'field'>,
  what: Taint | { readonly label: string; readonly result: ToolResult; readonly outside: boolean },
): void {
  const { label } = what
  if ('result' in what) {
    const items = itemsOf(what.result.data, what.result.undo)
    register.add({ label, field: tool.field, items, texts: what.outside ? [what.result.content] : [] })
    return
  }
  const values = what.names.map((name) => what.args[name])
  register.add({ label, field: tool.field, texts: values.flatMap(textsIn), items: namedItems(pick(what)) })
}

/**
 * Where outside text in a result comes from, if there is any: the tool says so, or the result holds what was written from
 * outside text before. That nothing is connected is said by the host.
 */
export function outsideIn(
  tool: Pick<Tool, 'name' | 'field' | 'untrusted'>,
  args: JsonObject,
  result: ToolResult,
  register: TaintRegister,
): string | undefined {
  if (result.unavailable === true) return undefined
  if (result.untrusted !== undefined) return result.untrusted
  if (tool.untrusted === true) return `the result of ${tool.name}`
  const found = register.find(tool.field, result.content, [...itemsOf(result.data), ...namedItems(args)])
  return found === undefined ? undefined : `${tool.name}, which holds what was written from ${found}`
}

function pick({ names, args }: Taint): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])))
}

function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
