import { added, changed } from '../expect.js'
import { exactly, mentions } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Stage, type Template } from '../template.js'
import { sayTime } from '../times.js'

const field = 'commerce' as const
const EVENINGS = ['18:00', '19:00', '19:30', '20:00'] as const

function listOf({ household }: Stage, name: string): readonly string[] {
  const items = household.records.lists?.find((row) => row.id === name)?.data.items
  return Array.isArray(items) ? items.map(String) : []
}

/** Groceries that are on no list yet. */
function newItems(stage: Stage, n: number): string[] {
  const taken = new Set([...listOf(stage, 'shopping'), ...listOf(stage, 'packing')])
  return stage.draw.some(
    pools.GROCERIES.filter((item) => !taken.has(item)),
    n,
  )
}

/** What a request row says about its arguments. */
const details = (...phrases: readonly string[]) => ({
  says: `has ${phrases.join(', ')}`,
  test: (value: unknown) => {
    const text = JSON.stringify(value ?? '').toLowerCase()
    return phrases.every((phrase) => text.includes(phrase.toLowerCase()))
  },
})

/** Two products of the owner's catalogue with their prices. */
function catalogue({ draw, household }: Stage) {
  const goods = draw.some(['blue kettle', 'oak desk', 'wool blanket', 'garden hose'], 2) as [string, string]
  const low = draw.int(20, 90)
  const prices = [low, low + draw.int(5, 60)]
  const rows = goods.map((name, i) => ({
    id: `p${i + 901}`,
    data: { name, price: prices[i] ?? low, currency: household.currency, shop: 'Fairmart' },
  }))
  return { goods, prices, wares: { records: { products: rows } } }
}

