import { findNamed, keyWords, listWords } from '../words/match.js'
import type { Device } from './device.js'

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
    return `the ${only.name.toLowerCase().includes(only.room) || only.room === 'house' || only.room === 'entrance' ? only.name : `${only.room} ${only.name}`}`
  const rooms = [...new Set(list.map((d) => d.room))]
  const kind = only?.kind
  if (list.length === all.filter((d) => d.kind === kind).length) return `all ${noun}s`
  return `the ${noun}s in the ${listWords(rooms)}`
}
