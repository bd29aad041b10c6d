import { join } from 'node:path'
import type { Home } from '../agent/home.js'
import { ToolRegistry } from '../tools/registry.js'

/**
 * The tools of this package over the owner's data folder, with the phrasings that the shortlist reads.
 * @throws StoreError when a store cannot be opened
 */
export async function openTools(home: Home): Promise<{ registry: ToolRegistry; close: () => void }> {
  const { calendarTools } = await import('../domains/calendar/index.js')
  const { DiskFolder } = await import('../domains/store/index.js')
  const registry = new ToolRegistry(
    calendarTools(new DiskFolder(join(home.stores, 'calendar'), join(home.stores, 'calendar.lock'))),
  )
  return { registry, close: () => undefined }
}
