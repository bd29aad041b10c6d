import type { Tool } from '../../tools/contract.js'
import { implement } from '../implement.js'
import type { Folder, Records } from '../store/index.js'
import { contactTools } from './contact-tools.js'
import { Contacts } from './contacts.js'
import { LocalMailbox } from './local-mailbox.js'
import { mailTools } from './mail-tools.js'
import { Maildir } from './maildir.js'
import { socialTools } from './social-tools.js'
import { messagingContracts } from './tools.js'

/** Mail in Maildir folders, contacts as vCards, posts in a local outbox. */
export function messagingTools(mail: Folder, contactsFolder: Folder, records: Records): readonly Tool[] {
  const contacts = new Contacts(contactsFolder)
  return implement(messagingContracts, {
    ...mailTools(new LocalMailbox(new Maildir(mail, records)), contacts),
    ...contactTools(contacts),
    ...socialTools(records),
  })
}
