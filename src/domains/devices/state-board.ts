import type { Device } from './device.js'

/** The last known state of every device of a session, and whoever waits for a change. */
export class StateBoard {
  readonly #devices = new Map<string, Device>()
  readonly #listeners = new Set<(device: Device) => void>()
  readonly #waits = new Set<(over: boolean) => void>()
  #ended = false

  /** All devices, in the order in which they came. */
  get devices(): readonly Device[] {
    return [...this.#devices.values()]
  }

  get(id: string): Device | undefined {
    return this.#devices.get(id)
  }

  /** Takes a state in; listeners hear of it when it differs from the last one. */
  put(device: Device): void {
    const before = this.#devices.get(device.id)
    this.#devices.set(device.id, device)
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(device))
      for (const listener of this.#listeners) listener(device)
    // Also for the same state again: a device that repeats it has answered.
    for (const wake of [...this.#waits]) wake(false)
  }

  /** Forgets a device that is gone. */
  remove(id: string): void {
    this.#devices.delete(id)
  }

  onChange(listener: (device: Device) => void): void {
    this.#listeners.add(listener)
  }

  /** No more changes will come: every wait is over. */
  end(): void {
    this.#ended = true
    for (const wake of [...this.#waits]) wake(true)
  }

  /** Waits until a device fits; false when the time is over, the signal fires or the session ends before. */
  until(id: string, fits: (device: Device) => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    const now = (): boolean => {
      const device = this.#devices.get(id)
      return device !== undefined && fits(device)
    }
    if (now()) return Promise.resolve(true)
    if (this.#ended || signal?.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (found: boolean): void => {
        clearTimeout(timer)
        this.#waits.delete(wake)
        signal?.removeEventListener('abort', stop)
        resolve(found)
      }
      const wake = (over: boolean): void => {
        if (now()) end(true)
        else if (over) end(false)
      }
      const stop = (): void => end(false)
      const timer = setTimeout(stop, ms)
      this.#waits.add(wake)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }
}
