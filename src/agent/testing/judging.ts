import type { JsonObject } from '../../chat/types.js'
import { allContracts } from '../../domains/contracts.js'
import { toolPhrasings } from '../../domains/phrasings.js'
import type { Tool } from '../../tools/contract.js'
import { ToolRegistry } from '../../tools/registry.js'
import { type Prepared, preflight } from '../preflight.js'
import { Provenance, type Source } from '../provenance.js'

/** The tools of the package as far as judging goes: nothing is run. */
export const registry = new ToolRegistry<Tool>(
  allContracts.map((contract) => ({ ...contract, run: async () => ({ ok: false, content: 'Not run.' }) })),
).addPhrasings(toolPhrasings())

/** What entered a thread before a call. */
export interface Heard {
  readonly owner: string | readonly string[]
  readonly outside?: string
  /** Results of own data: text, or text with the arguments that it was looked for with. */
  readonly trusted?: readonly (string | { readonly text: string; readonly about: string })[]
  /** The second of the owner's messages answers a question. */
  readonly answers?: boolean
}

/** The clock of the judged threads: a Tuesday. */
export const NOW = new Date('2026-12-01T10:00:00Z')

/** Judges one call in a thread that heard this. */
export function judged(heard: Heard, name: string, args: JsonObject): Prepared {
  const provenance = new Provenance()
  const sources: Source[] = [heard.owner].flat().map((text, index) => ({
    kind: 'owner',
    label: 'you',
    text,
    answers: index === 1 && heard.answers === true,
  }))
  for (const item of heard.trusted ?? []) {
    const { text, about } = typeof item === 'string' ? { text: item, about: '' } : item
    sources.push({ kind: 'trusted', label: 'your data', text, about })
  }
  if (heard.outside) sources.push({ kind: 'untrusted', label: 'a mail', text: heard.outside })
  for (const source of sources) provenance.add(source)
  const found = preflight(
    { id: 'c', name, arguments: args },
    { registry, shown: registry.names(), rules: [], approved: [], provenance, now: () => NOW, timeZone: 'UTC' },
  )
  if (found.kind !== 'ready') throw new Error(`${name} ${JSON.stringify(args)}: ${found.content}`)
  return found
}
