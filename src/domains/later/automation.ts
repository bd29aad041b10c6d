import { z } from 'zod'
import { makeEvent, newCalendar } from '../calendar/entry.js'
import { expand } from '../calendar/expand.js'
import type { Device } from '../devices/device.js'
import type { Item, Records } from '../store/index.js'
import type { Due, DueSource } from './due.js'

/** States of a device that an automation can wait for. */
export const WATCHED_STATES = ['on', 'off', 'open', 'closed', 'locked', 'unlocked', 'playing', 'paused'] as const

/** One of {@link WATCHED_STATES}. */
export type WatchedState = (typeof WATCHED_STATES)[number]

const triggerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('time'),
    /** ISO time of the (first) run. */
    at: z.string(),
    zone: z.string(),
    /** RFC 5545 rule; absent for one run. */
    rule: z.string().optional(),
  }),
  z.object({ kind: z.literal('device'), device: z.string(), state: z.enum(WATCHED_STATES) }),
  z.object({ kind: z.literal('mail'), from: z.string(), addresses: z.array(z.string()) }),
])

const actionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), tool: z.string(), args: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal('request'), text: z.string() }),
])

/** A rule as it is stored under `automations`. */
export const automationSchema = z.object({
  trigger: triggerSchema,
  action: actionSchema,
  /** What it does and when, in words for the owner. */
  said: z.string(),
  /** ISO time. */
  created: z.string(),
})

/** See {@link automationSchema}. */
export type Automation = z.infer<typeof automationSchema>

/** Collection of {@link Automation}s. */
export const AUTOMATIONS = 'automations'

/** All automations. */
export function allAutomations(records: Records): readonly Item<Automation>[] {
  return records.all(AUTOMATIONS, automationSchema)
}

/** Removes an automation that is over. */
export function removeAutomation(records: Records, id: string): void {
  records.remove(AUTOMATIONS, id)
}

/** When automations with a time fall due. */
export class AutomationDues implements DueSource {
  constructor(private readonly records: Records) {}

  between(from: number, to: number, zone: string): readonly Due[] {
    return allAutomations(this.records).flatMap(({ id, data }) => {
      const { trigger } = data
      if (trigger.kind !== 'time') return []
      const at = Date.parse(trigger.at)
      const created = Date.parse(data.created)
      const due = (time: number): Due[] =>
        time < from || time > to || time < created
          ? []
          : [
              {
                key: `automation:${id}:${data.created}:${new Date(time).toISOString()}`,
                at: time,
                kind: 'automation',
                title: data.said,
                ref: id,
                note: 'its time came',
              },
            ]
      if (trigger.rule === undefined) return due(at)
      const calendar = newCalendar()
      const entry = { uid: id, kind: 'event', title: id, allDay: false, key: id } as const
      calendar.addSubcomponent(
        makeEvent({
          ...entry,
          start: new Date(at),
          zone: trigger.zone,
          rule: trigger.rule,
          created: new Date(data.created),
        }),
      )
      return expand(calendar, id, new Date(from), new Date(to + 1), zone).flatMap((o) => due(o.start.getTime()))
    })
  }
}

/** Whether a device is in a state that an automation waits for; undefined when it does not say. */
export function isIn(device: Device, state: WatchedState): boolean | undefined {
  if (device.unknown || device.unreachable) return undefined
  switch (state) {
    case 'on':
      return device.on
    case 'off':
      return !device.on
    case 'locked':
    case 'closed':
      if (device.locked !== undefined) return device.locked
      return device.position === undefined ? undefined : device.position === 0
    case 'unlocked':
    case 'open':
      if (device.locked !== undefined) return !device.locked
      return device.position === undefined ? undefined : device.position > 0
    case 'playing':
    case 'paused':
      return device.playing === undefined ? undefined : device.playing === state
  }
}
