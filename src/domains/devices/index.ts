import type { Tool } from '../../tools/contract.js'
import type { Connections } from '../connections/index.js'
import { implement } from '../implement.js'
import type { Records } from '../store/index.js'
import { applianceTools } from './appliances.js'
import { DeviceDesk } from './device-desk.js'
import { deviceSource } from './device-source.js'
import { lightTools } from './lights.js'
import { mediaTools } from './media.js'
import type { DeviceLimits } from './source.js'
import { devicesContracts } from './tools.js'

export type { Device } from './device.js'
export { type DuePlan, type PlanContext, Plans } from './run-plans.js'
export { type DeviceChange, type WatchOptions, watchDevices } from './watch.js'

/** The device tools over the connected house, or over the example house on records while none is connected. */
export function devicesTools(records: Records, connections?: Connections, limits?: DeviceLimits): readonly Tool[] {
  const desk = new DeviceDesk(records, () => deviceSource(connections, limits))
  return implement(devicesContracts, {
    ...lightTools(desk),
    ...applianceTools(desk),
    ...mediaTools(desk),
  })
}
