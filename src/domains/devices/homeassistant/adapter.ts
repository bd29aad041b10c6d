import type { ConnectionAdapter, Finding } from '../../connections/index.js'
import { findingsOf } from '../findings.js'
import { DEVICE_LIMITS } from '../source.js'
import { homeAssistantSettings } from './settings.js'
import { HomeAssistantSource } from './source.js'

/** Home Assistant over its websocket API, with a long-lived access token. */
export const homeAssistantAdapter: ConnectionAdapter<typeof homeAssistantSettings> = {
  kind: 'homeassistant',
  title: 'Home Assistant',
  questions: [
    {
      name: 'url',
      prompt: 'Address of Home Assistant, as you open it in a browser',
      suggest: () => 'http://homeassistant.local:8123',
    },
    {
      name: 'secret',
      prompt: 'Long-lived access token (your profile page in Home Assistant, at the bottom)',
      secret: true,
    },
  ],
  settings: homeAssistantSettings,
  probe: (connection, signal): Promise<readonly Finding[]> =>
    findingsOf(new HomeAssistantSource(connection, DEVICE_LIMITS), signal),
}
