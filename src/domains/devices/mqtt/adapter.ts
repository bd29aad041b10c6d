import type { ConnectionAdapter, Finding } from '../../connections/index.js'
import { findingsOf } from '../findings.js'
import { DEVICE_LIMITS } from '../source.js'
import { mqttSettings } from './settings.js'
import { MqttSource } from './source.js'

/** An MQTT broker whose devices announce themselves by Home Assistant's discovery topics. */
export const mqttAdapter: ConnectionAdapter<typeof mqttSettings> = {
  kind: 'mqtt',
  title: 'MQTT broker (Zigbee2MQTT, Tasmota, ESPHome)',
  questions: [
    { name: 'url', prompt: 'Address of the broker', suggest: () => 'mqtt://localhost:1883' },
    { name: 'user', prompt: 'User name, if the broker wants one', optional: true },
    { name: 'secret', prompt: 'Password', secret: true, optional: true },
    { name: 'prefix', prompt: 'Discovery prefix', optional: true, suggest: () => 'homeassistant' },
  ],
  settings: mqttSettings,
  probe: (connection, signal): Promise<readonly Finding[]> =>
    findingsOf(new MqttSource(connection, DEVICE_LIMITS), signal),
}
