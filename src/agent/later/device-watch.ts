import { setTimeout as sleep } from 'node:timers/promises'
import type { Device } from '../../domains/devices/device.js'
import type { DeviceSource } from '../../domains/devices/source.js'

/** First pause before a lost connection is opened again, doubled up to the longest; milliseconds. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 300_000

/** How devices are watched. */
export interface DeviceWatchOptions {
  readonly source: DeviceSource
  /** All devices after every change; `live` is false when changes may have been missed before. */
  readonly look: (devices: readonly Device[], live: boolean) => void
  /** Told once when the connection cannot be had, until it was there again. */
  readonly problem: (text: string) => void
  readonly signal: AbortSignal
  readonly firstPauseMs?: number
}

/** Watches real devices until the signal; a lost connection is opened again, ever more seldom. */
export async function watchDevices(options: DeviceWatchOptions): Promise<void> {
  const { source, look, problem, signal } = options
  const first = options.firstPauseMs ?? FIRST_PAUSE_MS
  let pause = first
  let told = false
  while (!signal.aborted) {
    try {
      const session = await source.open(signal)
      const devices = new Map(session.devices.map((device) => [device.id, device]))
      const stop = (): void => void session.close()
      signal.addEventListener('abort', stop, { once: true })
      try {
        look([...devices.values()], false)
        pause = first
        told = false
        session.onChange((device) => {
          devices.set(device.id, device)
          look([...devices.values()], true)
        })
        await session.ended
      } finally {
        signal.removeEventListener('abort', stop)
        await session.close()
      }
    } catch (error) {
      if (!told && !signal.aborted)
        problem(`${source.title} cannot be watched: ${error instanceof Error ? error.message : error}`)
      told = true
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}
