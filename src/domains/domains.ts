import { join } from 'node:path'
import type { Tool } from '../tools/contract.js'
import { businessTools } from './business/index.js'
import { type CaldavLimits, calendarTools } from './calendar/index.js'
import { commerceTools } from './commerce/index.js'
import { type Connections, NO_CONNECTIONS, withoutSecrets } from './connections/index.js'
import { deviceSource } from './devices/device-source.js'
import { House } from './devices/house.js'
import { devicesTools, Plans } from './devices/index.js'
import { connectedFolder } from './files/adapter.js'
import { filesTools } from './files/index.js'
import { deniedBelow, isOwnFolder } from './files/own-folders.js'
import { financeTools } from './finance/index.js'
import { automationTools, Ledger } from './later/index.js'
import { MemoryFile, memoryTools, Recall, withMemory } from './memory/index.js'
import { Contacts } from './messaging/contacts.js'
import { messagingTools } from './messaging/index.js'
import type { Way } from './net/index.js'
import { researchTools } from './research/index.js'
import { DiskFolder, type Folder, MemoryFolder, Records } from './store/index.js'
import { webTools } from './web/index.js'

/** Where the stores are. Times and zones come with every call. */
export interface DomainOptions {
  /** The owner's data folder, or `:memory:` for stores that vanish (worlds, tests). */
  readonly home: string
  /** The folder that file tools see; default the connected one, else `files` inside the home. In memory when the home is. */
  readonly filesRoot?: string
  /** Folder for files instead of `filesRoot`, for worlds that fill and inspect it. */
  readonly files?: Folder
  /** Servers behind the same tools; default none. */
  readonly connections?: Connections
  /** How names of web hosts are looked up, and what is open besides the public web; for tests. */
  readonly web?: Way
  /** Time limits towards the calendar server; for tests and slow networks. */
  readonly caldavLimits?: CaldavLimits
}

/** Most bytes of one file in the copy of a server's calendars. */
const CALDAV_BYTES = 256 * 1024 * 1024

/** The tools of all fields over one owner's stores. */
export type Domains = readonly Tool[] & {
  /** Stores behind the tools, for worlds that fill and inspect them. */
  readonly stores: DomainStores
  /** Commands to devices that wait for their time; whoever has a clock runs them. */
  readonly plans: Plans
  /** Closes the databases; a later call opens them again. */
  close(): void
}

/** The stores of one owner. */
export interface DomainStores {
  readonly records: Records
  readonly calendar: Folder
  /** Copy of the calendars on the owner's server. */
  readonly caldav: Folder
  readonly mail: Folder
  readonly contacts: Folder
  readonly files: Folder
  /** Holds `memory.md`, what the owner told about themselves. */
  readonly memory: Folder
}

/** The files root was one of BotPsy's own folders. */
export class FilesRootError extends Error {
  override readonly name = 'FilesRootError'
  readonly code = 'files-root'
  constructor(readonly where: string) {
    super(
      `${where} holds BotPsy's own data and cannot be the files folder. Choose another one, such as its subfolder "files".`,
    )
  }
}

function openStores(options: DomainOptions): DomainStores & { readonly denied: readonly string[] } {
  const { home } = options
  if (home === ':memory:') {
    return {
      records: new Records(':memory:'),
      calendar: new MemoryFolder(),
      caldav: new MemoryFolder(),
      mail: new MemoryFolder(),
      contacts: new MemoryFolder(),
      files: options.files ?? new MemoryFolder(),
      memory: new MemoryFolder(),
      denied: [],
    }
  }
  const connected = connectedFolder(options.connections)
  const root = options.filesRoot ?? connected ?? join(home, 'files')
  if (isOwnFolder(root, home)) throw new FilesRootError(root)
  const at = (name: string) => new DiskFolder(join(home, name), join(home, 'locks', `${name}.lock`))
  return {
    records: new Records(join(home, 'domains.db')),
    calendar: at('calendar'),
    caldav: new DiskFolder(join(home, 'caldav'), join(home, 'locks', 'caldav.lock'), CALDAV_BYTES),
    mail: at('mail'),
    contacts: at('contacts'),
    files: options.files ?? new DiskFolder(root, join(home, 'locks', 'files.lock'), undefined, root === connected),
    memory: new DiskFolder(home, join(home, 'locks', 'memory.lock')),
    denied: deniedBelow(root, home),
  }
}

/**
 * The tools of every field over the owner's local stores. Opens nothing until a tool runs.
 * @throws {FilesRootError} when the files root is one of BotPsy's own folders.
 */
export function createDomains(options: DomainOptions): Domains {
  const { denied, ...stores } = openStores(options)
  const { records } = stores
  const memory = new MemoryFile(stores.memory)
  const tools: readonly Tool[] = [
    ...calendarTools(
      stores.calendar,
      {
        mirror: stores.caldav,
        connections: options.connections ?? NO_CONNECTIONS,
        ...(options.caldavLimits === undefined ? {} : { limits: options.caldavLimits }),
      },
      new Ledger(records),
    ),
    ...messagingTools(stores.mail, stores.contacts, records, options.connections),
    ...filesTools(stores.files, records, denied),
    ...devicesTools(records, options.connections),
    ...webTools(records, options.connections, options.web),
    ...researchTools(records, options.web),
    ...commerceTools(records),
    ...financeTools(records),
    ...businessTools(records, stores.files),
    ...automationTools({
      records,
      contacts: new Contacts(stores.contacts),
      devices: () => (deviceSource(options.connections) === undefined ? new House(records).all() : undefined),
    }),
    ...memoryTools(memory, records),
  ]
  const safe = withoutSecrets(tools, options.connections ?? NO_CONNECTIONS)
  const known = withMemory(safe, new Recall(memory))
  return Object.assign([...known], { stores, plans: new Plans(records, known), close: () => records.close() })
}
