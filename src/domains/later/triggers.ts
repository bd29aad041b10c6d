import { z } from 'zod'
import { DEVICE_KINDS, type Device } from '../devices/device.js'
import { pickDevices } from '../devices/pick.js'
import { allAutomations, isIn } from './automation.js'
import type { Ledger } from './ledger.js'

const seenSchema = z.object({
  /** Whether each device was in the state, by id. */
  states: z.record(z.string(), z.boolean()),
  /** How often it was set off; part of the key of each time. */
  times: z.number(),
})

const SEEN = 'later-seen'

/**
 * Notes the states of devices, and sets off the automations that waited for one of them to come. A state that came while
 * nothing looked is reported, not acted on.
 *
 * @param live false for the first look after a start or a lost connection
 */
export function noticeDevices(ledger: Ledger, devices: readonly Device[], now: number, live: boolean): void {
  const { records } = ledger
  for (const { id, data } of allAutomations(records)) {
    const { trigger } = data
    if (trigger.kind !== 'device') continue
    const picked = pickDevices(devices, DEVICE_KINDS, { device: trigger.device, noun: 'device' })
    if ('problem' in picked) continue
    records.transaction(() => {
      const row = `${id}:${data.created}`
      const before = records.get(SEEN, row, seenSchema)
      const states: { [device: string]: boolean } = { ...before?.states }
      let times = before?.times ?? 0
      for (const device of picked.devices) {
        const is = isIn(device, trigger.state)
        if (is === undefined) continue
        const was = states[device.id]
        states[device.id] = is
        // What was never seen before is where it starts from.
        if (!is || was !== false) continue
        times++
        const key = `automation:${row}:device:${times}`
        const note = `the ${trigger.device} is ${trigger.state}`
        ledger.setOff({ key, at: now, kind: 'automation', title: data.said, ref: id, note }, live)
      }
      if (JSON.stringify(states) !== JSON.stringify(before?.states) || times !== before?.times)
        records.put(SEEN, row, { states, times })
    })
  }
}

/** A received message as far as automations care. */
export interface Arrived {
  /** The same for the same message at every look. */
  readonly id: string
  readonly from: { readonly name: string; readonly address: string }
  readonly date: Date
}

/**
 * Sets off the automations that waited for mail from somebody, once a message. Only mail that came after the automation
 * was made counts; what came while nothing looked is reported.
 */
export function noticeMail(ledger: Ledger, mails: readonly Arrived[], now: number, live: boolean): void {
  for (const { id, data } of allAutomations(ledger.records)) {
    const { trigger } = data
    if (trigger.kind !== 'mail') continue
    for (const mail of mails) {
      if (mail.date.getTime() < Date.parse(data.created) - 1000) continue
      if (!trigger.addresses.includes(mail.from.address.toLowerCase())) continue
      const key = `automation:${id}:${data.created}:mail:${mail.id}`
      const note = `mail from ${trigger.from} arrived`
      ledger.records.transaction(() =>
        ledger.setOff({ key, at: now, kind: 'automation', title: data.said, ref: id, note }, live),
      )
    }
  }
}
