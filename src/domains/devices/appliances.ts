import type { JsonObject } from '../../chat/types.js'
import { type Implementation, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { meansAll, text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { type Device, EXAMPLE_HOUSE, findRooms, type House, nameDevices, pickDevices } from './house.js'
import { lockTool } from './locks.js'
import { planLater } from './plans.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

interface Scene {
  readonly name: string
  readonly aliases: readonly string[]
  readonly change: (d: Device) => Partial<Device> | undefined
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

/** plug_switch, vacuum_start, coffee_make, scene_set, lock_set and thermostat_set. */
export function applianceTools(records: Records, house: House): { readonly [name: string]: Implementation } {
  return {
    plug_switch: writes(records, 'plug_switch', (args, context) => {
      const state = text(args, 'state')?.toLowerCase()
      if (state !== 'on' && state !== 'off') return asked('Should it go on or off?')
      const device = text(args, 'device')
      const picked = pickDevices(house.all(), ['plug', 'television', 'speaker', 'coffee machine', 'vacuum'], {
        room: text(args, 'room'),
        device,
        noun: 'plug',
      })
      if ('problem' in picked) return failed(picked.problem.replace('no plug called', 'no plug or appliance called'))
      let list = picked.devices
      if (device === undefined || /^(?:the |my |a )?(?:smart |wemo )*(?:plugs?|sockets?)$/i.test(device))
        list = list.filter((d) => d.kind === 'plug')
      if (list.length > 1 && !meansAll(device) && !meansAll(context.request))
        return asked(
          `Which one: ${listWords(
            list.map((d) => `the ${d.room} ${d.name}`),
            'or',
          )}?`,
        )
      const name = nameDevices(list, house.all(), 'plug')
      const later = planLater(
        records,
        'plug_switch',
        args,
        text(args, 'when'),
        `${name} ${list.length === 1 ? 'goes' : 'go'} ${state}`,
        context,
      )
      if (later) return later
      list = list.map((d) => house.set(d, { on: state === 'on' }))
      return done(`${capital(name)} ${list.length === 1 ? 'is' : 'are'} now ${state}.`, {
        lines: [EXAMPLE_HOUSE],
        data: list.map((d) => ({ id: d.id, on: d.on })),
      })
    }),

    vacuum_start: writes(records, 'vacuum_start', (args, context) => {
      const vacuum = house.all().find((d) => d.kind === 'vacuum') as Device
      const phrase = text(args, 'room')
      const rooms = findRooms(
        phrase === undefined || /\b(?:floors?|carpets?|rug|furniture|cleaning)\b/i.test(phrase) ? undefined : phrase,
        house.all(),
      )
      if (rooms === undefined)
        return failed(
          `The robot does not know a room called ${phrase}; it knows ${listWords([...new Set(house.all().map((d) => d.room))])}.`,
        )
      const where = rooms.length === 0 ? 'the house' : `the ${listWords(rooms)}`
      const later = planLater(
        records,
        'vacuum_start',
        args,
        text(args, 'when'),
        `the robot vacuum cleans ${where}`,
        context,
      )
      if (later) return later
      house.set(vacuum, { on: true, activity: `cleaning ${where}` })
      return done(`The robot vacuum is cleaning ${where}.`, {
        lines: [EXAMPLE_HOUSE],
        data: { id: vacuum.id, rooms: [...rooms] },
      })
    }),

    coffee_make: writes(records, 'coffee_make', (args, context) => {
      const machine = house.all().find((d) => d.kind === 'coffee machine') as Device
      const wanted =
        text(args, 'coffee')
          ?.replace(/^(?:the |some |my )/i, '')
          .slice(0, 60) ?? 'coffee'
      const drink = /coffee|latte|cappuccino|capuccino|espresso|americano|mocha|macchiato/i.test(wanted)
        ? wanted
        : `${wanted} coffee`
      const later = planLater(
        records,
        'coffee_make',
        args,
        text(args, 'when'),
        `the coffee machine makes ${drink}`,
        context,
      )
      if (later) return later
      house.set(machine, { on: true, activity: `making ${drink}` })
      return done(`The coffee machine is making ${drink}.`, { lines: [EXAMPLE_HOUSE], data: { id: machine.id, drink } })
    }),

    scene_set: writes(records, 'scene_set', (args) => {
      const phrase = text(args, 'scene')
      if (phrase === undefined) return asked('Which scene?')
      const { matches } = findNamed(phrase.replace(/\b(?:scene|mode|setting)\b/gi, ' '), SCENES, (s) => [
        s.name,
        ...s.aliases,
      ])
      const scene = matches[0]
      if (scene === undefined)
        return failed(`There is no scene called ${phrase}; there are ${listWords(SCENES.map((s) => s.name))}.`)
      if (matches.length > 1)
        return asked(
          `Which scene: ${listWords(
            matches.map((s) => s.name),
            'or',
          )}?`,
        )
      const changed = house.all().flatMap((d) => {
        const change = scene.change(d)
        return change ? [house.set(d, change)] : []
      })
      return done(`The scene ${scene.name} is set.`, {
        lines: [EXAMPLE_HOUSE],
        data: { scene: scene.name, devices: changed.map((d) => d.id) },
      })
    }),

    lock_set: lockTool(records, house),

    thermostat_set: writes(records, 'thermostat_set', (args) => {
      const phrase = text(args, 'temperature')
      if (phrase === undefined) return asked('To how many degrees?')
      const thermostat = house.all().find((d) => d.kind === 'thermostat') as Device
      const number = parseNumber(
        phrase
          .toLowerCase()
          .replace(/°/g, ' ')
          .replace(
            /\b(?:degrees?|celsius|fahrenheit|centigrade|to|by|at|c|f|warmer|cooler|colder|hotter|up|down|more|less|higher|lower)\b/g,
            ' ',
          )
          .replace(/\s+/g, ' ')
          .trim(),
      )
      const relative = /\b(?:by|warmer|cooler|colder|hotter|up|down|higher|lower)\b/i.exec(phrase)
      if (number === undefined && !relative) return asked(`I did not understand "${phrase}". To how many degrees?`)
      const down = /\b(?:cooler|colder|down|lower)\b/i.test(phrase)
      const current = thermostat.temperature ?? 20
      const fahrenheit = /fahrenheit|\bf\b/i.test(phrase) || (!relative && (number ?? 0) > 45)
      const wanted = relative
        ? current + (down ? -1 : 1) * (number ?? 1)
        : fahrenheit
          ? ((number ?? 0) - 32) / 1.8
          : (number ?? current)
      const temperature = Math.round(wanted * 2) / 2
      if (temperature < 5 || temperature > 30)
        return failed(`The heating can be set from 5 to 30 degrees Celsius, not to ${temperature}.`)
      house.set(thermostat, { temperature, on: true })
      return done(`The heating is set to ${temperature} degrees.`, {
        lines: [EXAMPLE_HOUSE],
        data: { temperature } as JsonObject,
      })
    }),
  }
}
