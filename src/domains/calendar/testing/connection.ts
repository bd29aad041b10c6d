import type { Connection, Connections } from '../../connections/contract.js'

/** User and password of the test server. */
export const ANN = { user: 'ann', password: 'pass-of-ann-7731' } as const

/** A connection to a server as the owner would have made it. */
export function connectedTo(
  url: string,
  more: { readonly password?: string; readonly calendars?: string; readonly newEvents?: string } = {},
): Connections & { readonly connection: Connection } {
  const { password = ANN.password, ...settings } = more
  const connection: Connection = {
    kind: 'caldav',
    settings: { url, user: ANN.user, ...settings },
    secret: async () => password,
  }
  return { connection, find: (kind) => (kind === 'caldav' ? connection : undefined) }
}
