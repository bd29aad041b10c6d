import { type Connection, type ConnectionAdapter, ConnectionError, type Finding } from '../connections/contract.js'
import { CaldavClient } from './caldav-client.js'
import { caldavSettings, readCaldavSettings } from './caldav-settings.js'
import { chosenCalendars } from './caldav-sync.js'

/** Longest that a probe may take, milliseconds. */
const PROBE_MS = 9_000

const todoOf = (error: ConnectionError): string =>
  ({
    settings: 'Connect it again with: botpsy connect caldav',
    credentials: 'Give user name and password anew: botpsy connect caldav. Many servers want an app password.',
    refused: 'Ask who runs the server for access, or check the address.',
    unreachable: 'Check that the server runs and that this machine reaches it.',
    timeout: 'Check that the server runs and that this machine reaches it.',
    protocol: 'Check the address: it is the one that a calendar app asks for.',
    dropped: 'Try again; if it stays, ask who runs the server.',
  })[error.code]

async function look(connection: Connection, signal: AbortSignal): Promise<readonly Finding[]> {
  const settings = readCaldavSettings(connection)
  const client = new CaldavClient(
    { url: settings.url, user: settings.user, secret: () => connection.secret() },
    signal,
    PROBE_MS,
  )
  const host = new URL(settings.url).host
  const home = await client.discover()
  const all = await client.calendars(home)
  if (all.length === 0)
    return [
      {
        ok: false,
        text: `${host} accepts ${settings.user}, but shows no calendars`,
        todo: 'Make a calendar on the server first.',
      },
    ]
  const chosen = chosenCalendars(all, settings)
  const writable = chosen.filter((c) => c.writable)
  const lines: Finding[] = chosen.map((c) => ({
    ok: true,
    text: `calendar "${c.name}": ${c.writable ? 'can be read and changed' : 'can only be read'}`,
  }))
  const first = settings.newEvents === undefined ? writable[0] : chosen[0]
  if (first === undefined || !first.writable)
    lines.push({
      ok: false,
      text: first === undefined ? 'no calendar can be changed' : `new events cannot go to "${first.name}"`,
      todo: 'Name a calendar of your own for new events: botpsy connect caldav',
    })
  else lines.push({ ok: true, text: `new events go to "${first.name}"` })
  if (settings.url.startsWith('http:') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(settings.url))
    lines.push({
      ok: false,
      text: 'the password travels without encryption (http)',
      todo: 'Use an https address if the server has one.',
    })
  const count = `${chosen.length} of ${all.length} calendar${all.length === 1 ? '' : 's'}`
  return [
    {
      ok: true,
      text: `${host} answers; ${chosen.length === all.length ? count.replace(/^\d+ of /, '') : count} of ${settings.user} in use`,
    },
    ...lines,
  ]
}

/** CalDAV servers: Nextcloud, Radicale, iCloud, Fastmail and others. */
export const caldavAdapter: ConnectionAdapter<typeof caldavSettings> = {
  kind: 'caldav',
  title: 'calendar server (CalDAV)',
  questions: [
    { name: 'url', prompt: 'Address of the calendar server' },
    { name: 'user', prompt: 'User name' },
    { name: 'password', prompt: 'Password (an app password where the server has such)', secret: true },
    { name: 'calendars', prompt: 'Calendars to use, separated by commas (empty: all)', optional: true },
    { name: 'newEvents', prompt: 'Calendar for new events (empty: the first that can be changed)', optional: true },
  ],
  settings: caldavSettings,
  probe: async (connection, signal) => {
    const stop = new AbortController()
    const late = new ConnectionError('timeout', 'caldav', 'The calendar server did not answer within 9 seconds.')
    const timer = setTimeout(() => stop.abort(late), PROBE_MS)
    const onAbort = () => stop.abort(late)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await look(connection, stop.signal)
    } catch (error) {
      if (!(error instanceof ConnectionError))
        return [
          {
            ok: false,
            text: 'the calendar server could not be tried',
            todo: 'Connect it again with: botpsy connect caldav',
          },
        ]
      return [{ ok: false, text: error.message, todo: todoOf(error) }]
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  },
}
