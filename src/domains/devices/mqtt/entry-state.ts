import { z } from 'zod'
import { nameColor } from '../colors.js'
import { type Device, type DeviceKind, wordsForKind } from '../device.js'
import { isCoffeeMachine, roomInName } from '../name-hints.js'
import { tidy } from '../outside.js'
import { availabilityOf, type Entry, setting, topicOf } from './discovery.js'
import { readTemplate } from './template.js'

const KINDS: { readonly [component: string]: DeviceKind } = {
  light: 'light',
  switch: 'plug',
  fan: 'fan',
  cover: 'cover',
  lock: 'lock',
  climate: 'thermostat',
  vacuum: 'vacuum',
  scene: 'scene',
  sensor: 'sensor',
  binary_sensor: 'sensor',
  alarm_control_panel: 'alarm',
}

/** The kind of device that an entry is to our tools; undefined when no tool can use it. */
export function kindOf(entry: Entry): DeviceKind | undefined {
  if (setting(entry, 'entity_category') !== undefined || entry.config.enabled_by_default === false) return undefined
  const { component } = entry
  const looksOnly = ['sensor', 'binary_sensor', 'climate', 'alarm_control_panel'].includes(component)
  if (!looksOnly && topicOf(entry, 'command_topic') === undefined) return undefined
  if (isCoffeeMachine(entry.name) && (component === 'switch' || component === 'button')) return 'coffee machine'
  if (component === 'cover' && ['garage', 'gate', 'door'].includes(setting(entry, 'device_class') ?? '')) return 'lock'
  return Object.hasOwn(KINDS, component) ? KINDS[component] : undefined
}

/** Settings that name topics with parts of the state. */
const STATE_TOPICS = [
  'state_topic',
  'brightness_state_topic',
  'rgb_state_topic',
  'position_topic',
  'temperature_state_topic',
  'current_temperature_topic',
  'mode_state_topic',
] as const

/** Topics that tell an entry's state. */
export function stateTopics(entry: Entry): readonly string[] {
  return STATE_TOPICS.flatMap((name) => topicOf(entry, name) ?? [])
}

const jsonLightSchema = z.object({
  state: z.string().nullish(),
  brightness: z.number().nullish(),
  color_mode: z.string().nullish(),
  color_temp: z.number().nullish(),
  color: z.object({ r: z.number(), g: z.number(), b: z.number() }).partial().loose().nullish(),
})

const parse = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

