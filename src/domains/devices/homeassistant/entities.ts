import { z } from 'zod'
import type { JsonValue } from '../../../chat/types.js'
import { nameColor } from '../colors.js'
import { type Device, type DeviceKind, wordsForKind } from '../device.js'
import { isCoffeeMachine, roomInName } from '../name-hints.js'
import { tidy } from '../outside.js'

const stateSchema = z.object({
  entity_id: z.string().regex(/^[a-z0-9_]+\.[a-z0-9_]+$/),
  state: z.string(),
  attributes: z.record(z.string(), z.json()),
})

/** One entity's state as `get_states` and `state_changed` give it. */
export type EntityState = z.infer<typeof stateSchema>

/** What the registries say of an entity. */
export interface EntityPlace {
  /** Area's name; undefined when it is in none. */
  readonly room: string | undefined
  readonly name: string | undefined
  /** Hidden, disabled, or there for settings and diagnosis only. */
  readonly hidden: boolean
}

/** States out of an answer of `get_states`; what does not fit is left out. */
export function readStates(answer: JsonValue | undefined): readonly EntityState[] {
  if (!Array.isArray(answer)) return []
  return answer.flatMap((item) => {
    const parsed = stateSchema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

const areaSchema = z.object({ area_id: z.string(), name: z.string() })
const deviceSchema = z.object({ id: z.string(), area_id: z.string().nullish() })
const entrySchema = z.object({
  entity_id: z.string(),
  area_id: z.string().nullish(),
  device_id: z.string().nullish(),
  name: z.string().nullish(),
  hidden_by: z.string().nullish(),
  disabled_by: z.string().nullish(),
  entity_category: z.string().nullish(),
})

const list = <T>(answer: JsonValue | undefined, schema: z.ZodType<T>): readonly T[] =>
  (Array.isArray(answer) ? answer : []).flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })

/** Joins the area, device and entity registries: a device's area is its entities' unless they have their own. */
export function readPlaces(
  areas: JsonValue | undefined,
  devices: JsonValue | undefined,
  entities: JsonValue | undefined,
): ReadonlyMap<string, EntityPlace> {
  const names = new Map(list(areas, areaSchema).map((a) => [a.area_id, a.name]))
  const ofDevice = new Map(list(devices, deviceSchema).map((d) => [d.id, d.area_id ?? undefined]))
  return new Map(
    list(entities, entrySchema).map((e) => {
      const area = e.area_id ?? (e.device_id ? ofDevice.get(e.device_id) : undefined)
      return [
        e.entity_id,
        {
          room: area === undefined ? undefined : names.get(area),
          name: e.name ?? undefined,
          hidden: (e.hidden_by ?? e.disabled_by ?? e.entity_category ?? undefined) !== undefined,
        },
      ]
    }),
  )
}

const KINDS: { readonly [domain: string]: DeviceKind } = {
  light: 'light',
  switch: 'plug',
  input_boolean: 'plug',
  humidifier: 'plug',
  siren: 'plug',
  fan: 'fan',
  cover: 'cover',
  lock: 'lock',
  climate: 'thermostat',
  media_player: 'speaker',
  vacuum: 'vacuum',
  scene: 'scene',
  sensor: 'sensor',
  binary_sensor: 'sensor',
  alarm_control_panel: 'alarm',
}

const DOORS = new Set(['garage', 'gate', 'door'])

/** The domain of an entity id. */
export const domainOf = (id: string): string => id.slice(0, id.indexOf('.'))

const BINARY: { readonly [deviceClass: string]: readonly [on: string, off: string] } = {
  door: ['open', 'closed'],
  garage_door: ['open', 'closed'],
  window: ['open', 'closed'],
  opening: ['open', 'closed'],
  lock: ['unlocked', 'locked'],
  motion: ['detected', 'clear'],
  occupancy: ['detected', 'clear'],
  moisture: ['wet', 'dry'],
  smoke: ['detected', 'clear'],
  gas: ['detected', 'clear'],
  battery: ['low', 'normal'],
}

const num = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
const str = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

/** The device that an entity is to our tools; undefined for domains without a tool and for hidden entities. */
export function readEntity(
  state: EntityState,
  place: EntityPlace | undefined,
  units: { readonly fahrenheit: boolean },
): Device | undefined {
  const domain = domainOf(state.entity_id)
  const a = state.attributes
  const name = tidy(place?.name ?? str(a.friendly_name) ?? state.entity_id.slice(domain.length + 1).replace(/_/g, ' '))
  const press = domain === 'button' || domain === 'input_button'
  const coffee = isCoffeeMachine(name) && (press || domain === 'switch' || domain === 'input_boolean')
  const found = coffee ? 'coffee machine' : Object.hasOwn(KINDS, domain) ? KINDS[domain] : undefined
  if (found === undefined || place?.hidden) return undefined
  const deviceClass = str(a.device_class)
  const opens = domain === 'cover' && DOORS.has(deviceClass ?? '')
  const kind = opens ? 'lock' : domain === 'media_player' && deviceClass === 'tv' ? 'television' : found
  const s = state.state
  const device: Device = {
    id: state.entity_id,
    name,
    room: tidy(place?.room?.toLowerCase() ?? roomInName(name)),
    kind,
    aliases: wordsForKind(kind),
    on: !['off', 'closed', 'locked', 'unavailable', 'unknown', 'standby', 'docked', 'returning', 'idle'].includes(s),
    ...(s === 'unavailable' ? { unreachable: true } : {}),
    ...(s === 'unknown' && kind !== 'scene' && !press ? { unknown: true } : {}),
    ...(press ? { silent: true, on: false } : {}),
  }
  if (kind === 'light') {
    const brightness = num(a.brightness)
    if (brightness !== undefined) device.brightness = Math.round((brightness / 255) * 100)
    const rgb = Array.isArray(a.rgb_color) ? a.rgb_color.map(num) : []
    const mode = str(a.color_mode)
    if (mode === 'color_temp' || mode === 'white')
      device.color = (num(a.color_temp_kelvin) ?? 4000) <= 3000 && mode === 'color_temp' ? 'warm' : 'white'
    else if (rgb.length === 3) device.color = nameColor([rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0])
  } else if (kind === 'thermostat') {
    const celsius = (n: number | undefined): number | undefined =>
      n === undefined ? undefined : Math.round((units.fahrenheit ? (n - 32) / 1.8 : n) * 10) / 10
    const set = celsius(num(a.temperature))
    const measured = celsius(num(a.current_temperature))
    if (set !== undefined) device.temperature = set
    if (measured !== undefined) device.reading = `${measured} °C`
  } else if (kind === 'lock') {
    device.on = true
    device.locked = opens ? s === 'closed' : s === 'locked'
    if (opens) device.opens = true
    if (['opening', 'closing', 'locking', 'unlocking'].includes(s)) device.activity = s
    if (['jammed', 'open'].includes(s) && !opens) device.locked = false
  } else if (kind === 'cover') {
    device.position = num(a.current_position) ?? (s === 'closed' ? 0 : 100)
    if (s === 'opening' || s === 'closing') device.activity = s
  } else if (domain === 'media_player') {
    const volume = num(a.volume_level)
    if (volume !== undefined) device.volume = Math.round(volume * 100)
    if (typeof a.is_volume_muted === 'boolean') device.muted = a.is_volume_muted
    device.on = !['off', 'unavailable', 'unknown', 'standby'].includes(s)
    device.playing = s === 'playing' || s === 'buffering' ? 'playing' : s === 'paused' ? 'paused' : 'stopped'
    const title = [str(a.media_title), str(a.media_artist)].filter((x) => x !== undefined && x !== '').join(' by ')
    if (title !== '' && device.playing !== 'stopped') device.title = tidy(title, 120)
  } else if (kind === 'vacuum') {
    device.on = s === 'cleaning' || s === 'on'
    if (s === 'cleaning' || s === 'returning' || s === 'paused') device.activity = s
  } else if (domain === 'binary_sensor') {
    const words = BINARY[deviceClass ?? ''] ?? ['on', 'off']
    device.reading = s === 'on' ? words[0] : s === 'off' ? words[1] : s
  } else if (kind === 'sensor') {
    const unit = str(a.unit_of_measurement)
    device.reading = tidy(unit === undefined ? s : `${s} ${unit}`, 120)
    device.on = false
  } else if (kind === 'alarm') {
    device.reading = tidy(s.replace(/_/g, ' '))
  } else if (kind === 'scene') {
    device.on = false
    if (Array.isArray(a.entity_id)) device.members = a.entity_id.filter((id) => typeof id === 'string')
  }
  return device
}
