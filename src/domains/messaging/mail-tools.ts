import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { resolveWhen, sayClock, sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, findNamed, keyWords, listWords } from '../words/match.js'
import { composeMessage } from './compose.js'
import type { Contacts } from './contacts.js'
import { BOXES, type Box, type Mail, type Maildir } from './maildir.js'
import { revertText, textUndo } from './text-undo.js'

/** The owner's address until a mail server is connected; `.invalid` can never be delivered to (RFC 2606). */
export const OWNER_ADDRESS = 'owner@botpsy.invalid'

const ADDRESS = /[^\s<>(),;:"]+@[^\s<>(),;:"]+\.[^\s<>(),;:"]+/

type Recipient = { readonly name: string; readonly address: string }

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
          `No contact named ${part}${
            near.length > 0
              ? `; did you mean ${listWords(
                  near.map((c) => c.name),
                  'or',
                )}?`
              : ', and no address was given.'
          }`,
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

const nameAll = (to: readonly Recipient[]): string =>
  listWords(to.map((t) => (t.name === '' ? t.address : `${t.name} at ${t.address}`)))

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

const fromFits = (m: Mail, phrase: string): boolean => {
  const names = keyWords(`${m.box === 'inbox' ? `${m.from.name} ${m.from.address}` : m.to}`)
  return (
    m.from.address.toLowerCase() === phrase.trim().toLowerCase() ||
    keyWords(phrase).every((w) => names.some((n) => n === w || (w.length > 2 && n.startsWith(w))))
  )
}

const UNREAD = /\b(?:new|unread|latest|recent)\b/i
const ANY = /^(?:(?:my|the|any|all|new|unread|latest|recent|last|email|mail|message)s?\s*)+$/i

/** email_send, email_draft, email_search, email_read and email_reply over Maildir. */
export function mailTools(mail: Maildir, contacts: Contacts): { readonly [name: string]: Implementation } {
  const told = (m: Mail | undefined, box: Box): ToolResult =>
    done(
      box === 'drafts'
        ? `The draft is saved${m ? ` as ${m.id}` : ''}.`
        : `The email to ${m?.to || 'the recipient'} is in the outbox${m ? ` as ${m.id}` : ''}.`,
      m ? { data: { id: m.id, path: m.path } } : {},
    )

  const put = async (
    box: Box,
    to: readonly Recipient[],
    args: JsonObject,
    context: ToolContext,
    reply?: Mail,
  ): Promise<ToolResult> => {
    const body = text(args, 'text') ?? ''
    const now = context.now()
    const derived = body.split(/\r?\n/)[0]?.slice(0, 60) ?? ''
    const subject = reply
      ? /^re:/i.test(reply.subject)
        ? reply.subject
        : `Re: ${reply.subject}`
      : (text(args, 'subject') ?? derived)
    const message = composeMessage({
      from: OWNER_ADDRESS,
      to,
      subject,
      text: body,
      date: now,
      messageId: `${now.getTime()}.${Buffer.from(context.idempotencyKey).toString('hex').slice(0, 40)}@botpsy.invalid`,
      ...(reply?.messageId
        ? { inReplyTo: reply.messageId, references: `${reply.references} ${reply.messageId}`.trim() }
        : {}),
      key: context.idempotencyKey,
    })
    const path = mail.deliver(box, message, context.idempotencyKey, now)
    const saved = await mail.findKey(box, context.idempotencyKey)
    const names = nameAll(to)
    const id = saved ? ` as ${saved.id}` : ''
    if (box === 'drafts')
      return done(`The draft${names === '' ? '' : ` to ${names}`} is saved${id}.`, {
        data: { id: saved?.id ?? '', path },
        undo: textUndo(path, undefined, message),
      })
    return done(`The email to ${names} is in the outbox${id}; no mail server is connected, so it waits there.`, {
      data: { id: saved?.id ?? '', path, to: to.map((t) => t.address) },
    })
  }

  const outgoing = (
    box: Box,
    prepare: (args: JsonObject, context: ToolContext) => Promise<ToolResult>,
  ): Implementation => ({
    run: (args, context) =>
      mail.folder.locked(async () => {
        const before = await mail.findKey(box, context.idempotencyKey)
        return before ? told(before, box) : prepare(args, context)
      }),
    reconcile: async (key) => {
      const found = await mail.findKey(box, key)
      return found && told(found, box)
    },
    ...(box === 'drafts'
      ? { revert: (undo: JsonObject) => mail.folder.locked(() => revertText(mail.folder, undo)) }
      : {}),
  })

  /** The message that "m3", "the last one" or "from Anna" means. */
  const which = async (phrase: string | undefined, from: string | undefined): Promise<Mail | ToolResult> => {
    const everything = await mail.list(phrase !== undefined && /^m\d+$/i.test(phrase.trim()) ? BOXES : ['inbox'])
    if (everything.length === 0) return failed('There are no emails in the inbox.')
    const byId = everything.find((m) => m.id.toLowerCase() === phrase?.replace(/\s/g, '').toLowerCase())
    if (byId) return byId
    let list = from === undefined ? everything : everything.filter((m) => fromFits(m, from))
    if (from !== undefined && list.length === 0) return failed(`There is no email from ${from}.`)
    if (phrase !== undefined) {
      const position = /\b(first|second|third|last|latest|newest|recent|new|it|that|this)\b/i
        .exec(phrase)?.[1]
        ?.toLowerCase()
      if (position === undefined) {
        const sender = list.filter((m) =>
          fromFits(m, phrase.replace(/\b(?:the|one|email|mail|message|from|of)\b/gi, ' ')),
        )
        list = sender.length > 0 ? sender : findNamed(phrase, list, (m) => [m.subject]).matches
        if (list.length === 0)
          return failed(
            `There is no email ${/^m\d+$/i.test(phrase) ? `with the id ${phrase}` : `that "${phrase}" means`}; search for it first.`,
          )
      } else if (position === 'second' || position === 'third')
        return list[position === 'second' ? 1 : 2] ?? failed('There are not that many emails.')
    }
    return list[0] as Mail
  }

  return {
    email_send: {
      preview: (args) => {
        const to = recipients(contacts, text(args, 'to') ?? '')
        return isResult(to) ? to : `Email to ${nameAll(to)}: ${text(args, 'text') ?? ''}`
      },
      ...outgoing('outbox', async (args, context) => {
        const phrase = text(args, 'to')
        if (phrase === undefined) return asked('Who should get the email?')
        if (text(args, 'text') === undefined) return asked('What should the email say?')
        const to = recipients(contacts, phrase)
        return isResult(to) ? to : put('outbox', to, args, context)
      }),
    },

    email_draft: outgoing('drafts', async (args, context) => {
      if (text(args, 'text') === undefined) return asked('What should the draft say?')
      const phrase = text(args, 'to')
      const to = phrase === undefined ? [] : recipients(contacts, phrase)
      // A draft may wait for its address.
      if (isResult(to)) return to.question?.startsWith('Which') ? to : put('drafts', [], args, context)
      return put('drafts', to, args, context)
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
      let list = await mail.list(boxOf(text(args, 'folder')))
      if (from !== undefined) list = list.filter((m) => fromFits(m, from))
      if (about !== undefined && !ANY.test(about)) {
        const words = keyWords(about)
        list = list.filter((m) => {
          const held = new Set(keyWords(`${m.subject} ${m.text}`))
          return words.every((w) => held.has(w))
        })
      }
      if (when?.kind === 'resolved')
        list = list.filter(
          (m) => (when.bound === 'before' || m.date >= when.start) && (when.end === undefined || m.date < when.end),
        )
      if (unread) list = list.filter((m) => m.unread)
      const bits = `${from === undefined ? '' : ` from ${from}`}${about === undefined || ANY.test(about) ? '' : ` about ${about}`}`
      const first = list[0]
      if (first === undefined) return done(`There are no ${unread ? 'new ' : ''}emails${bits}.`, { data: [] })
      const shown = list.slice(0, 20)
      const head =
        list.length === 1
          ? `There is one ${unread ? 'new ' : ''}email${bits}: ${first.id}, ${first.box === 'inbox' ? 'from' : 'to'} ${who(first)}, "${first.subject || 'no subject'}".`
          : `There are ${countWords(list.length, `${unread ? 'new ' : ''}email`)}${bits}; the latest is ${first.id}, ${first.box === 'inbox' ? 'from' : 'to'} ${who(first)}, "${first.subject || 'no subject'}".`
      return done(head, {
        lines: list.length > 1 ? shown.map((m) => lineOf(m, context)) : [],
        data: shown.map((m) => ({
          id: m.id,
          from: m.from.address,
          subject: m.subject,
          date: m.date.toISOString(),
          unread: m.unread,
        })),
      })
    }),

    email_read: reads(async (args, context) => {
      const found = await which(text(args, 'id') ?? 'latest', undefined)
      if ('ok' in found) return found
      return done(
        `${found.id} is ${found.box === 'inbox' ? 'from' : 'to'} ${who(found)}, of ${sayDay(found.date, context.timeZone, context.now())} at ${sayClock(found.date, context.timeZone)}, "${found.subject || 'no subject'}".`,
        {
          lines: [found.text.trim().slice(0, 200_000)],
          data: { id: found.id, from: found.from.address, subject: found.subject },
        },
      )
    }),

    email_reply: {
      preview: async (args) => {
        const found = await which(text(args, 'id'), text(args, 'to'))
        return 'ok' in found ? found : `Reply to ${found.replyTo}, "${found.subject}": ${text(args, 'text') ?? ''}`
      },
      ...outgoing('outbox', async (args, context) => {
        if (text(args, 'text') === undefined) return asked('What should the reply say?')
        const found = await which(text(args, 'id'), text(args, 'to'))
        if ('ok' in found) return found
        if (
          text(args, 'id') === undefined &&
          text(args, 'to') === undefined &&
          (await mail.list(['inbox'])).length > 1 &&
          !/\b(?:last|latest|this|that|it)\b/i.test(context.request)
        )
          return asked(`Which email should I reply to; the latest, ${found.id}, from ${who(found)}?`)
        if (found.replyTo === '') return failed(`${found.id} has no address to reply to.`)
        return put(
          'outbox',
          [{ name: found.replyTo === found.from.address ? found.from.name : '', address: found.replyTo }],
          args,
          context,
          found,
        )
      }),
    },
  }
}
