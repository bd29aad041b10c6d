import type { Implementation } from '../implement.js'
import { asked, failed, unavailable } from '../result.js'
import { text } from '../words/args.js'
import { parseAmount } from './amount.js'
import type { DeviceDesk } from './device-desk.js'
import { pickDevices } from './pick.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** Words for any cover; more than these name a certain one. */
const ANY = /^(?:(?:the|my|all|every|our) )*(?:blinds?|curtains?|shutters?|shades?|awnings?|covers?|drapes?)$/i

/** blinds_set. Garage doors and gates are doors, and belong to lock_set. */
export function coverTool(desk: DeviceDesk): Implementation {
  return desk.acts('blinds_set', (args, _context, view) => {
    const state = text(args, 'state')?.toLowerCase()
    if (state !== 'open' && state !== 'close') return asked('Open or close?')
    if (!view.devices.some((d) => d.kind === 'cover')) return unavailable('No blinds or curtains are connected.')
    const device = text(args, 'device')
    const picked = pickDevices(view.devices, ['cover'], {
      room: text(args, 'room'),
      device: device === undefined || ANY.test(device) ? undefined : device,
      noun: 'blind',
    })
    if ('problem' in picked) return failed(picked.problem)
    const amount = parseAmount(text(args, 'amount'))
    const commands = picked.devices.map((device) => {
      const old = device.position ?? (device.on ? 100 : 0)
      const step = amount?.mode === 'step' ? amount.value * (state === 'open' ? 1 : -1) : undefined
      const said = amount?.mode === 'set' ? (state === 'open' ? amount.value : 100 - amount.value) : undefined
      const position = step === undefined ? (said ?? (state === 'open' ? 100 : 0)) : old + step
      return { device, change: { position: Math.min(100, Math.max(0, position)) } }
    })
    return {
      commands,
      say: (list) => {
        const moves = list.every((d) => d.activity === 'opening' || d.activity === 'closing')
        const target = commands[0]?.change.position ?? 0
        const how = moves
          ? (list[0]?.activity ?? '')
          : `now ${target === 100 ? 'open' : target === 0 ? 'closed' : `${target} percent open`}`
        return {
          first: `${capital(view.name(list, 'blind'))} ${list.length === 1 && !/s$/i.test(list[0]?.name ?? '') ? 'is' : 'are'} ${how}.`,
          data: list.map((d) => ({ id: d.id, position: d.position ?? 0 })),
        }
      },
    }
  })
}
