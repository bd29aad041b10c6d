import { randomBytes } from 'node:crypto'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { type Connection, ConnectionError } from '../../connections/index.js'
import { type Command, type Device, hasState, showsState } from '../device.js'
import { DEVICE_LIMITS, type DeviceLimits, type DeviceSession, type DeviceSource, type Sent } from '../source.js'
import { StateBoard } from '../state-board.js'
import { orAbort, within } from '../time-limit.js'
import { availabilityOf, discoveryFilters, discoveryTopic, type Entry, readAnnouncement } from './discovery.js'
import { type Message, messagesFor, shownPart } from './entry-command.js'
import { kindOf, readDevice, stateTopics } from './entry-state.js'
import { mqttSettings } from './settings.js'

/** Retained messages follow a subscription at once; when none came for so long, there are no more. Milliseconds. */
const QUIET_MS = 250

/** More announcements than this are no house. */
const MOST_ENTRIES = 3000

/** The devices that announce themselves on an MQTT broker. */
export class MqttSource implements DeviceSource {
  readonly kind = 'mqtt'
  readonly title = 'the MQTT broker'

  constructor(
    private readonly connection: Connection,
    private readonly limits: DeviceLimits = DEVICE_LIMITS,
  ) {}

  async open(signal?: AbortSignal): Promise<DeviceSession> {
    const settings = mqttSettings.safeParse(this.connection.settings)
    if (!settings.success)
      throw new ConnectionError(
        'settings',
        'mqtt',
        'The settings of the MQTT broker are not complete. Connect it again.',
      )
    const { url, user, prefix } = settings.data
    const password = await this.connection.secret()
    const until = within(this.limits.open, signal)
    const session = new MqttSession(
      mqtt.connect(url, {
        // What was not delivered when the connection broke is never sent later: nobody wants a lamp to go on then.
        reconnectPeriod: 0,
        clean: true,
        queueQoSZero: false,
        connectTimeout: this.limits.open,
        clientId: `botpsy-${randomBytes(6).toString('hex')}`,
        ...(user === undefined ? {} : { username: user }),
        ...(password ? { password } : {}),
      } satisfies IClientOptions),
      prefix,
      this.limits,
      new URL(url).host,
    )
    try {
      await session.read(until)
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }
}

class MqttSession implements DeviceSession {
  readonly #entries = new Map<string, Entry>()
  readonly #payloads = new Map<string, string>()
  /** Which entries a topic belongs to. */
  readonly #topics = new Map<string, Set<string>>()
  /** How many fresh (not retained) messages came for an entry. */
  readonly #fresh = new Map<string, number>()
  readonly #board = new StateBoard()
  #lastMessage = Date.now()
  #failure: ConnectionError | undefined
  #opened = false
  readonly ended: Promise<void>
  readonly #connected: Promise<void>

  constructor(
    private readonly client: MqttClient,
    private readonly prefix: string,
    private readonly limits: DeviceLimits,
    host: string,
  ) {
    let end = (): void => {}
    this.ended = new Promise((resolve) => {
      end = resolve
    })
    this.#connected = new Promise((resolve, reject) => {
      client.once('connect', () => resolve())
      client.on('error', (error) => {
        this.#failure ??= explain(error, host)
        reject(this.#failure)
        // A client that cannot read what comes is of no use any more.
        client.end(true)
        end()
      })
      client.on('close', () => {
        this.#failure ??= new ConnectionError(
          'dropped',
          'mqtt',
          'The connection to the MQTT broker was lost. Try again in a moment.',
        )
        reject(this.#failure)
        this.#board.end()
        end()
      })
    })
    this.#connected.catch(() => {})
    client.on('message', (topic, payload, packet) => this.#take(topic, payload, packet.retain))
  }

