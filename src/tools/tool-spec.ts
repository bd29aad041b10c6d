import { z } from 'zod'
import type { JsonSchema, ToolSpec } from '../chat/types.js'
import type { ToolContract } from './contract.js'

/** Keywords that cost prompt tokens and tell the model nothing that it could act on. */
const NOISE = new Set(['$schema', 'additionalProperties', 'propertyNames', 'default', 'title', 'format', 'pattern'])

/**
 * What the model is shown of a tool: name, description and a compact JSON Schema (draft 2020-12) of its parameters. The
 * schema keeps types, enumerations, bounds, descriptions and requiredness; the full zod schema stays the judge of
 * arguments. `required` is left out when nothing is required.
 *
 * @throws Error when the parameters hold a type that JSON Schema cannot express
 */
export function toolSpec(contract: Pick<ToolContract, 'name' | 'description' | 'parameters'>): ToolSpec {
  const schema = z.toJSONSchema(contract.parameters, { io: 'input' })
  return { name: contract.name, description: contract.description, parameters: compact(schema) as JsonSchema }
}

function compact(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(compact)
  if (typeof node !== 'object' || node === null) return node
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' && typeof value === 'object' && value !== null) {
      // Parameter names are data: one called "title" or "format" must survive.
      kept.properties = Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, compact(schema)]))
      continue
    }
    if (key === 'additionalProperties' && typeof value === 'object' && value !== null) {
      if (Object.keys(value).length > 0) kept[key] = compact(value)
      continue
    }
    if (NOISE.has(key)) continue
    // zod writes the range of safe integers for every int.
    if ((key === 'minimum' || key === 'maximum') && typeof value === 'number') {
      if (Math.abs(value) >= Number.MAX_SAFE_INTEGER) continue
    }
    if (key === 'required' && Array.isArray(value) && value.length === 0) continue
    kept[key] = key === 'enum' || key === 'const' ? value : compact(value)
  }
  return kept
}
