import { Temporal } from 'temporal-polyfill'
import { Draw } from './draw.js'
import type { Household, Person, PlannedEvent, PlannedMail, PlannedPassage, PlannedRow } from './household.js'
import * as pools from './pools.js'

const slug = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

function person(draw: Draw, first: string, last: string): Person {
  return {
    name: `${first} ${last}`,
    first,
    email: `${first.toLowerCase()}.${last.toLowerCase()}@${draw.one(['example.org', 'example.net', 'example.com'])}`,
    phone: `+1 555 ${draw.int(100, 999)} ${draw.int(1000, 9999)}`,
    birthday: `${draw.int(1955, 2004)}-${String(draw.int(1, 12)).padStart(2, '0')}-${String(draw.int(1, 28)).padStart(2, '0')}`,
  }
}

/** Ten people; the first two are both called Ann, all others by names of their own. */
function people(draw: Draw): readonly Person[] {
  const lasts = draw.some(pools.LAST_NAMES, 10)
  const firsts = ['Ann', 'Ann', ...draw.some(pools.FIRST_NAMES, 8)]
  return firsts.map((first, i) => person(draw, first, lasts[i] ?? ''))
}

function calendar(draw: Draw): readonly PlannedEvent[] {
  const titles = draw.some(pools.APPOINTMENTS, 5)
  const days = draw.some([1, 2, 3, 4, 5, 6], 5)
  const events = titles.map(
    (title, i): PlannedEvent => ({
      uid: `event-${slug(title)}@household`,
      kind: 'event',
      title,
      day: days[i] ?? 1,
      // The series keep 10:00 and 18:30 for themselves.
      time: draw.one(['09:00', '11:30', '13:00', '14:30', '16:00']),
      minutes: draw.one([30, 60]),
      ...(draw.unit() < 0.4 ? { place: draw.one(pools.PLACES) } : {}),
    }),
  )
  const series = pools.SERIES.map(
    (one, i): PlannedEvent => ({
      uid: `series-${slug(one.title)}@household`,
      kind: 'event',
      title: one.title,
      // On days that are taken, so that one day of the coming week stays free.
      day: days[i] ?? 1,
      time: one.time,
      minutes: 45,
      rule: one.rule,
    }),
  )
  const alarms = [
    { label: 'medicine', time: '21:00' },
    { label: 'bins', time: '07:15' },
  ].map(
    ({ label, time }, i): PlannedEvent => ({
      uid: `alarm-${label}@household`,
      kind: 'alarm',
      title: label,
      day: 1 + i,
      time,
      minutes: 0,
    }),
  )
  return [...events, ...series, ...alarms]
}

function mail(draw: Draw, known: readonly Person[]): readonly PlannedMail[] {
  const senders = draw.some(known.slice(2), 6)
  return draw.some(pools.MAIL_TOPICS, 6).map((topic, i) => {
    const from = senders[i] ?? known[2]!
    return {
      key: `mail-${slug(topic.subject)}`,
      from: { name: from.name, email: from.email },
      subject: topic.subject,
      text: `Hello,\n${topic.text}.\nBest wishes, ${from.first}`,
      minutesAgo: 60 + i * 300 + draw.int(0, 200),
    }
  })
}

function web(draw: Draw): readonly PlannedPassage[] {
  const source = (name: string) => `https://${name}.example.org/`
  return [
    ...pools.CITIES.map((city) => {
      const sky = draw.one(pools.WEATHER)
      return {
        kind: 'weather',
        title: `Weather in ${city}`,
        body: `${city}: ${sky} tomorrow, ${draw.int(-5, 28)} degrees.`,
        source: source('weather'),
      }
    }),
    ...pools.WORDS.map(({ word, body }) => ({ kind: 'word', title: word, body, source: source('dictionary') })),
    ...pools.DISHES.map(({ dish, body }) => ({ kind: 'recipe', title: dish, body, source: source('kitchen') })),
    ...pools.WORKS.map(({ title, body }) => ({ kind: 'work', title, body, source: source('catalogue') })),
    ...pools.QUESTIONS.map(({ question, body }) => ({ kind: 'fact', title: question, body, source: source('facts') })),
    ...pools.STOCKS.map((name) => ({
      kind: 'stock',
      title: name,
      body: `${name} trades at ${draw.int(12, 480)}.${draw.int(10, 99)} dollars.`,
      source: source('market'),
    })),
    ...pools.PRODUCTS.map((name) => ({
      kind: 'product',
      title: name,
      body: `The ${name} costs ${draw.int(9, 140)} dollars at Fairmarket.`,
      source: source('fairmarket'),
    })),
    ...pools.CITIES.map((city) => ({
      kind: 'route',
      title: `Train to ${city}`,
      body: `The train to ${city} leaves from platform ${draw.int(1, 19)}.`,
      source: source('trains'),
    })),
    ...pools.CITIES.map((city) => ({
      kind: 'traffic',
      title: `Traffic in ${city}`,
      body: `In ${city} the traffic is ${draw.one(['heavy', 'light', 'slow', 'normal'])} on road ${draw.int(2, 99)}.`,
      source: source('roads'),
    })),
  ]
}

