import type { Connections } from '../connections/index.js'
import { HomeAssistantSource } from './homeassistant/source.js'
import { MqttSource } from './mqtt/source.js'
import { DEVICE_LIMITS, type DeviceLimits, type DeviceSource } from './source.js'

/**
 * The real devices that the owner connected: Home Assistant where there is one, since it usually has the broker's devices
 * too, else the MQTT broker. Undefined when neither is connected.
 */
export function deviceSource(
  connections: Connections | undefined,
  limits: DeviceLimits = DEVICE_LIMITS,
): DeviceSource | undefined {
  const home = connections?.find('homeassistant')
  if (home) return new HomeAssistantSource(home, limits)
  const broker = connections?.find('mqtt')
  return broker ? new MqttSource(broker, limits) : undefined
}
