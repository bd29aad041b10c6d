import { caldavAdapter } from '../calendar/caldav-adapter.js'
import { homeAssistantAdapter } from '../devices/homeassistant/adapter.js'
import { mqttAdapter } from '../devices/mqtt/adapter.js'
import { filesAdapter } from '../files/adapter.js'
import { imapAdapter } from '../messaging/imap-adapter.js'
import { searxngAdapter } from '../web/searxng-adapter.js'
import type { ConnectionAdapter, ConnectionKind } from './contract.js'

/**
 * The adapter of every kind of server. Each lives in its field's folder and is one line here. Nothing in the fields
 * imports this file (it imports them); it is for the command line and whoever else asks for connections and checks them.
 */
export const ADAPTERS: readonly ConnectionAdapter[] = [
  filesAdapter,
  caldavAdapter,
  imapAdapter,
  mqttAdapter,
  homeAssistantAdapter,
  searxngAdapter,
]

/** The adapter of a kind; undefined while none is listed. */
export function adapterOf(kind: ConnectionKind): ConnectionAdapter | undefined {
  return ADAPTERS.find((adapter) => adapter.kind === kind)
}
