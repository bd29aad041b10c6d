import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** One entity as the server keeps it. */
export interface ServedEntity {
  state: string
  attributes: { [name: string]: Json }
}

/** A call of a service that came in. */
export interface ServedCall {
  readonly domain: string
  readonly service: string
  readonly entity: string
  readonly data: { readonly [name: string]: Json }
}

/** How the server misbehaves at the next chance. */
export type Misbehaviour =
  /** Takes calls of services and answers nothing. */
  | 'silent-services'
  /** Says that the call is done; the state never changes. */
  | 'dead-device'
  /** Drops the connection at a call of a service, before it answers. */
  | 'drop-at-service'
  /** Takes connections and says nothing at all. */
  | 'hang'
  /** Answers `get_states` by something that is no JSON. */
  | 'garbage'
  /** Answers `get_states` by JSON of another shape. */
  | 'odd-states'

/** A server on the loopback interface that speaks Home Assistant's websocket API. */
export interface HomeAssistantServer {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly calls: readonly ServedCall[]
  misbehave: Misbehaviour | undefined
  /** Sets a state, as a device does; connected clients hear of it. */
  set(entity: string, state: string, attributes?: { readonly [name: string]: Json }): void
  /** Drops all connections, as a restart does. */
  drop(): void
  close(): Promise<void>
}

/** What the server begins with. */
export interface ServedHouse {
  readonly states: {
    readonly [entity: string]: readonly [state: string, attributes: { readonly [name: string]: Json }]
  }
  readonly areas: { readonly [id: string]: string }
  /** Area of each entity. */
  readonly rooms: { readonly [entity: string]: string }
  /** Entities that are there for diagnosis only. */
  readonly diagnostic?: readonly string[]
  readonly fahrenheit?: boolean
}

/**
 * Starts a server that speaks the protocol as its documentation describes it (developers.home-assistant.io, "WebSocket
 * API"; services as the integrations' pages list them): sign-in, ids that must grow, results and errors, events, pongs,
 * registries, services on targets. Made from the documentation and from what Home Assistant 2024.3.3 was seen to answer.
 */
export async function startHomeAssistant(
  house: ServedHouse,
  port = 0,
  token = 'llat.test-token-of-the-house',
): Promise<HomeAssistantServer> {
  const entities = new Map<string, ServedEntity>(
    Object.entries(house.states).map(([id, [state, attributes]]) => [id, { state, attributes: { ...attributes } }]),
  )
  const calls: ServedCall[] = []
  const http = createServer((_request, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ server: http, path: '/api/websocket' })
  const listeners = new Set<{ readonly socket: WebSocket; readonly id: number }>()
  const send = (socket: WebSocket, message: Json): void => socket.send(JSON.stringify(message))
  const stateOf = (id: string, entity: ServedEntity): Json => ({
    entity_id: id,
    state: entity.state,
    attributes: entity.attributes,
    last_changed: new Date().toISOString(),
    last_updated: new Date().toISOString(),
    context: { id: 'c', parent_id: null, user_id: null },
  })
  const change = (id: string, state: string, attributes: { readonly [name: string]: Json } = {}): void => {
    const old = entities.get(id)
    const entity = { state, attributes: { ...old?.attributes, ...attributes } }
    entities.set(id, entity)
    for (const { socket, id: subscription } of listeners)
      send(socket, {
        id: subscription,
        type: 'event',
        event: {
          event_type: 'state_changed',
          data: { entity_id: id, old_state: old ? stateOf(id, old) : null, new_state: stateOf(id, entity) },
          origin: 'LOCAL',
          time_fired: new Date().toISOString(),
        },
      })
  }

  const self = {
    url: '',
    port: 0,
    token,
    calls,
    misbehave: undefined as Misbehaviour | undefined,
    set: change,
    drop: () => {
      for (const client of sockets.clients) client.terminate()
    },
    close: async () => {
      self.drop()
      await new Promise<void>((resolve) => sockets.close(() => http.close(() => resolve())))
    },
  }

  sockets.on('connection', (socket) => {
    let signedIn = false
    let last = 0
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const listener of listeners) if (listener.socket === socket) listeners.delete(listener)
    })
    if (self.misbehave === 'hang') return
    send(socket, { type: 'auth_required', ha_version: '2024.3.3' })
    socket.on('message', (raw) => {
      const message = JSON.parse(String(raw)) as { [key: string]: Json }
      if (!signedIn) {
        signedIn = message.type === 'auth' && message.access_token === token
        send(
          socket,
          signedIn
            ? { type: 'auth_ok', ha_version: '2024.3.3' }
            : { type: 'auth_invalid', message: 'Invalid access token or password' },
        )
        if (!signedIn) socket.close()
        return
      }
      const id = Number(message.id)
      const answer = (result: Json): void => send(socket, { id, type: 'result', success: true, result })
      const refuse = (code: string, text: string): void =>
        send(socket, { id, type: 'result', success: false, error: { code, message: text } })
      if (!(id > last)) return refuse('id_reuse', 'Identifier values have to increase.')
      last = id
      switch (message.type) {
        case 'ping':
          return send(socket, { id, type: 'pong' })
        case 'subscribe_events':
          if (message.event_type === 'state_changed') listeners.add({ socket, id })
          return answer(null)
        case 'get_config':
          return answer({ unit_system: { temperature: house.fahrenheit ? '°F' : '°C' }, version: '2024.3.3' })
        case 'get_states':
          if (self.misbehave === 'garbage') return socket.send('<html>502 Bad Gateway</html>')
          if (self.misbehave === 'odd-states') return answer([{ entity_id: 7 }, null, 'text', { entity_id: 'light.x' }])
          return answer([...entities].map(([entity, value]) => stateOf(entity, value)))
        case 'config/area_registry/list':
          return answer(
            Object.entries(house.areas).map(([area_id, name]) => ({ area_id, name, aliases: [], picture: null })),
          )
        case 'config/device_registry/list':
          return answer(
            Object.keys(house.rooms).map((entity) => ({
              id: `d.${entity}`,
              area_id: house.rooms[entity] ?? null,
              name: entity,
            })),
          )
        case 'config/entity_registry/list':
          return answer(
            [...entities.keys()].map((entity) => ({
              entity_id: entity,
              area_id: null,
              device_id: house.rooms[entity] === undefined ? null : `d.${entity}`,
              name: null,
              original_name: null,
              hidden_by: null,
              disabled_by: null,
              entity_category: house.diagnostic?.includes(entity) ? 'diagnostic' : null,
              platform: 'test',
            })),
          )
        case 'call_service':
          return serve(socket, message, answer, refuse)
        default:
          return refuse('unknown_command', 'Unknown command.')
      }
    })
  })

  function serve(
    socket: WebSocket,
    message: { [key: string]: Json },
    answer: (result: Json) => void,
    refuse: (code: string, text: string) => void,
  ): void {
    const domain = String(message.domain)
    const service = String(message.service)
    const target = message.target as { readonly entity_id?: Json } | undefined
    const entity = String(target?.entity_id)
    const data = (message.service_data ?? {}) as { readonly [name: string]: Json }
    calls.push({ domain, service, entity, data })
    if (self.misbehave === 'drop-at-service') socket.terminate()
    if (self.misbehave === 'drop-at-service' || self.misbehave === 'silent-services') return
    const done = EFFECTS[`${domain}.${service}`]
    const held = entities.get(entity)
    if (done === undefined) {
      refuse('not_found', `Service ${domain}.${service} not found.`)
      return
    }
    if (held !== undefined && self.misbehave !== 'dead-device') {
      const effect = done(held, data)
      if (typeof effect === 'string') {
        refuse('home_assistant_error', effect)
        return
      }
      change(entity, effect.state ?? held.state, effect.attributes)
    }
    answer({ context: { id: 'c', parent_id: null, user_id: 'u' } })
  }

  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  const address = http.address()
  self.port = typeof address === 'object' && address !== null ? address.port : 0
  self.url = `http://127.0.0.1:${self.port}`
  return self
}