function records(draw: Draw, now: Temporal.Instant, currency: string): Household['records'] {
  const ago = (hours: number) => now.subtract({ hours }).toString()
  const rows = (list: readonly PlannedRow['data'][], id: (i: number) => string): readonly PlannedRow[] =>
    list.map((data, i) => ({ id: id(i), data }))
  const items = draw.some(pools.GROCERIES, 8)
  return {
    notes: rows(
      draw.some(pools.NOTES, 5).map((note, i) => ({ text: note.text, at: ago(30 + i * 40) })),
      (i) => `n${i + 1}`,
    ),
    lists: [
      { id: 'shopping', data: { name: 'shopping', items: items.slice(0, 3) } },
      { id: 'packing', data: { name: 'packing', items: items.slice(3, 5) } },
      { id: 'hardware', data: { name: 'hardware', items: ['nails', 'sandpaper'] } },
    ],
    accounts: [
      { id: 'checking', data: { name: 'checking', balance: draw.int(300, 4000), currency } },
      { id: 'savings', data: { name: 'savings', balance: draw.int(5000, 30000), currency } },
    ],
    bills: draw.some(pools.BILLS, 4).map((name, i) => ({
      id: slug(name),
      data: { name, amount: draw.int(15, 900), currency, due: now.add({ hours: 24 * (3 + i * 9) }).toString() },
    })),
    rates: [{ id: 'EUR/USD', data: { rate: draw.one([1.1, 1.2, 1.25]), at: ago(20) } }],
    customers: draw.some(pools.COMPANIES, 6).map((name, i) => ({
      id: `c${i + 1}`,
      data: { name, email: `office@${slug(name)}.example.com`, phone: `+1 555 01${draw.int(10, 99)}` },
    })),
    stock: draw.some(pools.STOCK, 6).map((item, i) => ({ id: `i${i + 1}`, data: { item, count: draw.int(2, 240) } })),
    playlists: [{ id: 'road trip', data: { name: 'road trip', songs: ['Paper Boats'] } }],
    feed: [
      {
        id: 'f1',
        data: {
          site: 'Mastodon',
          from: 'City Library',
          text: 'The reading room is open until nine this week.',
          at: ago(6),
        },
      },
      {
        id: 'f2',
        data: { site: 'Mastodon', from: 'Running Club', text: 'Sunday run starts at the lake.', at: ago(3) },
      },
    ],
  }
}

/** A household from a seed: the same seed gives the same household, byte for byte. */
export function generateHousehold(seed: string): Household {
  const draw = new Draw(seed)
  const home = draw.of('home').one(pools.HOMES)
  const start = draw.of('now')
  const now = Temporal.PlainDate.from('2026-01-05')
    .add({ weeks: start.int(0, 45), days: start.int(0, 2) })
    .toZonedDateTime({ timeZone: home.zone, plainTime: '08:20' })
    .toInstant()
  const known = people(draw.of('people'))
  return {
    seed,
    now: now.toString(),
    zone: home.zone,
    city: home.city,
    currency: home.currency,
    people: known,
    calendar: calendar(draw.of('calendar')),
    mail: mail(draw.of('mail'), known),
    files: draw
      .of('files')
      .some(pools.FILES, 7)
      .map(({ path, text }) => ({ path, text: `${text}\n` })),
    web: web(draw.of('web')),
    records: records(draw.of('records'), now, home.currency),
  }
}
