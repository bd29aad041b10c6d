import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { findProducts, sayProduct } from './products.js'

const requestSchema = z.object({
  kind: z.string(),
  what: z.string(),
  details: z.record(z.string(), z.string()),
  at: z.string().nullable(),
  made: z.string(),
  state: z.string(),
})

/** Collects the arguments that were given. */
const given = (args: JsonObject, names: readonly string[]): { [name: string]: string } => {
  const out: { [name: string]: string } = {}
  for (const name of names) {
    const value = text(args, name)
    if (value !== undefined) out[name] = value.slice(0, 300)
  }
  return out
}

/** What makes one kind of order. */
interface Order {
  readonly kind: string
  readonly verb: string
  readonly seller: string
  /** First letter of its ids. */
  readonly prefix: string
  /** Arguments that are kept. */
  readonly names: readonly string[]
  readonly what: (args: JsonObject) => string | ToolResult
}

/** Orders, bookings and tickets: noted on this machine with an id, because no seller is connected. */
export function orderTools(records: Records): { readonly [name: string]: Implementation } {
  /** What an order is about, with its resolved time, or the question that is left. */
  const plan = (
    order: Order,
    args: JsonObject,
    context: ToolContext,
  ): ToolResult | { readonly what: string; readonly at: string | null; readonly said: string } => {
    const what = order.what(args)
    if (typeof what !== 'string') return what
    const now = context.now()
    const phrase = text(args, 'when')
    const when = phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: context.timeZone })
    if (when?.kind === 'ambiguous') return asked(when.question)
    const at = when?.kind === 'resolved' ? when.start.toISOString() : null
    const said = when?.kind === 'resolved' ? ` on ${sayWhen(when, now)}` : phrase === undefined ? '' : ` (${phrase})`
    return { what, at, said }
  }
  const ordering = (tool: string, order: Order): Implementation => ({
    ...writes(records, tool, (args, context) => {
      const planned = plan(order, args, context)
      if ('ok' in planned) return planned
      const { what, at, said } = planned
      const { kind } = order
      const id = records.nextId(order.prefix)
      records.put('requests', id, {
        kind,
        what,
        details: given(args, order.names),
        at,
        made: context.now().toISOString(),
        state: 'noted',
      })
      return done(`Noted as ${id}: ${what}${said}; no ${order.seller} is connected, so nothing was ordered.`, {
        data: { id, kind, what, at },
      })
    }),
    preview: (args, context) => {
      const planned = plan(order, args, context)
      return 'ok' in planned
        ? planned
        : `${order.verb} ${planned.what}${planned.said}. No ${order.seller} is connected, so this is only noted here.`
    },
  })
  const open = () => records.all('requests', requestSchema)

  return {
    takeaway_order: ordering('takeaway_order', {
      kind: 'takeaway',
      verb: 'Order',
      seller: 'shop',
      prefix: 'o',
      names: ['food', 'from', 'how', 'when'],
      what: (args) => {
        const [food, from, how] = [text(args, 'food'), text(args, 'from'), text(args, 'how')]
        return food === undefined
          ? asked('What should I order?')
          : `${food}${from ? ` from ${from}` : ''}${how ? `, ${how}` : ''}`
      },
    }),

    takeaway_info: reads((args) => {
      const orders = open().filter((r) => r.data.kind === 'takeaway')
      const phrase = [text(args, 'food'), text(args, 'from')].filter((x) => x !== undefined).join(' ')
      const about = phrase === '' ? orders : findNamed(phrase, orders, (o) => [o.data.what, o.id]).matches
      const last = about.at(-1)
      const from = text(args, 'from')
      const known = from === undefined ? [] : records.lookUp(from, 'restaurant', 3)
      if (known[0]) return done(known[0].body, { lines: [`Source: ${known[0].source}`] })
      if (last)
        return done(`${last.id}, ${last.data.what}, is only noted here; no shop is connected.`, {
          data: { id: last.id, ...last.data },
        })
      return unavailable(
        `No delivery service is connected${from === undefined ? '' : `, so I do not know whether ${from} delivers`}; no order is noted.`,
      )
    }),

    restaurant_book: ordering('restaurant_book', {
      kind: 'table',
      verb: 'Book',
      seller: 'restaurant',
      prefix: 't',
      names: ['restaurant', 'kind', 'food', 'people', 'place', 'when', 'facility', 'sort', 'cuisine', 'dish'],
      what: (args) => {
        const bits = [
          text(args, 'restaurant') ?? text(args, 'kind') ?? 'a restaurant',
          text(args, 'place') && `in ${text(args, 'place')}`,
          text(args, 'people') && `for ${text(args, 'people')}`,
          text(args, 'food') && `serving ${text(args, 'food')}`,
          text(args, 'facility') && `with ${text(args, 'facility')}`,
        ]
        return `a table at ${bits.filter((x) => typeof x === 'string').join(' ')}`
      },
    }),

    ticket_book: ordering('ticket_book', {
      kind: 'ticket',
      verb: 'Book',
      seller: 'ticket office',
      prefix: 'b',
      names: ['mode', 'from', 'to', 'when'],
      what: (args) => {
        const [from, to] = [text(args, 'from'), text(args, 'to')]
        return to === undefined
          ? asked('Where do you want to go?')
          : `a ${text(args, 'mode') ?? 'travel'} ticket${from ? ` from ${from}` : ''} to ${to}`.replace('a a', 'an a')
      },
    }),

    taxi_book: ordering('taxi_book', {
      kind: 'taxi',
      verb: 'Call',
      seller: 'taxi service',
      prefix: 'x',
      names: ['service', 'vehicle', 'from', 'to', 'when'],
      what: (args) => {
        const [service, from, to] = [text(args, 'service'), text(args, 'from'), text(args, 'to')]
        return `a ${service ?? text(args, 'vehicle') ?? 'taxi'}${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`
      },
    }),

    product_find: reads((args) => {
      const product = text(args, 'product')
      if (product === undefined) return asked('What are you looking for?')
      const own = findProducts(records, product).matches
      if (own[0])
        return done(sayProduct(own[0].data), { lines: own.slice(1, 10).map((p) => `- ${sayProduct(p.data)}`) })
      const found = records.lookUp(product, 'product', 5)
      const first = found[0]
      return first
        ? done(`${first.title}: ${first.body.split('\n')[0]}`, {
            lines: found.slice(1).map((f) => `- ${f.title}: ${f.body} (${f.source})`),
          })
        : unavailable(`No shop is connected, so I cannot look for ${product}.`)
    }),

    book_rate: writes(records, 'book_rate', (args) => {
      const rating = text(args, 'rating')
      if (rating === undefined) return asked('What rating?')
      const title = text(args, 'title') ?? text(args, 'which')
      if (title === undefined) return asked('Which book?')
      const stars = parseNumber(rating.replace(/\b(?:out of .*|stars?|points?|of \d+)\b/gi, '').trim())
      if (stars === undefined) return asked(`I did not understand the rating "${rating}". How many points?`)
      const best = /\bout of (.+)$|\bof (\d+)/i.exec(rating)
      const most = parseNumber(
        text(args, 'best') ?? best?.[1]?.replace(/\b(?:stars?|points?)\b/gi, '').trim() ?? best?.[2] ?? '',
      )
      if (most !== undefined && stars > most) return failed(`${stars} is more than ${most}, the best rating there is.`)
      records.put('ratings', title.toLowerCase(), {
        title,
        rating: stars,
        ...(most === undefined ? {} : { best: most }),
        which: text(args, 'which') ?? '',
        kind: text(args, 'kind') ?? '',
      })
      return done(`Noted: ${title} gets ${stars}${most === undefined ? '' : ` out of ${most}`}.`, {
        data: { title, rating: stars },
      })
    }),
  }
}
