import type { JsonObject, JsonSchema, Message } from '../../chat/types.js'
import type { Draw } from './draw.js'
import type { ShownTool } from './exchange.js'
import { callTurn, frameRequest, resultTurns, typed, userTurn, wordsTurn } from './exchange.js'
import type { ForeignTool } from './foreign.js'
import { FOREIGN_POOLS, FOREIGN_TOOLS, NONSENSE } from './foreign.js'
import type { Pools } from './grammar.js'
import { argumentsOf, renderTemplate } from './grammar.js'
import { renameTool } from './rename.js'
import { drawResult } from './results.js'

/** A foreign tool as shown, and exchanges that use it. */
export interface Stranger {
  readonly tool: ShownTool
  exchange(draw: Draw): Message[]
}

/** Makes tools that are not ours: of other programs, and invented ones of which no two runs see the same. */
export class ForeignMaker {
  readonly #pools: Pools

  constructor(pools: Pools) {
    this.#pools = { ...pools, ...FOREIGN_POOLS, material: NONSENSE.materials }
  }

  /** Draws so many different tools. */
  draw(count: number, draw: Draw): Stranger[] {
    const tools = draw.shuffled(FOREIGN_TOOLS).slice(0, count)
    return tools.map((tool) => this.#stranger(draw.chance(0.5) ? invented(draw) : tool, draw))
  }

  #stranger(tool: ForeignTool, draw: Draw): Stranger {
    const spec = {
      name: tool.name,
      description: tool.description,
      parameters: {
        type: 'object',
        properties: tool.properties,
        ...(tool.required ? { required: tool.required } : {}),
      },
    }
    const renamed = draw.chance(0.3) ? renameTool(spec, draw) : { spec, parameters: {} }
    const shown: ShownTool = { original: `foreign:${tool.name}`, spec: renamed.spec, parameters: renamed.parameters }
    return { tool: shown, exchange: (d) => this.#exchange(tool, shown, d) }
  }

  #exchange(tool: ForeignTool, shown: ShownTool, draw: Draw): Message[] {
    const pieces = renderTemplate(draw.pick(tool.templates), this.#pools, draw)
    const task = frameRequest({ tool: tool.name, pieces, fixed: fixedOf(tool, argumentsOf(pieces)) }, draw)
    const args = typed(task.arguments, tool.properties)
    const lacking = tool.required?.find((name) => args[name] === undefined)
    if (lacking !== undefined)
      return [userTurn(task.text), wordsTurn(`What is the ${shown.parameters[lacking] ?? lacking}?`)]
    const call = callTurn([{ shown, arguments: args }])
    if (!draw.chance(0.12)) return [userTurn(task.text), call]
    const result = drawResult(tool.name, args, this.#pools, draw)
    return [userTurn(task.text), call, ...resultTurns(call, [result]), wordsTurn(result.answer)]
  }
}

/** "Turn the guest network on": what the words imply without naming it. */
function fixedOf(tool: ForeignTool, args: JsonObject): { [parameter: string]: string } {
  const fixed: { [parameter: string]: string } = {}
  for (const [name, schema] of Object.entries(tool.properties)) {
    if (schema.enum && typeof args[name] === 'string' && !schema.enum.includes(args[name])) {
      const close = schema.enum.find(
        (value) => typeof value === 'string' && value.startsWith(String(args[name]).slice(0, 4)),
      )
      if (typeof close === 'string') fixed[name] = close
    }
  }
  return fixed
}

function invented(draw: Draw): ForeignTool {
  const verb = draw.pick(NONSENSE.verbs)
  const thing = draw.pick(NONSENSE.things)
  const chosen = draw.shuffled(NONSENSE.parameters).slice(0, draw.integer(0, 3))
  const properties: { [parameter: string]: JsonSchema } = {}
  for (const [name, , type] of chosen) properties[name] = { type }
  const required = chosen.length > 0 && draw.chance(0.4) ? [chosen[0]?.[0] ?? ''] : []
  const phrase = chosen
    .map(([name, text], index) => (required.includes(name) && index === 0 && draw.chance(0.85) ? text : `[${text}]`))
    .join(' ')
  const noun = thing.replace(/ /g, '_')
  const name = draw.pick([`${verb}_${noun}`, `${noun}_${verb}`, `${verb}${noun[0]?.toUpperCase()}${noun.slice(1)}`])
  return {
    name,
    description: draw.pick([
      `${verb[0]?.toUpperCase()}${verb.slice(1)} the ${thing}.`,
      `Use this to ${verb} a ${thing}.`,
      `${verb[0]?.toUpperCase()}${verb.slice(1)} ${thing}s.`,
    ]),
    properties,
    ...(required.length > 0 ? { required } : {}),
    templates: [
      `${verb} the ${thing} ${phrase}`,
      `${verb} (my|our) ${thing} ${phrase}`,
      `the ${thing} (must|has to|should) be ${participle(verb)} ${phrase}`,
      `i need to ${verb} the ${thing} ${phrase}`,
    ],
  }
}

function participle(verb: string): string {
  if (verb === 'freeze') return 'frozen'
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  if (/^(?:wrap|trim|ship|zip|stamp)$/.test(verb)) return verb === 'stamp' ? 'stamped' : `${verb}${verb.at(-1)}ed`
  const irregular: { readonly [verb: string]: string } = {
    rewind: 'rewound',
    knit: 'knitted',
    sweep: 'swept',
    sew: 'sewn',
  }
  return irregular[verb] ?? `${verb}ed`
}
