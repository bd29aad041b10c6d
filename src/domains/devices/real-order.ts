import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { ConnectionError } from '../connections/index.js'
import { done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { listWords } from '../words/match.js'
import {
  type Change,
  changeSchema,
  type Device,
  hasState,
  restoring,
  sayState,
  showsState,
  wholeState,
} from './device.js'
import { type Decide, isResult, type Order, type View } from './order.js'
import { realView } from './real-view.js'
import type { DeviceSession, DeviceSource, Sent } from './source.js'

/** A claim that is younger belongs to a process that is sending at this moment; no send takes longer. */
const CLAIM_MS = 60_000

const claimSchema = z.object({
  tool: z.string(),
  /** ISO time. */
  at: z.string(),
  commands: z.array(z.object({ id: z.string(), change: changeSchema })),
})

const undoSchema = z.object({
  devices: z.array(z.object({ id: z.string(), change: changeSchema, back: changeSchema, sure: z.boolean() })),
})

const capital = (s: string): string => s.charAt(0).toUpperCase() + s.slice(1)
const noun = (device: Device): string => (device.kind === 'lock' ? 'door' : device.kind)
/** A copy without members that are undefined, as JSON keeps it. */
const plain = (change: Change): JsonObject =>
  Object.fromEntries(Object.entries(change).filter(([, v]) => v !== undefined)) as JsonObject

/**
 * Carries out a decision on real devices. What is going to be sent is on disk under the call's key before anything is
 * sent, and the outcome after it: a repetition of the key sends nothing, and a crash in between leaves a claim that
 * {@link reconcileReal} finds.
 */
export async function runReal(
  records: Records,
  session: DeviceSession,
  tool: string,
  decide: Decide,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const key = context.idempotencyKey
  const view = realView(session, context)
  let order: Order | undefined
  const settled = records.effect(key, tool, () => {
    const decided = decide(args, context, view)
    if (isResult(decided)) return decided
    order = decided
    return failed('')
  })
  if (order === undefined) return settled
  const reachable = order.commands.filter(({ device }) => !device.unreachable)
  const away = order.commands.filter(({ device }) => device.unreachable).map(({ device }) => device)
  if (reachable.length === 0 && away.length > 0)
    return failed(`${sayDevices(away, view)} not reachable at the moment, so nothing was sent.`)

  const { alongside } = order
  const taken = records.transaction((): ToolResult | undefined => {
    const before = records.done(key)
    if (before) return before
    const claim = records.get('sent', key, claimSchema)
    if (claim && context.now().getTime() - Date.parse(claim.at) < CLAIM_MS)
      return failed('This is being sent at this moment. It is not sent a second time.')
    records.put('sent', key, {
      tool,
      at: context.now().toISOString(),
      commands: reachable.map(({ device, change }) => ({ id: device.id, change: plain(change) })),
    })
    alongside?.()
    return undefined
  })
  if (taken) return taken

  const undo = undoOf(reachable, session.devices)
  const sent = await session.send(reachable, context.signal)
  const result = report(order, sent, away, view, undo)
  records.transaction(() => {
    records.remove('sent', key)
    if (result.ok) records.remember(key, tool, result)
  })
  return result
}

/** What brings every touched device back, where it has an earlier state. Scenes bring back their members. */
function undoOf(
  commands: Order['commands'],
  devices: readonly Device[],
): Map<string, { change: Change; back: Change }> {
  const out = new Map<string, { change: Change; back: Change }>()
  for (const { device, change } of commands) {
    const back = restoring(device, change)
    if (back) out.set(device.id, { change, back })
    for (const id of device.members ?? []) {
      const member = devices.find((d) => d.id === id)
      const state = member && wholeState(member)
      if (state) out.set(id, { change: {}, back: state })
    }
  }
  return out
}

function sayDevices(devices: readonly Device[], view: View): string {
  return `${capital(listWords(devices.slice(0, 5).map((d) => view.name([d], noun(d)))))}${devices.length > 5 ? ` and ${devices.length - 5} more` : ''} ${devices.length === 1 ? 'is' : 'are'}`
}

function report(
  order: Order,
  sent: readonly Sent[],
  away: readonly Device[],
  view: View,
  undo: ReturnType<typeof undoOf>,
): ToolResult {
  const by = (...answers: Sent['answer'][]): readonly Sent[] => sent.filter((s) => answers.includes(s.answer))
  const names = (list: readonly Sent[]): string =>
    listWords(list.slice(0, 5).map(({ device }) => view.name([device], noun(device)))) +
    (list.length > 5 ? ` and ${list.length - 5} more` : '')
  const has = (list: readonly Sent[]): string => (list.length === 1 ? 'has' : 'have')
  const good = by('confirmed', 'accepted')
  const silent = by('silent')
  const lost = by('lost')
  const refused = by('refused')
  const unsent = by('unsent')
  const problems = [
    ...(silent.length > 0
      ? [`Sent, but ${names(silent)} ${has(silent)} not answered; whether it happened is not known.`]
      : []),
    ...(lost.length > 0
      ? [
          `Sent, but the connection was lost before ${names(lost)} answered; whether it happened is not known, and it was not sent again.`,
        ]
      : []),
    ...(refused.length > 0 ? [`Not done for ${names(refused)}: ${refused[0]?.why ?? 'it was refused'}.`] : []),
    ...(unsent.length > 0 ? [`Not sent to ${names(unsent)}, because the connection was lost before.`] : []),
    ...(away.length > 0 ? [`${sayDevices(away, view)} not reachable at the moment.`] : []),
    ...(good.some(({ device }) => device.silent) ? ['It was sent; such a device does not report its state.'] : []),
  ]
  const after = good.map((s) => (s.answer === 'accepted' ? expected(s) : s.device))
  const said = order.say(good.length > 0 ? after : sent.map(expected))
  const first = [...(good.length > 0 ? [said.first] : []), ...problems].join(' ')
  if (good.length + silent.length + lost.length === 0) return failed(first)
  const back = sent.flatMap(({ device, answer }) => {
    const members = [device.id, ...(device.members ?? [])]
    return answer === 'refused' || answer === 'unsent'
      ? []
      : members.flatMap((id) => {
          const item = undo.get(id)
          return item
            ? [
                {
                  id,
                  change: plain(item.change),
                  back: plain(item.back),
                  sure: answer === 'confirmed' && id === device.id,
                },
              ]
            : []
        })
  })
  return done(first, {
    lines: order.lines ?? [],
    ...(said.data === undefined ? {} : { data: said.data }),
    ...(back.length > 0 ? { undo: { devices: back } } : {}),
  })
}

/** The device as it should be after a change that nothing confirms. */
function expected({ device, change }: Sent): Device {
  const { action: _, what: __, ...state } = change
  return { ...device, ...(JSON.parse(JSON.stringify(state)) as Partial<Device>) }
}

/** Takes back what {@link runReal} reported. Devices that already are as they were before are left alone. */
export async function revertReal(
  records: Records,
  session: DeviceSession,
  undo: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const parsed = undoSchema.safeParse(undo)
  if (!parsed.success) return failed('That cannot be taken back.')
  const items = parsed.data.devices.map((item) => ({ ...item, device: session.devices.find((d) => d.id === item.id) }))
  if (items.some(({ device }) => device === undefined || device.unreachable))
    return failed('That cannot be taken back at the moment: a device is gone or not reachable.')
  const open = items.flatMap(({ device, ...item }) =>
    device && !hasState(device, item.back) ? [{ device, ...item }] : [],
  )
  if (open.length === 0) return done('That was taken back already.')
  if (open.some(({ device, change, sure }) => sure && !hasState(device, change)))
    return failed('That cannot be taken back, because it was changed again since.')
  const known = records.done(context.idempotencyKey)
  if (known) return known
  const sent = await session.send(
    open.map(({ device, back }) => ({ device, change: back })),
    context.signal,
  )
  const bad = sent.filter(({ answer }) => answer !== 'confirmed' && answer !== 'accepted')
  if (bad.length === 0) return done('Done, that is taken back.')
  const view = realView(session, context)
  const which = listWords(bad.slice(0, 5).map(({ device }) => view.name([device], noun(device))))
  return failed(`It was asked to be as before, but that is not confirmed for ${which}.`)
}

/**
 * After a crash: a claim says that something was about to be sent. If all devices have the state that was asked for, it
 * happened; if there is no claim, it did not; else nobody knows.
 * @throws ConnectionError when it cannot be known
 */
export async function reconcileReal(
  records: Records,
  source: DeviceSource | undefined,
  key: string,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  const claim = records.get('sent', key, claimSchema)
  if (claim === undefined) return undefined
  const unknown = new ConnectionError(
    'dropped',
    source?.kind ?? 'homeassistant',
    'It is not known whether the devices got it.',
  )
  if (source === undefined) throw unknown
  const session = await source.open(context.signal)
  try {
    const found = claim.commands.map(({ id, change }) => ({ change, device: session.devices.find((d) => d.id === id) }))
    const ok = found.every(({ device, change }) => device && showsState(device, change) && hasState(device, change))
    if (!ok) throw unknown
    const view = realView(session, context)
    const result = done(
      `${found.flatMap(({ device }) => (device ? [`${capital(view.name([device], noun(device)))} is ${device.title ? (device.playing ?? 'on') : sayState(device)}.`] : [])).join(' ')}`,
    )
    records.transaction(() => {
      records.remove('sent', key)
      records.remember(key, claim.tool, result)
    })
    return result
  } finally {
    await session.close()
  }
}
