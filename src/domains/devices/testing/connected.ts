import type { JsonObject } from '../../../chat/types.js'
import type { Connection, ConnectionKind, Connections } from '../../connections/index.js'

/** Connections with one server, as the command line would hand them over. */
export function connected(kind: ConnectionKind, settings: JsonObject, secret?: string): Connections {
  const connection: Connection = { kind, settings, secret: () => Promise.resolve(secret) }
  return { find: (wanted) => (wanted === kind ? connection : undefined) }
}
