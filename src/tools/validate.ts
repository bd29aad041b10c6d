import type { z } from 'zod'
import type { JsonObject } from '../chat/types.js'
import { closestNames } from './closest.js'
import type { ToolContract } from './contract.js'
import type { ToolRegistry } from './registry.js'

/** One thing wrong with the arguments of a call. */
export interface ArgumentProblem {
  /** Dotted path of the failing value (`items.0.name`), or the unknown parameter's name. */
  readonly field: string
  /** What is wrong and what would be right, one sentence. */
  readonly message: string
}

/** Arguments that passed (with zod's transformations applied), or what is wrong with them. */
export type Validation =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly problems: readonly ArgumentProblem[]; readonly message: string }

/**
 * Checks the arguments of a call against its tool. Null for an optional parameter counts as left out. Parameters that
 * the tool does not have are an error that names the nearest valid one: silently dropping them would do something else
 * than what was asked.
 */
export function validateArguments(contract: Pick<ToolContract, 'name' | 'parameters'>, args: JsonObject): Validation {
  const known = Object.keys(contract.parameters.shape)
  const problems: ArgumentProblem[] = []
  const given: JsonObject = {}
  for (const [key, value] of Object.entries(args)) {
    if (!known.includes(key)) {
      problems.push({ field: key, message: unknownParameter(key, known) })
      continue
    }
    const schema = contract.parameters.shape[key] as z.ZodType
    if (value === null && !schema.safeParse(null).success && schema.safeParse(undefined).success) continue
    given[key] = value
  }
  const parsed = contract.parameters.safeParse(given)
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => describe(issue, given)))
  if (problems.length > 0) {
    const lines = problems.slice(0, 4).map((problem) => `- ${problem.message}`)
    return { ok: false, problems, message: `The call of ${contract.name} was not run:\n${lines.join('\n')}` }
  }
  return { ok: true, args: parsed.success ? (parsed.data as JsonObject) : {} }
}

/** What a model is told that called a tool which does not exist: the nearest names, else the names it was shown. */
export function unknownToolMessage(
  name: string,
  registry: Pick<ToolRegistry<ToolContract>, 'closest'>,
  shown: readonly string[],
): string {
  const near = registry.closest(name)
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : shown.length > 0
        ? `Available tools: ${shown.join(', ')}.`
        : 'No tools are available; answer in words.'
  return `There is no tool called ${name.slice(0, 80)}. ${hint}`
}

function unknownParameter(key: string, known: readonly string[]): string {
  if (known.length === 0) return `${key}: this tool has no parameters`
  const near = closestNames(key, known, 1)[0]
  return `${key}: no such parameter${near ? ` (did you mean ${near}?)` : ''}; valid: ${known.join(', ')}`
}

function describe(issue: z.core.$ZodIssue, given: JsonObject): ArgumentProblem {
  const field = issue.path.map(String).join('.') || '(arguments)'
  if (issue.code === 'invalid_type' && at(given, issue.path) === undefined) {
    return { field, message: `${field}: missing; it is required (${issue.expected})` }
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    const wrong = at(given, issue.path)
    const near = typeof wrong === 'string' ? closestNames(wrong, values, 1)[0] : undefined
    const shown = values.slice(0, 24).join(', ')
    return { field, message: `${field}: must be one of ${shown}${near ? ` (did you mean ${near}?)` : ''}` }
  }
  return { field, message: `${field}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}` }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = (here as Record<PropertyKey, unknown>)[key]
  }
  return here
}
