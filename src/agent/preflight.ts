import type { JsonObject, ToolCall } from '../chat/types.js'
import type { Effect, Egress, Tool, ToolContext, ToolResult } from '../tools/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import { unknownToolMessage, validateArguments } from '../tools/validate.js'
import { judge } from './asked.js'
import { decide, type PolicyRow, type PolicyVerdict } from './policy.js'
import type { PolicyRule } from './policy-rules.js'
import type { Origin, Provenance } from './provenance.js'

/** A call that may run as far as its form is concerned, with everything that policy and owner need to know. */
export interface Prepared {
  readonly kind: 'ready'
  readonly call: ToolCall
  readonly tool: Tool
  readonly args: JsonObject
  readonly effect: Effect
  readonly egress: Egress | undefined
  readonly origins: ReadonlyMap<string, Origin>
  readonly provenance: 'clean' | 'tainted'
  /** Addresses that the recipients stand for, when the tool can tell. */
  readonly addresses?: readonly string[]
  readonly verdict: PolicyVerdict
}

/** A call that cannot run: what the model is told, and the question to the owner when a value is missing. */
export interface Unfit {
  readonly kind: 'unfit'
  readonly call: ToolCall
  readonly reason: 'unknown-tool' | 'invalid' | 'missing'
  readonly content: string
  readonly question?: string
}

/** What calls are judged by. */
export interface PreflightRules {
  readonly registry: ToolRegistry
  /** Names that the model was shown. */
  readonly shown: readonly string[]
  readonly rules: readonly PolicyRule[]
  /** Default: the default table. */
  readonly table?: readonly PolicyRow[]
  readonly approved: readonly string[]
  readonly provenance: Provenance
  /** Current time and zone, to compare ISO times with the owner's words. */
  readonly now?: () => Date
  readonly timeZone?: string
}

/**
 * Judges one call without running anything: does the tool exist, are the arguments valid, is a value missing that only
 * the owner knows, what would it do, and what does the policy say.
 */
export function preflight(call: ToolCall, rules: PreflightRules): Prepared | Unfit {
  const tool = rules.registry.get(call.name)
  if (!tool) {
    const content = unknownToolMessage(call.name, rules.registry, rules.shown)
    return { kind: 'unfit', call, reason: 'unknown-tool', content }
  }
  const validated = validateArguments(tool, call.arguments)
  if (!validated.ok) return { kind: 'unfit', call, reason: 'invalid', content: validated.message }
  const { args } = validated
  for (const [parameter, question] of Object.entries(tool.asks ?? {})) {
    const value = args[parameter]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      return { kind: 'unfit', call, reason: 'missing', content: question, question }
    }
  }
  let effect: Effect
  let egress: Egress | undefined
  try {
    effect = tool.effect(args)
    egress = tool.egress?.(args)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { kind: 'unfit', call, reason: 'invalid', content: `The call of ${tool.name} cannot be judged: ${text}` }
  }
  // Looking without letting anything out needs no judging; where its values came from is for the record.
  const judged =
    effect === 'read' && !egress
      ? { provenance: 'clean' as const, why: '', origins: rules.provenance.traceAll(args) }
      : judge(tool, args, { effect, leaves: egress !== undefined }, rules)
  const prepared = { kind: 'ready' as const, call, tool, args, effect, egress, ...judged }
  return { ...prepared, verdict: verdictOn(prepared, rules) }
}

/** What the policy says of a call, with the reason that the owner is told. */
function verdictOn(
  { tool, effect, egress, provenance, why, addresses }: Omit<Prepared, 'verdict'> & { readonly why: string },
  rules: PreflightRules,
): PolicyVerdict {
  const verdict = decide(
    {
      tool: tool.name,
      field: tool.field,
      effect,
      recipients: egress?.to,
      ...(addresses ? { addresses } : {}),
      provenance,
    },
    rules.rules,
    rules.approved,
    rules.table,
  )
  return { ...verdict, why: provenance === 'tainted' && verdict.decision === 'ask' ? why : verdict.why }
}

/**
 * The same call, decided by the addresses that its recipients stand for. A tool that cannot tell them leaves it as it was.
 * @param writtenFrom where the outside text came from that an address was stored from, if it was
 */
export async function withAddresses(
  prepared: Prepared,
  context: ToolContext,
  rules: PreflightRules,
  writtenFrom: (address: string) => string | undefined = () => undefined,
): Promise<Prepared> {
  if (!prepared.egress || !prepared.tool.recipients) return prepared
  let addresses: readonly string[] | undefined
  try {
    addresses = await prepared.tool.recipients(prepared.args, context)
  } catch {
    return prepared
  }
  if (!addresses || addresses.length === 0) return prepared
  // An address that outside text put into the contacts is nobody that the owner named, whatever it is called there.
  const from = addresses.map(writtenFrom).find((label) => label !== undefined)
  const why = from === undefined ? prepared.verdict.why : `its address was written from ${from}`
  const found = { ...prepared, addresses, ...(from === undefined ? {} : { provenance: 'tainted' as const }) }
  return { ...found, verdict: verdictOn({ ...found, why }, rules) }
}

/**
 * What a tool says that it will do, if it can tell, or the question or failure that it would end in. A preview that throws
 * is no reason not to ask.
 */
export async function previewOf(prepared: Prepared, context: ToolContext): Promise<string | ToolResult | undefined> {
  try {
    return await prepared.tool.preview?.(prepared.args, context)
  } catch {
    return undefined
  }
}
