import type { Tool } from '../../tools/contract.js'
import { implement } from '../implement.js'
import type { Records } from '../store/index.js'
import { listTools } from './lists.js'
import { orderTools } from './orders.js'
import { shopTools } from './shop.js'
import { commerceContracts } from './tools.js'

/** Lists, a catalogue with a cart, and orders that are noted locally. */
export function commerceTools(records: Records): readonly Tool[] {
  return implement(commerceContracts, { ...listTools(records), ...orderTools(records), ...shopTools(records) })
}