type Effect = (
  entity: ServedEntity,
  data: { readonly [name: string]: Json },
) => { readonly state?: string; readonly attributes?: { readonly [name: string]: Json } } | string

const to =
  (state: string, attributes: { readonly [name: string]: Json } = {}): Effect =>
  () => ({ state, attributes })

const EFFECTS: { readonly [service: string]: Effect | undefined } = {
  'light.turn_off': to('off', { brightness: null }),
  'light.turn_on': (entity, data) => ({
    state: 'on',
    attributes: {
      brightness:
        typeof data.brightness_pct === 'number'
          ? Math.round((data.brightness_pct / 100) * 255)
          : (entity.attributes.brightness ?? 180),
      ...(data.rgb_color === undefined ? {} : { rgb_color: data.rgb_color, color_mode: 'rgb' }),
      ...(data.color_temp_kelvin === undefined
        ? {}
        : { color_temp_kelvin: data.color_temp_kelvin, color_mode: 'color_temp' }),
    },
  }),
  'switch.turn_on': to('on'),
  'switch.turn_off': to('off'),
  'fan.turn_on': to('on'),
  'fan.turn_off': to('off'),
  'button.press': to('2026-11-30T21:00:00+00:00'),
  'scene.turn_on': to('2026-11-30T21:00:00+00:00'),
  'lock.lock': to('locked'),
  'lock.unlock': to('unlocked'),
  'cover.open_cover': to('opening'),
  'cover.close_cover': to('closing'),
  'cover.set_cover_position': (_, data) => ({
    state: data.position === 0 ? 'closed' : 'open',
    attributes: { current_position: data.position ?? null },
  }),
  'climate.set_temperature': (_, data) => ({ attributes: { temperature: data.temperature ?? null } }),
  'climate.turn_on': to('heat'),
  'media_player.turn_on': to('idle'),
  'media_player.turn_off': to('off'),
  'media_player.media_play': to('playing'),
  'media_player.media_pause': to('paused'),
  'media_player.media_stop': to('idle'),
  'media_player.media_next_track': () => ({ attributes: { media_title: 'Next song' } }),
  'media_player.volume_set': (_, data) => ({ attributes: { volume_level: data.volume_level ?? null } }),
  'media_player.volume_mute': (_, data) => ({ attributes: { is_volume_muted: data.is_volume_muted ?? null } }),
  'media_player.play_media': (_, data) =>
    data.media_content_id === 'nothing'
      ? 'Cannot play that'
      : { state: 'playing', attributes: { media_title: data.media_content_id ?? null, media_artist: null } },
  'vacuum.start': to('cleaning'),
  'vacuum.return_to_base': to('returning'),
}
