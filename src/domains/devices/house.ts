import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { Records } from '../store/index.js'
import { findNamed, keyWords, listWords } from '../words/match.js'

/** Kinds of devices. */
export const DEVICE_KINDS = [
  'light',
  'plug',
  'speaker',
  'vacuum',
  'coffee machine',
  'thermostat',
  'lock',
  'television',
] as const

const deviceSchema = z.object({
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
  /** Degrees Celsius; thermostats. */
  temperature: z.number().optional(),
  locked: z.boolean().optional(),
  /** What it does at the moment ("cleaning the kitchen", "making a latte"). */
  activity: z.string().optional(),
})

/** One device and its state. */
export type Device = z.infer<typeof deviceSchema> & { readonly id: string }

/** Second line of every result while no real devices are connected. */
export const EXAMPLE_HOUSE = 'No real devices are connected yet; this is the built-in example house.'

const light = (id: string, room: string, name: string, ...aliases: string[]): Device => ({
  id,
  name,
  room,
  kind: 'light',
  aliases,
  on: false,
  brightness: 100,
  color: 'white',
})
const plug = (id: string, room: string, name: string, ...aliases: string[]): Device => ({
  id,
  name,
  room,
  kind: 'plug',
  aliases,
  on: false,
})
const lock = (id: string, name: string, ...aliases: string[]): Device => ({
  id,
  name,
  room: 'entrance',
  kind: 'lock',
  aliases,
  on: true,
  locked: true,
})

/** The example house that stands in until real devices are connected. */
export const DEFAULT_HOUSE: readonly Device[] = [
  light('living-light', 'living room', 'ceiling light', 'overhead light', 'main light'),
  light('living-lamp', 'living room', 'floor lamp', 'lamp', 'table lamp', 'smart lamp'),
  light('kitchen-light', 'kitchen', 'ceiling light', 'overhead light'),
  light('bedroom-light', 'bedroom', 'ceiling light', 'overhead light'),
  light('bedside-lamp', 'bedroom', 'bedside lamp', 'night light'),
  light('bathroom-light', 'bathroom', 'ceiling light'),
  light('hall-light', 'hallway', 'ceiling light', 'hall light'),
  light('dining-light', 'dining room', 'ceiling light'),
  light('office-light', 'office', 'ceiling light', 'study light'),
  light('desk-lamp', 'office', 'desk lamp'),
  light('garage-light', 'garage', 'ceiling light'),
  light('porch-light', 'porch', 'porch light', 'outside light', 'security light', 'outdoor light'),
  plug('fan', 'bedroom', 'fan', 'fan socket', 'fan plug'),
  plug('kettle', 'kitchen', 'kettle', 'kettle socket'),
  plug('rice-cooker', 'kitchen', 'rice cooker', 'rice cooker socket'),
  plug('charger', 'bedroom', 'charger', 'phone charger', 'mobile charger plug'),
  plug(
    'plug',
    'living room',
    'plug',
    'socket',
    'smart plug',
    'smart socket',
    'wemo',
    'wemo plug',
    'wemo plug socket',
    'plug socket',
  ),
  {
    id: 'speaker',
    name: 'speaker',
    room: 'living room',
    kind: 'speaker',
    aliases: ['music player', 'stereo', 'speakers', 'radio'],
    on: true,
    volume: 40,
    muted: false,
  },
  {
    id: 'kitchen-speaker',
    name: 'kitchen speaker',
    room: 'kitchen',
    kind: 'speaker',
    aliases: [],
    on: true,
    volume: 40,
    muted: false,
  },
  {
    id: 'tv',
    name: 'television',
    room: 'living room',
    kind: 'television',
    aliases: ['tv', 'telly'],
    on: false,
    volume: 30,
    muted: false,
  },
  {
    id: 'vacuum',
    name: 'robot vacuum',
    room: 'hallway',
    kind: 'vacuum',
    aliases: ['vacuum', 'vacuum cleaner', 'robot', 'roomba', 'hoover', 'robot cleaner'],
    on: false,
  },
  {
    id: 'coffee',
    name: 'coffee machine',
    room: 'kitchen',
    kind: 'coffee machine',
    aliases: ['coffee maker', 'coffee pot', 'espresso machine'],
    on: false,
  },
  {
    id: 'heating',
    name: 'heating',
    room: 'house',
    kind: 'thermostat',
    aliases: ['thermostat', 'heater', 'radiators', 'air conditioning', 'ac'],
    on: true,
    temperature: 20,
  },
  lock('front-door', 'front door', 'main door', 'house door', 'entrance'),
  lock('back-door', 'back door', 'garden door', 'patio door'),
  { ...lock('garage-door', 'garage door', 'garage'), room: 'garage' },
]

/** Devices of the house on records: the example ones, overlaid by what was changed. */
export class House {
  constructor(private readonly records: Records) {}

