import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { minorOf, sayMinor } from '../finance/exact.js'
import { parseMoney } from '../finance/money.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Item, Records } from '../store/index.js'
import { sayDay } from '../time/index.js'
import { meansAll, text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { allProducts, findProducts, type Product, sayProduct } from './products.js'

const lineSchema = z.object({
  product: z.string(),
  shop: z.string().optional(),
  count: z.int().positive(),
  price: z.number(),
  currency: z.string().optional(),
})

type Line = z.infer<typeof lineSchema>

const orderSchema = z.object({
  lines: z.array(lineSchema),
  address: z.string().optional(),
  made: z.string(),
  state: z.string(),
  reason: z.string().optional(),
})

const sayLine = (l: Line): string => `${l.count} ${l.product}${l.shop ? ` from ${l.shop}` : ''}`

/** Totals by currency, exact. */
function total(lines: readonly Line[]): string {
  const sums = new Map<string, number>()
  for (const l of lines) {
    const currency = l.currency ?? ''
    sums.set(currency, (sums.get(currency) ?? 0) + minorOf(l.price, l.currency) * l.count)
  }
  return listWords([...sums].map(([currency, minor]) => sayMinor(minor, currency)))
}

/** The catalogue, the cart and what was ordered from it. No shop is connected: orders are noted on this machine. */
export function shopTools(records: Records): { readonly [name: string]: Implementation } {
  const cart = () => records.all('cart', lineSchema)
  const names = (items: readonly Item<Product>[]) =>
    listWords([...new Set(items.slice(0, 6).map((p) => p.data.name))], 'or')

  const onlyProduct = (phrase: string): Item<Product> | ToolResult => {
    const { matches, near } = findProducts(records, phrase)
    if (matches.length > 1)
      return asked(
        `Which one: ${listWords(
          matches.slice(0, 6).map((p) => `${p.data.name}${p.data.shop ? ` from ${p.data.shop}` : ''} (${p.id})`),
          'or',
        )}?`,
      )
    const [only] = matches
    if (only) return only
    const all = allProducts(records)
    if (all.length === 0) return failed('The catalogue is empty. Add a product with its price first.')
    return failed(`No product is called ${phrase}; did you mean ${names(near.length > 0 ? near : all)}?`)
  }

  const planOrder = (args: JsonObject): ToolResult | { readonly lines: readonly Line[]; readonly said: string } => {
    const lines = cart().map((i) => i.data)
    if (lines.length === 0) return failed('The cart is empty. Put a product into it first.')
    const address = text(args, 'address')
    return {
      lines,
      said: `${listWords(lines.map(sayLine))}, together ${total(lines)}${address ? `, to ${address.slice(0, 300)}` : ''}`,
    }
  }

  const findOrder = (args: JsonObject): Item<z.infer<typeof orderSchema>> | ToolResult => {
    const orders = records.all('orders', orderSchema)
    if (orders.length === 0) return failed('Nothing was ordered from the cart yet.')
    const phrase = [text(args, 'order'), text(args, 'product')].filter((x) => x !== undefined).join(' ')
    const words = phrase.replace(/\b(?:orders?|last|latest)\b/gi, ' ').trim()
    const last = orders.at(-1)
    if (words === '' && last) return last
    const { matches } = findNamed(words, orders, (o) => [o.id, ...o.data.lines.map((l) => l.product)])
    const [only] = matches
    if (matches.length > 1)
      return asked(
        `Which order: ${listWords(
          matches.map((o) => o.id),
          'or',
        )}?`,
      )
    return (
      only ??
      failed(
        `No order is called ${words}; there ${orders.length === 1 ? 'is' : 'are'} ${listWords(orders.slice(-6).map((o) => `${o.id} (${listWords(o.data.lines.map((l) => l.product))})`))}.`,
      )
    )
  }

  const planReturn = (args: JsonObject) => {
    if (text(args, 'order') === undefined && text(args, 'product') === undefined)
      return asked('Which order should go back?')
    const order = findOrder(args)
    if ('ok' in order) return order
    return order.data.state === 'returned' ? failed(`${order.id} was returned already.`) : order
  }

  return {
    product_add: writes(records, 'product_add', (args) => {
      const [name, price] = [text(args, 'product')?.slice(0, 200), text(args, 'price')]
      if (name === undefined) return asked('Which product?')
      if (price === undefined) return asked('What does it cost?')
      const money = parseMoney(price)
      if (money === undefined || !(money.amount >= 0) || money.amount > 1e9)
        return asked(`I did not understand the price "${price.slice(0, 80)}". What does it cost?`)
      const [shop, note] = [text(args, 'shop')?.slice(0, 200), text(args, 'note')?.slice(0, 500)]
      const product: Product = {
        name,
        price: money.amount,
        ...(money.currency ? { currency: money.currency } : {}),
        ...(shop ? { shop } : {}),
        ...(note ? { note } : {}),
      }
      const id = records.nextId('p')
      records.put('products', id, product)
      return done(`Entered as ${id}: ${sayProduct(product)}`, { data: { id, name } })
    }),

    product_compare: reads((args) => {
      const said = text(args, 'products')
      if (said === undefined) return asked('Which products should I compare?')
      const parts = said.split(/\s*(?:,|\band\b|\bwith\b|\bto\b|\bor\b|\bvs\.?|\bversus\b)\s*/i).filter((s) => s !== '')
      const found = [...new Map(parts.flatMap((p) => findProducts(records, p).matches).map((p) => [p.id, p])).values()]
      if (found.length === 0) {
        const none = onlyProduct(said)
        return 'ok' in none ? none : done(sayProduct(none.data))
      }
      const sorted = found.sort((a, b) => a.data.price - b.data.price)
      const [first] = sorted
      if (!first || sorted.length === 1) return done(`There is only one: ${first ? sayProduct(first.data) : ''}`)
      const mixed = new Set(sorted.map((p) => p.data.currency)).size > 1
      return done(
        `${mixed ? 'The prices are in different currencies' : `The cheapest is ${first.data.name}`}: ${sorted
          .slice(0, 6)
          .map((p) => sayProduct(p.data).replace(/\.$/, ''))
          .join('; ')}.`,
        {
          data: sorted.map((p) => ({ id: p.id, name: p.data.name, price: p.data.price })),
        },
      )
    }),

    cart_add: writes(records, 'cart_add', (args) => {
      const said = text(args, 'product')
      if (said === undefined) return asked('Which product?')
      const product = onlyProduct(said)
      if ('ok' in product) return product
      const phrase = text(args, 'count')
      const count = phrase === undefined ? 1 : parseNumber(phrase)
      if (count === undefined || !Number.isInteger(count) || count < 1 || count > 10_000)
        return asked(`I did not understand the number "${phrase?.slice(0, 80)}". How many?`)
      const { name, price, currency, shop } = product.data
      const before = records.get('cart', product.id, lineSchema)
      const line: Line = {
        product: name,
        count: count + (before?.count ?? 0),
        price,
        ...(currency ? { currency } : {}),
        ...(shop ? { shop } : {}),
      }
      records.put('cart', product.id, line)
      return done(`In the cart: ${sayLine(line)}, ${total([line])}.`, { data: { product: name, count: line.count } })
    }),

    cart_show: reads(() => {
      const lines = cart().map((i) => i.data)
      return lines.length === 0
        ? done('The cart is empty.', { data: [] })
        : done(`In the cart: ${listWords(lines.map(sayLine))}; together ${total(lines)}.`, {
            data: lines.map((l) => ({ product: l.product, count: l.count })),
          })
    }),

    cart_remove: writes(records, 'cart_remove', (args, context) => {
      const lines = cart()
      if (lines.length === 0) return failed('The cart is empty.')
      const said = text(args, 'product')
      if (said === undefined && !/\b(?:empty|clear)\b/i.test(context.request) && !meansAll(context.request))
        return asked(
          `What should come out: ${listWords(
            lines.map((l) => l.data.product),
            'or',
          )}?`,
        )
      const all = said === undefined || meansAll(said)
      const { matches } = all ? { matches: lines } : findNamed(said, lines, (l) => [l.data.product])
      if (matches.length === 0)
        return failed(`${said} is not in the cart; there is ${listWords(lines.map((l) => l.data.product))}.`)
      if (!all && matches.length > 1)
        return asked(
          `Which one: ${listWords(
            matches.map((l) => l.data.product),
            'or',
          )}?`,
        )
      for (const l of matches) records.remove('cart', l.id)
      return done(all ? 'The cart is empty now.' : `Took ${matches[0]?.data.product} out of the cart.`)
    }),

    order_place: {
      ...writes(records, 'order_place', (args, context) => {
        const plan = planOrder(args)
        if ('ok' in plan) return plan
        const id = records.nextId('s')
        const address = text(args, 'address')?.slice(0, 300)
        records.put('orders', id, {
          lines: plan.lines,
          ...(address ? { address } : {}),
          made: context.now().toISOString(),
          state: 'noted',
        })
        for (const line of cart()) records.remove('cart', line.id)
        return done(`Noted as ${id}: ${plan.said}; no shop is connected, so nothing was ordered.`, { data: { id } })
      }),
      preview: (args) => {
        const plan = planOrder(args)
        return 'ok' in plan ? plan : `Order ${plan.said}. No shop is connected, so this is only noted here.`
      },
    },

    order_track: reads((args, context) => {
      const order = findOrder(args)
      if ('ok' in order) return order
      const { lines, made, state } = order.data
      return done(
        `${order.id}, ${listWords(lines.map(sayLine))}, was noted on ${sayDay(new Date(made), context.timeZone, context.now())}${state === 'returned' ? ' and is to go back' : ''}; no shop is connected, so I know no more.`,
        { data: { id: order.id, state } },
      )
    }),

    order_return: {
      ...writes(records, 'order_return', (args: JsonObject, _context: ToolContext) => {
        const order = planReturn(args)
        if ('ok' in order) return order
        const reason = text(args, 'reason')?.slice(0, 500)
        records.put('orders', order.id, { ...order.data, state: 'returned', ...(reason ? { reason } : {}) })
        return done(`Noted that ${order.id} goes back; no shop is connected, so nobody was told.`, {
          data: { id: order.id },
        })
      }),
      preview: (args) => {
        const order = planReturn(args)
        return 'ok' in order
          ? order
          : `Return ${order.id}, ${listWords(order.data.lines.map(sayLine))}. No shop is connected, so this is only noted here.`
      },
    },
  }
}
