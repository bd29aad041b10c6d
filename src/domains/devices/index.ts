import type { Tool } from '../../tools/contract.js'
import { implement } from '../implement.js'
import type { Records } from '../store/index.js'
import { applianceTools } from './appliances.js'
import { House } from './house.js'
import { lightTools } from './lights.js'
import { mediaTools } from './media.js'
import { devicesContracts } from './tools.js'

/** The device tools over the example house on records. */
export function devicesTools(records: Records): readonly Tool[] {
  const house = new House(records)
  return implement(devicesContracts, {
    ...lightTools(records, house),
    ...applianceTools(records, house),
    ...mediaTools(records, house),
  })
}
