import { createDomains, type Domains } from '../domains/domains.js'
import { toolPhrasings } from '../domains/phrasings.js'
import type { Tool } from '../tools/contract.js'
import { ToolRegistry } from '../tools/registry.js'
import { shareToolIndex } from '../tools/shortlist.js'
import { furnish } from './furnish.js'
import type { Household } from './household.js'
import { readState, type WorldState } from './state.js'

/** How a world differs from its plain household. */
export interface WorldOptions {
  /** Tools that fail, with what they say: text from outside in errors. */
  readonly toolErrors?: { readonly [tool: string]: string }
  /** Further tools, such as those of a server. */
  readonly tools?: readonly Tool[]
}

/** A household that can be acted in: the real tools over stores in memory, and a clock that stands until it is moved. */
export interface World {
  readonly household: Household
  readonly domains: Domains
  readonly registry: ToolRegistry
  readonly timeZone: string
  now(): Date
  /** Moves the clock forward. */
  advance(milliseconds: number): void
  state(): Promise<WorldState>
  close(): void
}

/** The first world's registry: its index of phrasings serves all that have the same tools. */
let first: ToolRegistry | undefined
let phrasings: ReturnType<typeof toolPhrasings> | undefined

/** Builds a world from a household. Worlds share nothing; any number can live at once. */
export async function createWorld(household: Household, options: WorldOptions = {}): Promise<World> {
  const domains = createDomains({ home: ':memory:' })
  await furnish(domains, household)
  const failing = options.toolErrors ?? {}
  const tools = [...domains, ...(options.tools ?? [])].map((tool): Tool => {
    const content = Object.hasOwn(failing, tool.name) ? failing[tool.name] : undefined
    return content === undefined
      ? tool
      : { ...tool, run: async () => ({ ok: false, content, untrusted: `an error of ${tool.name}` }) }
  })
  phrasings ??= toolPhrasings()
  const registry = new ToolRegistry(tools).addPhrasings(phrasings)
  first ??= registry
  if (first !== registry) shareToolIndex(first, registry)
  let time = new Date(household.now).getTime()
  return {
    household,
    domains,
    registry,
    timeZone: household.zone,
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds
    },
    state: () => readState(domains, household.zone),
    close: () => domains.close(),
  }
}
