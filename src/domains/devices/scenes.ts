import type { Implementation } from '../implement.js'
import { asked, failed, unavailable } from '../result.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import type { Change, Command, Device } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import type { View } from './order.js'

interface Scene {
  readonly name: string
  readonly aliases: readonly string[]
  readonly change: (d: Device) => Change | undefined
}

const lights =
  (rooms: readonly string[] | undefined, brightness: number, color = 'white') =>
  (d: Device) =>
    d.kind === 'light' && (rooms === undefined || rooms.includes(d.room))
      ? { on: brightness > 0, ...(brightness > 0 ? { brightness, color } : {}) }
      : undefined

/** Scenes of the example house. */
export const SCENES: readonly Scene[] = [
  {
    name: 'movie night',
    aliases: ['movie', 'film', 'cinema', 'movie time'],
    change: (d) => (d.kind === 'television' ? { on: true } : lights(['living room'], 15, 'warm')(d)),
  },
  {
    name: 'good night',
    aliases: ['bedtime', 'sleep', 'night', 'goodnight', 'sleeping'],
    change: (d) => (d.kind === 'television' ? { on: false } : d.kind === 'lock' ? undefined : lights(undefined, 0)(d)),
  },
  { name: 'good morning', aliases: ['morning', 'wake up'], change: lights(['bedroom', 'kitchen', 'bathroom'], 80) },
  { name: 'dinner', aliases: ['dining', 'supper'], change: lights(['dining room', 'kitchen'], 60, 'warm') },
  { name: 'reading', aliases: ['read'], change: lights(['living room'], 90, 'white') },
  {
    name: 'party',
    aliases: ['disco', 'party mode'],
    change: lights(['living room', 'kitchen', 'hallway'], 100, 'multicolored'),
  },
  {
    name: 'away',
    aliases: ['leaving', 'leave home', 'goodbye', 'nobody home'],
    change: (d) => (d.kind === 'plug' || d.kind === 'television' ? { on: false } : lights(undefined, 0)(d)),
  },
  { name: 'romantic', aliases: ['romance', 'date night'], change: lights(['living room', 'dining room'], 30, 'red') },
]

interface Choice {
  readonly name: string
  readonly aliases: readonly string[]
  readonly commands: () => readonly Command[]
}

/** Scenes of the example house change its devices; those of a server are its own, and it knows what they do. */
const choices = (view: View): readonly Choice[] =>
  view.example
    ? SCENES.map((scene) => ({
        ...scene,
        commands: () =>
          view.devices.flatMap((device) => {
            const change = scene.change(device)
            return change ? [{ device, change }] : []
          }),
      }))
    : view.devices
        .filter((d) => d.kind === 'scene')
        .map((device) => ({
          name: device.name,
          aliases: device.room === 'house' ? [] : [`${device.room} ${device.name}`],
          commands: () => [{ device, change: { action: 'activate' as const } }],
        }))

/** scene_set. */
export function sceneTool(desk: DeviceDesk): Implementation {
  return desk.acts('scene_set', (args, _context, view) => {
    const phrase = text(args, 'scene')
    if (phrase === undefined) return asked('Which scene?')
    const known = choices(view)
    if (known.length === 0) return unavailable('There are no scenes on the connected server.')
    const wanted = phrase.replace(/\b(?:scene|mode|setting)\b/gi, ' ')
    const { matches } = findNamed(wanted, known, (s) => [s.name, ...s.aliases])
    const scene = matches[0]
    if (scene === undefined)
      return failed(
        `There is no scene called ${phrase}; there are ${listWords(known.slice(0, 20).map((s) => s.name))}.`,
      )
    if (matches.length > 1)
      return asked(
        `Which scene: ${listWords(
          matches.map((s) => s.name),
          'or',
        )}?`,
      )
    const commands = scene.commands()
    const members = commands.flatMap(({ device }) => device.members ?? [])
    // What opens a door is approved by itself, never as a part of something else.
    if (view.devices.some((d) => members.includes(d.id) && (d.kind === 'lock' || d.kind === 'alarm')))
      return failed('This scene also sets a lock, a garage door or an alarm, so it is left to you.')
    // In words of the owner, who may call it otherwise than the server does.
    const name = view.example ? scene.name : wanted.replace(/\s+/g, ' ').trim().slice(0, 60)
    return {
      commands,
      say: (changed) => ({
        first: `The scene ${name} is set.`,
        data: { scene: scene.name, devices: changed.map((d) => d.id) },
      }),
    }
  })
}