  /** Waits for the connection, the announcements and the states. */
  async read(until: AbortSignal): Promise<void> {
    await orAbort(this.#connected, until, late)
    await this.#subscribe(discoveryFilters(this.prefix), until)
    await this.#quiet(until, () => false)
    await this.#subscribe([...this.#topics.keys()], until)
    this.#opened = true
    await this.#quiet(until, () => [...this.#topics.keys()].every((topic) => this.#payloads.has(topic)))
    for (const id of this.#entries.keys()) this.#show(id)
  }

  get devices(): readonly Device[] {
    return this.#board.devices
  }

  onChange(listener: (device: Device) => void): void {
    this.#board.onChange(listener)
  }

  async #subscribe(topics: readonly string[], until: AbortSignal): Promise<void> {
    for (let i = 0; i < topics.length; i += 100) {
      if (this.#failure) throw this.#failure
      // At most once is enough for states: the next one makes up for a lost one.
      const done = this.client.subscribeAsync(topics.slice(i, i + 100), { qos: 0 })
      await orAbort(Promise.race([done, this.#gone()]), until, late)
    }
    this.#lastMessage = Date.now()
  }

  #gone(): Promise<never> {
    return this.ended.then(() => {
      throw this.#failure ?? late()
    })
  }

  async #quiet(until: AbortSignal, enough: () => boolean): Promise<void> {
    while (Date.now() - this.#lastMessage < QUIET_MS && !enough()) {
      if (this.#failure) throw this.#failure
      if (until.aborted) {
        // A broker that never falls silent has told enough; one that was stopped has not.
        if (this.#entries.size > 0) return
        throw late()
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  #take(topic: string, payload: Buffer, retained: boolean): void {
    if (discoveryTopic(this.prefix, topic)) {
      this.#lastMessage = Date.now()
      this.#announce(topic, payload)
    }
    const ids = this.#topics.get(topic)
    if (ids === undefined) return
    this.#lastMessage = Date.now()
    this.#payloads.set(topic, payload.subarray(0, 100_000).toString('utf8'))
    for (const id of ids) {
      if (!retained) this.#fresh.set(id, (this.#fresh.get(id) ?? 0) + 1)
      this.#show(id)
    }
  }

  #announce(topic: string, payload: Buffer): void {
    const entries = readAnnouncement(this.prefix, topic, payload)
    for (const [id, old] of this.#entries)
      if (old.topic === topic && !entries.some((e) => e.id === id)) {
        this.#entries.delete(id)
        this.#board.remove(id)
      }
    for (const entry of entries) {
      if (kindOf(entry) === undefined || this.#entries.size >= MOST_ENTRIES) continue
      this.#entries.set(entry.id, entry)
      const fresh = [...stateTopics(entry), ...availabilityOf(entry).map((a) => a.topic)].filter((at) => {
        const known = this.#topics.get(at)
        if (known) known.add(entry.id)
        else this.#topics.set(at, new Set([entry.id]))
        return known === undefined
      })
      if (this.#opened) {
        if (fresh.length > 0) this.client.subscribe(fresh, { qos: 0 })
        this.#show(entry.id)
      }
    }
  }

  #show(id: string): void {
    const entry = this.#entries.get(id)
    const kind = entry && kindOf(entry)
    if (entry && kind) this.#board.put(readDevice(entry, kind, this.#payloads))
  }

  async send(commands: readonly Command[], signal?: AbortSignal): Promise<readonly Sent[]> {
    return Promise.all(commands.map((command) => this.#sendOne(command, signal)))
  }

  async #sendOne({ device, change }: Command, signal?: AbortSignal): Promise<Sent> {
    const answered = (answer: Sent['answer'], why?: string): Sent => ({
      device: this.#board.get(device.id) ?? device,
      change,
      answer,
      ...(why === undefined ? {} : { why }),
    })
    const entry = this.#entries.get(device.id)
    if (entry === undefined) return answered('refused', 'it is gone from the broker')
    const messages = messagesFor(entry, change)
    if ('why' in messages) return answered('refused', messages.why)
    if (this.#failure) return answered('unsent')
    const before = this.#fresh.get(device.id) ?? 0
    try {
      const until = within(this.limits.answer, signal)
      for (const message of messages) await orAbort(this.#publish(message), until, late)
    } catch {
      return answered('lost')
    }
    if (!showsState(device, change)) return answered('accepted')
    const expected = shownPart(entry, change)
    // A retained state may be older than the command: only what comes after it is an answer.
    const shown = await this.#board.until(
      device.id,
      (d) => (this.#fresh.get(d.id) ?? 0) > before && hasState(d, expected),
      this.limits.answer,
      signal,
    )
    return answered(shown ? 'confirmed' : this.#failure ? 'lost' : 'silent')
  }

  async #publish({ topic, payload, retain }: Message): Promise<void> {
    await Promise.race([this.client.publishAsync(topic, payload, { qos: 1, retain }), this.#gone()])
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.client.end(true, {}, () => resolve()))
  }
}

const late = (): ConnectionError =>
  new ConnectionError('timeout', 'mqtt', 'The MQTT broker does not answer. Check that it runs, then try again.')

function explain(error: Error, host: string): ConnectionError {
  const code = 'code' in error ? error.code : undefined
  if (code === 4 || code === 5 || code === 134 || code === 135)
    return new ConnectionError(
      'refused',
      'mqtt',
      'The MQTT broker does not accept the user name and password. Connect it again with the right ones.',
    )
  if (typeof code === 'string' && /^(?:E[A-Z]+|[A-Z_]*CERT[A-Z_]*|ERR_TLS.*)$/.test(code))
    return new ConnectionError(
      'unreachable',
      'mqtt',
      `The MQTT broker cannot be reached at ${host} (${code}). Check that it runs and that the address is right.`,
    )
  return new ConnectionError(
    'protocol',
    'mqtt',
    'What answered does not speak as an MQTT broker does. Check the address and the port.',
  )
}
