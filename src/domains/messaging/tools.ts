import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Mail, contacts and social networks. */
export const messagingContracts: readonly ToolContract[] = [
  {
    name: 'email_send',
    field: 'messaging',
    description: 'Write and send an email.',
    parameters: z.object({ to: text, subject: text, text: text }),
    asks: { to: 'Who should get the email?', text: 'What should the email say?' },
    effect: () => 'irreversible',
    egress: (args) => ({ to: [String(args.to ?? 'the recipient')], what: 'the text of the email' }),
  },
  {
    name: 'email_draft',
    field: 'messaging',
    description: 'Write an email draft without sending it.',
    parameters: z.object({ to: text, subject: text, text: text }),
    asks: { text: 'What should the draft say?' },
    effect: () => 'write',
  },
  {
    name: 'email_search',
    field: 'messaging',
    description: 'Check or search the mailbox for emails.',
    parameters: z.object({ from: text, about: text, when: text, folder: text }),
    effect: () => 'read',
    untrusted: true,
  },
  {
    name: 'email_read',
    field: 'messaging',
    description: 'Read one email aloud by its id.',
    parameters: z.object({ id: text }),
    asks: { id: 'Which email should I read?' },
    effect: () => 'read',
    untrusted: true,
  },
  {
    name: 'email_reply',
    field: 'messaging',
    description: 'Reply to an email.',
    parameters: z.object({ to: text, text: text, id: text }),
    asks: { text: 'What should the reply say?' },
    effect: () => 'irreversible',
    egress: (args) => ({ to: [String(args.to ?? 'the recipient')], what: 'the text of the email' }),
  },
  {
    name: 'contact_find',
    field: 'messaging',
    description: 'Look up a contact: address, phone, birthday.',
    parameters: z.object({ name: text, detail: text }),
    effect: () => 'read',
  },
  {
    name: 'contact_add',
    field: 'messaging',
    description: 'Save a new contact or address.',
    parameters: z.object({ name: text, email: text, phone: text, detail: text }),
    asks: { name: 'What is the name of the contact?' },
    effect: () => 'write',
  },
  {
    name: 'social_read',
    field: 'messaging',
    description: 'Read posts and notifications on social networks.',
    parameters: z.object({ site: text, from: text, about: text, when: text }),
    effect: () => 'read',
    untrusted: true,
  },
  {
    name: 'social_post',
    field: 'messaging',
    description: 'Post or tweet on a social network.',
    parameters: z.object({ site: text, to: text, text: text }),
    asks: { text: 'What should the post say?' },
    effect: () => 'irreversible',
    egress: (args) => ({ to: [String(args.site ?? 'the social network')], what: 'the text of the post' }),
  },
]
