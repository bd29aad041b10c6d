import type { FetchMessageObject, FetchQueryObject, ImapFlow, MessageAddressObject, SearchObject } from 'imapflow'
import { type Records, StoreError } from '../store/index.js'
import { keyWords } from '../words/match.js'
import { folderOf, inFolder } from './imap-folders.js'
import { readPlace, writePlace } from './imap-place.js'
import type { ImapSession } from './imap-session.js'
import { shapeOf } from './imap-structure.js'
import { fits, type MailQuery } from './mailbox.js'
import { type Box, type Mail, mailId } from './maildir.js'
import { htmlToText, parseMail } from './parse-mail.js'

/** Newest messages whose headers one search loads. */
const MOST_SHOWN = 200
/** Newest messages that are looked through here when the server's search finds nothing (it may not know accents). */
const LOOKED_THROUGH = 500
/** Messages up to this size are loaded whole; of larger ones only the text. */
const WHOLE_BYTES = 512 * 1024
/** Most of a text that is loaded. */
const TEXT_BYTES = 300_000
const DAY = 86_400_000

const HEADERS: FetchQueryObject = {
  uid: true,
  flags: true,
  envelope: true,
  internalDate: true,
  bodyStructure: true,
  headers: ['references'],
}

const addressOf = (list: readonly MessageAddressObject[] | undefined): { name: string; address: string } => ({
  name: list?.[0]?.name ?? '',
  address: list?.[0]?.address ?? '',
})