/** The device with the state that the last message of each topic gives. */
export function readDevice(entry: Entry, kind: DeviceKind, payloads: ReadonlyMap<string, string>): Device {
  const read = (topic: string, template: string): string | undefined => {
    const at = topicOf(entry, topic)
    const payload = at === undefined ? undefined : payloads.get(at)
    return payload === undefined ? undefined : readTemplate(setting(entry, template), payload)
  }
  const number = (text: string | undefined): number | undefined => {
    const n = Number(text)
    return text === undefined || text.trim() === '' || !Number.isFinite(n) ? undefined : n
  }
  const offline = availabilityOf(entry).some(({ topic, template, offline: away }) => {
    const payload = payloads.get(topic)
    return payload !== undefined && readTemplate(template, payload) === away
  })
  const device: Device = {
    id: entry.id,
    name: entry.name,
    room: tidy(entry.area?.toLowerCase() ?? roomInName(entry.name)),
    kind,
    aliases: wordsForKind(kind),
    on: false,
    ...(offline ? { unreachable: true } : {}),
    ...(stateTopics(entry).length === 0 && kind !== 'sensor' ? { silent: true } : {}),
  }
  if (kind === 'scene') return device
  const state = read('state_topic', kind === 'light' ? 'state_value_template' : 'value_template')
  const is = (name: string, usual: string): boolean => state !== undefined && state === (setting(entry, name) ?? usual)
  const unknownUnless = (known: boolean): void => {
    if (!known && !device.silent) device.unknown = true
  }
  const opens = entry.component === 'cover'
  switch (entry.component) {
    case 'light':
      light(entry, device, state, read, number, unknownUnless)
      break
    case 'lock':
      device.on = true
      device.locked = is('state_locked', 'LOCKED')
      unknownUnless(device.locked || is('state_unlocked', 'UNLOCKED'))
      break
    case 'cover': {
      const open = number(setting(entry, 'position_open')) ?? 100
      const shut = number(setting(entry, 'position_closed')) ?? 0
      const raw = number(read('position_topic', 'position_template'))
      const position = raw === undefined ? undefined : Math.round(((raw - shut) / (open - shut)) * 100)
      const closed = is('state_closed', 'closed') || (state === undefined && position === 0)
      if (is('state_opening', 'opening')) device.activity = 'opening'
      if (is('state_closing', 'closing')) device.activity = 'closing'
      unknownUnless(state !== undefined || position !== undefined)
      device.on = !closed
      if (kind === 'lock') {
        device.on = true
        device.opens = opens
        device.locked = closed
      } else if (!device.unknown) device.position = position ?? (closed ? 0 : 100)
      break
    }
    case 'climate': {
      const celsius = (n: number): number =>
        setting(entry, 'temperature_unit') === 'F' ? Math.round(((n - 32) / 1.8) * 10) / 10 : n
      const set = number(read('temperature_state_topic', 'temperature_state_template'))
      const measured = number(read('current_temperature_topic', 'current_temperature_template'))
      const mode = read('mode_state_topic', 'mode_state_template')
      device.on = mode !== 'off'
      if (set !== undefined) device.temperature = celsius(set)
      if (measured !== undefined) device.reading = `${celsius(measured)} °C`
      unknownUnless(set !== undefined || mode !== undefined)
      break
    }
    case 'vacuum': {
      const topic = topicOf(entry, 'state_topic')
      const report = z.object({ state: z.string() }).safeParse(parse((topic && payloads.get(topic)) || ''))
      unknownUnless(report.success)
      if (report.success) {
        device.on = report.data.state === 'cleaning'
        if (['cleaning', 'returning', 'paused'].includes(report.data.state)) device.activity = report.data.state
      }
      break
    }
    case 'sensor': {
      const unit = setting(entry, 'unit_of_measurement')
      if (state === undefined) device.unknown = true
      else device.reading = tidy(unit === undefined ? state : `${state} ${unit}`, 120)
      break
    }
    case 'binary_sensor': {
      device.on = is('payload_on', 'ON')
      if (state === undefined) device.unknown = true
      else device.reading = device.on ? 'on' : is('payload_off', 'OFF') ? 'off' : tidy(state)
      break
    }
    case 'alarm_control_panel':
      if (state === undefined) device.unknown = true
      else device.reading = tidy(state.replace(/_/g, ' '))
      break
    default: {
      const on = setting(entry, 'state_on') ?? setting(entry, 'payload_on') ?? 'ON'
      const off = setting(entry, 'state_off') ?? setting(entry, 'payload_off') ?? 'OFF'
      device.on = state === on
      unknownUnless(state === on || state === off)
    }
  }
  return device
}

function light(
  entry: Entry,
  device: Device,
  state: string | undefined,
  read: (topic: string, template: string) => string | undefined,
  number: (text: string | undefined) => number | undefined,
  unknownUnless: (known: boolean) => void,
): void {
  const scale = number(setting(entry, 'brightness_scale')) ?? 255
  const percent = (n: number): number => Math.round((n / scale) * 100)
  if (setting(entry, 'schema') === 'json') {
    const said = jsonLightSchema.safeParse(parse(state ?? ''))
    unknownUnless(said.success && (said.data.state === 'ON' || said.data.state === 'OFF'))
    if (!said.success) return
    const { brightness, color, color_mode: mode, color_temp: mired } = said.data
    device.on = said.data.state === 'ON'
    if (typeof brightness === 'number') device.brightness = percent(brightness)
    if (mode === 'color_temp' && typeof mired === 'number') device.color = mired > 330 ? 'warm' : 'white'
    else if (color && color.r !== undefined && color.g !== undefined && color.b !== undefined)
      device.color = nameColor([color.r, color.g, color.b])
    return
  }
  const on = setting(entry, 'payload_on') ?? 'ON'
  device.on = state === on
  unknownUnless(state === on || state === (setting(entry, 'payload_off') ?? 'OFF'))
  const brightness = number(read('brightness_state_topic', 'brightness_value_template'))
  if (brightness !== undefined) device.brightness = percent(brightness)
  const rgb = read('rgb_state_topic', 'rgb_value_template')?.split(',').map(Number)
  if (rgb?.length === 3 && rgb.every(Number.isFinite)) device.color = nameColor([rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0])
}
