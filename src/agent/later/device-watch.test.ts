import { expect, it, onTestFinished, vi } from 'vitest'
import type { Device } from '../../domains/devices/device.js'
import type { DeviceSource } from '../../domains/devices/source.js'
import { watchDevices } from './device-watch.js'

const lamp = (on: boolean): Device => ({ id: 'l', name: 'lamp', room: 'hall', kind: 'light', aliases: [], on })

it('watches devices, tells a lost connection once, and looks anew when it is back', async () => {
  let opened = 0
  let change: (device: Device) => void = () => undefined
  let drop: () => void = () => undefined
  const source: DeviceSource = {
    kind: 'mqtt',
    title: 'The hub',
    open: async () => {
      opened++
      if (opened === 2 || opened === 3) throw new Error('unreachable')
      const ended = new Promise<void>((resolve) => {
        drop = resolve
      })
      return {
        devices: [lamp(opened > 3)],
        send: async () => [],
        onChange: (listener) => {
          change = listener
        },
        ended,
        close: async () => drop(),
      }
    },
  }
  const looks: [boolean | undefined, boolean][] = []
  const problems: string[] = []
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const done = watchDevices({
    source,
    look: (devices, live) => looks.push([devices[0]?.on, live]),
    problem: (text) => problems.push(text),
    signal: controller.signal,
    firstPauseMs: 1,
  })
  await vi.waitFor(() => expect(looks).toHaveLength(1))
  change(lamp(true))
  change(lamp(false))
  drop()
  await vi.waitFor(() => expect(opened).toBe(4))
  await vi.waitFor(() => expect(looks).toHaveLength(4))
  // What changed in between is seen, but not as something that happens now.
  expect(looks).toEqual([
    [false, false],
    [true, true],
    [false, true],
    [true, false],
  ])
  expect(problems).toEqual(['The hub cannot be watched: unreachable'])
  controller.abort()
  await done
  expect(opened).toBe(4)
})
