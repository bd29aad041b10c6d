import type { JsonObject, JsonValue } from '../../../chat/types.js'
import { type Connection, ConnectionError } from '../../connections/index.js'
import { type Command, type Device, hasState, showsState } from '../device.js'
import { DEVICE_LIMITS, type DeviceLimits, type DeviceSession, type DeviceSource, type Sent } from '../source.js'
import { StateBoard } from '../state-board.js'
import { HomeAssistantClient, HomeAssistantRefusal } from './client.js'
import { type EntityState, readEntity, readPlaces, readStates } from './entities.js'
import { servicesFor } from './services.js'
import { homeAssistantSettings } from './settings.js'

/** Longest time for a service to finish; Home Assistant itself waits as long for slow devices. */
const SERVICE_MS = 12_000

/** The devices of a Home Assistant, over its websocket API. */
export class HomeAssistantSource implements DeviceSource {
  readonly kind = 'homeassistant'
  readonly title = 'Home Assistant'

  constructor(
    private readonly connection: Connection,
    private readonly limits: DeviceLimits = DEVICE_LIMITS,
  ) {}

  async open(signal?: AbortSignal): Promise<DeviceSession> {
    const settings = homeAssistantSettings.safeParse(this.connection.settings)
    if (!settings.success)
      throw new ConnectionError(
        'settings',
        'homeassistant',
        'The settings of Home Assistant are not complete. Connect it again.',
      )
    const token = await this.connection.secret()
    if (!token)
      throw new ConnectionError(
        'credentials',
        'homeassistant',
        'The token for Home Assistant is missing. Connect it again.',
      )
    const client = await HomeAssistantClient.connect({ url: settings.data.url, token }, this.limits.open, signal)
    try {
      return await HomeAssistantSession.read(client, this.limits, signal)
    } catch (error) {
      client.close()
      throw error instanceof HomeAssistantRefusal
        ? new ConnectionError('refused', 'homeassistant', `Home Assistant does not tell its devices: ${error.why}.`)
        : error
    }
  }
}

class HomeAssistantSession implements DeviceSession {
  readonly #states = new Map<string, EntityState>()
  readonly #board = new StateBoard()
  #places: ReturnType<typeof readPlaces> = new Map()
  #units = { fahrenheit: false }
  readonly #beat: NodeJS.Timeout

  private constructor(
    private readonly client: HomeAssistantClient,
    private readonly limits: DeviceLimits,
  ) {
    // A connection can be dead without a word of it; sessions of one call end before the first beat.
    this.#beat = setInterval(() => void client.ping(limits.open), 30_000)
    this.#beat.unref()
    void client.ended.then(() => {
      clearInterval(this.#beat)
      this.#board.end()
    })
  }

  static async read(client: HomeAssistantClient, limits: DeviceLimits, signal?: AbortSignal): Promise<DeviceSession> {
    const session = new HomeAssistantSession(client, limits)
    const ask = (type: string) => client.call({ type }, limits.open, signal)
    // Not every user may read the registries; rooms are then taken from the names.
    const optional = (type: string) =>
      ask(type).catch((error: unknown): JsonValue => {
        if (error instanceof HomeAssistantRefusal) return []
        throw error
      })
    // Asked for first, so that no change falls between the states and the events.
    const subscribed = client.subscribe(
      { type: 'subscribe_events', event_type: 'state_changed' },
      (event) => session.#changed(event),
      limits.open,
    )
    const [states, areas, devices, entities, config] = await Promise.all([
      ask('get_states'),
      optional('config/area_registry/list'),
      optional('config/device_registry/list'),
      optional('config/entity_registry/list'),
      optional('get_config'),
      subscribed,
    ])
    session.#places = readPlaces(areas, devices, entities)
    session.#units = { fahrenheit: temperatureUnit(config) === '°F' }
    for (const state of readStates(states)) session.#note(state)
    return session
  }

  get devices(): readonly Device[] {
    return this.#board.devices
  }

  get ended(): Promise<void> {
    return this.client.ended
  }

  onChange(listener: (device: Device) => void): void {
    this.#board.onChange(listener)
  }

  #changed(event: JsonObject): void {
    const data = event.data
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return
    const [state] = readStates([data.new_state ?? null])
    if (state) this.#note(state)
  }

  #note(state: EntityState): void {
    this.#states.set(state.entity_id, state)
    const device = readEntity(state, this.#places.get(state.entity_id), this.#units)
    if (device) this.#board.put(device)
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
    const calls = servicesFor(device, change, this.#states.get(device.id), this.#units)
    if ('why' in calls) return answered('refused', calls.why)
    let begun = false
    try {
      for (const { domain, service, data } of calls) {
        if (this.client.gone) return answered(begun ? 'lost' : 'unsent')
        begun = true
        await this.client.call(
          {
            type: 'call_service',
            domain,
            service,
            target: { entity_id: device.id },
            ...(data ? { service_data: data } : {}),
          },
          Math.max(SERVICE_MS, this.limits.answer),
          signal,
        )
      }
    } catch (error) {
      if (error instanceof HomeAssistantRefusal) return answered('refused', error.why)
      if (error instanceof ConnectionError) return answered('lost')
      throw error
    }
    if (!showsState(device, change) || change.what !== undefined) return answered('accepted')
    const shown = await this.#board.until(device.id, (d) => hasState(d, change), this.limits.answer, signal)
    return answered(shown ? 'confirmed' : this.client.gone ? 'lost' : 'silent')
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    this.client.close()
  }
}

function temperatureUnit(config: JsonValue): JsonValue | undefined {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return undefined
  const units = config.unit_system
  return typeof units === 'object' && units !== null && !Array.isArray(units) ? units.temperature : undefined
}
