import type { Home } from '../agent/home.js'
import { createDomains } from '../domains/domains.js'
import { toolPhrasings } from '../domains/phrasings.js'
import { ToolRegistry } from '../tools/registry.js'

/**
 * The tools of this package over the owner's data folder, with the phrasings that the shortlist reads.
 * @throws StoreError when a store cannot be opened, FilesRootError
 */
export async function openTools(home: Home): Promise<{ registry: ToolRegistry; close: () => void }> {
  const domains = createDomains({ home: home.root, filesRoot: home.files })
  const registry = new ToolRegistry(domains).addPhrasings(toolPhrasings())
  return { registry, close: () => domains.close() }
}
