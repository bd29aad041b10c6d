import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import type { Implementation } from '../implement.js'
import { asked, failed, unavailable } from '../result.js'
import { meansAll, text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import type { Device } from './device.js'
import type { DeviceDesk } from './device-desk.js'
import type { Decide, Order, View } from './order.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** What a state of the tool is called for these doors: a garage door is open, not unlocked. */
const adjective = (state: 'lock' | 'unlock', doors: readonly Device[]): string =>
  doors.length > 0 && doors.every((d) => d.opens) ? (state === 'lock' ? 'closed' : 'open') : `${state}ed`

/** lock_set: which doors, and to what state; shown before it is approved. */
export function lockTool(desk: DeviceDesk): Implementation {
  const wanted = (args: JsonObject): 'lock' | 'unlock' | undefined => {
    const state = text(args, 'state')?.toLowerCase()
    return state === 'lock' || state === 'unlock' ? state : undefined
  }
  const say = (doors: readonly Device[], view: View): string =>
    listWords(doors.map((d) => (view.example ? `the ${d.name}` : view.name([d], 'door'))))
  const pick = (
    args: JsonObject,
    context: ToolContext,
    view: View,
  ): ToolResult | { readonly doors: readonly Device[] } => {
    const state = wanted(args)
    if (state === undefined) return asked('Lock or unlock?')
    const door = text(args, 'door')
    const locks = view.devices.filter((d) => d.kind === 'lock')
    if (locks.length === 0) return unavailable('No lock or garage door is connected.')
    const generic =
      door === undefined || /^(?:(?:the|my|all|every|all the|both) )*(?:doors?|locks?|house|home)$/i.test(door)
    const doors = generic
      ? locks
      : findNamed(door, locks, (d) => [d.name, ...(view.example ? [] : [`${d.room} ${d.name}`]), ...d.aliases]).matches
    if (doors.length === 0)
      return failed(`There is no door called ${door}; there are ${listWords(locks.map((d) => d.name))}.`)
    // Locking everything is safe; unlocking more than one door needs the owner's word.
    if (
      doors.length > 1 &&
      !meansAll(door) &&
      !(state === 'lock' && (generic || /\b(?:doors|house|home)\b/i.test(`${door ?? ''} ${context.request}`)))
    )
      return asked(
        `Which door: ${listWords(
          doors.map((d) => d.name),
          'or',
        )}?`,
      )
    return { doors }
  }
  const decide: Decide = (args, context, view) => {
    const picked = pick(args, context, view)
    if ('ok' in picked) return picked
    const state = wanted(args) ?? 'lock'
    return {
      commands: picked.doors.map((device) => ({ device, change: { locked: state === 'lock' } })),
      say: (list) => ({
        first: `${capital(say(list, view))} ${list.length === 1 ? 'is' : 'are'} ${list.every((d) => d.activity) ? list[0]?.activity : `now ${adjective(state, list)}`}.`,
        data: list.map((d) => ({ id: d.id, locked: d.locked ?? false })),
      }),
    }
  }
  const verb = (order: Order): string => {
    const lock = order.commands[0]?.change.locked === true
    const opens = order.commands.every(({ device }) => device.opens)
    return opens ? (lock ? 'Close' : 'Open') : lock ? 'Lock' : 'Unlock'
  }
  return {
    ...desk.acts('lock_set', decide),
    preview: desk.previews(
      decide,
      (order, view) =>
        `${verb(order)} ${say(
          order.commands.map(({ device }) => device),
          view,
        )}.`,
    ),
  }
}
