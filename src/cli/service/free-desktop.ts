import type { Desktop, Pressed, Shown } from './desktop.js'
import type { Notice } from './notice.js'
import { openSessionBus, type SessionBus, sessionBusAddress } from './session-bus.js'

const SERVER = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
} as const

/** Notification servers take the text for markup (the specification's subset of HTML), so it is escaped. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * The body of the `Notify` call (Desktop Notifications Specification 1.2): application, number to replace, icon, title,
 * text, actions by key and label, hints, milliseconds until it goes (0 never, -1 as the server likes).
 */
export function notifyBody(notice: Notice): readonly unknown[] {
  const actions = [
    ...(notice.rings ? ['default', 'Stop', 'stop', 'Stop'] : []),
    ...(notice.snooze ? ['snooze', 'Snooze 10 minutes'] : []),
  ]
  const hints = [
    ['urgency', ['y', notice.rings ? 2 : 1]],
    // Our own sound is played beside it.
    ['suppress-sound', ['b', true]],
    ...(notice.rings ? [['category', ['s', 'x-botpsy.alarm']]] : []),
  ]
  return ['BotPsy', 0, 'alarm-symbolic', notice.title, escaped(notice.text), actions, hints, notice.rings ? 0 : -1]
}

interface Waiting {
  readonly pressed: (what: Pressed) => void
  readonly rings: boolean
}

/** Notifications on desktops that follow the Desktop Notifications Specification, over the session bus. */
export class FreeDesktop implements Desktop {
  #bus: SessionBus | undefined
  readonly #waiting = new Map<number, Waiting>()

  /** @param failed told in words when a notification could not be shown */
  constructor(private readonly failed: (why: string) => void) {}

  show(notice: Notice, pressed: (what: Pressed) => void): Shown {
    let closed = false
    let id: number | undefined
    const close = (): void => {
      if (id === undefined) return
      this.#waiting.delete(id)
      this.#bus?.call(SERVER, 'CloseNotification', 'u', [id]).catch(() => undefined)
    }
    this.#connected()
      .then(async (bus) => {
        const answer = await bus.call(SERVER, 'Notify', 'susssasa{sv}i', notifyBody(notice))
        if (typeof answer !== 'number') throw new Error('the notification server gave no number')
        id = answer
        if (closed) close()
        else this.#waiting.set(id, { pressed, rings: notice.rings === true })
      })
      .catch((error: unknown) => this.failed(error instanceof Error ? error.message : String(error)))
    return {
      close: () => {
        closed = true
        close()
      },
    }
  }

  close(): void {
    this.#bus?.close()
  }

  async #connected(): Promise<SessionBus> {
    if (this.#bus?.open) return this.#bus
    const address = sessionBusAddress()
    if (address === undefined) throw new Error('there is no desktop session here')
    const bus = openSessionBus(address)
    this.#bus = bus
    this.#waiting.clear()
    bus.onMessage((message) => this.#hear(message.interface, message.member, message.body ?? []))
    const rule = `type='signal',interface='${SERVER.interface}'`
    const daemon = {
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
    }
    await bus.call(daemon, 'AddMatch', 's', [rule])
    return bus
  }

  #hear(from: string | undefined, member: string | undefined, [id, what]: readonly unknown[]): void {
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (from !== SERVER.interface || waiting === undefined || typeof id !== 'number') return
    if (member === 'ActionInvoked') {
      this.#waiting.delete(id)
      if (waiting.rings) waiting.pressed(what === 'snooze' ? 'snooze' : 'stop')
    }
    if (member === 'NotificationClosed') {
      this.#waiting.delete(id)
      // 2: dismissed by the owner. A notification that ran out or that a server dropped is not an answer.
      if (waiting.rings && what === 2) waiting.pressed('stop')
    }
  }
}
