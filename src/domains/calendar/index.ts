import type { Tool } from '../../tools/contract.js'
import type { Connections } from '../connections/contract.js'
import { type Implementation, implement } from '../implement.js'
import type { Folder } from '../store/index.js'
import { alarmTools } from './alarms.js'
import { type CaldavLimits, CaldavRemote } from './caldav-remote.js'
import { CaldavStore } from './caldav-store.js'
import { overServer } from './caldav-tools.js'
import { CalendarStore } from './calendar-store.js'
import { eventTools } from './events.js'
import { freeTools } from './free.js'
import type { RingDesk } from './ring-desk.js'
import { timeTools } from './time-tools.js'
import { timerTools } from './timers.js'
import { calendarContracts } from './tools.js'

export { mergeAccounts } from './caldav-mirror.js'
export type { CaldavLimits } from './caldav-remote.js'

/** A calendar server behind the calendar tools. */
export interface CalendarServer {
  /** Where the copy of its calendars is kept. */
  readonly mirror: Folder
  readonly connections: Connections
  readonly limits?: CaldavLimits
}

const remoteOf = (server: CalendarServer): CaldavRemote =>
  new CaldavRemote(server.mirror, () => server.connections.find('caldav'), server.limits)

/** The owner's calendars as a whole: the local files, and the copy of the server's while one is connected. */
export interface WatchedCalendars {
  readonly store: CalendarStore
  /** Brings the copy up to date; what is wrong with the server, in words, or undefined. */
  refresh(now: Date, signal?: AbortSignal): Promise<string | undefined>
}

/** The calendars for whoever rings and reminds. */
export function watchedCalendars(folder: Folder, server: CalendarServer): WatchedCalendars {
  const remote = remoteOf(server)
  return {
    store: new CaldavStore(folder, remote),
    refresh: async (now, signal) => {
      if (!remote.connected()) return undefined
      // What became of unconfirmed writes waits for somebody who hears it.
      const problem = await remote.refresh({ now, signal, tellGuests: false })
      return problem?.message
    },
  }
}

/**
 * The calendar tools over `.ics` files in a folder; events also on the owner's CalDAV server while one is connected.
 * Alarms and timers are always local: they ring here.
 * @param desk what rings at the moment, when a service may ring
 */
export function calendarTools(folder: Folder, server?: CalendarServer, desk?: RingDesk): readonly Tool[] {
  const local = new CalendarStore(folder)
  const events = (): { readonly [name: string]: Implementation } => {
    if (server === undefined) return { ...eventTools(local), ...freeTools(local) }
    const remote = remoteOf(server)
    const store = new CaldavStore(folder, remote)
    return overServer(remote, { ...eventTools(store), ...freeTools(store) })
  }
  return implement(calendarContracts, {
    ...alarmTools(local, desk),
    ...timerTools(local, desk),
    ...events(),
    ...timeTools,
  })
}
