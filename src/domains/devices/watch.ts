import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, type Connections } from '../connections/index.js'
import type { Device } from './device.js'
import { deviceSource } from './device-source.js'
import { DEVICE_LIMITS, type DeviceLimits, type DeviceSession } from './source.js'

/** A device that changed; `before` is its last known state, absent for one that was not known. */
export interface DeviceChange {
  readonly device: Device
  readonly before?: Device
}

/** What a watcher needs. */
export interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal
  readonly onChange?: (change: DeviceChange) => void
  /**
   * Hears of all devices when the connection opens and after every change; `live` is false at the opening, when changes
   * may have been missed before.
   */
  readonly onLook?: (devices: readonly Device[], live: boolean) => void
  /** Hears when the connection is lost (with why) and when it is back (undefined). */
  readonly onStatus?: (problem: ConnectionError | undefined) => void
  readonly limits?: DeviceLimits
  /** First wait before another try, in milliseconds; doubled up to 60 times as much. */
  readonly retryMs?: number
}

/**
 * Watches the connected devices until the signal fires, connecting again after every loss. A change during a loss is
 * reported once after it; the states at the start are not changes. Resolves at once when no devices are connected.
 */
export async function watchDevices(connections: Connections, options: WatchOptions): Promise<void> {
  const { signal, onChange, onLook, onStatus, limits = DEVICE_LIMITS, retryMs = 1000 } = options
  const known = new Map<string, Device>()
  let started = false
  let wait = retryMs
  const see = (device: Device): void => {
    const before = known.get(device.id)
    known.set(device.id, device)
    if (!started || (before !== undefined && JSON.stringify(before) === JSON.stringify(device))) return
    onChange?.({ device, ...(before ? { before } : {}) })
  }
  while (!signal.aborted) {
    const source = deviceSource(connections, limits)
    if (source === undefined) return
    let session: DeviceSession | undefined
    try {
      session = await source.open(signal)
      if (signal.aborted) break
      const now = new Map<string, Device>()
      let opened = false
      session.onChange((device) => {
        now.set(device.id, device)
        see(device)
        if (opened) onLook?.([...now.values()], true)
      })
      for (const device of session.devices) {
        now.set(device.id, device)
        see(device)
      }
      opened = true
      onLook?.([...now.values()], false)
      started = true
      wait = retryMs
      onStatus?.(undefined)
      await Promise.race([session.ended, aborted(signal)])
      if (signal.aborted) break
      onStatus?.(new ConnectionError('dropped', source.kind, `The connection to ${source.title} was lost.`))
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      if (!signal.aborted) onStatus?.(error)
    } finally {
      await session?.close()
    }
    await sleep(wait, undefined, { signal }).catch(() => {})
    wait = Math.min(wait * 2, retryMs * 60)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
