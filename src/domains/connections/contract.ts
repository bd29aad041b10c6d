import type { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'

/** Kinds of servers and places that the owner can connect. */
export const CONNECTION_KINDS = ['caldav', 'imap', 'mqtt', 'homeassistant', 'searxng', 'files'] as const

/** A kind of server or place that the owner can connect. */
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

/** One connected server as its adapter sees it. */
export interface Connection {
  readonly kind: ConnectionKind
  /** What is kept in the readable settings file: addresses, user names, folders; never a secret. */
  readonly settings: JsonObject
  /**
   * The password or token, read from the keyring or the owner's credentials file when it is needed and not before;
   * undefined where the connection has none. It must not enter an error, a log, a journal or a result.
   * @throws ConnectionError `credentials` when the place that holds it cannot be read
   */
  secret(): Promise<string | undefined>
  /** The owner's data folder, where there is one; adapters of places on this machine must keep out of it. */
  readonly home?: string
}

/** What the owner has connected. At most one of each kind. */
export interface Connections {
  find(kind: ConnectionKind): Connection | undefined
  /**
   * The text with every secret that was read in this process replaced, in the spellings in which it could leak. The last
   * of several nets: tools' results pass through it before the journal and the model see them.
   */
  redact?(text: string): string
}

/** Nothing connected: local stores alone (worlds, tests, a fresh machine). */
export const NO_CONNECTIONS: Connections = { find: () => undefined }

/** One thing that `botpsy connect` asks for. */
export interface ConnectionQuestion {
  /** Name of the setting; `secret` for the password or token. */
  readonly name: string
  readonly prompt: string
  /** True for what must not be shown while it is typed. */
  readonly secret?: boolean
  /** May be left empty. */
  readonly optional?: boolean
  /** Offered as the answer, may depend on the answers before it. */
  readonly suggest?: (answers: { readonly [name: string]: string }) => string | undefined
}

/** One line of what a probe found, and what the owner can do where it is not well. */
export interface Finding {
  readonly ok: boolean
  readonly text: string
  /** What to do; present when `ok` is false. */
  readonly todo?: string
}

/** How one kind of server is asked for, checked and described. The tools of its field use the same connection. */
export interface ConnectionAdapter<S extends z.ZodObject = z.ZodObject> {
  readonly kind: ConnectionKind
  /** What the owner calls it: "calendar server (CalDAV)". */
  readonly title: string
  readonly questions: readonly ConnectionQuestion[]
  /** Checks and completes the settings. Answers are strings; coerce numbers and switches here. */
  readonly settings: S
  /**
   * Tries the connection for real, changing nothing on the server, in at most ten seconds. Problems are findings, never
   * throws: what was tried, what came back, what to do. The first finding sums up.
   */
  probe(connection: Connection, signal?: AbortSignal): Promise<readonly Finding[]>
}

/** Why a connection cannot be used. */
export type ConnectionErrorCode =
  | 'settings'
  | 'credentials'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'protocol'
  | 'dropped'

/** A server could not be used. The message says which, what happened and what to do; it never holds a secret. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  constructor(
    readonly code: ConnectionErrorCode,
    readonly kind: ConnectionKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
