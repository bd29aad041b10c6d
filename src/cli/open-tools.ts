import type { Home } from '../agent/home.js'
import { ADAPTERS } from '../domains/connections/adapters.js'
import { OwnerConnections } from '../domains/connections/index.js'
import { createDomains } from '../domains/domains.js'
import { toolPhrasings } from '../domains/phrasings.js'
import { ToolRegistry } from '../tools/registry.js'

/**
 * The tools of this package over the owner's data folder and connections, with the phrasings that the shortlist reads.
 * @throws StoreError when a store cannot be opened, ConnectionError when a kept connection is unusable as it is written,
 *   FilesRootError
 */
export async function openTools(home: Home): Promise<{ registry: ToolRegistry; close: () => void }> {
  const connections = new OwnerConnections(home.root).load(ADAPTERS)
  const domains = createDomains({ home: home.root, connections })
  const registry = new ToolRegistry(domains).addPhrasings(toolPhrasings())
  return { registry, close: () => domains.close() }
}