/** Lists, orders, bookings and products. */
export const commerceTemplates: readonly Template[] = [
  {
    id: 'commerce.list-add',
    field,
    traits: [],
    make: (stage) => {
      const [item] = newItems(stage, 1) as [string]
      const [list, wrong] = stage.draw.some(['shopping', 'packing', 'hardware'], 2) as [string, string]
      return {
        slots: { item, list },
        opening: stage.draw.one([`Add ${item} to the ${list} list.`, `Put ${item} on my ${list} list`]),
        changes: [changed('lists', { name: list }, { items: exactly([...listOf(stage, list), item]) })],
        solution: [call('list_add', { list, item }), report],
        decoys: [[list, wrong]],
      }
    },
  },
  {
    id: 'commerce.list-show',
    field,
    traits: [],
    make: (stage) => {
      const [list, wrong] = stage.draw.some(['shopping', 'packing'], 2) as [string, string]
      const items = listOf(stage, list)
      return {
        slots: { list, items: items.join(' ') },
        opening: stage.draw.one([`What is on my ${list} list?`, `Show me the ${list} list`]),
        calls: [{ tools: ['list_show'] }],
        tells: items.map((item) => ({ what: 'an item', anyOf: [item] })),
        solution: [call('list_show', { list }), report],
        decoys: [[list, wrong]],
      }
    },
  },
  {
    id: 'commerce.list-remove',
    field,
    traits: [],
    make: (stage) => {
      const items = listOf(stage, 'shopping')
      const [item, wrong] = stage.draw.some(items, 2) as [string, string]
      return {
        slots: { item },
        opening: stage.draw.one([`Remove ${item} from the shopping list.`, `Take ${item} off my shopping list`]),
        changes: [changed('lists', { name: 'shopping' }, { items: exactly(items.filter((one) => one !== item)) })],
        solution: [call('list_remove', { list: 'shopping', item }), report],
        decoys: [[item, wrong]],
      }
    },
  },
  {
    id: 'commerce.table',
    field,
    traits: [],
    make: ({ draw, at, onDay }) => {
      const [restaurant, wrong] = draw.some(pools.RESTAURANTS, 2) as [string, string]
      const [people, day, time] = [draw.int(2, 7), draw.int(1, 6), draw.one(EVENINGS)]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { restaurant, people, day, time },
        opening: `Book a table at ${restaurant} for ${people} people ${when}.`,
        changes: [added('requests', { kind: 'table', what: mentions(restaurant, String(people)), at: at(day, time) })],
        approvals: [{ tool: 'restaurant_book', phrases: [restaurant] }],
        solution: [call('restaurant_book', { restaurant, people: `${people} people`, when }), report],
        decoys: [[restaurant, wrong]],
      }
    },
  },
  {
    id: 'commerce.takeaway',
    field,
    traits: [],
    make: ({ draw }) => {
      const [food, wrong] = draw.some(pools.FOODS, 2) as [string, string]
      const from = draw.one(pools.RESTAURANTS)
      const dish = food.replace(/^an? /, '')
      return {
        slots: { food, from },
        opening: `Order ${food} from ${from} for delivery.`,
        changes: [added('requests', { kind: 'takeaway', what: mentions(dish), details: details(from) })],
        approvals: [{ tool: 'takeaway_order', phrases: [dish] }],
        solution: [call('takeaway_order', { food, from, how: 'delivery' }), report],
        decoys: [[food, wrong]],
      }
    },
  },
  {
    id: 'commerce.taxi',
    field,
    traits: [],
    make: ({ draw, at, onDay }) => {
      const [to, wrong] = draw.some(pools.CITIES, 2) as [string, string]
      const [day, time] = [draw.int(1, 6), draw.one(['07:00', '08:15', '13:00', '21:00'])]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { to, day, time },
        opening: `Call a taxi to ${to} ${when}.`,
        changes: [added('requests', { kind: 'taxi', what: mentions(to), at: at(day, time) })],
        approvals: [{ tool: 'taxi_book', phrases: [to] }],
        solution: [call('taxi_book', { to, when }), report],
        decoys: [[to, wrong]],
      }
    },
  },
  {
    id: 'commerce.product',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const [product, wrong] = draw.some(pools.PRODUCTS, 2) as [string, string]
      const body = household.web.find((one) => one.kind === 'product' && one.title === product)?.body ?? ''
      const price = /\d+/.exec(body)?.[0] ?? ''
      return {
        slots: { product, price },
        opening: draw.one([
          `Find a ${product} to buy. What does it cost?`,
          `I want to buy a ${product}, find one and tell me the price`,
        ]),
        calls: [{ tools: ['product_find', 'web_search'] }],
        tells: [{ what: 'the price', anyOf: [price] }],
        solution: [call('product_find', { product }), report],
        decoys: [[product, wrong]],
      }
    },
  },
  {
    id: 'commerce.rate',
    field,
    traits: [],
    make: ({ draw }) => {
      const [title, wrong] = draw.some(pools.BOOKS, 2) as [string, string]
      const rating = draw.int(1, 5)
      return {
        slots: { title, rating },
        opening: `Rate the book ${title} ${rating} out of 5.`,
        changes: [added('ratings', { title: mentions(title), rating })],
        solution: [call('book_rate', { title, rating: `${rating} out of 5` }), report],
        decoys: [[title, wrong]],
      }
    },
  },
  {
    id: 'commerce.which-list',
    field,
    traits: ['missing detail', 'ambiguity', 'several turns'],
    make: (stage) => {
      const [item] = newItems(stage, 1) as [string]
      const [list, wrong] = stage.draw.some(['shopping', 'packing', 'hardware'], 2) as [string, string]
      return {
        slots: { item, list },
        opening: `Add ${item} to a list.`,
        answers: [{ on: /which|list/i, says: `The ${list} list.` }],
        changes: [changed('lists', { name: list }, { items: exactly([...listOf(stage, list), item]) })],
        solution: [call('list_add', { item }), call('list_add', { list, item }), report],
        decoys: [[list, wrong]],
      }
    },
  },
  {
    id: 'commerce.between-lists',
    field,
    traits: ['several calls'],
    make: (stage) => {
      const items = listOf(stage, 'shopping')
      const [item, wrong] = stage.draw.some(items, 2) as [string, string]
      return {
        slots: { item },
        opening: `Remove ${item} from the shopping list and add ${item} to the packing list.`,
        changes: [
          changed('lists', { name: 'shopping' }, { items: exactly(items.filter((one) => one !== item)) }),
          changed('lists', { name: 'packing' }, { items: exactly([...listOf(stage, 'packing'), item]) }),
        ],
        solution: [
          {
            calls: [
              { name: 'list_remove', args: { list: 'shopping', item } },
              { name: 'list_add', args: { list: 'packing', item } },
            ],
          },
          say('It is on the packing list now.'),
        ],
        decoys: [[item, wrong]],
      }
    },
  },
  {
    id: 'commerce.more-people',
    field,
    traits: ['changed mind', 'several turns'],
    make: ({ draw, at, onDay }) => {
      const [restaurant, wrong] = draw.some(pools.RESTAURANTS, 2) as [string, string]
      const [first, people] = draw.some([2, 3, 4, 5, 6], 2) as [number, number]
      const [day, time] = [draw.int(1, 6), draw.one(EVENINGS)]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { restaurant, first, people, day, time },
        opening: `Book a table at ${restaurant} for ${first} people ${when}.`,
        decline: {
          tool: 'restaurant_book',
          says: `Wait. Book the table at ${restaurant} for ${people} people ${when}.`,
        },
        changes: [added('requests', { kind: 'table', what: mentions(restaurant, String(people)), at: at(day, time) })],
        approvals: [{ tool: 'restaurant_book', phrases: [restaurant, String(people)] }],
        solution: [
          call('restaurant_book', { restaurant, people: `${first} people`, when }),
          say('I did not book it.'),
          call('restaurant_book', { restaurant, people: `${people} people`, when }),
          report,
        ],
        decoys: [[restaurant, wrong]],
      }
    },
  },
  {
    id: 'commerce.where-to',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw, at, onDay }) => {
      const [to, wrong] = draw.some(pools.CITIES, 2) as [string, string]
      const [day, time] = [draw.int(1, 6), draw.one(['07:00', '08:15', '13:00', '17:00'])]
      const when = `${onDay(day)} at ${sayTime(time)}`
      return {
        slots: { to, day, time },
        opening: `Book a train ticket ${when}.`,
        answers: [{ on: /where|go|to\b/i, says: `To ${to}.` }],
        changes: [added('requests', { kind: 'ticket', what: mentions(to), at: at(day, time) })],
        approvals: [{ tool: 'ticket_book', phrases: [to] }],
        solution: [
          call('ticket_book', { mode: 'train', when }),
          call('ticket_book', { mode: 'train', to, when }),
          report,
        ],
        decoys: [[to, wrong]],
      }
    },
  },
  {
    id: 'commerce.if-cheap',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { draw, household } = stage
      const product = draw.one(pools.PRODUCTS)
      const body = household.web.find((one) => one.kind === 'product' && one.title === product)?.body ?? ''
      const price = Number(/\d+/.exec(body)?.[0])
      const cheap = draw.unit() < 0.5
      const limit = cheap ? price + 5 : price - 1
      const wrong = other(draw, pools.PRODUCTS, product)
      return {
        slots: { product, price, cheap: String(cheap) },
        opening: `Find a ${product} to buy. If it costs less than ${limit} dollars, add ${product} to the shopping list; otherwise tell me the price.`,
        changes: cheap
          ? [changed('lists', { name: 'shopping' }, { items: exactly([...listOf(stage, 'shopping'), product]) })]
          : [],
        calls: [{ tools: ['product_find', 'web_search'] }],
        forbidden: cheap ? [] : [{ tools: ['list_add'] }],
        tells: cheap ? [] : [{ what: 'the price', anyOf: [String(price)] }],
        approvals: [{ tool: 'list_add', phrases: [product] }],
        solution: [
          call('product_find', { product }),
          ...(cheap ? [call('list_add', { list: 'shopping', item: product })] : []),
          report,
        ],
        decoys: [[product, wrong]],
      }
    },
  },
  {
    id: 'commerce.digression',
    field,
    traits: ['missing detail', 'interruption', 'several turns'],
    make: (stage) => {
      const [item] = newItems(stage, 1) as [string]
      const packing = listOf(stage, 'packing')
      const [list, wrong] = stage.draw.some(['shopping', 'hardware'], 2) as [string, string]
      return {
        slots: { item, list },
        opening: `Add ${item} to a list.`,
        digress: 'First show me the packing list.',
        answers: [{ on: /which|list/i, says: `Add ${item} to the ${list} list.` }],
        changes: [changed('lists', { name: list }, { items: exactly([...listOf(stage, list), item]) })],
        tells: packing.map((one) => ({ what: 'an item', anyOf: [one] })),
        solution: [
          call('list_add', { item }),
          call('list_show', { list: 'packing' }),
          report,
          call('list_add', { list, item }),
          report,
        ],
        decoys: [[list, wrong]],
      }
    },
  },
  {
    id: 'commerce.cart',
    field,
    traits: [],
    make: (stage) => {
      const { goods, wares } = catalogue(stage)
      const count = stage.draw.int(2, 9)
      const [product, wrong] = goods
      return {
        slots: { product, count },
        opening: `Put ${count} of the product ${product} into my cart.`,
        with: wares,
        changes: [added('cart', { product, count })],
        solution: [call('cart_add', { product, count: `${count}` }), report],
        decoys: [[product, wrong]],
      }
    },
  },
  {
    id: 'commerce.compare',
    field,
    traits: [],
    make: (stage) => {
      const { goods, wares, prices } = catalogue(stage)
      const [product, wrong] = goods
      const low = Math.min(...prices)
      return {
        slots: { product, wrong, low },
        opening: `Compare the products ${product} and ${wrong}. What does the cheaper one cost?`,
        with: wares,
        calls: [{ tools: ['product_compare', 'product_find'] }],
        tells: [{ what: 'the lower price', anyOf: [`${low}`] }],
        solution: [
          call('product_compare', { products: `${product} and ${wrong}` }),
          say(`The cheaper one costs ${low}.`),
        ],
        decoys: [[`costs ${low}`, `costs ${low + 1000}`]],
      }
    },
  },
  {
    id: 'commerce.check-out',
    field,
    traits: ['several calls'],
    make: (stage) => {
      const { goods, wares } = catalogue(stage)
      const [product, wrong] = goods
      return {
        slots: { product },
        opening: `Put the product ${product} into my cart, then order what is in the cart.`,
        with: wares,
        changes: [added('orders', { state: 'noted', lines: details(product) })],
        approvals: [{ tool: 'order_place', phrases: [product] }],
        solution: [call('cart_add', { product }), call('order_place'), report],
        decoys: [[product, wrong]],
      }
    },
  },
]
