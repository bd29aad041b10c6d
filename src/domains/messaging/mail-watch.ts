import { z } from 'zod'
import type { Connection, ConnectionError } from '../connections/contract.js'
import { asMailError } from './imap-error.js'
import { inFolder } from './imap-folders.js'
import { type ImapSession, openImap } from './imap-session.js'

/** A mail that came in. Its words are outside text. */
export interface NewMail {
  readonly from: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly date: Date
  /** Empty when the mail has none. */
  readonly messageId: string
  /** Unique in this mailbox, for "was this one acted upon": UIDVALIDITY and UID, or the Maildir name. */
  readonly id: string
}

/** What a watcher has seen; plain data that the caller keeps and hands in again at the next start. */
export const watchStateSchema = z.object({
  /** UIDVALIDITY of the folder (RFC 3501, 2.3.1.1). */
  uidValidity: z.string(),
  /** Highest UID that was told or was there at the first start. */
  uid: z.number().int().nonnegative(),
  /** Arrival of the newest mail seen, for when the server numbers its mail anew. */
  newest: z.iso.datetime(),
  /** Message-IDs told last, for the same. */
  told: z.array(z.string()),
})

/** What a watcher has seen. */
export type WatchState = z.output<typeof watchStateSchema>

/** How a watcher runs. */
export interface WatchOptions<S> {
  /** Ends the watching; the promise then resolves. */
  readonly signal: AbortSignal
  /** Told of each new mail, oldest first and one at a time. When it throws, the same mail is told again later. */
  readonly onMail: (mail: NewMail) => void | Promise<void>
  /** What an earlier run saw; without it, mail that is there already counts as seen. */
  readonly state?: S | undefined
  /** Keeps what was seen, after each mail; a crash between `onMail` and this tells the same mail once more. */
  readonly save: (state: S) => void | Promise<void>
  /** Told when the server cannot be used; the watcher goes on trying, ever more slowly. */
  readonly onTrouble?: (error: Error) => void
  /** Seconds between two looks where nothing tells of new mail; default 60. */
  readonly pollSeconds?: number
  /** Seconds of the first wait after trouble, doubled up to five minutes; default 2. */
  readonly retrySeconds?: number
}

const MOST_TOLD = 200

/** Waits, or until the signal. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Thrown by `onMail` or `save`: not the server's trouble, yet the mail must not be lost. */
class ListenerError extends Error {
  override readonly name = 'ListenerError'
  constructor(options: ErrorOptions) {
    super('What was to happen on a new mail failed; it will be tried again.', options)
  }
}

const validDate = (value: unknown): Date => {
  const date = value instanceof Date || typeof value === 'string' ? new Date(value) : new Date(0)
  return Number.isNaN(date.getTime()) ? new Date(0) : date
}

/** Looks once; returns the state after everything new was told. */
async function look(
  { client }: ImapSession,
  before: WatchState | undefined,
  options: WatchOptions<WatchState>,
): Promise<WatchState> {
  return inFolder(client, 'INBOX', true, async (uidValidity, exists) => {
    let state = before
    const keep = async (next: WatchState): Promise<void> => {
      state = next
      try {
        await options.save(next)
      } catch (error) {
        throw new ListenerError({ cause: error })
      }
    }
    const query = { uid: true, envelope: true, internalDate: true } as const
    if (state === undefined) {
      const last = exists === 0 ? false : await client.fetchOne('*', query)
      await keep({
        uidValidity,
        uid: last === false ? 0 : last.uid,
        newest: validDate(last === false ? undefined : last.internalDate).toISOString(),
        told: last !== false && last.envelope?.messageId ? [last.envelope.messageId] : [],
      })
      return state as unknown as WatchState
    }
    const renumbered = state.uidValidity !== uidValidity
    const since = new Date(state.newest)
    const from = renumbered ? 1 : state.uid + 1
    // `n:*` always holds the last message, however small its UID.
    const messages = exists === 0 ? [] : await client.fetchAll(`${from}:*`, query, { uid: true })
    const fresh = messages.filter((m) => m.uid >= from).sort((a, b) => a.uid - b.uid)
    const told = new Set(state.told)
    for (const message of fresh) {
      const { envelope } = message
      const arrived = validDate(message.internalDate)
      const messageId = envelope?.messageId ?? ''
      // After a renumbering what arrived before the newest known was seen, and what was told last is known by name.
      const seen = renumbered && (arrived < since || (messageId !== '' && told.has(messageId)))
      if (!seen) {
        const sender = envelope?.from?.[0]
        try {
          await options.onMail({
            from: { name: sender?.name ?? '', address: sender?.address ?? '' },
            subject: envelope?.subject ?? '',
            date: envelope?.date === undefined ? arrived : validDate(envelope.date),
            messageId,
            id: `${uidValidity}:${message.uid}`,
          })
        } catch (error) {
          throw new ListenerError({ cause: error })
        }
        told.add(messageId)
      }
      const names = [...told].filter((id) => id !== '').slice(-MOST_TOLD)
      if (renumbered && message !== fresh.at(-1)) {
        // The new numbers count only once all mail was gone through.
        if (!seen) await keep({ ...state, told: names })
        continue
      }
      const newest = new Date(state.newest)
      await keep({
        uidValidity,
        uid: message.uid,
        newest: (arrived > newest ? arrived : newest).toISOString(),
        told: names,
      })
    }
    if (renumbered && fresh.length === 0) await keep({ ...state, uidValidity, uid: 0 })
    return state
  })
}

