import type { ConnectionKind } from '../connections/index.js'
import type { Change, Command, Device } from './device.js'

/** What became of one command. */
export interface Sent {
  /** The device as it was last seen. */
  readonly device: Device
  readonly change: Change
  /**
   * `confirmed`: its state came back. `accepted`: the server took it and there is no state that could tell. `silent`: it
   * was sent, and no state came back in time. `refused`: the server says that it did not do it. `lost`: it was sent, and
   * the connection broke or hung before an answer. `unsent`: the connection broke before it was sent.
   */
  readonly answer: 'confirmed' | 'accepted' | 'silent' | 'refused' | 'lost' | 'unsent'
  /** Why it was refused, in words of the host. */
  readonly why?: string
}

/** An open connection to real devices. */
export interface DeviceSession {
  /** All devices as they were when the session opened, or later. */
  readonly devices: readonly Device[]
  /**
   * Sends each command once, never again after a loss, and waits a bounded time for the states to come back. Problems are
   * answers, never throws.
   */
  send(commands: readonly Command[], signal?: AbortSignal): Promise<readonly Sent[]>
  /** Calls back for each device that changed or came, until the session ends. */
  onChange(listener: (device: Device) => void): void
  /** Resolves when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Real devices behind the device tools. The example house on records is the other possibility. */
export interface DeviceSource {
  readonly kind: ConnectionKind
  /** What the owner calls it. */
  readonly title: string
  /**
   * Connects and reads all devices.
   * @throws ConnectionError when that is not possible within the time limit
   */
  open(signal?: AbortSignal): Promise<DeviceSession>
}

/** Time limits of real devices, in milliseconds. */
export interface DeviceLimits {
  /** To connect and read everything. */
  readonly open: number
  /** For the state to come back after a command. */
  readonly answer: number
}

/** An owner who waits for a lamp gives up sooner than a call of the agent does. */
export const DEVICE_LIMITS: DeviceLimits = { open: 8000, answer: 5000 }
