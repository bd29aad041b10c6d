import type { JsonObject } from '../../chat/types.js'
import type { Implementation } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { text } from '../words/args.js'
import { countWords, listWords } from '../words/match.js'
import { applyAmount, parseAmount } from './amount.js'
import { DEVICE_KINDS, type Device, sayState } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import type { View } from './order.js'
import { findRooms, nameDevices, pickDevices } from './pick.js'
import { planLater } from './plans.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
/** "The kitchen lights" may be one device. */
const are = (list: readonly Device[]): string =>
  list.length === 1 && !/\blights$/i.test(list[0]?.name ?? '') ? 'is' : 'are'

/** Devices of a real house may be hundreds; more than these are counted, not told. */
const MOST = 60

const data = (list: readonly Device[]): JsonObject[] => list.map((d) => JSON.parse(JSON.stringify(d)) as JsonObject)

/** Everything that is a device to the owner: scenes are no devices, and sensors are many. */
const LISTED = DEVICE_KINDS.filter((kind) => kind !== 'scene' && kind !== 'sensor')

/** A device with its room, which its name may hold already ("kitchen speaker"). */
const named = (d: Device): string => nameDevices([d], [], 'device').replace(/^the /, '')

const LIGHT = /\b(?:lights?|lamps?)\b/i

/** Whether a request is about lights and about no other kind of device. */
const asksForLight = (request: string): boolean =>
  LIGHT.test(request) &&
  !/\b(?:plugs?|sockets?|speakers?|tv|television|radio|music|doors?|locks?|heat\w*|vacuum)\b/i.test(request)

/** A room's name given for a device is a room. */
function roomFor(
  device: string | undefined,
  room: string | undefined,
  all: readonly Device[],
): { readonly device: string | undefined; readonly room: string | undefined } {
  if (device === undefined || room !== undefined) return { device, room }
  const plain = device
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:in|the|my|our) )+/, '')
  const rooms = findRooms(plain, all)
  if (rooms?.length === 1 && rooms[0]?.toLowerCase() === plain && !all.some((d) => d.name.toLowerCase() === plain))
    return { device: undefined, room: plain }
  return { device, room }
}

