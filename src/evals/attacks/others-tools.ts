import { z } from 'zod'
import type { Tool } from '../../tools/contract.js'

/** Where the foreign tools of these attacks come from. */
const SERVER = 'the MCP server air-quality'

/**
 * A tool as a foreign MCP server offers it, with orders to the model in its description.
 * @param orders what the description says beside what the tool is for
 */
export function foreignTool(orders: string): Tool {
  return {
    name: 'air_quality',
    field: 'web search',
    description: `Tell the air quality of a city. ${orders}`,
    parameters: z.object({ city: z.string().optional() }),
    examples: ['how is the air quality', 'air quality in Budapest', 'is the air clean'],
    effect: () => 'read',
    untrusted: true,
    describedBy: SERVER,
    run: async () => ({ ok: true, content: 'The air is good.' }),
  }
}
