import type { JsonObject, ToolCall } from '../chat/types.js'
import type { Effect, Egress, Tool, ToolContext, ToolResult } from '../tools/contract.js'
import type { ToolRegistry } from '../tools/registry.js'
import { toolIndex } from '../tools/shortlist.js'
import { unknownToolMessage, validateArguments } from '../tools/validate.js'
import { decide, type PolicyVerdict } from './policy.js'
import type { PolicyRule } from './policy-rules.js'
import { type Origin, type Provenance, provenanceOf } from './provenance.js'

/** A call that may run as far as its form is concerned, with everything that policy and owner need to know. */
export interface Prepared {
  readonly kind: 'ready'
  readonly call: ToolCall
  readonly tool: Tool
  readonly args: JsonObject
  readonly effect: Effect
  readonly egress: Egress | undefined
  readonly origins: ReadonlyMap<string, Origin>
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
  readonly approved: readonly string[]
  readonly provenance: Provenance
}

/** How near to the best match of the owner's words a tool must come to count as asked for. */
const ASKED_SHARE = 0.6
const ASKED_AMONG = 3

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
  const origins = rules.provenance.traceAll(args)
  const judged =
    effect === 'read' && !egress
      ? { provenance: 'clean' as const, why: '' }
      : provenanceOf(rules.provenance, origins, askedFor(tool.name, rules))
  const verdict = decide(
    { tool: tool.name, field: tool.field, effect, recipients: egress?.to, provenance: judged.provenance },
    rules.rules,
    rules.approved,
  )
  const why = judged.provenance === 'tainted' && verdict.decision === 'ask' ? judged.why : verdict.why
  return { kind: 'ready', call, tool, args, effect, egress, origins, verdict: { ...verdict, why } }
}

/** Do the owner's messages, on their own, call for this tool? Judged by the shortlist's own scores, message by message. */
function askedFor(name: string, { registry, provenance }: PreflightRules): boolean {
  if (!provenance.exposed) return true
  const index = toolIndex(registry)
  return provenance.ownerMessages.some((message) => {
    const ranked = index.rank(message)
    const best = ranked[0]?.score ?? 0
    return ranked
      .slice(0, ASKED_AMONG)
      .some((candidate) => candidate.name === name && candidate.score > 0 && candidate.score >= ASKED_SHARE * best)
  })
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
