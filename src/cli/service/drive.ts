import { type FSWatcher, watch } from 'node:fs'
import { watchDevices } from '../../domains/devices/watch.js'
import { watchMail } from '../../domains/messaging/mail-watch.js'
import type { ServiceComposition } from './compose-service.js'

/** Longest time between two looks, milliseconds. */
const LOOK_EVERY_MS = 1000
/** A change of files is looked at after it has settled for so long. */
const SETTLE_MS = 40
/** First wait before lost devices are looked for again. */
const DEVICES_RETRY_MS = 5000
/** How often a calendar server is asked what is new. */
const REFRESH_EVERY_MS = 300_000

/**
 * Drives the service until the signal: a look every second, at the moment something falls due, and when another process
 * changes the calendars.
 */
export async function drive(composed: ServiceComposition, folder: string, signal: AbortSignal): Promise<void> {
  const { service, calendars, events, source, connections } = composed
  let wake: () => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(folder, () => {
      clearTimeout(timer)
      timer = setTimeout(() => wake(), SETTLE_MS)
    })
    watcher.on('error', () => watcher?.close())
  } catch {
    // Where changes cannot be watched, the look every second finds them.
  }
  const stop = (): void => wake()
  signal.addEventListener('abort', stop, { once: true })
  const problem = (text: string): void => events.emit({ type: 'problem', text })
  let watching: AbortController | undefined
  let reading: AbortController | undefined
  let refreshed = 0
  let told = ''
  try {
    while (!signal.aborted) {
      await service.tick()
      const now = Date.now()
      const real = service.watchesDevices ? source() : undefined
      if (real === undefined) {
        watching?.abort()
        watching = undefined
      } else if (watching === undefined) {
        const mine = new AbortController()
        watching = mine
        // The same trouble again and again is told once, until the devices were there again.
        let trouble = ''
        watchDevices(connections, {
          signal: mine.signal,
          retryMs: DEVICES_RETRY_MS,
          onLook: service.noticeDevices.bind(service),
          onStatus: (wrong) => {
            if (wrong !== undefined && trouble === '') problem(`The devices are not watched: ${wrong.message}`)
            trouble = wrong?.message ?? ''
          },
        })
          .catch((error: unknown) => problem(error instanceof Error ? error.message : String(error)))
          .finally(() => {
            // Disconnected, or connected to another house: the next look begins anew.
            if (watching === mine) watching = undefined
          })
      }
      const connected = service.watchesMail ? composed.mail.connection() : undefined
      if (connected === undefined) {
        reading?.abort()
        reading = undefined
      } else if (reading === undefined) {
        reading = new AbortController()
        readMail(composed, connected, reading.signal, problem)
      }
      if (now - refreshed >= REFRESH_EVERY_MS || now < refreshed) {
        refreshed = now
        calendars.refresh(new Date(), signal).then(
          (wrong) => {
            if (wrong !== undefined && wrong !== told) problem(wrong)
            told = wrong ?? ''
          },
          (error: unknown) => problem(error instanceof Error ? error.message : String(error)),
        )
      }
      const until = await service.next(now + LOOK_EVERY_MS)
      await new Promise<void>((resolve) => {
        const sleeping = setTimeout(resolve, Math.max(1, until - Date.now()))
        wake = () => {
          clearTimeout(sleeping)
          resolve()
        }
        if (signal.aborted) wake()
      })
    }
  } finally {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
    watcher?.close()
    watching?.abort()
    reading?.abort()
  }
  await service.settled()
}

/** What the mail server tells so soon after the start, and is older than it, came while nothing looked. */
const CATCHING_UP_MS = 30_000

function readMail(
  { service, mail }: ServiceComposition,
  connection: NonNullable<ReturnType<ServiceComposition['mail']['connection']>>,
  signal: AbortSignal,
  problem: (text: string) => void,
): void {
  const started = Date.now()
  watchMail(connection, {
    signal,
    state: mail.seen(),
    save: mail.save,
    onMail: (arrived) =>
      service.noticeMail([arrived], Date.now() - started > CATCHING_UP_MS || arrived.date.getTime() >= started),
    onTrouble: (error) => problem(error.message),
  }).catch((error: unknown) => problem(error instanceof Error ? error.message : String(error)))
}
