import { allContracts } from '../domains/contracts.js'
import { toolPhrasings } from '../domains/phrasings.js'
import type { ToolContract } from '../tools/contract.js'
import { ToolRegistry } from '../tools/registry.js'

/** All tools as contracts, with the phrasings that the shortlist reads: what evaluation needs, without opening a store. */
export function openContracts(): ToolRegistry<ToolContract> {
  return new ToolRegistry<ToolContract>(allContracts).addPhrasings(toolPhrasings())
}
