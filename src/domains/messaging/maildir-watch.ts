import { z } from 'zod'
import type { Folder } from '../store/index.js'
import { type NewMail, pause, type WatchOptions } from './mail-watch.js'
import { parseMail } from './parse-mail.js'

/** Names of the messages of the local inbox that were seen (without their flags). */
export const maildirStateSchema = z.object({ seen: z.array(z.string()) })

/** What the watcher of the local inbox has seen. */
export type MaildirState = z.output<typeof maildirStateSchema>

/** Larger files are told of without being read. */
const MOST_BYTES = 8 * 1024 * 1024

const uniqueOf = (path: string): string => (path.split('/').at(-1) ?? '').split(/[:;!]2,/)[0] ?? ''

const entries = (folder: Folder) =>
  [...folder.list('inbox/new'), ...folder.list('inbox/cur')]
    .filter((e) => e.kind === 'file' && !(e.path.split('/').at(-1) ?? '.').startsWith('.'))
    .sort((a, b) => a.modified - b.modified || (a.path < b.path ? -1 : 1))

/**
 * The same as `watchMail` for the Maildir inbox of this machine, by looking every few seconds (default 5): a listing is
 * cheap, and file notifications are lost on network drives. A message is known by its unique name, which stays when another
 * program moves it from `new` to `cur` or changes its flags.
 */
export async function watchMaildir(folder: Folder, options: WatchOptions<MaildirState>): Promise<void> {
  const { signal, pollSeconds = 5 } = options
  let seen = options.state === undefined ? undefined : new Set(options.state.seen)
  const keep = (): void | Promise<void> => options.save({ seen: [...(seen ?? [])] })
  while (!signal.aborted) {
    try {
      const all = entries(folder)
      if (seen === undefined) {
        seen = new Set(all.map((e) => uniqueOf(e.path)))
        await keep()
      }
      for (const entry of all) {
        const unique = uniqueOf(entry.path)
        if (seen.has(unique) || signal.aborted) continue
        const mail = await newMail(folder, entry.path, unique, entry)
        if (mail !== undefined) await options.onMail(mail)
        seen.add(unique)
        await keep()
      }
      // Names of messages that are gone need not be kept.
      const there = new Set(all.map((e) => uniqueOf(e.path)))
      if ([...seen].some((name) => !there.has(name))) {
        seen = new Set([...seen].filter((name) => there.has(name)))
        await keep()
      }
    } catch (error) {
      options.onTrouble?.(error instanceof Error ? error : new Error('The mail folder cannot be read.'))
    }
    await pause(pollSeconds * 1000, signal)
  }
}

async function newMail(
  folder: Folder,
  path: string,
  unique: string,
  entry: { readonly size: number; readonly modified: number },
): Promise<NewMail | undefined> {
  const bytes = entry.size <= MOST_BYTES ? folder.read(path) : new Uint8Array()
  // Another program may have moved it in this moment; it is found under its new name at the next look.
  if (bytes === undefined) throw new Error(`${path} was moved while it was read.`)
  const parsed = await parseMail(bytes)
  return {
    from: parsed?.from ?? { name: '', address: '' },
    subject: parsed?.subject ?? '',
    date: parsed?.date ?? new Date(entry.modified),
    messageId: parsed?.messageId ?? '',
    id: unique,
  }
}
