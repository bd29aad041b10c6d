import type { Tool } from '../../tools/contract.js'
import { type Connections, NO_CONNECTIONS } from '../connections/contract.js'
import { implement } from '../implement.js'
import type { Folder, Records } from '../store/index.js'
import { contactTools } from './contact-tools.js'
import { Contacts } from './contacts.js'
import { ServerMailbox } from './imap-mailbox.js'
import { pastByLedger } from './imap-outgoing.js'
import { LocalMailbox } from './local-mailbox.js'
import { mailTools } from './mail-tools.js'
import { Maildir } from './maildir.js'
import { socialTools } from './social-tools.js'
import { messagingContracts } from './tools.js'

/**
 * Mail on the connected server, or in Maildir folders while none is connected; contacts as vCards; posts in a local
 * outbox.
 */
export function messagingTools(
  mail: Folder,
  contactsFolder: Folder,
  records: Records,
  connections: Connections = NO_CONNECTIONS,
): readonly Tool[] {
  const contacts = new Contacts(contactsFolder)
  return implement(messagingContracts, {
    ...mailTools(new LocalMailbox(new Maildir(mail, records)), contacts, {
      now: () => {
        const connection = connections.find('imap')
        return connection && new ServerMailbox(connection, records)
      },
      past: (key) => pastByLedger(records, key),
    }),
    ...contactTools(contacts),
    ...socialTools(records),
  })
}

export { type NewMail, type WatchOptions, type WatchState, watchMail, watchStateSchema } from './mail-watch.js'
export { type MaildirState, maildirStateSchema, watchMaildir } from './maildir-watch.js'
