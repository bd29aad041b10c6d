import { WebSocket } from 'undici'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../chat/types.js'
import { ConnectionError } from '../../connections/index.js'
import { orAbort, within } from '../time-limit.js'

/** Home Assistant understood a command and did not carry it out. `why` is in words of the host. */
export class HomeAssistantRefusal extends Error {
  override readonly name = 'HomeAssistantRefusal'
  constructor(
    /** Home Assistant's own code, letters and underscores only. */
    readonly code: string,
    readonly why: string,
  ) {
    super(`Home Assistant refused: ${why}`)
  }
}

const REFUSALS: { readonly [code: string]: string } = {
  not_found: 'Home Assistant has no such service or device',
  unauthorized: 'this token may not do that',
  invalid_format: 'the device does not take this value',
  service_validation_error: 'the device does not take this value',
  not_supported: 'the device cannot do that',
  home_assistant_error: 'the device reported an error',
  timeout: 'the device took too long',
  unknown_error: 'Home Assistant reported an error',
}

const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth_required') }),
  z.object({ type: z.literal('auth_ok') }),
  z.object({ type: z.literal('auth_invalid') }),
  z.object({
    type: z.literal('result'),
    id: z.number(),
    success: z.boolean(),
    result: z.json().optional(),
    error: z.object({ code: z.union([z.string(), z.number()]) }).optional(),
  }),
  z.object({ type: z.literal('event'), id: z.number(), event: z.record(z.string(), z.json()) }),
  z.object({ type: z.literal('pong'), id: z.number() }),
])

/** Larger than any house: a frame beyond it is not from Home Assistant. */
const MOST_CHARACTERS = 64 * 1024 * 1024

interface Waiting {
  readonly resolve: (value: JsonValue) => void
  readonly reject: (error: Error) => void
}

/** Where Home Assistant is, and the token. */
export interface HomeAssistantAddress {
  /** Its address as the owner opens it in a browser. */
  readonly url: string
  readonly token: string
}

/** The websocket address of Home Assistant's API for the address of its pages. */
export function socketAddress(url: string): string {
  const base = new URL(url)
  base.protocol = base.protocol === 'https:' || base.protocol === 'wss:' ? 'wss:' : 'ws:'
  base.pathname = `${base.pathname.replace(/\/(?:api\/websocket)?\/?$/, '')}/api/websocket`
  return base.href
}

/**
 * A connection to Home Assistant's websocket API (developers.home-assistant.io, "WebSocket API"). The project's own
 * client, since home-assistant-js-websocket is made for pages: it queues what is sent while it is disconnected and sends
 * it after it came back, which would switch a lamp minutes later; it knows no time limits; and it needs a global
 * WebSocket that Node 20 lacks. Nothing is sent again here, and a connection that is gone stays gone.
 */
export class HomeAssistantClient {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  readonly #events = new Map<number, (event: JsonObject) => void>()
  #id = 0
  #failure: ConnectionError | undefined
  #end: () => void = () => {}
  /** Resolves when the connection is gone. */
  readonly ended: Promise<void>

