import type { JsonObject } from '../../chat/types.js'
import type { Records } from '../store/index.js'
import { type Change, type Device, deviceSchema } from './device.js'

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
  set(device: Device, change: Change): Device {
    const { action: _, what: __, ...state } = change
    const { id, ...data } = { ...device, ...state, id: device.id }
    this.records.put('devices', id, JSON.parse(JSON.stringify(data)) as JsonObject)
    return { ...data, id }
  }
}
