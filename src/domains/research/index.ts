import type { Tool } from '../../tools/contract.js'
import { implement } from '../implement.js'
import type { Way } from '../net/index.js'
import type { Records } from '../store/index.js'
import { noteTools } from './note-tools.js'
import { pageTools } from './page-tools.js'
import { researchContracts } from './tools.js'

/**
 * Web pages, and notes with their sources.
 * @param way how names are looked up and what is open besides the public web; for tests
 */
export function researchTools(records: Records, way: Way = {}): readonly Tool[] {
  return implement(researchContracts, { ...pageTools(records, way), ...noteTools(records) })
}
