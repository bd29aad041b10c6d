import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { meansAll, text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { type Device, EXAMPLE_HOUSE, type House } from './house.js'

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)

/** lock_set: which doors, and to what state; shown before it is approved. */
export function lockTool(records: Records, house: House): Implementation {
  const pick = (
    args: JsonObject,
    context: ToolContext,
  ): ToolResult | { readonly state: 'lock' | 'unlock'; readonly doors: readonly Device[] } => {
    const state = text(args, 'state')?.toLowerCase()
    if (state !== 'lock' && state !== 'unlock') return asked('Lock or unlock?')
    const door = text(args, 'door')
    const locks = house.all().filter((d) => d.kind === 'lock')
    const generic =
      door === undefined || /^(?:(?:the|my|all|every|all the|both) )*(?:doors?|locks?|house|home)$/i.test(door)
    const doors = generic ? locks : findNamed(door, locks, (d) => [d.name, ...d.aliases]).matches
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
    return { state, doors }
  }
  const say = (doors: readonly Device[]): string => listWords(doors.map((d) => `the ${d.name}`))

  return {
    ...writes(records, 'lock_set', (args, context) => {
      const picked = pick(args, context)
      if ('ok' in picked) return picked
      const list = picked.doors.map((d) => house.set(d, { locked: picked.state === 'lock' }))
      return done(`${capital(say(list))} ${list.length === 1 ? 'is' : 'are'} now ${picked.state}ed.`, {
        lines: [EXAMPLE_HOUSE],
        data: list.map((d) => ({ id: d.id, locked: d.locked ?? false })),
      })
    }),
    preview: (args, context) => {
      const picked = pick(args, context)
      return 'ok' in picked ? picked : `${capital(picked.state)} ${say(picked.doors)}.`
    },
  }
}
