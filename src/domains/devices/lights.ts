import type { JsonObject } from '../../chat/types.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { text } from '../words/args.js'
import { countWords, listWords } from '../words/match.js'
import { applyAmount, parseAmount } from './amount.js'
import { DEVICE_KINDS, type Device, EXAMPLE_HOUSE, type House, nameDevices, pickDevices } from './house.js'
import { planLater } from './plans.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
const are = (list: readonly Device[]): string => (list.length === 1 ? 'is' : 'are')

const stateOf = (d: Device): string => {
  const bits: string[] = []
  if (d.kind === 'lock') bits.push(d.locked ? 'locked' : 'unlocked')
  else if (d.kind === 'thermostat') bits.push(`set to ${d.temperature} degrees`)
  else bits.push(d.activity ?? (d.on ? 'on' : 'off'))
  if (d.kind === 'light' && d.on)
    bits.push(`at ${d.brightness} percent`, ...(d.color && d.color !== 'white' ? [d.color] : []))
  if (d.volume !== undefined && d.on) bits.push(d.muted ? 'muted' : `volume ${d.volume}`)
  return bits.join(', ')
}

const data = (list: readonly Device[]): JsonObject[] => list.map((d) => JSON.parse(JSON.stringify(d)) as JsonObject)

/** device_list, device_state, light_switch, light_color and light_adjust. */
export function lightTools(records: Records, house: House): { readonly [name: string]: Implementation } {
  const pick = (args: JsonObject) =>
    pickDevices(house.all(), ['light'], { room: text(args, 'room'), device: text(args, 'device'), noun: 'light' })

  return {
    device_list: reads((args) => {
      const picked = pickDevices(house.all(), DEVICE_KINDS, { room: text(args, 'room'), noun: 'device' })
      if ('problem' in picked) return failed(picked.problem)
      const rooms = [...new Set(picked.devices.map((d) => d.room))]
      return done(
        `There are ${countWords(picked.devices.length, 'device')} in ${rooms.length === 1 ? `the ${rooms[0]}` : `${rooms.length} rooms of the example house`}.`,
        {
          lines: [
            EXAMPLE_HOUSE,
            ...rooms.map(
              (room) =>
                `- ${room}: ${picked.devices
                  .filter((d) => d.room === room)
                  .map((d) => `${d.name} (${stateOf(d)})`)
                  .join('; ')}`,
            ),
          ],
          data: data(picked.devices),
        },
      )
    }),

    device_state: reads((args) => {
      const device = text(args, 'device')
      const noun = /\b(?:lights?|lamps?)\b/i.test(device ?? '') ? 'light' : 'device'
      const picked = pickDevices(house.all(), noun === 'light' ? ['light'] : DEVICE_KINDS, {
        room: text(args, 'room'),
        device,
        noun,
      })
      if ('problem' in picked) return failed(picked.problem)
      const list = picked.devices
      const on = list.filter((d) => d.on)
      const first = list[0]
      if (list.length === 1 && first)
        return done(`${capital(nameDevices(list, house.all(), noun))} is ${stateOf(first)}.`, {
          lines: [EXAMPLE_HOUSE],
          data: data(list),
        })
      const same = noun === 'light' && (on.length === 0 || on.length === list.length)
      const head = same
        ? `${capital(nameDevices(list, house.all(), noun))} are ${on.length === 0 ? 'off' : 'on'}.`
        : `On: ${listWords(on.slice(0, 8).map((d) => `${d.room} ${d.name}`)) || 'nothing'}.`
      return done(head, {
        lines: [EXAMPLE_HOUSE, ...list.slice(0, 30).map((d) => `- ${d.room} ${d.name}: ${stateOf(d)}`)],
        data: data(list),
      })
    }),

    light_switch: writes(records, 'light_switch', (args, context) => {
      const state = text(args, 'state')?.toLowerCase()
      if (state !== 'on' && state !== 'off') return asked('Should the light go on or off?')
      const picked = pick(args)
      if ('problem' in picked) return failed(picked.problem)
      const name = nameDevices(picked.devices, house.all(), 'light')
      const later = planLater(
        records,
        'light_switch',
        args,
        text(args, 'when'),
        `${name} ${picked.devices.length === 1 ? 'goes' : 'go'} ${state}`,
        context,
      )
      if (later) return later
      const already = picked.devices.every((d) => d.on === (state === 'on'))
      const list = picked.devices.map((d) =>
        house.set(d, { on: state === 'on', ...(state === 'on' && d.brightness === 0 ? { brightness: 100 } : {}) }),
      )
      return done(`${capital(name)} ${already ? `${are(list)} already` : `${are(list)} now`} ${state}.`, {
        lines: [EXAMPLE_HOUSE],
        data: data(list),
      })
    }),

    light_color: writes(records, 'light_color', (args) => {
      const color = text(args, 'color')?.toLowerCase().slice(0, 40)
      if (color === undefined) return asked('Which color?')
      const picked = pick(args)
      if ('problem' in picked) return failed(picked.problem)
      const list = picked.devices.map((d) => house.set(d, { on: true, color }))
      return done(`${capital(nameDevices(list, house.all(), 'light'))} ${are(list)} now ${color}.`, {
        lines: [EXAMPLE_HOUSE],
        data: data(list),
      })
    }),

    light_adjust: writes(records, 'light_adjust', (args) => {
      const amount = parseAmount(text(args, 'amount'))
      const said = text(args, 'direction')?.toLowerCase()
      if (said !== 'up' && said !== 'down' && amount?.mode !== 'set') return asked('Brighter or dimmer?')
      const picked = pick(args)
      if ('problem' in picked) return failed(picked.problem)
      const lit = picked.devices.filter((d) => d.on)
      // Lights that are off in a room with others on stay off when it should get darker.
      const target = said === 'down' && lit.length > 0 ? lit : picked.devices
      const list = target.map((d) => {
        const brightness = applyAmount(d.on ? (d.brightness ?? 100) : 0, amount, said === 'down' ? 'down' : 'up')
        return house.set(d, { brightness, on: brightness > 0 })
      })
      const levels = [...new Set(list.map((d) => d.brightness))]
      return done(
        `${capital(nameDevices(list, house.all(), 'light'))} ${are(list)} now at ${levels.length === 1 ? `${levels[0]} percent` : `${Math.min(...levels.map(Number))} to ${Math.max(...levels.map(Number))} percent`}.`,
        { lines: [EXAMPLE_HOUSE], data: data(list) },
      )
    }),
  }
}
