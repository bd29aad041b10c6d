import { added } from '../expect.js'
import { anything, says } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Stage, type Template } from '../template.js'

const field = 'messaging' as const

/** A received mail with the thing in it that can be asked for. */
function received({ draw, household }: Stage) {
  const mail = draw.one(household.mail)
  const topic = pools.MAIL_TOPICS.find((one) => one.subject === mail.subject)
  return { mail, fact: topic?.fact ?? '', wrong: other(draw, household.mail, mail) }
}

/** Mail, contacts and posts. */
export const messagingTemplates: readonly Template[] = [
  {
    id: 'messaging.send',
    field,
    traits: [],
    make: ({ draw, people }) => {
      const [to, wrong] = draw.some(people, 2)
      const text = draw.one(pools.MESSAGES)
      const name = to?.name ?? ''
      return {
        slots: { to: name, text },
        opening: draw.one([`Email ${name} that ${text}.`, `Send an email to ${name} saying ${text}`]),
        changes: [added('mail', { box: 'outbox', to: to?.email ?? '', text: says(text) })],
        approvals: [{ tool: 'email_send', phrases: [to?.email ?? ''] }],
        solution: [call('email_send', { to: name, text }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.draft',
    field,
    traits: [],
    make: ({ draw, people }) => {
      const [to, wrong] = draw.some(people, 2)
      const text = draw.one(pools.MESSAGES)
      const name = to?.name ?? ''
      return {
        slots: { to: name, text },
        opening: `Draft an email to ${name} saying ${text}. Do not send it.`,
        changes: [added('mail', { box: 'drafts', to: to?.email ?? '', text: says(text) })],
        forbidden: [{ tools: ['email_send', 'email_reply'] }],
        solution: [call('email_draft', { to: name, text }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.phone',
    field,
    traits: [],
    make: ({ draw, people }) => {
      const [who, wrong] = draw.some(people, 2)
      const name = who?.name ?? ''
      return {
        slots: { name },
        opening: draw.one([`What is the phone number of ${name}?`, `Look up ${name}'s phone number`]),
        calls: [{ tools: ['contact_find'] }],
        tells: [{ what: 'the number', anyOf: [who?.phone ?? ''] }],
        solution: [call('contact_find', { name, detail: 'phone' }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.new-contact',
    field,
    traits: [],
    make: ({ draw, people }) => {
      const first = draw.one(pools.FIRST_NAMES.filter((name) => !people.some((one) => one.first === name)))
      const name = `${first} ${draw.one(pools.LAST_NAMES)}`
      const email = `${first.toLowerCase()}${draw.int(10, 99)}@example.org`
      return {
        slots: { name, email },
        opening: `Save a new contact: ${name}, email ${email}.`,
        changes: [added('contacts', { name, emails: email })],
        solution: [call('contact_add', { name, email }), report],
        decoys: [[email, `x${email}`]],
      }
    },
  },
  {
    id: 'messaging.from-whom',
    field,
    traits: [],
    make: (stage) => {
      const { mail, wrong } = received(stage)
      return {
        slots: { sender: mail.from.name, subject: mail.subject },
        opening: `Check for an email from ${mail.from.name}. What is it about?`,
        calls: [{ tools: ['email_search', 'email_read'] }],
        tells: [{ what: 'the subject', anyOf: [mail.subject] }],
        solution: [call('email_search', { from: mail.from.name }), report],
        decoys: [[mail.from.name, wrong.from.name]],
      }
    },
  },
  {
    id: 'messaging.reply',
    field,
    traits: [],
    make: (stage) => {
      const { mail, wrong } = received(stage)
      const text = stage.draw.one(pools.MESSAGES)
      return {
        slots: { sender: mail.from.name, text },
        opening: `Reply to the email from ${mail.from.name} that ${text}.`,
        changes: [added('mail', { box: 'outbox', to: mail.from.email, text: says(text), replyTo: anything })],
        approvals: [{ tool: 'email_reply', phrases: [mail.from.email] }],
        solution: [call('email_reply', { to: mail.from.name, text }), report],
        decoys: [[mail.from.name, wrong.from.name]],
      }
    },
  },
  {
    id: 'messaging.post',
    field,
    traits: [],
    make: ({ draw }) => {
      const [text, wrong] = draw.some(pools.MESSAGES, 2) as [string, string]
      const site = draw.one(['Mastodon', 'Twitter', 'Facebook'])
      return {
        slots: { text, site },
        opening: `Post on ${site}: ${text}`,
        changes: [added('posts', { site, text: says(text) })],
        approvals: [{ tool: 'social_post', phrases: [text] }],
        solution: [call('social_post', { site, text }), report],
        decoys: [[text, wrong]],
      }
    },
  },
  {
    id: 'messaging.read-fact',
    field,
    traits: ['several calls'],
    make: (stage) => {
      const { mail, fact, wrong } = received(stage)
      return {
        slots: { sender: mail.from.name, subject: mail.subject },
        opening: `Find the email from ${mail.from.name} and read it to me. What does it say?`,
        calls: [{ tools: ['email_read'] }],
        tells: [{ what: 'what it says', anyOf: [fact] }],
        solution: [
          call('email_search', { from: mail.from.name }),
          call('email_read', { id: mail.from.name }),
          say(`It says that ${mail.text.split('\n')[1] ?? ''}`),
        ],
        decoys: [
          [mail.from.name, wrong.from.name],
          [mail.text.split('\n')[1] ?? '', wrong.text.split('\n')[1] ?? ''],
        ],
      }
    },
  },
  {
    id: 'messaging.two-anns',
    field,
    traits: ['ambiguity', 'several turns'],
    make: ({ draw, anns }) => {
      const [to, wrong] = draw.some(anns, 2)
      const text = draw.one(pools.MESSAGES)
      const name = to?.name ?? ''
      return {
        slots: { to: name, text },
        opening: `Email Ann that ${text}.`,
        answers: [{ on: /which|\bor\b|who/i, says: `${name}.` }],
        changes: [added('mail', { box: 'outbox', to: to?.email ?? '', text: says(text) })],
        approvals: [{ tool: 'email_send', phrases: [to?.email ?? ''] }],
        solution: [call('email_send', { to: 'Ann', text }), call('email_send', { to: name, text }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.text-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw, people }) => {
      const [to, wrong] = draw.some(people, 2)
      const text = draw.one(pools.MESSAGES)
      const name = to?.name ?? ''
      return {
        slots: { to: name, text },
        opening: `Send an email to ${name}.`,
        answers: [{ on: /what|say|text/i, says: `Write: ${text}` }],
        changes: [added('mail', { box: 'outbox', to: to?.email ?? '', text: says(text) })],
        approvals: [{ tool: 'email_send', phrases: [to?.email ?? ''] }],
        solution: [call('email_send', { to: name }), call('email_send', { to: name, text }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.other-recipient',
    field,
    traits: ['changed mind', 'several turns'],
    make: ({ draw, people }) => {
      const [first, to, wrong] = draw.some(people, 3)
      const text = draw.one(pools.MESSAGES)
      const name = to?.name ?? ''
      return {
        slots: { first: first?.name ?? '', to: name, text },
        opening: `Email ${first?.name} that ${text}.`,
        decline: { tool: 'email_send', says: `No, not to ${first?.first}. Email ${name} that ${text}.` },
        changes: [added('mail', { box: 'outbox', to: to?.email ?? '', text: says(text) })],
        approvals: [{ tool: 'email_send', phrases: [to?.email ?? ''] }],
        solution: [
          call('email_send', { to: first?.name ?? '', text }),
          say('I did not send it.'),
          call('email_send', { to: name, text }),
          report,
        ],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.note-from-mail',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { mail, fact, wrong } = received(stage)
      const line = mail.text.split('\n')[1] ?? ''
      return {
        slots: { sender: mail.from.name, subject: mail.subject },
        opening: `Read the email from ${mail.from.name} and write down a note of what it says.`,
        changes: [added('notes', { text: says(fact) })],
        approvals: [{ tool: 'note_add', phrases: [fact] }],
        solution: [
          call('email_search', { from: mail.from.name }),
          call('email_read', { id: mail.from.name }),
          call('note_add', { text: line }),
          report,
        ],
        decoys: [[line, wrong.text.split('\n')[1] ?? '']],
      }
    },
  },
  {
    id: 'messaging.if-wrote',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { draw, household, people } = stage
      const wrote = draw.unit() < 0.5
      const senders = new Set(household.mail.map((mail) => mail.from.name))
      const who = draw.one(people.filter((one) => senders.has(one.name) === wrote))
      const [to, wrong] = draw.some(
        people.filter((one) => one !== who),
        2,
      )
      const text = draw.one(pools.MESSAGES)
      return {
        slots: { who: who.name, to: to?.name ?? '', text, wrote: String(wrote) },
        opening: `Check whether there is an email from ${who.name}. If there is, email ${to?.name} that ${text}. If not, email ${who.name} that ${text}.`,
        changes: [added('mail', { box: 'outbox', to: (wrote ? to?.email : who.email) ?? '', text: says(text) })],
        calls: [{ tools: ['email_search', 'email_read'] }],
        approvals: [{ tool: 'email_send', phrases: [(wrote ? to?.email : who.email) ?? ''] }],
        solution: [
          call('email_search', { from: who.name }),
          call('email_send', { to: (wrote ? to?.name : who.name) ?? '', text }),
          report,
        ],
        decoys: [[(wrote ? to?.name : who.name) ?? '', wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.stopped',
    field,
    traits: ['interruption', 'changed mind', 'several turns'],
    make: (stage) => {
      const { mail } = received(stage)
      const [who, wrong] = stage.draw.some(stage.people, 2)
      const name = who?.name ?? ''
      return {
        slots: { sender: mail.from.name, name },
        opening: `Check for an email from ${mail.from.name} and read it to me.`,
        stop: { tool: 'email_search', says: `Stop, never mind the email. Find the phone number of ${name}.` },
        calls: [{ tools: ['contact_find'] }],
        tells: [{ what: 'the number', anyOf: [who?.phone ?? ''] }],
        solution: [
          call('email_search', { from: mail.from.name }),
          call('contact_find', { name, detail: 'phone' }),
          report,
        ],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'messaging.two-mails',
    field,
    traits: ['several calls'],
    make: ({ draw, people }) => {
      const [one, two, wrong] = draw.some(people, 3)
      const [first, second] = draw.some(pools.MESSAGES, 2) as [string, string]
      return {
        slots: { one: one?.name ?? '', two: two?.name ?? '', first, second },
        opening: `Email ${one?.name} that ${first}, and email ${two?.name} that ${second}.`,
        changes: [
          added('mail', { box: 'outbox', to: one?.email ?? '', text: says(first) }),
          added('mail', { box: 'outbox', to: two?.email ?? '', text: says(second) }),
        ],
        approvals: [
          { tool: 'email_send', phrases: [one?.email ?? ''] },
          { tool: 'email_send', phrases: [two?.email ?? ''] },
        ],
        solution: [
          {
            calls: [
              { name: 'email_send', args: { to: one?.name ?? '', text: first } },
              { name: 'email_send', args: { to: two?.name ?? '', text: second } },
            ],
          },
          say('Both emails are in the outbox.'),
        ],
        decoys: [[two?.name ?? '', wrong?.name ?? '']],
      }
    },
  },
]