const dateOf = (value: Date | string | undefined): Date | undefined => {
  const date = value === undefined ? undefined : new Date(value)
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

const referencesOf = (headers: Buffer | undefined): string =>
  (headers?.toString('latin1') ?? '')
    .replace(/\r?\n[ \t]+/g, ' ')
    .match(/^references:(.*)$/im)?.[1]
    ?.match(/<[^<>\s]+>/g)
    ?.slice(-50)
    .join(' ') ?? ''

/** What the server tells of a message before its text is loaded. */
function mailOf(
  message: FetchMessageObject,
  box: Box,
  at: { readonly folder: string; readonly uidValidity: string; readonly account: string },
  records: Records,
): Mail {
  const { envelope } = message
  const path = writePlace({ folder: at.folder, uidValidity: at.uidValidity, uid: message.uid })
  const from = addressOf(envelope?.from)
  return {
    id: mailId(records, `imap ${at.account} ${path}`),
    box,
    path,
    unread: box === 'inbox' && message.flags?.has('\\Seen') !== true,
    from,
    to: (envelope?.to ?? []).map((t) => t.name || t.address || '').join(', '),
    subject: envelope?.subject ?? '',
    date: dateOf(envelope?.date) ?? dateOf(message.internalDate) ?? new Date(0),
    text: '',
    messageId: envelope?.messageId ?? '',
    references: referencesOf(message.headers),
    key: undefined,
    replyTo: addressOf(envelope?.replyTo).address || from.address,
    attachments: shapeOf(message.bodyStructure).attachments,
  }
}

/** Loads the headers of some messages of the opened folder, newest first. */
export async function loadHeaders(
  client: ImapFlow,
  uids: readonly number[],
  box: Box,
  at: { readonly folder: string; readonly uidValidity: string; readonly account: string },
  records: Records,
): Promise<readonly Mail[]> {
  if (uids.length === 0) return []
  const messages = await client.fetchAll(uids.join(','), HEADERS, { uid: true })
  const read = (): Mail[] => messages.sort((a, b) => b.uid - a.uid).map((m) => mailOf(m, box, at, records))
  let mails: Mail[]
  try {
    // One transaction, since every new id is a row.
    mails = records.transaction(read)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    mails = read()
  }
  return mails.sort((a, b) => b.date.getTime() - a.date.getTime())
}

/** What the server is asked for: each must hold, and each is a search of its own. */
function searches(query: MailQuery, box: Box): readonly SearchObject[] {
  const base: SearchObject = {
    ...(query.unread === true ? { seen: false } : {}),
    // Days of the server's zone and of arrival: a little more than is wanted, and judged exactly afterwards.
    ...(query.since === undefined ? {} : { since: new Date(query.since.getTime() - 2 * DAY) }),
    ...(query.before === undefined ? {} : { before: new Date(query.before.getTime() + 2 * DAY) }),
  }
  const all: SearchObject = Object.keys(base).length === 0 ? { all: true } : base
  const words = (phrase: string): readonly string[] => {
    const plain = phrase.match(/[^\s<>(),;:"]+@[^\s<>(),;:"]+/)?.[0]
    if (plain !== undefined) return [plain]
    const key = keyWords(phrase)
    // The server compares letter by letter, so each word goes to it as the owner spelled it.
    return (phrase.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
      .filter((w) => keyWords(w).some((k) => key.includes(k)))
      .map((w) => (/^[a-z]+$/i.test(w) ? (keyWords(w)[0] ?? w) : w))
      .sort((a, b) => b.length - a.length)
      .slice(0, 4)
  }
  const field = box === 'inbox' ? 'from' : 'to'
  const more = [
    ...(query.from === undefined ? [] : words(query.from).map((w): SearchObject => ({ ...base, [field]: w }))),
    ...(query.about === undefined ? [] : words(query.about).map((w): SearchObject => ({ ...base, text: w }))),
  ]
  return more.length > 0 ? more : [all]
}

/** Searches one box of the server; `total` counts what was not loaded too. */
async function searchBox(
  { client, settings }: ImapSession,
  box: Box,
  query: MailQuery,
  records: Records,
): Promise<{ readonly mails: readonly Mail[]; readonly total: number }> {
  const folder = await folderOf(client, box)
  if (folder === undefined) return { mails: [], total: 0 }
  return inFolder(client, folder, true, async (uidValidity, exists) => {
    if (exists === 0) return { mails: [], total: 0 }
    const at = { folder, uidValidity, account: settings.address }
    let uids: readonly number[] | undefined
    for (const search of searches(query, box)) {
      const found = await client.search(search, { uid: true })
      const set = new Set(found || [])
      uids = uids === undefined ? [...set] : uids.filter((uid) => set.has(uid))
      if (uids.length === 0) break
    }
    const newest = [...(uids ?? [])].sort((a, b) => b - a)
    // The text was searched by the server; what is judged here is who and when.
    const { about: _, ...rest } = query
    if (newest.length > 0) {
      const loaded = await loadHeaders(client, newest.slice(0, MOST_SHOWN), box, at, records)
      const mails = loaded.filter((m) => fits(m, rest))
      return { mails, total: newest.length > MOST_SHOWN ? newest.length : mails.length }
    }
    if (query.from === undefined && query.about === undefined) return { mails: [], total: 0 }
    const some = await client.search(
      searches({ ...query, from: undefined, about: undefined }, box)[0] as SearchObject,
      {
        uid: true,
      },
    )
    const last = [...(some || [])].sort((a, b) => b - a).slice(0, LOOKED_THROUGH)
    const mails = (await loadHeaders(client, last, box, at, records)).filter((m) => fits(m, query))
    return { mails, total: mails.length }
  })
}

/** Searches the server. Newest first. */
export async function searchServer(
  session: ImapSession,
  query: MailQuery,
  records: Records,
): Promise<{ readonly mails: readonly Mail[]; readonly total: number }> {
  const mails: Mail[] = []
  let total = 0
  for (const box of query.boxes) {
    const found = await searchBox(session, box, query, records)
    mails.push(...found.mails)
    total += found.total
  }
  return { mails: mails.sort((a, b) => b.date.getTime() - a.date.getTime()), total }
}

const gone = (): StoreError =>
  new StoreError(
    'missing',
    'the mailbox',
    'That email is not where it was on the server any more; search for it again.',
  )

/**
 * Loads the text of a message, of a large one nothing but its text.
 * @throws StoreError `missing` when it was moved or removed
 */
export async function loadWhole({ client }: ImapSession, mail: Mail): Promise<{ mail: Mail; notice?: string }> {
  const place = readPlace(mail.path)
  if (place === undefined) throw gone()
  return inFolder(client, place.folder, true, async (uidValidity) => {
    if (uidValidity !== place.uidValidity) throw gone()
    const found = await client.fetchOne(
      String(place.uid),
      { uid: true, size: true, bodyStructure: true },
      { uid: true },
    )
    if (found === false) throw gone()
    const shape = shapeOf(found.bodyStructure)
    if ((found.size ?? Number.POSITIVE_INFINITY) <= WHOLE_BYTES) {
      const whole = await client.fetchOne(String(place.uid), { uid: true, source: true }, { uid: true })
      if (whole === false || whole.source === undefined) throw gone()
      const parsed = await parseMail(whole.source)
      if (parsed !== undefined)
        return {
          mail: {
            ...mail,
            text: parsed.text,
            attachments: parsed.attachments,
            references: parsed.references || mail.references,
            // A server that cannot read a broken header leaves it out; the parser may do better.
            subject: mail.subject || parsed.subject,
            from: mail.from.address === '' ? parsed.from : mail.from,
            replyTo: mail.replyTo || parsed.replyTo,
          },
        }
    }
    const attachments = shape.attachments
    if (shape.text === undefined) return { mail: { ...mail, text: '', attachments } }
    const part = await client.download(String(place.uid), shape.text, { uid: true, maxBytes: TEXT_BYTES })
    if (part.content === undefined) throw gone()
    const chunks: Buffer[] = []
    for await (const chunk of part.content) chunks.push(Buffer.from(chunk as Uint8Array))
    const bytes = Buffer.concat(chunks)
    const text = new TextDecoder().decode(bytes)
    return {
      mail: { ...mail, text: shape.html ? htmlToText(text) : text, attachments },
      ...(bytes.length >= TEXT_BYTES ? { notice: 'The email is very long; this is its beginning.' } : {}),
    }
  })
}