  private constructor(address: HomeAssistantAddress, ready: { resolve: () => void; reject: (e: Error) => void }) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.ended.then(() => ready.reject(this.#failure ?? dropped()))
    this.#socket = new WebSocket(socketAddress(address.url))
    this.#socket.addEventListener('message', ({ data }: { data: unknown }) => {
      const frame = readFrame(data)
      if (frame === undefined)
        return this.#fail(
          new ConnectionError(
            'protocol',
            'homeassistant',
            'What answered does not speak as Home Assistant does. Check the address.',
          ),
        )
      for (const message of frame) this.#take(message, address.token, ready.resolve)
    })
    this.#socket.addEventListener('close', () => this.#fail(dropped()))
    this.#socket.addEventListener('error', () =>
      this.#fail(
        new ConnectionError(
          'unreachable',
          'homeassistant',
          `Home Assistant cannot be reached at ${new URL(address.url).host}. Check that it runs and that the address is right.`,
        ),
      ),
    )
  }

  /**
   * Connects and signs in.
   * @param ms time limit in milliseconds
   * @throws ConnectionError `unreachable`, `timeout`, `refused` (wrong token), `protocol`
   */
  static async connect(address: HomeAssistantAddress, ms: number, signal?: AbortSignal): Promise<HomeAssistantClient> {
    let ready: { resolve: () => void; reject: (e: Error) => void } | undefined
    const signedIn = new Promise<void>((resolve, reject) => {
      ready = { resolve, reject }
    })
    const client = new HomeAssistantClient(address, ready as unknown as { resolve: () => void; reject: () => void })
    try {
      await orAbort(signedIn, within(ms, signal), () =>
        signal?.aborted
          ? new ConnectionError('timeout', 'homeassistant', 'Stopped before Home Assistant answered.')
          : late(),
      )
      return client
    } catch (error) {
      client.close()
      throw error
    }
  }

  #take(message: z.infer<typeof frameSchema>, token: string, signedIn: () => void): void {
    if (message.type === 'auth_required') this.#socket.send(JSON.stringify({ type: 'auth', access_token: token }))
    else if (message.type === 'auth_ok') signedIn()
    else if (message.type === 'auth_invalid')
      this.#fail(
        new ConnectionError(
          'refused',
          'homeassistant',
          'Home Assistant does not accept the token. Make a new long-lived access token on your profile page there, and connect again.',
        ),
      )
    else if (message.type === 'event') this.#events.get(message.id)?.(message.event)
    else {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.type === 'pong') waiting?.resolve(null)
      else if (message.success) waiting?.resolve(message.result ?? null)
      else {
        const code = String(message.error?.code ?? 'unknown_error')
        const known = Object.hasOwn(REFUSALS, code)
        waiting?.reject(
          new HomeAssistantRefusal(known ? code : 'unknown_error', REFUSALS[known ? code : 'unknown_error'] ?? ''),
        )
      }
    }
  }

  #fail(error: ConnectionError): void {
    if (this.#failure) return
    this.#failure = error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    this.#end()
    this.close()
  }

  /**
   * Sends a command and waits for its result.
   * @throws HomeAssistantRefusal when it answers that it did not do it
   * @throws ConnectionError `timeout` or `dropped`: after that nobody knows whether it did
   */
  call(command: JsonObject, ms: number, signal?: AbortSignal): Promise<JsonValue> {
    return this.#send(command, ms, signal).result
  }

  /** Asks for events. They may come before the promise resolves. */
  async subscribe(command: JsonObject, onEvent: (event: JsonObject) => void, ms: number): Promise<void> {
    const { id, result } = this.#send(command, ms)
    this.#events.set(id, onEvent)
    await result
  }

  /** Whether it still answers within the time. A connection that does not is closed. */
  async ping(ms: number): Promise<boolean> {
    try {
      await this.call({ type: 'ping' }, ms)
      return true
    } catch {
      this.#fail(dropped())
      return false
    }
  }

  #send(
    command: JsonObject,
    ms: number,
    signal?: AbortSignal,
  ): { readonly id: number; readonly result: Promise<JsonValue> } {
    const id = ++this.#id
    if (this.#failure) return { id, result: Promise.reject(this.#failure) }
    const answer = new Promise<JsonValue>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    this.#socket.send(JSON.stringify({ id, ...command }))
    const result = orAbort(answer, within(ms, signal), late).finally(() => this.#waiting.delete(id))
    return { id, result }
  }

  /** True once nothing can be sent any more. */
  get gone(): boolean {
    return this.#failure !== undefined
  }

  /** Ends the connection. */
  close(): void {
    this.#failure ??= dropped()
    this.#end()
    if (this.#socket.readyState === WebSocket.OPEN || this.#socket.readyState === WebSocket.CONNECTING)
      this.#socket.close()
  }
}

const dropped = (): ConnectionError =>
  new ConnectionError('dropped', 'homeassistant', 'The connection to Home Assistant was lost. Try again in a moment.')
const late = (): ConnectionError =>
  new ConnectionError('timeout', 'homeassistant', 'Home Assistant does not answer. Check that it runs, then try again.')

/** One frame holds one message or a list of them. Types of messages that are not known are passed over. */
function readFrame(data: unknown): readonly z.infer<typeof frameSchema>[] | undefined {
  if (typeof data !== 'string' || data.length > MOST_CHARACTERS) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(data)
  } catch {
    return undefined
  }
  const list: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const out: z.infer<typeof frameSchema>[] = []
  for (const item of list) {
    if (typeof item !== 'object' || item === null || !('type' in item) || typeof item.type !== 'string')
      return undefined
    const message = frameSchema.safeParse(item)
    if (message.success) out.push(message.data)
    else if (KNOWN.has(item.type)) return undefined
  }
  return out
}

const KNOWN = new Set(['auth_required', 'auth_ok', 'auth_invalid', 'result', 'event', 'pong'])
