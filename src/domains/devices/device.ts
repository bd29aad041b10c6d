import { z } from 'zod'

/** Kinds of devices. `lock` holds every door that lets somebody in: locks, and garage doors and gates that open. */
export const DEVICE_KINDS = [
  'light',
  'plug',
  'speaker',
  'vacuum',
  'coffee machine',
  'thermostat',
  'lock',
  'television',
  'fan',
  'cover',
  'alarm',
  'sensor',
  'scene',
] as const

/** A kind of device. */
export type DeviceKind = (typeof DEVICE_KINDS)[number]

/** A device and its state, as stores keep it. */
export const deviceSchema = z.object({
  name: z.string(),
  room: z.string(),
  kind: z.enum(DEVICE_KINDS),
  aliases: z.array(z.string()),
  on: z.boolean(),
  /** Percent; lights. */
  brightness: z.number().optional(),
  color: z.string().optional(),
  /** Percent; speakers and televisions. */
  volume: z.number().optional(),
  muted: z.boolean().optional(),
  /** Degrees Celsius that a thermostat is set to. */
  temperature: z.number().optional(),
  locked: z.boolean().optional(),
  /** What it does at the moment ("cleaning the kitchen", "making a latte"). */
  activity: z.string().optional(),
  /** Percent open; covers. */
  position: z.number().optional(),
  /** What a sensor or an alarm says, with its unit. */
  reading: z.string().optional(),
  playing: z.enum(['playing', 'paused', 'stopped']).optional(),
  /** What plays; outside text. */
  title: z.string().optional(),
  /** A door of kind `lock` that opens and closes (garage, gate) instead of being locked. */
  opens: z.boolean().optional(),
  /** It is offline: nothing can be sent to it. */
  unreachable: z.boolean().optional(),
  /** Nothing is known of its state yet. */
  unknown: z.boolean().optional(),
  /** It never reports its state. */
  silent: z.boolean().optional(),
  /** Devices that a scene sets. */
  members: z.array(z.string()).optional(),
})

/** One device and its state. */
export type Device = z.infer<typeof deviceSchema> & { readonly id: string }

const KIND_WORDS: { readonly [kind in DeviceKind]?: readonly string[] } = {
  television: ['television', 'tv', 'telly'],
  vacuum: ['vacuum', 'vacuum cleaner', 'robot', 'robot vacuum', 'hoover'],
  'coffee machine': ['coffee machine', 'coffee maker', 'coffee pot', 'espresso machine'],
  thermostat: ['thermostat', 'heating', 'heater'],
  alarm: ['alarm', 'security system'],
}

/** What people call any device of a kind, whatever name a server has for it. */
export function wordsForKind(kind: DeviceKind): string[] {
  return [...(KIND_WORDS[kind] ?? [])]
}

/** What can be done with a device beyond giving it a state. */
export const DEVICE_ACTIONS = [
  'press',
  'activate',
  'clean',
  'return',
  'play',
  'pause',
  'stop',
  'next',
  'previous',
  'shuffle',
  'unshuffle',
  'repeat',
] as const

/** The state that a device is to have; with `action` what it is to do, on `what`. */
export const changeSchema = z.object({
  on: z.boolean().exactOptional(),
  brightness: z.number().exactOptional(),
  color: z.string().exactOptional(),
  volume: z.number().exactOptional(),
  muted: z.boolean().exactOptional(),
  temperature: z.number().exactOptional(),
  locked: z.boolean().exactOptional(),
  position: z.number().exactOptional(),
  activity: z.string().exactOptional(),
  action: z.enum(DEVICE_ACTIONS).exactOptional(),
  what: z.string().exactOptional(),
})

/** See {@link changeSchema}. */
export type Change = z.infer<typeof changeSchema>

/** One device with what it is to become. */
export interface Command {
  readonly device: Device
  readonly change: Change
}

const near = (a: number | undefined, b: number, by: number): boolean => a !== undefined && Math.abs(a - b) <= by

/** Whether the device has the state that a change asks for. Numbers may differ by what devices round. */
export function hasState(device: Device, change: Change): boolean {
  if (device.unknown || device.unreachable) return false
  if (onItsWay(device, change)) return true
  const lit = change.on !== false && change.brightness !== 0
  return (
    (change.on === undefined || device.on === change.on) &&
    (change.brightness === undefined || !lit || near(device.brightness, change.brightness, 2)) &&
    (change.color === undefined || device.color === undefined || device.color === change.color) &&
    (change.volume === undefined || near(device.volume, change.volume, 2)) &&
    (change.muted === undefined || device.muted === change.muted) &&
    (change.temperature === undefined || near(device.temperature, change.temperature, 0.3)) &&
    (change.locked === undefined || device.locked === change.locked) &&
    (change.position === undefined || near(device.position, change.position, 3)) &&
    (change.action === undefined || actionShows(device, change.action))
  )
}