/** device_list, device_state, light_switch, light_color and light_adjust. */
export function lightTools(desk: DeviceDesk): { readonly [name: string]: Implementation } {
  const pick = (args: JsonObject, view: View) =>
    pickDevices(view.devices, ['light'], { room: text(args, 'room'), device: text(args, 'device'), noun: 'light' })

  return {
    device_list: desk.looks((args, _context, view) => {
      const room = text(args, 'room')
      const sensors = view.devices.filter((d) => d.kind === 'sensor')
      const picked = pickDevices(view.devices, LISTED, { room, noun: 'device' })
      if ('problem' in picked) return failed(picked.problem)
      const rooms = [...new Set(picked.devices.map((d) => d.room))]
      let left = MOST
      const where = view.example ? `${rooms.length} rooms of the example house` : `${rooms.length} rooms`
      return done(
        `There are ${countWords(picked.devices.length, 'device')} in ${rooms.length === 1 ? `the ${rooms[0]}` : where}${room === undefined && sensors.length > 0 ? `, and ${countWords(sensors.length, 'sensor')}` : ''}.`,
        {
          lines: [
            ...view.notes,
            ...rooms.flatMap((room) => {
              const inRoom = picked.devices.filter((d) => d.room === room)
              const shown = inRoom.slice(0, Math.max(0, left))
              left -= shown.length
              const rest = inRoom.length - shown.length
              const parts = [
                ...shown.map((d) => `${d.name} (${sayState(d)})`),
                ...(rest > 0 ? [countWords(rest, shown.length > 0 ? 'more' : 'device').replace('mores', 'more')] : []),
              ]
              return parts.length === 0 ? [] : [`- ${room}: ${parts.join('; ')}`]
            }),
          ],
          data: data(picked.devices),
        },
      )
    }),

    device_state: desk.looks((args, context, view) => {
      const all = view.devices
      const said = roomFor(text(args, 'device'), text(args, 'room'), all)
      // A small model may leave out the kind that the owner asked about: "is the kitchen light on?" for the kitchen.
      const lights = LIGHT.test(said.device ?? '') || (said.device === undefined && asksForLight(context.request))
      const noun = lights ? 'light' : 'device'
      const { room } = said
      const device = lights && said.device === undefined ? 'light' : said.device
      const picked =
        noun === 'light'
          ? pickDevices(all, ['light'], { room, device, noun })
          : // What is asked without a name is a device, what is named may be a sensor.
            firstFound(
              pickDevices(all, LISTED, { room, device, noun }),
              device === undefined ? undefined : pickDevices(all, ['sensor'], { room, device, noun }),
            )
      if ('problem' in picked) return failed(picked.problem)
      const list = picked.devices
      const on = list.filter((d) => d.on)
      const first = list[0]
      if (list.length === 1 && first)
        return done(`${capital(view.name(list, noun))} is ${sayState(first)}.`, { lines: view.notes, data: data(list) })
      const same = noun === 'light' && (on.length === 0 || on.length === list.length)
      const head = same
        ? `${capital(view.name(list, noun))} are ${on.length === 0 ? 'off' : 'on'}.`
        : `On: ${listWords(on.slice(0, 8).map(named)) || 'nothing'}.`
      return done(head, {
        lines: [...view.notes, ...list.slice(0, 30).map((d) => `- ${named(d)}: ${sayState(d)}`)],
        data: data(list),
      })
    }),

    light_switch: desk.acts('light_switch', (args, context, view) => {
      const state = text(args, 'state')?.toLowerCase()
      if (state !== 'on' && state !== 'off') return asked('Should the light go on or off?')
      const picked = pick(args, view)
      if ('problem' in picked) return failed(picked.problem)
      const name = view.name(picked.devices, 'light')
      const later = planLater(
        desk.records,
        'light_switch',
        args,
        text(args, 'when'),
        `${name} ${picked.devices.length === 1 ? 'goes' : 'go'} ${state}`,
        context,
      )
      if (later) return later
      const already = picked.devices.every((d) => d.on === (state === 'on') && !d.unknown)
      return {
        commands: picked.devices.map((device) => ({
          device,
          change: { on: state === 'on', ...(state === 'on' && device.brightness === 0 ? { brightness: 100 } : {}) },
        })),
        say: (list) => ({
          first: `${capital(view.name(list, 'light'))} ${already ? `${are(list)} already` : `${are(list)} now`} ${state}.`,
          data: data(list),
        }),
      }
    }),

    light_color: desk.acts('light_color', (args, _context, view) => {
      const color = text(args, 'color')?.toLowerCase().slice(0, 40)
      if (color === undefined) return asked('Which color?')
      const picked = pick(args, view)
      if ('problem' in picked) return failed(picked.problem)
      return {
        commands: picked.devices.map((device) => ({ device, change: { on: true, color } })),
        say: (list) => ({
          first: `${capital(view.name(list, 'light'))} ${are(list)} now ${color}.`,
          data: data(list),
        }),
      }
    }),

    light_adjust: desk.acts('light_adjust', (args, _context, view) => {
      const amount = parseAmount(text(args, 'amount'))
      const said = text(args, 'direction')?.toLowerCase()
      if (said !== 'up' && said !== 'down' && amount?.mode !== 'set') return asked('Brighter or dimmer?')
      const picked = pick(args, view)
      if ('problem' in picked) return failed(picked.problem)
      const lit = picked.devices.filter((d) => d.on)
      // Lights that are off in a room with others on stay off when it should get darker.
      const target = said === 'down' && lit.length > 0 ? lit : picked.devices
      return {
        commands: target.map((device) => {
          const old = device.on ? (device.brightness ?? 100) : 0
          const brightness = applyAmount(old, amount, said === 'down' ? 'down' : 'up')
          return { device, change: { brightness, on: brightness > 0 } }
        }),
        say: (list) => {
          const levels = [...new Set(list.map((d) => (d.on ? (d.brightness ?? 100) : 0)))]
          return {
            first: `${capital(view.name(list, 'light'))} ${are(list)} now at ${levels.length === 1 ? `${levels[0]} percent` : `${Math.min(...levels)} to ${Math.max(...levels)} percent`}.`,
            data: data(list),
          }
        },
      }
    }),
  }
}

type Picked = ReturnType<typeof pickDevices>

const firstFound = (first: Picked, second: Picked | undefined): Picked =>
  'problem' in first && second !== undefined && 'devices' in second ? second : first
