import { z } from 'zod'
import type { Tool } from '../../tools/contract.js'
import { implement, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Folder, Records } from '../store/index.js'
import { parseDuration, resolveWhen, sayDay, spanMilliseconds } from '../time/index.js'
import { text } from '../words/args.js'
import { didYouMean, findNamed, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { customerSchema, ticketSchema } from './customers.js'
import { invoiceTools } from './invoices.js'
import { officeTools } from './office.js'
import { businessContracts } from './tools.js'

const stockSchema = z.object({ item: z.string(), count: z.number(), unit: z.string().optional() })

/** Customers, tickets, hours and stock on records. */
export function businessTools(records: Records, files: Folder): readonly Tool[] {
  return implement(businessContracts, {
    ...officeTools(records),
    ...invoiceTools(records, files),

    customer_find: reads((args) => {
      const name = text(args, 'name')
      if (name === undefined) return asked('Which customer?')
      const all = records.all('customers', customerSchema)
      const { matches, near } = findNamed(name, all, (c) => [c.data.name, c.id])
      const only = matches[0]
      if (matches.length > 1)
        return asked(
          `Which customer: ${listWords(
            matches.slice(0, 6).map((c) => c.data.name),
            'or',
          )}?`,
        )
      if (only === undefined)
        return failed(
          all.length === 0
            ? 'No customers are entered yet.'
            : `No customer is called ${name}${didYouMean(near.map((c) => c.data.name))}`,
        )
      const open = records
        .all('tickets', ticketSchema)
        .filter((t) => t.data.customer === only.data.name && t.data.state === 'open')
      const bits = [only.data.email, only.data.phone, only.data.note].filter((x) => x !== undefined)
      return done(
        `${only.data.name}${bits.length > 0 ? `: ${bits.join(', ')}` : ' has no details'}; ${open.length === 0 ? 'no open tickets' : `open tickets ${listWords(open.map((t) => t.id))}`}.`,
        { data: { id: only.id, name: only.data.name, tickets: open.map((t) => t.id) } },
      )
    }),

    ticket_create: writes(records, 'ticket_create', (args, context) => {
      const problem = text(args, 'problem')
      if (problem === undefined) return asked('What is the problem?')
      const said = text(args, 'customer')
      const { matches } =
        said === undefined
          ? { matches: [] }
          : findNamed(said, records.all('customers', customerSchema), (c) => [c.data.name, c.id])
      if (matches.length > 1)
        return asked(
          `Which customer: ${listWords(
            matches.slice(0, 6).map((c) => c.data.name),
            'or',
          )}?`,
        )
      const customer = matches[0]?.data.name ?? said ?? 'no customer'
      const id = records.nextId('k')
      records.put('tickets', id, {
        customer,
        problem: problem.slice(0, 5000),
        made: context.now().toISOString(),
        state: 'open',
      })
      const unknown = said !== undefined && matches.length === 0 ? ' (not among the customers yet)' : ''
      return done(`Ticket ${id} is open for ${customer}${unknown}.`, { data: { id, customer } })
    }),

    hours_log: writes(records, 'hours_log', (args, context) => {
      const said = text(args, 'hours')
      if (said === undefined) return asked('How many hours?')
      const span = parseDuration(said)
      const hours =
        span === undefined ? parseNumber(said.replace(/\bhours?\b/gi, '').trim()) : spanMilliseconds(span) / 3_600_000
      if (hours === undefined || !(hours > 0)) return asked(`I did not understand "${said}". How many hours?`)
      if (hours > 24) return failed(`${hours} hours do not fit into a day.`)
      const now = context.now()
      const phrase = text(args, 'when')
      const when =
        phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: context.timeZone, prefer: 'past' })
      if (when?.kind === 'unknown') return asked(`I did not understand the day "${phrase}". On which day?`)
      if (when?.kind === 'ambiguous') return asked(when.question)
      const day = when?.start ?? now
      const project = text(args, 'project') ?? 'work'
      const id = records.nextId('h')
      records.put('hours', id, { project, hours, at: day.toISOString() })
      return done(
        `Logged ${hours} hour${hours === 1 ? '' : 's'} on ${project} for ${sayDay(day, context.timeZone, now)}.`,
        { data: { id, project, hours } },
      )
    }),

    stock_level: reads((args) => {
      const item = text(args, 'item')
      if (item === undefined) return asked('Which item?')
      const all = records.all('stock', stockSchema)
      const { matches, near } = findNamed(item, all, (s) => [s.data.item, s.id])
      const only = matches[0]
      if (matches.length > 1)
        return done(`${listWords(matches.slice(0, 6).map((s) => `${s.data.count} of ${s.data.item}`))} are in stock.`, {
          data: matches.map((s) => ({ item: s.data.item, count: s.data.count })),
        })
      if (only === undefined)
        return failed(
          all.length === 0
            ? 'No stock is entered yet.'
            : `No item is called ${item}${didYouMean(near.map((s) => s.data.item))}`,
        )
      return done(
        `There ${only.data.count === 1 ? 'is' : 'are'} ${only.data.count}${only.data.unit ? ` ${only.data.unit}` : ''} of ${only.data.item} in stock.`,
        { data: { item: only.data.item, count: only.data.count } },
      )
    }),
  })
}