/** Doors and covers need a while: one that moves the right way has answered. */
function onItsWay(device: Device, change: Change): boolean {
  if (device.kind !== 'cover' && !(device.kind === 'lock' && device.opens)) return false
  const opening = change.locked === undefined ? (change.position ?? 0) > (device.position ?? 0) : !change.locked
  return device.activity === (opening ? 'opening' : 'closing')
}

function actionShows(device: Device, action: NonNullable<Change['action']>): boolean {
  if (action === 'play') return device.playing === 'playing'
  if (action === 'pause') return device.playing !== 'playing'
  if (action === 'stop') return device.playing !== 'playing'
  if (action === 'clean') return device.on
  if (action === 'return') return !device.on
  return false
}

/** Whether a state can tell that the change happened; a press of a button and the next song leave none. */
export function showsState(device: Device, change: Change): boolean {
  if (device.silent || device.kind === 'scene') return false
  return change.action === undefined || ['play', 'pause', 'stop', 'clean', 'return'].includes(change.action)
}

/** The change that brings back what a change is about to alter; undefined where there is nothing to bring back. */
export function restoring(device: Device, change: Change): Change | undefined {
  if (device.unknown || device.silent || device.kind === 'lock' || device.kind === 'alarm') return undefined
  if (change.action === 'clean') return device.on ? undefined : { action: 'return' }
  if (change.action === 'play') return device.playing === 'playing' ? undefined : { action: 'pause' }
  if (change.action === 'pause') return device.playing === 'playing' ? { action: 'play' } : undefined
  if (change.action !== undefined) return undefined
  const back: Change = {}
  if (change.on !== undefined || change.brightness !== undefined || change.color !== undefined) back.on = device.on
  if ((change.brightness !== undefined || change.color !== undefined) && device.on) {
    if (device.brightness !== undefined) back.brightness = device.brightness
    if (device.color !== undefined) back.color = device.color
  }
  if (change.volume !== undefined && device.volume !== undefined) back.volume = device.volume
  if (change.muted !== undefined && device.muted !== undefined) back.muted = device.muted
  if (change.temperature !== undefined && device.temperature !== undefined) back.temperature = device.temperature
  if (change.temperature !== undefined && !device.on) back.on = false
  if (change.position !== undefined && device.position !== undefined) back.position = device.position
  return Object.keys(back).length === 0 ? undefined : back
}

/** The whole state of a device as a change, for what a scene altered. */
export function wholeState(device: Device): Change | undefined {
  if (device.kind === 'lock' || device.kind === 'alarm' || device.unknown || device.unreachable) return undefined
  return restoring(device, {
    ...(['light', 'plug', 'fan', 'television', 'speaker'].includes(device.kind) ? { on: true } : {}),
    ...(device.brightness === undefined ? {} : { brightness: 0 }),
    ...(device.position === undefined ? {} : { position: 0 }),
    ...(device.temperature === undefined ? {} : { temperature: 0 }),
  })
}

/** "on, at 40 percent, blue"; "locked"; "set to 21 degrees". */
export function sayState(d: Device): string {
  if (d.unreachable) return 'not reachable'
  if (d.unknown) return 'in an unknown state'
  if (d.kind === 'sensor' || d.kind === 'alarm') return d.reading ?? 'silent'
  const bits: string[] = []
  if (d.activity && (d.kind === 'lock' || d.kind === 'cover')) bits.push(d.activity)
  else if (d.kind === 'lock') bits.push(d.opens ? (d.locked ? 'closed' : 'open') : d.locked ? 'locked' : 'unlocked')
  else if (d.kind === 'thermostat')
    bits.push(d.temperature === undefined ? (d.on ? 'on' : 'off') : `set to ${d.temperature} degrees`)
  else if (d.kind === 'cover')
    bits.push(
      d.position !== undefined && d.position > 0 && d.position < 100
        ? `${d.position} percent open`
        : d.on
          ? 'open'
          : 'closed',
    )
  else bits.push(d.activity ?? (d.on ? 'on' : 'off'))
  if (d.kind === 'light' && d.on)
    bits.push(
      ...(d.brightness === undefined ? [] : [`at ${d.brightness} percent`]),
      ...(d.color && d.color !== 'white' ? [d.color] : []),
    )
  if (d.kind === 'thermostat' && d.reading !== undefined) bits.push(`measuring ${d.reading}`)
  if (d.playing === 'playing' || d.playing === 'paused') bits.push(d.title ? `${d.playing} ${d.title}` : d.playing)
  if (d.volume !== undefined && d.on) bits.push(d.muted ? 'muted' : `volume ${d.volume}`)
  return bits.join(', ')
}
