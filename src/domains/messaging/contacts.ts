import { createHash } from 'node:crypto'
import ICAL from 'ical.js'
import { type Folder, readText } from '../store/index.js'
import { findNamed, keyWords } from '../words/match.js'

/** One contact as it is shown. */
export interface Contact {
  readonly uid: string
  /** File in the contacts folder. */
  readonly path: string
  readonly name: string
  readonly nicknames: readonly string[]
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  readonly birthday: string
  readonly address: string
  readonly note: string
}

/** Details that can be kept. */
export interface Details {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly birthday?: string | undefined
  readonly note?: string | undefined
}

const KEY = 'x-botpsy-key'

/** Text that a vCard can carry on one logical line. */
const clean = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .trim()

const flat = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .flat()
        .filter((v) => v !== '')
        .join(', ')
    : value === null || value === undefined
      ? ''
      : String(value)

const all = (card: ICAL.Component, name: string): readonly string[] =>
  card
    .getAllProperties(name)
    .map((p) => flat(p.getFirstValue()))
    .filter((v) => v !== '')

const setText = (card: ICAL.Component, name: string, value: string): void => {
  const property = new ICAL.Property(name, card)
  property.resetType('text')
  property.setValue(clean(value))
  card.addProperty(property)
}

/** Parses every vCard of a text; a damaged text gives none. */
export function parseCards(text: string): readonly ICAL.Component[] {
  try {
    const parsed: unknown = ICAL.parse(text)
    const list = (Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed : [parsed]) as unknown[][]
    return list.map((jcard) => new ICAL.Component(jcard)).filter((c) => c.name === 'vcard')
  } catch {
    return []
  }
}

/** Makes or extends a card; other programs' properties stay. */
export function extendCard(
  card: ICAL.Component | undefined,
  name: string,
  details: Details,
  key: string,
): ICAL.Component {
  const target = card ?? new ICAL.Component('vcard')
  if (card === undefined) {
    setText(target, 'version', '4.0')
    setText(target, 'uid', `botpsy-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`)
    setText(target, 'fn', name)
  }
  const known = (property: string, value: string) =>
    all(target, property).some((v) => v.toLowerCase() === clean(value).toLowerCase())
  if (details.email && !known('email', details.email)) setText(target, 'email', details.email)
  if (details.phone && !known('tel', details.phone)) setText(target, 'tel', details.phone)
  if (details.birthday) {
    target.removeAllProperties('bday')
    setText(target, 'bday', details.birthday)
  }
  if (details.note && !known('note', details.note)) setText(target, 'note', details.note)
  setText(target, KEY, key.replace(/\s/g, ' '))
  return target
}

/** The owner's contacts: vCard files in one folder. */
export class Contacts {
  constructor(readonly folder: Folder) {}

  private cards(): readonly { readonly path: string; readonly card: ICAL.Component }[] {
    return this.folder
      .list('')
      .filter((e) => e.kind === 'file' && /\.vcf$/i.test(e.path))
      .flatMap((e) => parseCards(readText(this.folder, e.path) ?? '').map((card) => ({ path: e.path, card })))
  }

  list(): readonly Contact[] {
    return this.cards().map(({ path, card }) => ({
      uid: all(card, 'uid')[0] ?? path,
      path,
      name: all(card, 'fn')[0] ?? all(card, 'n')[0] ?? all(card, 'org')[0] ?? '',
      nicknames: all(card, 'nickname'),
      emails: all(card, 'email'),
      phones: all(card, 'tel').map((t) => t.replace(/^tel:/i, '')),
      birthday: all(card, 'bday')[0] ?? '',
      address: all(card, 'adr')[0] ?? '',
      note: all(card, 'note').join('; '),
    }))
  }

  /** The contact that an effect with this key made or changed. */
  findKey(key: string): Contact | undefined {
    const wanted = clean(key.replace(/\s/g, ' '))
    const hit = this.cards().find(({ card }) => all(card, KEY).includes(wanted))
    return hit && this.list().find((c) => c.path === hit.path && c.uid === (all(hit.card, 'uid')[0] ?? hit.path))
  }

  /** Contacts that a name means: exact names first. "Ann" means Ann before it means Anna. */
  find(name: string): { readonly matches: readonly Contact[]; readonly near: readonly Contact[] } {
    const contacts = this.list()
    const direct = contacts.filter((c) => c.emails.some((e) => e.toLowerCase() === name.trim().toLowerCase()))
    if (direct.length > 0) return { matches: direct, near: [] }
    const wanted = keyWords(name)
    // Without prefix matching: a person must be called so, or be asked about.
    const whole = contacts.filter((c) =>
      [c.name, ...c.nicknames].some((n) => wanted.length > 0 && wanted.every((w) => keyWords(n).includes(w))),
    )
    if (whole.length > 0) {
      const exact = whole.filter((c) =>
        [c.name, ...c.nicknames].some((n) => keyWords(n).join(' ') === wanted.join(' ')),
      )
      return { matches: exact.length > 0 ? exact : whole, near: [] }
    }
    const found = findNamed(name, contacts, (c) => [c.name, ...c.nicknames])
    return { matches: [], near: [...found.matches, ...found.near].slice(0, 3) }
  }
}