  all(): readonly Device[] {
    const stored = new Map(this.records.all('devices', deviceSchema).map((item) => [item.id, item.data]))
    return DEFAULT_HOUSE.map((device) => ({ ...device, ...stored.get(device.id), id: device.id }))
  }

  /** Changes a device's state; inside an effect, so that it is atomic and can be taken back. */
  set(device: Device, change: Partial<Device>): Device {
    const { id, ...data } = { ...device, ...change, id: device.id }
    this.records.put('devices', id, JSON.parse(JSON.stringify(data)) as JsonObject)
    return { ...data, id }
  }
}

const EVERYWHERE =
  /^(?:(?:the |my |our )?(?:whole |entire )?(?:house|home|apartment|flat|place|building|interior|everything)|everywhere|all(?: the)?(?: rooms)?|every room|here|(?:the |this |my )?room|whole house|indoors|inside)$/i

/** Rooms that a phrase names ("the kitchen and bathroom"), [] for the whole house, undefined when one is unknown. */
export function findRooms(phrase: string | undefined, devices: readonly Device[]): readonly string[] | undefined {
  if (phrase === undefined || EVERYWHERE.test(phrase.trim())) return []
  const rooms = [...new Set(devices.map((d) => d.room))]
  const spoken = phrase
    .toLowerCase()
    .replace(/\b(bed|bath|living|dining) rooms?\b/g, (_, r: string) =>
      r === 'bed' || r === 'bath' ? `${r}room` : `${r} room`,
    )
  const out: string[] = []
  for (const part of spoken.split(/\s*(?:,|\band\b|&)\s*/).filter(Boolean)) {
    const found = findNamed(part, rooms, (r) => [r, ...(ROOM_ALIASES[r] ?? [])]).matches
    if (found.length === 0) return undefined
    out.push(...found)
  }
  return out
}

const ROOM_ALIASES: { readonly [room: string]: readonly string[] } = {
  hallway: ['hall', 'corridor', 'entrance hall'],
  'living room': ['lounge', 'sitting room', 'media room', 'family room'],
  office: ['study', 'study room', 'den', 'work room'],
  porch: ['outside', 'patio', 'garden', 'outdoors', 'yard', 'front porch', 'outside the house'],
  'dining room': ['dining area'],
  bathroom: ['toilet', 'restroom'],
  bedroom: ['master bedroom', 'master bedroom', 'my room'],
}

const GENERIC = new Set(
  'light lamp plug socket switch device speaker smart all every everything each appliance wemo lighting lightning door lock system music sound volume audio tv'.split(
    ' ',
  ),
)

/** Devices of some kinds that room and device phrases select, or why none. */
export function pickDevices(
  all: readonly Device[],
  kinds: readonly Device['kind'][],
  ask: { readonly room?: string | undefined; readonly device?: string | undefined; readonly noun: string },
): { readonly devices: readonly Device[] } | { readonly problem: string } {
  const pool = all.filter((d) => kinds.includes(d.kind))
  const rooms = findRooms(ask.room, all)
  if (rooms === undefined)
    return {
      problem: `There is no room called ${ask.room}; the rooms are ${listWords([...new Set(pool.map((d) => d.room))])}.`,
    }
  const inRoom = rooms.length === 0 ? pool : pool.filter((d) => rooms.includes(d.room))
  if (inRoom.length === 0)
    return {
      problem: `There is no ${ask.noun} in the ${listWords(rooms)}; there ${pool.length === 1 ? 'is one' : 'are some'} in the ${listWords([...new Set(pool.map((d) => d.room))])}.`,
    }
  if (ask.device === undefined) return { devices: inRoom }
  const words = keyWords(ask.device)
  const { matches, near } = findNamed(ask.device, inRoom, (d) => [
    d.name,
    `${d.room} ${d.name}`,
    `${d.room} ${ask.noun}`,
    ...d.aliases,
  ])
  if (words.every((w) => GENERIC.has(w)) && (matches.length === 0 || ask.noun === 'light')) return { devices: inRoom }
  if (matches.length > 0) return { devices: matches }
  const hint =
    near.length > 0
      ? `; did you mean the ${listWords(
          near.map((d) => d.name),
          'or',
        )}?`
      : `; there ${inRoom.length === 1 ? 'is' : 'are'} ${listWords(inRoom.slice(0, 8).map((d) => d.name))}.`
  return { problem: `There is no ${ask.noun} called ${ask.device}${hint}` }
}

/** "the kitchen ceiling light", "the lights in the living room", "all lights". */
export function nameDevices(list: readonly Device[], all: readonly Device[], noun: string): string {
  const only = list[0]
  if (only && list.length === 1)
    return `the ${only.name.includes(only.room) || only.room === 'house' || only.room === 'entrance' ? only.name : `${only.room} ${only.name}`}`
  const rooms = [...new Set(list.map((d) => d.room))]
  const kind = only?.kind
  if (list.length === all.filter((d) => d.kind === kind).length) return `all ${noun}s`
  return `the ${noun}s in the ${listWords(rooms)}`
}