/** Waits until `news` says so, until it is time to look anyway, or until the session ended. */
async function waitForNews(
  { client }: ImapSession,
  news: AbortSignal,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (!client.capabilities.has('IDLE')) return pause(milliseconds, news)
  const idle = client.idle().catch(() => undefined)
  // Looking again now and then costs little and survives a server whose IDLE forgets to tell.
  await pause(Math.max(milliseconds, 60_000), news)
  // Any command ends IDLE.
  if (client.usable) await Promise.race([client.noop().catch(() => undefined), pause(10_000, signal)])
  await Promise.race([idle, pause(1000, signal)])
}

/**
 * Watches the inbox of a mail account: IMAP IDLE (RFC 2177) where the server has it, else by looking now and then. Comes
 * back after every break. Each mail is told at least once across restarts as long as the caller keeps the state, and twice
 * only when the program ended between `onMail` and `save`.
 *
 * Resolves when the signal ends it; a server that cannot be used is told to `onTrouble` and tried again.
 */
export async function watchMail(connection: Connection, options: WatchOptions<WatchState>): Promise<void> {
  const { signal, pollSeconds = 60, retrySeconds = 2 } = options
  let { state } = options
  let wait = retrySeconds * 1000
  const remember: WatchOptions<WatchState> = {
    ...options,
    save: async (next) => {
      await options.save(next)
      state = next
    },
  }
  while (!signal.aborted) {
    let session: ImapSession | undefined
    try {
      session = await openImap(connection, signal, { socketTimeout: 120_000 })
      const { client } = session
      while (!signal.aborted) {
        // Listened for from before the look on, so that nothing falls between looking and waiting.
        const news = new AbortController()
        const tell = (): void => news.abort()
        client.on('exists', tell)
        client.on('close', tell)
        signal.addEventListener('abort', tell, { once: true })
        try {
          await look(session, state, remember)
          wait = retrySeconds * 1000
          await waitForNews(session, news.signal, pollSeconds * 1000, signal)
        } finally {
          client.off('exists', tell)
          client.off('close', tell)
          signal.removeEventListener('abort', tell)
        }
        if (!client.usable) throw session.failure() ?? Object.assign(new Error('closed'), { code: 'EConnectionClosed' })
        await client.noop()
      }
    } catch (error) {
      if (signal.aborted) break
      options.onTrouble?.(troubleOf(error, session))
      await pause(wait, signal)
      wait = Math.min(wait * 2, 300_000)
    } finally {
      session?.close()
    }
  }
}

function troubleOf(error: unknown, session: ImapSession | undefined): Error | ConnectionError {
  if (error instanceof ListenerError) return error
  if (session !== undefined) return asMailError(session.failure() ?? error, session.server)
  return error instanceof Error ? error : new Error('The mail server cannot be used.')
}
