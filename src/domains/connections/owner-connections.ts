import { join } from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import { DiskFolder } from '../store/index.js'
import { ConnectionsFile, type KeptConnection, type KeptConnections } from './connections-file.js'
import {
  CONNECTION_KINDS,
  type Connection,
  type ConnectionAdapter,
  ConnectionError,
  type ConnectionKind,
  type Connections,
} from './contract.js'
import { CredentialsFile } from './credentials-file.js'
import { type Keyring, osKeyring } from './keyring.js'
import { Redactor } from './redact.js'

/** How secrets are reached; tests put other places here. */
export interface SecretPlaces {
  /** The system's keyring; asked for when a secret is needed. */
  readonly keyring?: () => Promise<Keyring | undefined>
}

/**
 * What one owner has connected: settings in `connections.json`, secrets in the system's keyring or `credentials.json`.
 * Nothing is contacted and no secret is read before a connection is used.
 */
export class OwnerConnections implements Connections {
  readonly file: ConnectionsFile
  readonly credentials: CredentialsFile
  readonly #keyring: () => Promise<Keyring | undefined>
  readonly #redactor = new Redactor()
  readonly #found = new Map<ConnectionKind, Connection>()

  /** @param home the data folder */
  constructor(
    readonly home: string,
    places: SecretPlaces = {},
  ) {
    const folder = new DiskFolder(home, join(home, 'locks', 'connections.lock'))
    this.file = new ConnectionsFile(folder)
    this.credentials = new CredentialsFile(folder)
    let keyring: Promise<Keyring | undefined> | undefined
    this.#keyring = () => {
      keyring ??= places.keyring ? places.keyring() : osKeyring(home)
      return keyring
    }
  }

  find(kind: ConnectionKind): Connection | undefined {
    return this.#found.get(kind)
  }

  redact(text: string): string {
    return this.#redactor.text(text)
  }

  /**
   * Reads the settings file and checks every entry by its adapter.
   * @throws StoreError when the file is damaged; ConnectionError `settings` naming the entry and the field
   */
  load(adapters: readonly ConnectionAdapter[]): this {
    this.#found.clear()
    const kept = this.file.read()
    for (const kind of CONNECTION_KINDS) {
      const entry = kept[kind]
      if (entry === undefined) continue
      const adapter = adapters.find((a) => a.kind === kind)
      const settings = adapter === undefined ? entry.settings : checkSettings(adapter, entry.settings)
      this.#found.set(kind, this.connection(kind, { ...entry, settings: settings as KeptConnection['settings'] }))
    }
    return this
  }

  /** A kept entry as an adapter sees it. */
  connection(kind: ConnectionKind, entry: KeptConnection): Connection {
    return {
      kind,
      settings: entry.settings as JsonObject,
      home: this.home,
      secret: () => this.#secret(kind, entry),
    }
  }

  /** A connection that is not kept yet, for trying it. */
  tentative(kind: ConnectionKind, settings: JsonObject, secret: string | undefined): Connection {
    if (secret !== undefined) this.#redactor.add(secret, users(settings))
    return { kind, settings, home: this.home, secret: async () => secret }
  }

  async #secret(kind: ConnectionKind, entry: KeptConnection): Promise<string | undefined> {
    if (entry.secret === 'none') return undefined
    const place = entry.secret === 'keyring' ? await this.#keyring() : this.credentials
    if (place === undefined)
      throw new ConnectionError(
        'credentials',
        kind,
        `The password for ${kind} is in the system's keyring, which cannot be reached here. Unlock it or start BotPsy in your desktop session; or keep the password in a file with: BOTPSY_KEYRING=off botpsy connect ${kind}`,
      )
    const secret = await this.#guarded(kind, () => place.get(kind))
    if (secret === undefined)
      throw new ConnectionError(
        'credentials',
        kind,
        `The password for ${kind} is not where it was kept (${entry.secret === 'keyring' ? "the system's keyring" : this.credentials.path}). Give it again with: botpsy connect ${kind}`,
      )
    this.#redactor.add(secret, users(entry.settings as JsonObject))
    return secret
  }

  async #guarded<T>(kind: ConnectionKind, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ConnectionError) throw error
      throw new ConnectionError(
        'credentials',
        kind,
        `The password for ${kind} cannot be read: ${this.redact(error instanceof Error ? error.message : String(error))}`,
      )
    }
  }

  /**
   * Keeps a connection: its secret first, in the keyring where there is one, then its settings.
   * @returns where the secret is now
   * @throws StoreError, ConnectionError
   */
  async keep(
    kind: ConnectionKind,
    settings: JsonObject,
    secret: string | undefined,
  ): Promise<KeptConnection['secret']> {
    if (secret !== undefined) this.#redactor.add(secret, users(settings))
    const before = this.file.read()[kind]
    const keyring = secret === undefined ? undefined : await this.#keyring()
    const place = secret === undefined ? 'none' : keyring === undefined ? 'file' : 'keyring'
    if (secret !== undefined) await this.#guarded(kind, () => (keyring ?? this.credentials).set(kind, secret))
    await this.file.change((kept) => ({
      ...kept,
      [kind]: { settings: settings as KeptConnection['settings'], secret: place },
    }))
    if (before !== undefined && before.secret !== place) await this.forgetSecret(kind, before.secret)
    return place
  }

  /** Forgets a connection and its secret. @returns false when there was none */
  async drop(kind: ConnectionKind): Promise<boolean> {
    let gone: KeptConnection | undefined
    await this.file.change((kept) => {
      const { [kind]: entry, ...rest } = kept
      gone = entry
      return rest as KeptConnections
    })
    if (gone !== undefined) await this.forgetSecret(kind, gone.secret)
    return gone !== undefined
  }

  /** Removes a secret from where it is; its connection stays and asks for it again. */
  async forgetSecret(kind: ConnectionKind, place: KeptConnection['secret']): Promise<void> {
    if (place === 'file') await this.#guarded(kind, () => this.credentials.remove(kind))
    if (place === 'keyring') {
      const keyring = await this.#keyring()
      if (keyring !== undefined) await this.#guarded(kind, () => keyring.remove(kind))
    }
  }
}

/** Settings that may stand for a user name. */
function users(settings: JsonObject): string[] {
  return Object.values(settings).filter((value): value is string => typeof value === 'string' && value !== '')
}

/**
 * Settings as the adapter completes them.
 * @throws ConnectionError `settings` with the field and what to do; also when an address carries a password
 */
export function checkSettings(adapter: ConnectionAdapter, settings: JsonObject): JsonObject {
  const again = `Say it again with: botpsy connect ${adapter.kind}`
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'string' && /^[a-z][a-z+.-]*:\/\/[^/?#\s]*:[^/?#\s]*@/i.test(value))
      throw new ConnectionError(
        'settings',
        adapter.kind,
        `${name} carries a password in the address. Settings can be read by others; leave it out and give the password when asked. ${again}`,
      )
  }
  const parsed = adapter.settings.safeParse(settings)
  if (parsed.success) return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(parsed.data))) as JsonObject
  const issue = parsed.error.issues[0]
  throw new ConnectionError(
    'settings',
    adapter.kind,
    `${adapter.title}: ${issue?.path.join('.') || 'settings'}: ${issue?.message ?? 'not what it should be'}. ${again}`,
  )
}
