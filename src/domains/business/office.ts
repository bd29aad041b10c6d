import { z } from 'zod'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords, didYouMean, findNamed, keyWords, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { customerSchema, ticketSchema } from './customers.js'

const stockSchema = z.object({ item: z.string(), count: z.number(), unit: z.string().optional() })
const hoursSchema = z.object({ project: z.string(), hours: z.number(), at: z.string() })

/** customer_add, ticket_list, ticket_close, hours_report and stock_change. */
export function officeTools(records: Records): { readonly [name: string]: Implementation } {
  return {
    customer_add: writes(records, 'customer_add', (args) => {
      const name = text(args, 'name')?.slice(0, 200)
      if (name === undefined) return asked('What is the customer called?')
      const same = records
        .all('customers', customerSchema)
        .find((c) => keyWords(c.data.name).join(' ') === keyWords(name).join(' '))
      const row: { [field: string]: string | undefined } = { ...(same?.data ?? { name }) }
      let fresh = same === undefined
      for (const field of ['email', 'phone', 'address', 'note']) {
        const value = text(args, field)?.slice(0, 500)
        if (value === undefined || row[field] === value) continue
        row[field] = value
        fresh = true
      }
      if (!fresh) return failed(`There is a customer called ${name} already.`)
      const id = same?.id ?? records.nextId('c')
      records.put('customers', id, row)
      return done(`${same ? 'Updated' : 'Entered'} the customer ${row.name}.`, { data: { id, name: row.name ?? name } })
    }),

    ticket_list: reads((args) => {
      const [said, state] = [text(args, 'customer'), text(args, 'state') ?? 'open']
      const all = records.all('tickets', ticketSchema)
      const closed = /clos|solv|done/i.test(state)
      const some = /\ball\b/i.test(state) ? all : all.filter((t) => (t.data.state === 'open') !== closed)
      const found = said === undefined ? some : findNamed(said, some, (t) => [t.data.customer]).matches
      if (found.length === 0)
        return done(`There are no ${closed ? 'closed' : 'open'} tickets${said ? ` of ${said}` : ''}.`, { data: [] })
      const line = (t: (typeof all)[number]) => `${t.id}, ${t.data.customer}: ${t.data.problem.slice(0, 120)}`
      return done(`${countWords(found.length, 'ticket')}: ${found.slice(0, 6).map(line).join('; ')}.`, {
        lines: found.slice(6, 40).map((t) => `- ${line(t)}`),
        data: found.map((t) => ({ id: t.id, customer: t.data.customer, state: t.data.state })),
      })
    }),

    ticket_close: writes(records, 'ticket_close', (args) => {
      const said = text(args, 'ticket')
      if (said === undefined) return asked('Which ticket?')
      const open = records.all('tickets', ticketSchema).filter((t) => t.data.state === 'open')
      if (open.length === 0) return failed('No ticket is open.')
      const { matches } = findNamed(said.replace(/\btickets?\b/gi, ' '), open, (t) => [
        t.id,
        t.data.customer,
        t.data.problem,
      ])
      const ids = (some: readonly (typeof open)[number][]) =>
        listWords(
          some.slice(0, 6).map((t) => `${t.id} (${t.data.customer})`),
          'or',
        )
      if (matches.length > 1) return asked(`Which ticket: ${ids(matches)}?`)
      const [only] = matches
      if (!only) return failed(`No open ticket fits ${said}; did you mean ${ids(open)}?`)
      const note = text(args, 'note')?.slice(0, 1000)
      records.put('tickets', only.id, { ...only.data, state: 'closed', ...(note ? { note } : {}) })
      return done(`Closed ${only.id} of ${only.data.customer}.`, { data: { id: only.id } })
    }),

    hours_report: reads((args, context) => {
      const phrase = text(args, 'when')
      const when =
        phrase === undefined
          ? undefined
          : resolveWhen(phrase, { now: context.now(), zone: context.timeZone, prefer: 'past' })
      if (when?.kind === 'ambiguous') return asked(when.question)
      if (when?.kind === 'unknown') return asked(`I did not understand the time "${phrase}". Which days?`)
      const all = records.all('hours', hoursSchema)
      const end = when?.end ?? (when ? new Date(when.start.getTime() + 86_400_000) : undefined)
      const inTime = all.filter(
        (h) => !when || !end || (new Date(h.data.at) >= when.start && new Date(h.data.at) < end),
      )
      const said = text(args, 'project')
      const found =
        said === undefined
          ? inTime
          : findNamed(said.replace(/\bprojects?\b/gi, ' '), inTime, (h) => [h.data.project]).matches
      if (found.length === 0)
        return done(`No hours are logged${said ? ` on ${said}` : ''}${phrase ? ' then' : ''}.`, { data: [] })
      const sums = new Map<string, number>()
      // Hundredths of an hour, so that quarters add up exactly.
      for (const h of found) sums.set(h.data.project, (sums.get(h.data.project) ?? 0) + Math.round(h.data.hours * 100))
      const total = [...sums.values()].reduce((a, b) => a + b, 0) / 100
      return done(
        `${total} hour${total === 1 ? '' : 's'}: ${listWords([...sums].map(([project, n]) => `${n / 100} on ${project}`))}.`,
        {
          data: { total, projects: Object.fromEntries([...sums].map(([p, n]) => [p, n / 100])) },
        },
      )
    }),

    stock_change: writes(records, 'stock_change', (args, context) => {
      const [item, said] = [text(args, 'item')?.slice(0, 200), text(args, 'count')]
      if (item === undefined) return asked('Which item?')
      if (said === undefined) return asked('How many?')
      const count = parseNumber(said)
      if (count === undefined || count < 0 || count > 1e9)
        return asked(`I did not understand the number "${said.slice(0, 80)}". How many?`)
      const way = text(args, 'direction') ?? /\b(?:add|take|remove|set)\b/i.exec(context.request)?.[0]
      if (way === undefined) return asked(`Should ${count} be added, taken out, or is it the new count?`)
      const all = records.all('stock', stockSchema)
      const { matches, near } = findNamed(item, all, (s) => [s.data.item, s.id])
      if (matches.length > 1)
        return asked(
          `Which item: ${listWords(
            matches.slice(0, 6).map((s) => s.data.item),
            'or',
          )}?`,
        )
      const [only] = matches
      const out = /^(?:take|remove|minus|out|sub|use|sell|sold|down)/i.test(way)
      if (!only && (out || near.length > 0))
        return failed(`No item is called ${item}${didYouMean(near.map((s) => s.data.item))}`)
      const before = only?.data.count ?? 0
      const after = out ? before - count : /^set|^new/i.test(way) ? count : before + count
      if (after < 0) return failed(`There are only ${before} of ${only?.data.item ?? item} in stock.`)
      const id = only?.id ?? records.nextId('i')
      records.put('stock', id, { ...(only?.data ?? { item }), count: after })
      return done(`There are ${after} of ${only?.data.item ?? item} in stock now.`, { data: { id, count: after } })
    }),
  }
}
