import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openHome } from '../../agent/home.js'
import { Journal } from '../../agent/journal.js'
import { LaterEvents, LaterService, plannedTools, type UnattendedOptions } from '../../agent/later/index.js'
import { loadPolicy } from '../../agent/policy-rules.js'
import { type WatchedCalendars, watchedCalendars } from '../../domains/calendar/index.js'
import { ADAPTERS } from '../../domains/connections/adapters.js'
import { type Connection, type Connections, OwnerConnections } from '../../domains/connections/index.js'
import { deviceSource } from '../../domains/devices/device-source.js'
import { House } from '../../domains/devices/house.js'
import { Plans } from '../../domains/devices/index.js'
import type { DeviceSource } from '../../domains/devices/source.js'
import { createDomains } from '../../domains/domains.js'
import { type Arrived, CalendarDues } from '../../domains/later/index.js'
import { type WatchState, watchStateSchema } from '../../domains/messaging/mail-watch.js'
import { Maildir } from '../../domains/messaging/maildir.js'
import { toolPhrasings } from '../../domains/phrasings.js'
import type { Folder } from '../../domains/store/index.js'
import { zoneNow } from '../../domains/time/place.js'
import { ToolRegistry } from '../../tools/registry.js'
import { compose } from '../compose.js'
import type { RunFlags } from '../options.js'

/** The service over the owner's data, without notifications. */
export interface ServiceComposition {
  readonly home: Home
  readonly service: LaterService
  readonly events: LaterEvents
  readonly fixed: UnattendedOptions
  readonly calendars: WatchedCalendars
  readonly connections: Connections
  /** The real devices, if any are connected now. */
  readonly source: () => DeviceSource | undefined
  /** The mail server, if one is connected now, and what was seen there. */
  readonly mail: {
    readonly connection: () => Connection | undefined
    readonly seen: () => WatchState | undefined
    readonly save: (state: WatchState) => void
  }
  close(): void
}

/** Names, sizes and times of the files in a folder: changes when any of them does. */
function printOf(folder: Folder, path = ''): string {
  return folder
    .list(path)
    .map((entry) => `${entry.path} ${entry.size} ${entry.modified}`)
    .join('\n')
}

/** Opens everything that the service works with. @throws HomeError, JournalError, PolicyFileError, and what the stores throw */
export function composeService(flags: RunFlags): ServiceComposition {
  const home = openHome(flags.data)
  const { rules, table } = loadPolicy(home.policy)
  const journal = new Journal(home.journal)
  const connections = new OwnerConnections(home.root).load(ADAPTERS)
  const domains = createDomains({ home: home.root, connections })
  const { records, calendar, caldav, mail } = domains.stores
  mkdirSync(join(home.root, 'calendar'), { recursive: true, mode: 0o700 })
  const registry = new ToolRegistry(domains).addPhrasings(toolPhrasings())
  const fixed: UnattendedOptions = { registry, journal, rules, table, timeZone: zoneNow() }
  const calendars = watchedCalendars(calendar, { mirror: caldav, connections })
  const source = (): DeviceSource | undefined => deviceSource(connections)
  const events = new LaterEvents()
  const maildir = new Maildir(mail, records)
  let mailPrint = ''
  const service = new LaterService({
    records,
    calendar: new CalendarDues(
      calendars.store,
      () => `${printOf(calendar)}\n${printOf(caldav)}\n${Math.floor(Date.now() / 60_000)}`,
    ),
    plans: new Plans(records, plannedTools(domains, fixed)),
    fixed,
    // A model takes memory: it is there only while an automation needs it.
    openAgent: () => compose(flags),
    localDevices: () => (source() === undefined ? new House(records).all() : undefined),
    mail: async (since): Promise<readonly Arrived[] | undefined> => {
      // Mail on a server is watched by drive, which is told of it by the server.
      if (connections.find('imap') !== undefined) return undefined
      const print = `${printOf(mail, 'inbox/new')}\n${printOf(mail, 'inbox/cur')}\n${since.getTime()}`
      if (print === mailPrint) return undefined
      const found = await maildir.list(['inbox'])
      mailPrint = print
      return found
    },
    events,
    now: () => new Date(),
    zone: () => zoneNow(),
  })
  return {
    home,
    service,
    events,
    fixed,
    calendars,
    connections,
    source,
    mail: {
      connection: () => connections.find('imap'),
      seen: () => records.get('later-state', 'mail', watchStateSchema),
      save: (state) => records.put('later-state', 'mail', state),
    },
    close: () => {
      domains.close()
      journal.close()
    },
  }
}
