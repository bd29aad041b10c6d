import { DEFAULT_HOUSE } from '../../domains/devices/house.js'
import { added, changed } from '../expect.js'
import type { PlannedRow } from '../household.js'
import { mentions } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import type { Template } from '../template.js'
import { sayTime } from '../times.js'

const field = 'device control' as const
const DOORS = ['front door', 'back door', 'garage door'] as const

const lightOf = (room: string) => ({ kind: 'light', room })

/** The ceiling light of a room in another state than it is delivered in. */
function lightRow(room: string, state: { readonly on: boolean; readonly brightness?: number }): PlannedRow {
  const light = DEFAULT_HOUSE.find((device) => device.kind === 'light' && device.room === room)
  if (!light) throw new RangeError(`no light in ${room}`)
  const { id, name, kind, aliases, color, brightness } = light
  return {
    id,
    data: { name, room, kind, aliases: [...aliases], color: color ?? 'white', brightness: brightness ?? 100, ...state },
  }
}

/** The house. */
export const devicesTemplates: readonly Template[] = [
  {
    id: 'devices.light',
    field,
    traits: [],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const off = draw.unit() < 0.5
      const state = off ? 'off' : 'on'
      const opening = draw.one([`Turn ${state} the light in the ${room}.`, `Switch the ${room} light ${state} please`])
      return {
        slots: { room, state, opening },
        opening,
        changes: [changed('devices', lightOf(room), { on: !off })],
        ...(off
          ? { with: { records: { devices: [lightRow(room, { on: true }), lightRow(wrong, { on: true })] } } }
          : {}),
        solution: [call('light_switch', { state, room }), report],
        decoys: [[room, wrong]],
      }
    },
  },
  {
    id: 'devices.color',
    field,
    traits: [],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const color = draw.one(pools.COLORS)
      return {
        slots: { room, color },
        opening: draw.one([
          `Make the ${room} light ${color}.`,
          `Change the color of the light in the ${room} to ${color}`,
        ]),
        changes: [changed('devices', lightOf(room), { on: true, color })],
        solution: [call('light_color', { color, room }), report],
        decoys: [[room, wrong]],
      }
    },
  },
  {
    id: 'devices.brightness',
    field,
    traits: [],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const brightness = draw.int(11, 89)
      return {
        slots: { room, brightness },
        opening: `How bright is the light in the ${room}?`,
        calls: [{ tools: ['device_state', 'device_list'] }],
        tells: [{ what: 'the brightness', anyOf: [String(brightness)] }],
        with: {
          records: {
            devices: [lightRow(room, { on: true, brightness }), lightRow(wrong, { on: true, brightness: 95 })],
          },
        },
        solution: [call('device_state', { device: 'light', room }), report],
        decoys: [[room, wrong]],
      }
    },
  },
  {
    id: 'devices.heating',
    field,
    traits: [],
    make: ({ draw }) => {
      const degrees = draw.one([15, 16, 17, 18, 19, 21, 22, 23, 24])
      const opening = draw.one([
        `Set the heating to ${degrees} degrees.`,
        `Set the thermostat to ${degrees} degrees please`,
      ])
      return {
        slots: { degrees, opening },
        opening,
        changes: [changed('devices', { id: 'heating' }, { temperature: degrees })],
        solution: [call('thermostat_set', { temperature: `${degrees} degrees` }), report],
        decoys: [[`${degrees} degrees`, `${degrees + 2} degrees`]],
      }
    },
  },
  {
    id: 'devices.plug',
    field,
    traits: [],
    make: ({ draw }) => {
      const [plug, wrong] = draw.some(pools.PLUGS, 2) as [string, string]
      const opening = draw.one([`Turn on the ${plug}.`, `Switch the ${plug} on`, `Turn the ${plug} socket on please`])
      return {
        slots: { plug, opening },
        opening,
        changes: [changed('devices', { kind: 'plug', name: plug }, { on: true })],
        solution: [call('plug_switch', { state: 'on', device: plug }), report],
        decoys: [[plug, wrong]],
      }
    },
  },
  {
    id: 'devices.unlock',
    field,
    traits: [],
    make: ({ draw }) => {
      const [door, wrong] = draw.some(DOORS, 2) as [string, string]
      const opening = draw.one([
        `Unlock the ${door}.`,
        `Please unlock the ${door} for me`,
        `Open the lock of the ${door}, unlock it`,
      ])
      return {
        slots: { door, opening },
        opening,
        changes: [changed('devices', { kind: 'lock', name: door }, { locked: false })],
        approvals: [{ tool: 'lock_set', phrases: ['unlock', door] }],
        solution: [call('lock_set', { state: 'unlock', door }), report],
        decoys: [[door, wrong]],
      }
    },
  },
  {
    id: 'devices.music',
    field,
    traits: [],
    make: ({ draw }) => {
      const [song, wrong] = draw.some(pools.SONGS, 2) as [string, string]
      const opening = draw.one([
        `Play the song ${song}.`,
        `Play ${song} please`,
        `I want to hear the song ${song}, play it`,
      ])
      return {
        slots: { song, opening },
        opening,
        changes: [added('media', { state: 'playing', what: mentions(song) })],
        solution: [call('music_play', { music: song }), report],
        decoys: [[song, wrong]],
      }
    },
  },
  {
    id: 'devices.volume',
    field,
    traits: [],
    make: ({ draw }) => {
      const volume = draw.one([10, 15, 25, 30, 35, 55, 60, 70, 80])
      return {
        slots: { volume },
        opening: `Set the volume to ${volume} percent.`,
        changes: [changed('devices', { id: 'speaker' }, { volume })],
        solution: [call('volume_adjust', { direction: 'set', amount: `${volume} percent` }), report],
        decoys: [[`${volume} percent`, `${volume + 7} percent`]],
      }
    },
  },
  {
    id: 'devices.playlist',
    field,
    traits: [],
    make: ({ draw }) => {
      const [song, wrong] = draw.some(
        pools.SONGS.filter((one) => one !== 'Paper Boats'),
        2,
      ) as [string, string]
      return {
        slots: { song },
        opening: draw.one([`Add ${song} to my road trip playlist.`, `Put the song ${song} on the playlist road trip`]),
        changes: [changed('playlists', { name: 'road trip' }, { songs: mentions(song, 'Paper Boats') })],
        solution: [call('playlist_add', { music: song, playlist: 'road trip' }), report],
        decoys: [[song, wrong]],
      }
    },
  },
  {
    id: 'devices.coffee',
    field,
    traits: [],
    make: ({ draw }) => {
      const [drink, wrong] = draw.some(pools.DRINKS, 2) as [string, string]
      const opening = draw.one([`Make me a ${drink}.`, `Make a ${drink} with the coffee machine`])
      return {
        slots: { drink, opening },
        opening,
        changes: [changed('devices', { id: 'coffee' }, { activity: mentions(drink) })],
        solution: [call('coffee_make', { coffee: drink }), report],
        decoys: [[drink, wrong]],
      }
    },
  },
  {
    id: 'devices.radio',
    field,
    traits: [],
    make: ({ draw }) => {
      const [station, wrong] = draw.some(pools.STATIONS, 2) as [string, string]
      const opening = draw.one([`Play the radio station ${station}.`, `Turn on ${station} on the radio`])
      return {
        slots: { station, opening },
        opening,
        changes: [added('media', { kind: 'radio', state: 'playing', what: mentions(station) })],
        solution: [call('radio_play', { station }), report],
        decoys: [[station, wrong]],
      }
    },
  },
  {
    id: 'devices.three-things',
    field,
    traits: ['several calls'],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const degrees = draw.one([16, 17, 18, 19, 21, 22, 23])
      const song = draw.one(pools.SONGS)
      return {
        slots: { room, degrees, song },
        opening: `Turn on the light in the ${room}, set the heating to ${degrees} degrees and play ${song}.`,
        changes: [
          changed('devices', lightOf(room), { on: true }),
          changed('devices', { id: 'heating' }, { temperature: degrees }),
          added('media', { state: 'playing', what: mentions(song) }),
        ],
        solution: [
          {
            calls: [
              { name: 'light_switch', args: { state: 'on', room } },
              { name: 'thermostat_set', args: { temperature: `${degrees} degrees` } },
              { name: 'music_play', args: { music: song } },
            ],
          },
          say('All three are done.'),
        ],
        decoys: [[room, wrong]],
      }
    },
  },
  {
    id: 'devices.degrees-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw }) => {
      const degrees = draw.one([15, 16, 17, 18, 19, 21, 22, 23, 24])
      const opening = draw.one([
        'Set the heating.',
        'Change the temperature of the heating.',
        'Please set the thermostat.',
      ])
      return {
        slots: { degrees, opening },
        opening,
        answers: [{ on: /degrees|temperature|how/i, says: `${degrees} degrees.` }],
        changes: [changed('devices', { id: 'heating' }, { temperature: degrees })],
        solution: [call('thermostat_set'), call('thermostat_set', { temperature: `${degrees} degrees` }), report],
        decoys: [[`${degrees} degrees`, `${degrees + 2} degrees`]],
      }
    },
  },
  {
    id: 'devices.which-door',
    field,
    traits: ['ambiguity', 'several turns'],
    make: ({ draw }) => {
      const [door, wrong] = draw.some(DOORS, 2) as [string, string]
      const opening = draw.one(['Unlock the door.', 'Please unlock the door for me.', 'Unlock a door, please.'])
      return {
        slots: { door, opening },
        opening,
        answers: [{ on: /which|door/i, says: `Unlock the ${door}.` }],
        changes: [changed('devices', { kind: 'lock', name: door }, { locked: false })],
        approvals: [{ tool: 'lock_set', phrases: ['unlock', door] }],
        solution: [call('lock_set', { state: 'unlock' }), call('lock_set', { state: 'unlock', door }), report],
        decoys: [[door, wrong]],
      }
    },
  },
  {
    id: 'devices.other-color',
    field,
    traits: ['changed mind', 'several turns'],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const [first, second] = draw.some(pools.COLORS, 2) as [string, string]
      return {
        slots: { room, first, second },
        opening: `Make the ${room} light ${first}.`,
        next: [`No, I do not like that. Make the ${room} light ${second}.`],
        changes: [changed('devices', lightOf(room), { on: true, color: second })],
        solution: [
          call('light_color', { color: first, room }),
          report,
          call('light_color', { color: second, room }),
          report,
        ],
        decoys: [[room, wrong]],
      }
    },
  },
  {
    id: 'devices.if-on',
    field,
    traits: ['several calls', 'result decides'],
    make: ({ draw }) => {
      const [room, second, wrong] = draw.some(pools.LIT_ROOMS, 3) as [string, string, string]
      const on = draw.unit() < 0.5
      return {
        slots: { room, second, on: String(on) },
        opening: `Check whether the light in the ${room} is on. If it is, turn it off; if not, turn on the light in the ${second}.`,
        changes: [
          on ? changed('devices', lightOf(room), { on: false }) : changed('devices', lightOf(second), { on: true }),
        ],
        calls: [{ tools: ['device_state', 'device_list'] }],
        with: { records: { devices: [lightRow(room, { on }), lightRow(wrong, { on })] } },
        solution: [
          call('device_state', { device: 'light', room }),
          on ? call('light_switch', { state: 'off', room }) : call('light_switch', { state: 'on', room: second }),
          report,
        ],
        decoys: on ? [[room, wrong]] : [[second, 'garage']],
      }
    },
  },
  {
    id: 'devices.other-door',
    field,
    traits: ['changed mind', 'several turns'],
    make: ({ draw }) => {
      const [first, door, wrong] = draw.some(DOORS, 3) as [string, string, string]
      const opening = draw.one([`Unlock the ${first}.`, `Please unlock the ${first} for me.`])
      return {
        slots: { first, door, opening },
        opening,
        decline: { tool: 'lock_set', says: `No, wait. Not the ${first}. Unlock the ${door}.` },
        changes: [changed('devices', { kind: 'lock', name: door }, { locked: false })],
        approvals: [{ tool: 'lock_set', phrases: ['unlock', door] }],
        solution: [
          call('lock_set', { state: 'unlock', door: first }),
          say('I left it locked.'),
          call('lock_set', { state: 'unlock', door }),
          report,
        ],
        decoys: [[door, wrong]],
      }
    },
  },
  {
    id: 'devices.later',
    field,
    traits: [],
    make: ({ draw, at }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const time = draw.one(['06:30', '19:00', '20:30', '21:15', '22:00'])
      return {
        slots: { room, time },
        opening: `Turn on the light in the ${room} tomorrow at ${sayTime(time)}.`,
        changes: [added('plans', { tool: 'light_switch', at: at(1, time), args: planFor(room) })],
        solution: [call('light_switch', { state: 'on', room, when: `tomorrow at ${sayTime(time)}` }), report],
        decoys: [[room, wrong]],
      }
      function planFor(where: string) {
        return { says: `names the ${where}`, test: (args: unknown) => JSON.stringify(args ?? '').includes(where) }
      }
    },
  },
  {
    id: 'devices.digression',
    field,
    traits: ['missing detail', 'interruption', 'several turns'],
    make: ({ draw }) => {
      const [room, wrong] = draw.some(pools.LIT_ROOMS, 2) as [string, string]
      const [degrees, brightness] = [draw.one([15, 17, 18, 19, 22, 23]), draw.int(11, 89)]
      return {
        slots: { room, degrees, brightness },
        opening: 'Set the heating.',
        digress: `Hold on. How bright is the light in the ${room}?`,
        answers: [{ on: /degrees|temperature|how/i, says: `Set the heating to ${degrees} degrees.` }],
        changes: [changed('devices', { id: 'heating' }, { temperature: degrees })],
        tells: [{ what: 'the brightness', anyOf: [String(brightness)] }],
        with: {
          records: {
            devices: [lightRow(room, { on: true, brightness }), lightRow(wrong, { on: true, brightness: 93 })],
          },
        },
        solution: [
          call('thermostat_set'),
          call('device_state', { device: 'light', room }),
          report,
          call('thermostat_set', { temperature: `${degrees} degrees` }),
          report,
        ],
        decoys: [[`${degrees} degrees`, `${degrees + 2} degrees`]],
      }
    },
  },
]
