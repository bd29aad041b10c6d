import type { ToolResult } from '../../tools/contract.js'
import { keyWords } from '../words/match.js'
import type { Device } from './device.js'
import { DEFAULT_HOUSE } from './house.js'
import { nameDevices } from './pick.js'

/** Words that name things in a house. A name made of them alone can carry no message from anybody. */
const HOUSEHOLD = new Set(
  [
    ...DEFAULT_HOUSE.flatMap((d) => [d.name, d.room, ...d.aliases]),
    'big small left right top bottom upper lower front back rear north south east west inner outer middle new old',
    'first second third upstairs downstairs upstair downstair floor ground basement attic loft cellar roof balcony terrace veranda',
    'garden yard patio deck pool driveway drive gate carport shed workshop laundry utility pantry closet wardrobe',
    'guest nursery kid child children playroom gym library study den toilet restroom shower bath sauna stairs stair landing corridor entrance foyer lobby',
    'lights lamp bulb strip led spot spotlight chandelier sconce pendant counter cabinet shelf mirror table bed bedside sofa couch wall corner tree christmas night reading main',
    'switch outlet power strip heater boiler radiator valve thermostat climate hvac air conditioner conditioning purifier humidifier dehumidifier fan hood extractor',
    'blind blinds curtain shade shutter awning cover window skylight door garage lock deadbolt alarm siren panel security',
    'tv television speaker soundbar receiver amplifier radio player media display screen projector console computer pc monitor printer router',
    'oven stove hob cooker fridge refrigerator freezer dishwasher washer washing machine dryer kettle toaster microwave coffee maker espresso iron charger',
    'vacuum robot mower cleaner sprinkler irrigation pump doorbell camera',
    'sensor temperature humidity motion presence occupancy smoke gas water leak moisture battery illuminance brightness light pressure energy power voltage current contact door window co2',
    'movie film cinema night morning evening dinner party relax relaxing bright dim away home leave leaving arrive work focus sleep wake romantic holiday guest all house room plug group zone area',
  ].flatMap((words) => [...keyWords(words)]),
)

/** Words of states and units that a sensor may say without being a message. */
const READINGS = new Set(
  'on off open closed opened clear detected yes no true false home away ok wet dry low high normal charging full empty unknown locked unlocked armed disarmed idle heating cooling auto heat cool eco c f k w kw kwh wh v a ma mv hz hpa mbar bar pa lx lm m cm mm km kmh mph s min h d ppm ppb db dbm g kg l ml m3 percent degree degrees not reachable night vacation custom bypass pending arming triggered'.split(
    ' ',
  ),
)

const plainWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * Whether a name says nothing that the house's vocabulary or the owner's own words do not hold. Numbers are free, one
 * short one at a time: they tell lamps apart.
 */
export function isHouseName(text: string, ownersWords: string): boolean {
  const owner = new Set([...plainWords(ownersWords), ...keyWords(ownersWords)])
  const words = plainWords(text)
  if (words.length > 8) return false
  return keyWords(text).every((w) => HOUSEHOLD.has(w) || owner.has(w) || /^\d{1,2}$/.test(w) || w.length === 1)
}

/** Whether a sensor's text is a number or a well-known state, or words that the owner said. */
export function isPlainReading(text: string, ownersWords: string): boolean {
  const words = plainWords(text)
  const owner = new Set(plainWords(ownersWords))
  return (
    words.length <= 6 &&
    words.every((w) => /^\d{1,12}(?:t\d{2}|[a-z]{0,3}\d?)$/.test(w) || READINGS.has(w) || owner.has(w))
  )
}

/** Text of a server in one line without control characters, cut to a length that names need. */
export function tidy(text: string, limit = 60): string {
  const clean = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[<>`{}[\]|\\]/g, '')
    .trim()
  return clean.length > limit ? `${clean.slice(0, limit - 1).trimEnd()}…` : clean
}

/**
 * Names devices of a real house in a result that must not carry outside text: with their names where those are the
 * house's vocabulary or the owner's own words, else by kind and room.
 */
export function safeName(list: readonly Device[], all: readonly Device[], noun: string, ownersWords: string): string {
  const safe = (text: string): boolean => isHouseName(text, ownersWords)
  const only = list[0]
  if (only && list.length === 1) {
    const room = safe(only.room) ? only.room : 'house'
    if (safe(only.name)) return nameDevices([{ ...only, room }], all, noun)
    const kind = only.kind === 'lock' ? 'door' : only.kind === 'plug' ? 'appliance' : only.kind
    const alone = all.filter((d) => d.kind === only.kind && d.room === only.room).length === 1
    return `${alone ? 'the' : 'one'} ${kind}${room === 'house' ? '' : ` in the ${room}`}`
  }
  if (list.every((d) => safe(d.room))) return nameDevices(list, all, noun)
  return list.length === all.filter((d) => d.kind === only?.kind).length ? `all ${noun}s` : `${list.length} ${noun}s`
}

/**
 * Marks a result that carries text of the server which is neither the house's vocabulary nor the owner's words. Every
 * name, room and text of a device that occurs in the content counts.
 */
export function markOutside(
  result: ToolResult,
  devices: readonly Device[],
  ownersWords: string,
  title: string,
): ToolResult {
  const content = result.content.toLowerCase()
  const foreign = (text: string | undefined, plain: (text: string, owner: string) => boolean): boolean =>
    text !== undefined && text !== '' && content.includes(text.toLowerCase()) && !plain(text, ownersWords)
  const found = devices.some(
    (d) =>
      foreign(d.name, isHouseName) ||
      foreign(d.room, isHouseName) ||
      foreign(d.title, isHouseName) ||
      foreign(d.reading, isPlainReading),
  )
  return found ? { ...result, untrusted: `names and texts of devices (${title})` } : result
}
