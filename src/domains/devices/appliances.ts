import type { JsonObject } from '../../chat/types.js'
import type { Implementation } from '../implement.js'
import { asked, failed, unavailable } from '../result.js'
import { meansAll, text } from '../words/args.js'
import { listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { coverTool } from './covers.js'
import type { Device, DeviceKind } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import { lockTool } from './locks.js'
import type { View } from './order.js'
import { findRooms, pickDevices } from './pick.js'
import { planLater } from './plans.js'
import { sceneTool } from './scenes.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** Whether a switch by its name opens a door or guards the house: those need the owner's word, which plugs do not ask for. */
const guards = (name: string): boolean =>
  /\b(?:door|gate|lock|alarm|unlock)\b/i.test(name) && !/\b(?:lights?|lamp|bell|camera|heater)\b/i.test(name)

/** The device of a kind that is meant: the named one, else the only one. */
function pickOne(
  view: View,
  kind: DeviceKind,
  noun: string,
  ask: { readonly room?: string | undefined; readonly device?: string | undefined },
) {
  const all = view.devices.filter((d) => d.kind === kind)
  const only = all[0]
  if (only === undefined) return unavailable(`No ${noun} is connected.`)
  if (all.length === 1) return { device: only }
  const picked = pickDevices(view.devices, [kind], { ...ask, noun })
  if ('problem' in picked) return failed(picked.problem)
  const found = picked.devices[0]
  return picked.devices.length === 1 && found
    ? { device: found }
    : asked(
        `Which ${noun}: ${listWords(
          picked.devices.slice(0, 8).map((d) => `the ${d.room} ${d.name}`),
          'or',
        )}?`,
      )
}

/** plug_switch, vacuum_start, coffee_make, scene_set, lock_set, blinds_set and thermostat_set. */
export function applianceTools(desk: DeviceDesk): { readonly [name: string]: Implementation } {
  const { records } = desk
  return {
    plug_switch: desk.acts('plug_switch', (args, context, view) => {
      const state = text(args, 'state')?.toLowerCase()
      if (state !== 'on' && state !== 'off') return asked('Should it go on or off?')
      const device = text(args, 'device')
      const picked = pickDevices(view.devices, ['plug', 'television', 'speaker', 'coffee machine', 'vacuum', 'fan'], {
        room: text(args, 'room'),
        device,
        noun: 'plug',
      })
      if ('problem' in picked) return failed(picked.problem.replace('no plug called', 'no plug or appliance called'))
      let list = picked.devices
      if (device === undefined || /^(?:the |my |a )?(?:smart |wemo )*(?:plugs?|sockets?)$/i.test(device))
        list = list.filter((d) => d.kind === 'plug')
      if (list.length === 0) return failed('There is no plug there.')
      list = list.filter((d) => !guards(d.name))
      if (list.length === 0) return failed('That looks like a door or an alarm, and those are not switched as a plug.')
      if (list.length > 1 && !meansAll(device) && !meansAll(context.request))
        return asked(
          `Which one: ${listWords(
            list.map((d) => `the ${d.room} ${d.name}`),
            'or',
          )}?`,
        )
      const name = view.name(list, 'plug')
      const later = planLater(
        records,
        'plug_switch',
        args,
        text(args, 'when'),
        `${name} ${list.length === 1 ? 'goes' : 'go'} ${state}`,
        context,
      )
      if (later) return later
      return {
        commands: list.map((device) => ({ device, change: { on: state === 'on' } })),
        say: (after) => ({
          first: `${capital(view.name(after, 'plug'))} ${after.length === 1 ? 'is' : 'are'} now ${state}.`,
          data: after.map((d) => ({ id: d.id, on: d.on })),
        }),
      }
    }),

    vacuum_start: desk.acts('vacuum_start', (args, context, view) => {
      const phrase = text(args, 'room')
      const vacuum = pickOne(view, 'vacuum', 'robot vacuum', { device: text(args, 'device') })
      if ('ok' in vacuum) return vacuum
      const rooms = findRooms(
        phrase === undefined || /\b(?:floors?|carpets?|rug|furniture|cleaning)\b/i.test(phrase) ? undefined : phrase,
        view.devices,
      )
      if (rooms === undefined)
        return failed(
          `The robot does not know a room called ${phrase}; it knows ${listWords([...new Set(view.devices.map((d) => d.room))])}.`,
        )
      // Which of its areas is which room only the robot's own map knows.
      if (!view.example && rooms.length > 0)
        return failed('This robot can only be told to clean everything. Ask for that without a room.')
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
      return {
        commands: [
          {
            device: vacuum.device,
            change: view.example ? { on: true, activity: `cleaning ${where}` } : { action: 'clean' },
          },
        ],
        say: () => ({
          first: `The robot vacuum is cleaning ${where}.`,
          data: { id: vacuum.device.id, rooms: [...rooms] },
        }),
      }
    }),

    coffee_make: desk.acts('coffee_make', (args, context, view) => {
      const machine = pickOne(view, 'coffee machine', 'coffee machine', { device: text(args, 'device') })
      if ('ok' in machine) return machine
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
      return {
        commands: [
          {
            device: machine.device,
            change: view.example
              ? { on: true, activity: `making ${drink}` }
              : machine.device.silent
                ? { action: 'press' }
                : { on: true },
          },
        ],
        say: () => ({
          // A real machine is switched on; which drink it makes was set on itself.
          first: view.example ? `The coffee machine is making ${drink}.` : 'The coffee machine is started.',
          data: { id: machine.device.id, drink },
        }),
      }
    }),

    scene_set: sceneTool(desk),

    lock_set: lockTool(desk),

    blinds_set: coverTool(desk),

    thermostat_set: desk.acts('thermostat_set', (args, _context, view) => {
      const phrase = text(args, 'temperature')
      if (phrase === undefined) return asked('To how many degrees?')
      const picked = thermostats(args, view)
      if ('ok' in picked) return picked
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
      const fahrenheit = /fahrenheit|\bf\b/i.test(phrase) || (!relative && (number ?? 0) > 45)
      const wanted = (device: Device): number => {
        const current = device.temperature ?? 20
        const degrees = relative
          ? current + (down ? -1 : 1) * (number ?? 1)
          : fahrenheit
            ? ((number ?? 0) - 32) / 1.8
            : (number ?? current)
        return Math.round(degrees * 2) / 2
      }
      const commands = picked.devices.map((device) => ({
        device,
        change: { temperature: wanted(device), ...(device.on ? {} : { on: true }) },
      }))
      const wrong = commands.find(({ change }) => change.temperature < 5 || change.temperature > 30)
      if (wrong)
        return failed(`The heating can be set from 5 to 30 degrees Celsius, not to ${wrong.change.temperature}.`)
      return {
        commands,
        say: (after) => {
          const levels = [...new Set(after.map((d) => d.temperature ?? 0))]
          return {
            first: `The heating is set to ${levels.length === 1 ? levels[0] : `${Math.min(...levels)} to ${Math.max(...levels)}`} degrees.`,
            data: { temperature: levels[0] ?? 0 } as JsonObject,
          }
        },
      }
    }),
  }
}

/** Without a room the whole heating is meant. The example house has one thermostat for all rooms. */
function thermostats(args: JsonObject, view: View) {
  const all = view.devices.filter((d) => d.kind === 'thermostat')
  if (all.length === 0) return unavailable('No thermostat is connected.')
  if (view.example || all.length === 1) return { devices: all }
  const picked = pickDevices(view.devices, ['thermostat'], { room: text(args, 'room'), noun: 'thermostat' })
  return 'problem' in picked ? failed(picked.problem) : picked
}
