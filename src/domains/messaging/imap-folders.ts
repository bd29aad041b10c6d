import type { ImapFlow } from 'imapflow'
import type { Box } from './maildir.js'

const SPECIAL: { readonly [box in Box]: string } = {
  inbox: '\\Inbox',
  sent: '\\Sent',
  drafts: '\\Drafts',
  // What waits to be sent never lies on a server.
  outbox: '\\Outbox',
}

/** Names of servers that mark no folders (RFC 6154), in their usual spellings. */
const NAMES: { readonly [box in Box]: RegExp } = {
  inbox: /^inbox$/i,
  sent: /^(?:inbox[./])?(?:sent(?:[ -](?:mail|items|messages))?|gesendet|elküldött)$/i,
  drafts: /^(?:inbox[./])?(?:drafts?|entwürfe|piszkozatok)$/i,
  outbox: /^$/,
}

/** The folder of a box on the server, by its special use or else by its name; undefined when there is none. */
export async function folderOf(client: ImapFlow, box: Box): Promise<string | undefined> {
  if (box === 'inbox') return 'INBOX'
  if (box === 'outbox') return undefined
  const all = await client.list()
  return (all.find((f) => f.specialUse === SPECIAL[box]) ?? all.find((f) => NAMES[box].test(f.path)))?.path
}

/** The same, made when it is missing. */
export async function folderFor(client: ImapFlow, box: 'sent' | 'drafts'): Promise<string> {
  const found = await folderOf(client, box)
  if (found !== undefined) return found
  return (await client.mailboxCreate(box === 'sent' ? 'Sent' : 'Drafts')).path
}

/** Runs work with a folder opened. */
export async function inFolder<T>(
  client: ImapFlow,
  folder: string,
  readOnly: boolean,
  work: (uidValidity: string, exists: number) => Promise<T>,
): Promise<T> {
  const lock = await client.getMailboxLock(folder, { readOnly })
  try {
    const opened = client.mailbox
    return await work(opened === false ? '' : String(opened.uidValidity), opened === false ? 0 : opened.exists)
  } finally {
    lock.release()
  }
}

/** UIDs of the messages of the opened folder with a Message-ID (without angle brackets). */
export async function withMessageId(client: ImapFlow, messageId: string): Promise<readonly number[]> {
  const found = await client.search({ header: { 'Message-ID': messageId } }, { uid: true })
  return found || []
}
