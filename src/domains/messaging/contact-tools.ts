import type { ToolResult } from '../../tools/contract.js'
import { type Implementation, reads } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { readText, writeText } from '../store/index.js'
import { text } from '../words/args.js'
import { countWords, didYouMean, listWords } from '../words/match.js'
import { type Contact, type Contacts, type Details, extendCard, parseCards } from './contacts.js'
import { revertText, textUndo } from './text-undo.js'

const NOBODY = /^(?:(?:my|the|all|new|a)\s*)*(?:contacts?|people|everyone|everybody|phone ?book|address ?book)?$/i

const details = (c: Contact, wanted: string): string => {
  const bits: [RegExp, string, readonly string[]][] = [
    [/mail/i, 'email', c.emails],
    [/phone|number|mobile|cell|call|tel/i, 'phone number', c.phones],
    [/birth|born|age|old/i, 'birthday', c.birthday === '' ? [] : [c.birthday]],
    [/address|live|street|home|city/i, 'address', c.address === '' ? [] : [c.address]],
    [/note|else|info/i, 'note', c.note === '' ? [] : [c.note]],
  ]
  // "email address" is an email, not a street.
  const asked = bits.filter(
    ([pattern, name]) => pattern.test(wanted) && !(name === 'address' && /e-?mail/i.test(wanted)),
  )
  if (asked.length > 0)
    return listWords(
      asked.map(([, name, values]) => (values.length === 0 ? `no ${name}` : `the ${name} ${listWords(values)}`)),
    )
  const known = bits.filter(([, , values]) => values.length > 0)
  return known.length === 0
    ? 'no details'
    : listWords(known.map(([, name, values]) => `the ${name} ${listWords(values)}`))
}

const data = (c: Contact) => ({
  name: c.name,
  emails: [...c.emails],
  phones: [...c.phones],
  birthday: c.birthday,
  address: c.address,
  note: c.note,
})

/** contact_find and contact_add over vCard files. */
export function contactTools(contacts: Contacts): { readonly [name: string]: Implementation } {
  const told = (c: Contact): ToolResult => done(`${c.name} is saved.`, { data: data(c) })
  return {
    contact_find: reads((args) => {
      const name = text(args, 'name')
      const all = contacts.list()
      if (all.length === 0) return failed('There are no contacts yet.')
      if (name === undefined || NOBODY.test(name))
        return done(
          `There are ${countWords(all.length, 'contact')}: ${listWords(all.slice(0, 10).map((c) => c.name))}${all.length > 10 ? ' and more' : ''}.`,
          { lines: all.slice(0, 100).map((c) => `- ${c.name}: ${details(c, '')}`), data: all.slice(0, 100).map(data) },
        )
      const { matches, near } = contacts.find(name)
      const only = matches[0]
      if (matches.length > 1)
        return asked(
          `Which ${name}: ${listWords(
            matches.slice(0, 6).map((c) => c.name),
            'or',
          )}?`,
        )
      if (only === undefined) return failed(`No contact named ${name}${didYouMean(near.map((c) => c.name))}`)
      return done(`${only.name} has ${details(only, text(args, 'detail') ?? '')}.`, { data: data(only) })
    }),

    contact_add: {
      run: (args, context) =>
        contacts.folder.locked(() => {
          const before = contacts.findKey(context.idempotencyKey)
          if (before) return told(before)
          const said = text(args, 'name')
          const extra = text(args, 'detail')
          const email = text(args, 'email') ?? (extra?.includes('@') ? extra : undefined)
          const name = said ?? email?.split('@')[0]
          if (name === undefined || /^(?:(?:a|the|my|new)\s*)*(?:contact|person|email|address)?$/i.test(name))
            return asked('What is the name of the contact?')
          if (email !== undefined && !/^\S+@\S+$/.test(email.replace(/\s/g, '')))
            return asked(`"${email}" is not an email address. What is it?`)
          const phone =
            text(args, 'phone') ?? (extra !== undefined && /^\+?[\d\s()-]{5,}$/.test(extra) ? extra : undefined)
          const birthday =
            extra !== undefined && /birth/i.test(extra)
              ? extra.replace(/\bbirthday\b|\bis\b|\bon\b/gi, ' ').trim()
              : undefined
          const more: Details = {
            email: email?.replace(/\s/g, ''),
            phone,
            birthday,
            note:
              extra !== undefined && extra !== email && extra !== phone && birthday === undefined ? extra : undefined,
          }
          const same = contacts.list().filter((c) => c.name.toLowerCase() === name.toLowerCase())
          if (same.length > 1)
            return asked(
              `There are ${same.length} contacts called ${name}; which one: ${listWords(
                same.map((c) => c.emails[0] ?? c.phones[0] ?? c.path),
                'or',
              )}?`,
            )
          const old = same[0]
          const path =
            old?.path ??
            `${Buffer.from(context.idempotencyKey).toString('hex').slice(0, 40)}-${Math.floor(context.now().getTime() / 1000)}.vcf`
          const previous = readText(contacts.folder, path)
          const cards = previous === undefined ? [] : parseCards(previous)
          const card = old && cards.find((c) => String(c.getFirstPropertyValue('uid') ?? path) === old.uid)
          const changed = extendCard(card, name, more, context.idempotencyKey)
          const after = `${(card ? cards : [...cards, changed]).map((c) => c.toString()).join('\r\n')}\r\n`
          writeText(contacts.folder, path, after)
          const bits = [more.email, more.phone, more.birthday, more.note].filter((x) => x !== undefined && x !== '')
          return done(
            `${name} is ${old ? 'updated' : 'saved'}${bits.length > 0 ? ` with ${listWords(bits as string[])}` : ''}.`,
            { data: { name, path }, undo: textUndo(path, previous, after) },
          )
        }),
      revert: (undo) => contacts.folder.locked(() => revertText(contacts.folder, undo)),
      reconcile: (key) => {
        const found = contacts.findKey(key)
        return found && told(found)
      },
    },
  }
}
