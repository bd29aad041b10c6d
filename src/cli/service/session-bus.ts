import { existsSync } from 'node:fs'
import { join } from 'node:path'
import dbus from '@homebridge/dbus-native'

/** A signal or another message of the bus. */
export interface BusMessage {
  readonly interface?: string
  readonly member?: string
  readonly body?: readonly unknown[]
}

/** A connection to the owner's session bus. */
export interface SessionBus {
  /** Calls a method; the answer's first value. Rejects with the service's own error, or when it takes too long. */
  call(to: BusTarget, member: string, signature?: string, body?: readonly unknown[]): Promise<unknown>
  onMessage(listener: (message: BusMessage) => void): void
  readonly open: boolean
  close(): void
}

/** An object on the bus. */
export interface BusTarget {
  readonly destination: string
  readonly path: string
  readonly interface: string
}

/** The library's own types leave most of it out. */
interface Client {
  readonly connection: {
    on(event: 'message', listener: (message: BusMessage) => void): void
    on(event: 'error' | 'end', listener: () => void): void
    end(): void
  }
  invoke(message: object, done: (error: unknown, value: unknown) => void): void
}

const ANSWER_MS = 5_000

/** Address of the session bus (D-Bus specification, "Well-known Message Bus Instances"), undefined when there is none. */
export function sessionBusAddress(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS
  const socket = env.XDG_RUNTIME_DIR ? join(env.XDG_RUNTIME_DIR, 'bus') : undefined
  return socket !== undefined && existsSync(socket) ? `unix:path=${socket}` : undefined
}

/** Connects to the session bus. A connection that fails is closed, and every call on it rejects. */
export function openSessionBus(busAddress: string): SessionBus {
  const library = dbus as unknown as { createClient(options: { busAddress: string }): Client }
  let open = true
  const waiting = new Set<(why: Error) => void>()
  const client = library.createClient({ busAddress })
  const ended = (): void => {
    open = false
    for (const reject of [...waiting]) reject(new Error('the session bus cannot be reached'))
  }
  client.connection.on('error', ended)
  client.connection.on('end', ended)
  return {
    call: (to, member, signature, body) =>
      new Promise((resolve, reject) => {
        const fail = (why: Error): void => settle(() => reject(why))
        waiting.add(fail)
        const timer = setTimeout(() => fail(new Error(`${to.destination} does not answer`)), ANSWER_MS)
        const settle = (work: () => void): void => {
          clearTimeout(timer)
          waiting.delete(fail)
          work()
        }
        client.invoke({ ...to, member, ...(signature === undefined ? {} : { signature, body }) }, (error, value) =>
          settle(() => (error ? reject(errorOf(error)) : resolve(value))),
        )
      }),
    onMessage: (listener) => client.connection.on('message', listener),
    get open() {
      return open
    },
    close: () => {
      open = false
      client.connection.end()
    },
  }
}

function errorOf(error: unknown): Error {
  if (error instanceof Error) return error
  return new Error(Array.isArray(error) ? error.join(' ') : JSON.stringify(error))
}
