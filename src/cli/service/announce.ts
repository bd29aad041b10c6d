import { join } from 'node:path'
import { type LaterEvent, runFixed } from '../../agent/later/index.js'
import { keyId } from '../../domains/later/index.js'
import { zoneNow } from '../../domains/time/place.js'
import type { ServiceComposition } from './compose-service.js'
import { type Desktop, desktopOf, type Shown } from './desktop.js'
import { linesOf, noticeOf } from './notice.js'
import { Sound } from './sound.js'

/** Where events are announced. */
export interface AnnounceOptions {
  readonly json: boolean
  readonly quiet: boolean
  readonly sound: boolean
  readonly desktop: boolean
}

/**
 * Announces the service's events on the desktop, by sound and in the terminal, and does what is pressed there. Returns
 * what ends that.
 */
export function announce(composed: ServiceComposition, options: AnnounceOptions): () => void {
  const { events, service, fixed, home } = composed
  const print = (text: string): void => void process.stdout.write(text)
  let warned = false
  const failed = (why: string): void => {
    if (!warned) events.emit({ type: 'problem', text: `No desktop notification could be shown: ${why}.` })
    warned = true
  }
  const desktop: Desktop | undefined = options.desktop ? desktopOf(failed) : undefined
  const sound = options.sound
    ? new Sound(join(home.cache, 'sounds'), () => {
        if (!options.json && process.stdout.isTTY) print('\u0007')
      })
    : undefined
  const shown = new Map<string, Shown>()

  const snooze = (key: string): void => {
    runFixed(fixed, `snooze:${keyId(key)}`, 'Snooze, on the notification', {
      name: 'alarm_snooze',
      arguments: { duration: '10 minutes' },
    }).then(
      (end) => {
        if (end.status !== 'done') events.emit({ type: 'problem', text: end.text })
        service.ledger.stop(key)
      },
      (error: unknown) => events.emit({ type: 'problem', text: String(error) }),
    )
  }

  const hear = (event: LaterEvent): void => {
    const now = new Date()
    const zone = zoneNow()
    if (options.json) print(`${JSON.stringify({ at: now.toISOString(), ...event })}\n`)
    else if (!options.quiet) for (const line of linesOf(event, now, zone)) print(`${line}\n`)
    if (event.type === 'ring.end') {
      sound?.stop(event.key)
      shown.get(event.key)?.close()
      shown.delete(event.key)
      return
    }
    if (event.type === 'ring') {
      const { ring, keepsRinging } = event
      if (keepsRinging) sound?.start(ring.key, ring.kind === 'timer' ? 'timer' : 'alarm')
      else sound?.once('chime')
    }
    const notice = noticeOf(event, now, zone)
    if (notice === undefined || desktop === undefined) return
    const key = event.type === 'ring' ? event.ring.key : ''
    const out = desktop.show(notice, (pressed) => {
      if (pressed === 'snooze') snooze(key)
      else service.ledger.stop(key)
    })
    if (event.type === 'ring' && event.keepsRinging) shown.set(key, out)
  }
  const end = events.subscribe(hear)
  return () => {
    end()
    sound?.close()
    for (const out of shown.values()) out.close()
    desktop?.close?.()
  }
}
