import type { ToolContract } from '../tools/contract.js'
import { businessContracts } from './business/tools.js'
import { calendarContracts } from './calendar/tools.js'
import { commerceContracts } from './commerce/tools.js'
import { devicesContracts } from './devices/tools.js'
import { filesContracts } from './files/tools.js'
import { financeContracts } from './finance/tools.js'
import { laterContracts } from './later/tools.js'
import { memoryContracts } from './memory/tools.js'
import { messagingContracts } from './messaging/tools.js'
import { researchContracts } from './research/tools.js'
import { webContracts } from './web/tools.js'

/** The contracts of all tools that live in this package, field by field. */
export const allContracts: readonly ToolContract[] = [
  ...calendarContracts,
  ...messagingContracts,
  ...filesContracts,
  ...devicesContracts,
  ...webContracts,
  ...researchContracts,
  ...commerceContracts,
  ...financeContracts,
  ...businessContracts,
  ...laterContracts,
  ...memoryContracts,
]

/** The contract of this name. */
export function contractNamed(name: string): ToolContract | undefined {
  return allContracts.find((contract) => contract.name === name)
}
