import { CalendarStore } from '../domains/calendar/calendar-store.js'
import type { Domains } from '../domains/domains.js'
import { composeMessage, encodeHeader } from '../domains/messaging/compose.js'
import { Contacts, extendCard } from '../domains/messaging/contacts.js'
import { OWNER_ADDRESS } from '../domains/messaging/mail-tools.js'
import { writeText } from '../domains/store/index.js'
import type { Household, Person, PlannedMail } from './household.js'
import { instantAt } from './times.js'

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

function addPerson(contacts: Contacts, person: Person): void {
  const { email, phone, birthday } = person
  const card = extendCard(undefined, person.name, { email, phone, birthday }, `household ${person.email}`)
  writeText(contacts.folder, `${slug(person.name)}-${slug(person.email)}.vcf`, `${card.toString()}\r\n`)
}

/** First letters of ids that tools hand out, and the collections whose rows have such ids from the beginning. */
const NUMBERED = { n: 'notes', c: 'customers', i: 'stock' } as const

/** A received message as it would lie in the mailbox. */
export function receivedMail(mail: PlannedMail, now: Date): string {
  const date = new Date(now.getTime() - mail.minutesAgo * 60_000)
  const message = composeMessage({
    from: mail.from.email,
    to: [{ name: '', address: OWNER_ADDRESS }],
    subject: mail.subject,
    text: mail.text,
    date,
    messageId: `${mail.key}@household.invalid`,
    key: mail.key,
  })
  const name = encodeHeader(mail.from.name.replace(/["\\]/g, ''))
  return message.replace(
    /^From: .*$/m,
    `From: ${/^[\x20-\x7e]*$/.test(mail.from.name) ? `"${name}"` : name} <${mail.from.email}>`,
  )
}

/**
 * Fills empty stores with a household. Nothing here depends on the system clock or on chance.
 * @param domains tools over stores in memory
 */
export async function furnish(domains: Domains, household: Household): Promise<void> {
  const { stores } = domains
  const now = new Date(household.now)
  const contacts = new Contacts(stores.contacts)
  for (const person of household.people) addPerson(contacts, person)

  const calendar = new CalendarStore(stores.calendar)
  for (const entry of household.calendar) {
    const start = instantAt(household, entry.day, entry.time)
    await calendar.create({
      uid: entry.uid,
      kind: entry.kind,
      title: entry.title,
      start,
      ...(entry.minutes > 0 ? { end: new Date(start.getTime() + entry.minutes * 60_000) } : {}),
      allDay: false,
      zone: household.zone,
      key: `household ${entry.uid}`,
      created: new Date(now.getTime() - 86_400_000),
      ...(entry.rule ? { rule: entry.rule } : {}),
      ...(entry.place ? { place: entry.place } : {}),
      ...(entry.people ? { people: entry.people } : {}),
    })
  }
  for (const mail of household.mail) {
    const seconds = Math.floor(now.getTime() / 1000) - mail.minutesAgo * 60
    writeText(stores.mail, `inbox/new/${seconds}.${slug(mail.key)}.household`, receivedMail(mail, now))
  }
  for (const file of household.files) writeText(stores.files, file.path, file.text)
  stores.records.transaction(() => {
    for (const [collection, rows] of Object.entries(household.records))
      for (const row of rows) stores.records.put(collection, row.id, row.data)
    // New rows must not take the place of what the household has: counters go past its ids.
    for (const [prefix, rows] of Object.entries(NUMBERED))
      for (let i = 0; i < (household.records[rows]?.length ?? 0); i++) stores.records.nextId(prefix)
    for (const passage of household.web) stores.records.learn(passage.kind, passage)
  })
}
