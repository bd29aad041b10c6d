import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, beginning, done, failed } from '../result.js'
import { resolveWhen, sayClock, sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, didYouMean, findNamed, listWords } from '../words/match.js'
import type { Contacts } from './contacts.js'
import type { LocalMailbox } from './local-mailbox.js'
import { fromFits, type Letter, type Mailbox, nameEach, type Recipient } from './mailbox.js'
import { BOXES, type Box, type Mail } from './maildir.js'

export { OWNER_ADDRESS } from './local-mailbox.js'

const ADDRESS = /[^\s<>(),;:"]+@[^\s<>(),;:"]+\.[^\s<>(),;:"]+/

/** Recipients that a phrase names, or the question that is left. */
export function recipients(contacts: Contacts, phrase: string): readonly Recipient[] | ToolResult {
  const out: Recipient[] = []
  const spoken = phrase.replace(/(\S+) at (\S+) dot (com|org|net|edu|hu|de|uk|io)\b/gi, '$1@$2.$3')
  const whole = contacts.find(spoken)
  const parts = whole.matches.length > 0 ? [spoken] : spoken.split(/\s*(?:,|;|\band\b|&)\s*/i).filter((p) => p !== '')
  for (const part of parts) {
    const address = ADDRESS.exec(part)?.[0]
    if (address !== undefined) {
      out.push({ name: part.replace(address, '').replace(/[<>"]/g, '').trim(), address })
      continue
    }
    const { matches, near } = contacts.find(part)
    if (matches.length > 1)
      return asked(
        `Which ${part}: ${listWords(
          matches.slice(0, 6).map((c) => `${c.name}${c.emails[0] ? `, ${c.emails[0]}` : ''}`),
          'or',
        )}?`,
      )
    const contact = matches[0]
    if (contact === undefined)
      return {
        ...failed(
          `No contact named ${part}${didYouMean(
            near.map((c) => c.name),
            ', and no address was given.',
          )}`,
        ),
        question:
          near.length > 0
            ? `Did you mean ${listWords(
                near.map((c) => c.name),
                'or',
              )}?`
            : `What is the email address of ${part}?`,
      }
    if (contact.emails.length === 0) return asked(`What is the email address of ${contact.name}?`)
    if (contact.emails.length > 1) return asked(`Which address of ${contact.name}: ${listWords(contact.emails, 'or')}?`)
    out.push({ name: contact.name, address: contact.emails[0] as string })
  }
  return out.length > 0 ? out : asked('Who should get the email?')
}

const nameAll = (to: readonly Recipient[]): string => listWords(nameEach(to))

const isResult = (x: readonly Recipient[] | ToolResult): x is ToolResult => 'ok' in x

const boxOf = (phrase: string | undefined): readonly Box[] => {
  if (phrase === undefined) return ['inbox']
  const s = phrase.toLowerCase()
  return BOXES.filter((b) => s.includes(b.replace(/s$/, ''))).length > 0
    ? BOXES.filter((b) => s.includes(b.replace(/s$/, '')))
    : /\ball\b|every/.test(s)
      ? BOXES
      : ['inbox']
}

const who = (m: Mail): string =>
  m.box === 'inbox' ? m.from.name || m.from.address || 'an unknown sender' : m.to || 'nobody yet'
const lineOf = (m: Mail, context: ToolContext): string =>
  `- ${m.id}: ${m.box === 'inbox' ? 'from' : 'to'} ${who(m)}, "${m.subject || 'no subject'}", ${sayDay(m.date, context.timeZone, context.now())} at ${sayClock(m.date, context.timeZone)}${m.unread ? ', unread' : ''}`

const UNREAD = /\b(?:new|unread|latest|recent)\b/i
const ANY = /^(?:(?:my|the|any|all|new|unread|latest|recent|last|email|mail|message)s?\s*)+$/i

const MAIL_ID = /^m\d+$/i

/** Senders whose words a result carries. */
const senders = (mails: readonly Mail[]): string => {
  const all = [...new Set(mails.map((m) => m.from.address || 'an unknown sender'))]
  return `mail from ${listWords(all.length > 4 ? [...all.slice(0, 3), `${all.length - 3} others`] : all)}`
}

/** A size as people say it. */
const sayBytes = (bytes: number): string =>
  bytes === 0
    ? 'size unknown'
    : bytes < 1024
      ? `${bytes} bytes`
      : bytes < 1024 * 1024
        ? `${Math.round(bytes / 1024)} kB`
        : `${(bytes / 1024 / 1024).toFixed(1)} MB`

const oneLine = (name: string): string => name.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 200)

/** The mail server as the tools reach it. */
export interface MailServerAccess {
  /** The mailbox of the server that is connected at this moment. */
  now(): Mailbox | undefined
  /** What is known here of a sending that a server was given, also when it is not connected any more. */
  past(key: string): ToolResult | undefined | 'unknown'
}

const NO_SERVER: MailServerAccess = { now: () => undefined, past: () => undefined }

/**
 * email_send, email_draft, email_search, email_read and email_reply: on the mail server while one is connected, else on
 * the folders of this machine.
 */
export function mailTools(
  local: LocalMailbox,
  contacts: Contacts,
  server: MailServerAccess = NO_SERVER,
): { readonly [name: string]: Implementation } {
  const mail = (): Mailbox => server.now() ?? local

  const letter = (to: readonly Recipient[], args: JsonObject, reply?: Mail): Letter => {
    const body = text(args, 'text') ?? ''
    const subject = reply
      ? /^re:/i.test(reply.subject)
        ? reply.subject
        : `Re: ${reply.subject}`
      : (text(args, 'subject') ?? body.split(/\r?\n/)[0]?.slice(0, 60) ?? '')
    return { to, subject, text: body, ...(reply ? { reply } : {}) }
  }

  const outgoing = (
    box: 'drafts' | 'outbox',
    write: (args: JsonObject, context: ToolContext) => Promise<Letter | ToolResult>,
  ): Implementation => ({
    run: (args, context) => mail().put(box, context, () => write(args, context)),
    reconcile: async (key, _args, context) => {
      // What was begun on a server is told by it, even when it was connected or disconnected since.
      const connected = server.now()
      const past = connected ? await connected.past(box, key, context.signal) : server.past(key)
      return past ?? (await local.past(box, key))
    },
    ...(box === 'drafts'
      ? {
          revert: (undo: JsonObject, context: ToolContext) =>
            typeof undo.server === 'string'
              ? (server.now()?.revert(undo, context.signal) ??
                failed('That draft is on the mail server, which is not connected any more.'))
              : local.revert(undo),
        }
      : {}),
  })

  /** The message that "m3", "the last one" or "from Anna" means. */
  const which = async (
    phrase: string | undefined,
    from: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Mail | ToolResult> => {
    const id = phrase?.replace(/\s/g, '')
    if (id !== undefined && MAIL_ID.test(id)) {
      const byId = await mail().byId(id, signal)
      return byId ?? failed(`There is no email with the id ${id}; search for it first.`)
    }
    const inbox = async (whose: string | undefined): Promise<readonly Mail[]> =>
      (await mail().search({ boxes: ['inbox'], from: whose }, signal)).mails
    const position = /\b(first|second|third|last|latest|newest|recent|new|it|that|this)\b/i
      .exec(phrase ?? '')?.[1]
      ?.toLowerCase()
    if (phrase !== undefined && position === undefined && from === undefined) {
      const sent = await inbox(phrase.replace(/\b(?:the|one|email|mail|message|from|of)\b/gi, ' '))
      if (sent[0] !== undefined) return sent[0]
    }
    const list = await inbox(from)
    if (list.length === 0)
      return failed(
        from === undefined || (await inbox(undefined)).length === 0
          ? 'There are no emails in the inbox.'
          : `There is no email from ${from}.`,
      )
    if (phrase !== undefined && position === undefined) {
      const sender = phrase.replace(/\b(?:the|one|email|mail|message|from|of)\b/gi, ' ')
      const sent = from === undefined ? [] : list.filter((m) => fromFits(m, sender))
      const named = sent.length > 0 ? sent : findNamed(phrase, list, (m) => [m.subject]).matches
      return named[0] ?? failed(`There is no email that "${phrase}" means; search for it first.`)
    }
    if (position === 'second' || position === 'third')
      return list[position === 'second' ? 1 : 2] ?? failed('There are not that many emails.')
    return list[0] as Mail
  }

  return {
    email_send: {
      preview: (args) => {
        const to = recipients(contacts, text(args, 'to') ?? '')
        return isResult(to) ? to : `Email to ${nameAll(to)}: ${text(args, 'text') ?? ''}`
      },
      recipients: (args) => {
        const to = recipients(contacts, text(args, 'to') ?? '')
        return isResult(to) ? undefined : to.map(({ address }) => address)
      },
      ...outgoing('outbox', async (args) => {
        const phrase = text(args, 'to')
        if (phrase === undefined) return asked('Who should get the email?')
        if (text(args, 'text') === undefined) return asked('What should the email say?')
        const to = recipients(contacts, phrase)
        return isResult(to) ? to : letter(to, args)
      }),
    },

    email_draft: outgoing('drafts', async (args) => {
      if (text(args, 'text') === undefined) return asked('What should the draft say?')
      const phrase = text(args, 'to')
      const to = phrase === undefined ? [] : recipients(contacts, phrase)
      // A draft may wait for its address.
      if (isResult(to)) return to.question?.startsWith('Which') ? to : letter([], args)
      return letter(to, args)
    }),

    email_search: reads(async (args, context) => {
      const now = context.now()
      const from = text(args, 'from')
      const about = text(args, 'about')
      const phrase = text(args, 'when')
      const when =
        phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: context.timeZone, prefer: 'past' })
      if (when?.kind === 'unknown')
        return asked(`I did not understand the time "${phrase}". From when should the emails be?`)
      if (when?.kind === 'ambiguous') return asked(when.question)
      const unread =
        UNREAD.test(
          `${text(args, 'folder') ?? ''} ${about !== undefined && ANY.test(about) ? about : ''} ${/\b(?:new|unread)\b/i.test(context.request) ? 'new' : ''}`,
        ) && /\b(?:new|unread)\b/i.test(`${text(args, 'folder') ?? ''} ${about ?? ''} ${context.request}`)
      const topic = about === undefined || ANY.test(about) ? undefined : about
      const {
        mails: list,
        total,
        notice,
      } = await mail().search(
        {
          boxes: boxOf(text(args, 'folder')),
          from,
          about: topic,
          unread,
          ...(when?.kind === 'resolved'
            ? { ...(when.bound === 'before' ? {} : { since: when.start }), before: when.end }
            : {}),
        },
        context.signal,
      )
      const bits = `${from === undefined ? '' : ` from ${from}`}${topic === undefined ? '' : ` about ${topic}`}`
      const told = notice === undefined ? [] : [notice]
      const first = list[0]
      if (first === undefined)
        return done(`There are no ${unread ? 'new ' : ''}emails${bits}.`, { lines: told, data: [] })
      const shown = list.slice(0, 20)
      const head =
        total === 1
          ? `There is one ${unread ? 'new ' : ''}email${bits}: ${first.id}, ${first.box === 'inbox' ? 'from' : 'to'} ${who(first)}, "${first.subject || 'no subject'}".`
          : `There are ${countWords(total, `${unread ? 'new ' : ''}email`)}${bits}; the latest is ${first.id}, ${first.box === 'inbox' ? 'from' : 'to'} ${who(first)}, "${first.subject || 'no subject'}".`
      return {
        ...done(head, {
          lines: [...told, ...(total > 1 ? shown.map((m) => lineOf(m, context)) : [])],
          data: shown.map((m) => ({
            id: m.id,
            from: m.from.address,
            subject: m.subject,
            date: m.date.toISOString(),
            unread: m.unread,
          })),
        }),
        untrusted: senders(shown),
      }
    }),

    email_read: reads(async (args, context) => {
      const named = await which(text(args, 'id') ?? 'latest', undefined, context.signal)
      if ('ok' in named) return named
      const { mail: found, notice } = await mail().whole(named, context.signal)
      const body = found.text.trim().slice(0, 200_000)
      const { attachments } = found
      const told = beginning(body)
      return {
        ...done(
          `${found.id} is ${found.box === 'inbox' ? 'from' : 'to'} ${who(found)}, of ${sayDay(found.date, context.timeZone, context.now())} at ${sayClock(found.date, context.timeZone)}, "${found.subject || 'no subject'}"${told === '' ? '.' : `: ${told}`}`,
          {
            lines: [
              ...(notice === undefined ? [] : [notice]),
              body === '' ? 'It has no text.' : body,
              ...(attachments.length === 0
                ? []
                : ['Attached:', ...attachments.slice(0, 50).map((a) => `- ${oneLine(a.name)}, ${sayBytes(a.size)}`)]),
            ],
            data: {
              id: found.id,
              from: found.from.address,
              subject: found.subject,
              attachments: attachments.map((a) => ({ name: a.name, size: a.size })),
            },
          },
        ),
        untrusted: senders([found]),
      }
    }),

    email_reply: {
      preview: async (args, context) => {
        const found = await which(text(args, 'id'), text(args, 'to'), context.signal)
        return 'ok' in found ? found : `Reply to ${found.replyTo}, "${found.subject}": ${text(args, 'text') ?? ''}`
      },
      recipients: async (args, context) => {
        const found = await which(text(args, 'id'), text(args, 'to'), context.signal)
        return 'ok' in found || found.replyTo === '' ? undefined : [found.replyTo]
      },
      ...outgoing('outbox', async (args, context) => {
        if (text(args, 'text') === undefined) return asked('What should the reply say?')
        const found = await which(text(args, 'id'), text(args, 'to'), context.signal)
        if ('ok' in found) return found
        if (
          text(args, 'id') === undefined &&
          text(args, 'to') === undefined &&
          (await mail().search({ boxes: ['inbox'] }, context.signal)).total > 1 &&
          !/\b(?:last|latest|this|that|it)\b/i.test(context.request)
        )
          return asked(`Which email should I reply to; the latest, ${found.id}, from ${who(found)}?`)
        if (found.replyTo === '') return failed(`${found.id} has no address to reply to.`)
        return letter(
          [{ name: found.replyTo === found.from.address ? found.from.name : '', address: found.replyTo }],
          args,
          found,
        )
      }),
    },
  }
}
