import type { JsonObject } from '../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { validateArguments } from '../../tools/validate.js'
import { contractNamed } from '../contracts.js'
import type { Device } from '../devices/device.js'
import { DEVICE_KINDS } from '../devices/device.js'
import { pickDevices } from '../devices/pick.js'
import { implement, reads, writes } from '../implement.js'
import type { Contacts } from '../messaging/contacts.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'
import { meansAll, text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { AUTOMATIONS, type Automation, allAutomations, WATCHED_STATES, type WatchedState } from './automation.js'
import { laterContracts } from './tools.js'

/** What automations refer to. */
export interface AutomationWorld {
  readonly records: Records
  /** The devices as far as they are known without asking a server; undefined when only a server knows. */
  readonly devices: () => readonly Device[] | undefined
  readonly contacts: Pick<Contacts, 'find'>
}

const isResult = (x: object): x is ToolResult => 'ok' in x

const SAME_STATE: { readonly [said: string]: WatchedState } = {
  'turned on': 'on',
  'switched on': 'on',
  'turned off': 'off',
  'switched off': 'off',
  opens: 'open',
  opened: 'open',
  closes: 'closed',
  close: 'closed',
  shut: 'closed',
  lock: 'locked',
  unlock: 'unlocked',
  play: 'playing',
  plays: 'playing',
  stopped: 'paused',
}

function timeTrigger(
  phrase: string,
  context: ToolContext,
): { trigger: Automation['trigger']; said: string } | ToolResult {
  const now = context.now()
  const when = resolveWhen(phrase, { now, zone: context.timeZone, hours: 'alarm' })
  if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". When should it happen?`)
  if (when.kind === 'ambiguous') return asked(when.question)
  if (when.allDay || when.grain === 'part' || when.bound === 'before')
    return asked(`At what time should it happen${when.recurrence ? '' : ` on ${sayWhen(when, now)}`}?`)
  if (when.start <= now && !when.recurrence) return failed(`${sayWhen(when, now)} is over already.`)
  const trigger = {
    kind: 'time' as const,
    at: when.start.toISOString(),
    zone: context.timeZone,
    ...(when.recurrence ? { rule: when.recurrence } : {}),
  }
  return { trigger, said: `on ${sayWhen(when, now)}` }
}

function deviceTrigger(
  phrase: string,
  args: JsonObject,
  world: AutomationWorld,
): { trigger: Automation['trigger']; said: string } | ToolResult {
  const said = text(args, 'state')?.toLowerCase()
  const state = WATCHED_STATES.find((s) => s === said) ?? (said === undefined ? undefined : SAME_STATE[said])
  if (state === undefined) return asked(`Which state of the ${phrase} should set it off: ${WATCHED_STATES.join(', ')}?`)
  const devices = world.devices()
  if (devices !== undefined) {
    const picked = pickDevices(devices, DEVICE_KINDS, { device: phrase, noun: 'device' })
    if ('problem' in picked) return failed(picked.problem)
  }
  return { trigger: { kind: 'device', device: phrase, state }, said: `when the ${phrase} is ${state}` }
}

function mailTrigger(
  from: string,
  world: AutomationWorld,
): { trigger: Automation['trigger']; said: string } | ToolResult {
  if (from.includes('@'))
    return { trigger: { kind: 'mail', from, addresses: [from.toLowerCase()] }, said: `when mail from ${from} arrives` }
  const { matches, near } = world.contacts.find(from)
  if (matches.length > 1)
    return asked(
      `Which ${from}: ${listWords(
        matches.map((c) => c.name),
        'or',
      )}?`,
    )
  const addresses = (matches[0]?.emails ?? []).map((address) => address.toLowerCase())
  if (addresses.length === 0)
    return asked(
      `I know no mail address of ${from}${near.length > 0 ? ` (there is ${listWords(near.map((c) => c.name))})` : ''}. What is it?`,
    )
  return { trigger: { kind: 'mail', from, addresses }, said: `when mail from ${from} arrives` }
}

function action(args: JsonObject): { action: Automation['action']; said: string } | ToolResult {
  const what = text(args, 'do')
  const tool = text(args, 'tool')
  if (tool === undefined)
    return what === undefined ? asked('What should happen?') : { action: { kind: 'request', text: what }, said: what }
  const contract = contractNamed(tool)
  if (contract === undefined)
    return failed(`There is no tool called ${tool}. Leave it out and say in words what to do.`)
  if (contract.name.startsWith('automation_')) return failed('An automation cannot change automations.')
  let given: unknown = {}
  try {
    given = JSON.parse(text(args, 'arguments') ?? '{}')
  } catch {
    return failed('The arguments are not JSON, such as {"state": "off"}.')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return failed('The arguments must be a JSON object, such as {"state": "off"}.')
  const valid = validateArguments(contract, given as JsonObject)
  if (!valid.ok) return failed(valid.message)
  for (const [name, question] of Object.entries(contract.asks ?? {}))
    if (valid.args[name] === undefined) return asked(question)
  return { action: { kind: 'call', tool, args: valid.args }, said: what ?? tool }
}

function planned(args: JsonObject, context: ToolContext, world: AutomationWorld): Automation | ToolResult {
  if (context.taintedBy !== undefined)
    return failed(`An automation cannot be made from what ${context.taintedBy} says; say it in your own words.`)
  const does = action(args)
  if (isResult(does)) return does
  const when = text(args, 'when')
  const device = text(args, 'device')
  const from = text(args, 'from')
  const triggers = [when, device, from].filter((x) => x !== undefined)
  if (triggers.length === 0)
    return asked('When should that happen: at a time, when a device changes, or when mail arrives?')
  if (triggers.length > 1 && (device === undefined || from !== undefined))
    return failed('An automation has one trigger: a time, a device or mail. Make one for each.')
  const found =
    device !== undefined
      ? deviceTrigger(device, args, world)
      : from !== undefined
        ? mailTrigger(from, world)
        : timeTrigger(when ?? '', context)
  if (isResult(found)) return found
  return {
    trigger: found.trigger,
    action: does.action,
    said: `${does.said}, ${found.said}`,
    created: context.now().toISOString(),
  }
}

/** A phrase without the words for the kind of thing. */
const specific = (phrase: string): string =>
  phrase.replace(/\b(?:the|that|this|my|one|automation|rule|for)\b/gi, ' ').trim()

/** automation_create, automation_list and automation_remove. */
export function automationTools(world: AutomationWorld): readonly Tool[] {
  const { records } = world
  return implement(laterContracts, {
    automation_create: {
      ...writes(records, 'automation_create', (args, context) => {
        const made = planned(args, context, world)
        if (isResult(made)) return made
        const id = records.nextId('a')
        records.put(AUTOMATIONS, id, made)
        return done(`Automation ${id} is set up: ${made.said}.`, {
          lines: ['Automations run only while the background service runs (botpsy service).'],
          data: { id, said: made.said, trigger: made.trigger.kind },
        })
      }),
      preview: (args, context) => {
        const made = planned(args, context, world)
        return isResult(made) ? made : `Set up an automation: ${made.said}.`
      },
    },
    automation_list: reads(() => {
      const all = allAutomations(records)
      if (all.length === 0) return done('No automation is set up.', { data: [] })
      return done(`${all.length === 1 ? 'One automation is' : `${all.length} automations are`} set up.`, {
        lines: all.map(({ id, data }) => `- ${id}: ${data.said}`),
        data: all.map(({ id, data }) => ({ id, said: data.said, trigger: data.trigger.kind })),
      })
    }),
    automation_remove: writes(records, 'automation_remove', (args) => {
      const all = allAutomations(records)
      if (all.length === 0) return failed('No automation is set up.')
      const phrase = text(args, 'automation')
      const byId = all.filter(({ id }) => id === phrase?.trim().toLowerCase())
      const named =
        phrase === undefined
          ? all
          : byId.length > 0
            ? byId
            : meansAll(phrase)
              ? all
              : findNamed(specific(phrase), all, ({ data }) => [data.said]).matches
      const listed = all.map(({ id, data }) => `${id} (${data.said})`)
      if (named.length === 0) return failed(`No automation fits "${phrase}"; there is ${listWords(listed)}.`)
      if (named.length > 1 && !meansAll(phrase))
        return asked(`Which automation: ${listWords(listed.slice(0, 6), 'or')}?`)
      for (const { id } of named) records.remove(AUTOMATIONS, id)
      return done(
        named.length === 1 && named[0]
          ? `Automation ${named[0].id} (${named[0].data.said}) is removed.`
          : `${named.length} automations are removed.`,
      )
    }),
  })
}
