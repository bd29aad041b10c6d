import type { ToolContext } from '../../tools/contract.js'
import type { View } from './order.js'
import { safeName } from './outside.js'
import type { DeviceSession } from './source.js'

/** Real devices as a tool sees them, with names that carry no outside text. */
export function realView(session: DeviceSession, context: ToolContext): View {
  return {
    devices: session.devices,
    example: false,
    notes: [],
    name: (list, noun) => safeName(list, session.devices, noun, context.request),
  }
}
