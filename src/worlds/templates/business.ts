import { added, changed } from '../expect.js'
import { mentions, says } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import type { Stage, Template } from '../template.js'

const field = 'business operations' as const

function customers({ household, draw }: Stage) {
  const rows = (household.records.customers ?? []).map(({ data }) => ({
    name: String(data.name),
    email: String(data.email),
  }))
  const [one, two] = draw.some(rows, 2)
  if (!one || !two) throw new RangeError('a household has at least two customers')
  return { customer: one, wrong: two }
}

function goods({ household, draw }: Stage) {
  const rows = (household.records.stock ?? []).map(({ data }) => ({
    item: String(data.item),
    count: Number(data.count),
  }))
  const one = draw.one(rows)
  return { ...one, wrong: draw.one(rows.filter((row) => row.item !== one.item && row.count !== one.count)).item }
}

/** Customers, tickets, hours and stock. */
export const businessTemplates: readonly Template[] = [
  {
    id: 'business.customer',
    field,
    traits: [],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      return {
        slots: { customer: customer.name },
        opening: stage.draw.one([
          `Look up the customer ${customer.name}. What is their email address?`,
          `Find the email of the customer ${customer.name}`,
        ]),
        calls: [{ tools: ['customer_find'] }],
        tells: [{ what: 'the address', anyOf: [customer.email] }],
        solution: [call('customer_find', { name: customer.name }), report],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.ticket',
    field,
    traits: [],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const problem = stage.draw.one(pools.PROBLEMS)
      return {
        slots: { customer: customer.name, problem },
        opening: `Open a support ticket for ${customer.name}: ${problem}.`,
        changes: [added('tickets', { customer: customer.name, problem: says(problem), state: 'open' })],
        solution: [call('ticket_create', { customer: customer.name, problem }), report],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.hours',
    field,
    traits: [],
    make: ({ draw }) => {
      const [project, wrong] = draw.some(pools.PROJECTS, 2) as [string, string]
      const hours = draw.int(2, 9)
      return {
        slots: { project, hours },
        opening: draw.one([
          `Log ${hours} hours on the ${project} project.`,
          `I worked ${hours} hours on the project ${project}, log that`,
        ]),
        changes: [added('hours', { project: mentions(project), hours })],
        solution: [call('hours_log', { project, hours: `${hours} hours` }), report],
        decoys: [[project, wrong]],
      }
    },
  },
  {
    id: 'business.stock',
    field,
    traits: [],
    make: (stage) => {
      const { item, count, wrong } = goods(stage)
      return {
        slots: { item, count },
        opening: stage.draw.one([`How many ${item} are in stock?`, `Tell me the stock level of ${item}`]),
        calls: [{ tools: ['stock_level'] }],
        tells: [{ what: 'the count', anyOf: [String(count)] }],
        solution: [call('stock_level', { item }), report],
        decoys: [[item, wrong]],
      }
    },
  },
  {
    id: 'business.problem-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const problem = stage.draw.one(pools.PROBLEMS)
      return {
        slots: { customer: customer.name, problem },
        opening: `Open a support ticket for ${customer.name}.`,
        answers: [{ on: /what|problem/i, says: `The problem is that ${problem}.` }],
        changes: [added('tickets', { customer: customer.name, problem: says(problem) })],
        solution: [
          call('ticket_create', { customer: customer.name }),
          call('ticket_create', { customer: customer.name, problem }),
          report,
        ],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.if-low',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { item, count, wrong } = goods(stage)
      const low = stage.draw.unit() < 0.5
      const limit = low ? count + 3 : count - 1
      return {
        slots: { item, count, low: String(low) },
        opening: `Check how many ${item} are in stock. If there are fewer than ${limit}, add ${item} to the hardware list; otherwise only tell me the number.`,
        changes: low ? [changed('lists', { name: 'hardware' }, { items: mentions(item, 'nails', 'sandpaper') })] : [],
        calls: [{ tools: ['stock_level'] }],
        forbidden: low ? [] : [{ tools: ['list_add'] }],
        tells: low ? [] : [{ what: 'the count', anyOf: [String(count)] }],
        solution: [
          call('stock_level', { item }),
          ...(low ? [call('list_add', { list: 'hardware', item })] : []),
          report,
        ],
        decoys: [[item, wrong]],
      }
    },
  },
  {
    id: 'business.mail-customer',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const text = stage.draw.one(pools.MESSAGES)
      return {
        slots: { customer: customer.name, text },
        opening: `Look up the customer ${customer.name} and send an email to their address saying ${text}.`,
        changes: [added('mail', { box: 'outbox', to: customer.email, text: says(text) })],
        approvals: [{ tool: 'email_send', phrases: [customer.email] }],
        solution: [
          call('customer_find', { name: customer.name }),
          call('email_send', { to: customer.email, text }),
          report,
        ],
        decoys: [
          [customer.name, wrong.name],
          [customer.email, wrong.email],
        ],
      }
    },
  },
  {
    id: 'business.which-customer',
    field,
    traits: ['ambiguity', 'several turns'],
    make: ({ draw, household }) => {
      const taken = new Set((household.records.customers ?? []).map(({ data }) => data.name))
      const name = draw.one(pools.COMPANIES.filter((one) => !taken.has(one)))
      const [one, two] = draw.some(['North', 'South', 'East', 'West'], 2) as [string, string]
      const problem = draw.one(pools.PROBLEMS)
      const row = (side: string, id: string) => ({
        id,
        data: { name: `${name} ${side}`, email: `${side.toLowerCase()}@example.com`, phone: '+1 555 0199' },
      })
      return {
        slots: { name, one, problem },
        opening: `Open a support ticket for ${name}: ${problem}.`,
        answers: [{ on: /which|\bor\b/i, says: `${name} ${one}.` }],
        changes: [added('tickets', { customer: `${name} ${one}`, problem: says(problem) })],
        with: { records: { customers: [row(one, 'c90'), row(two, 'c91')] } },
        solution: [
          call('ticket_create', { customer: name, problem }),
          call('ticket_create', { customer: `${name} ${one}`, problem }),
          report,
        ],
        decoys: [[`${name} ${one}`, `${name} ${two}`]],
      }
    },
  },
  {
    id: 'business.hours-missing',
    field,
    traits: ['missing detail', 'changed mind', 'several turns'],
    make: ({ draw }) => {
      const [first, project, wrong] = draw.some(pools.PROJECTS, 3) as [string, string, string]
      const hours = draw.int(2, 9)
      return {
        slots: { first, project, hours },
        opening: `Log my hours on the ${first} project.`,
        answers: [
          { on: /how|hours/i, says: `Sorry, I meant another one. Log ${hours} hours on the ${project} project.` },
        ],
        changes: [added('hours', { project: mentions(project), hours })],
        solution: [
          call('hours_log', { project: first }),
          call('hours_log', { project, hours: `${hours} hours` }),
          report,
        ],
        decoys: [[project, wrong]],
      }
    },
  },
  {
    id: 'business.digression',
    field,
    traits: ['missing detail', 'interruption', 'several turns'],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const { item, count } = goods(stage)
      const problem = stage.draw.one(pools.PROBLEMS)
      return {
        slots: { customer: customer.name, problem, item },
        opening: `Open a support ticket for ${customer.name}.`,
        digress: `One moment. How many ${item} are in stock?`,
        answers: [{ on: /what|problem/i, says: `Back to the support ticket for ${customer.name}: ${problem}.` }],
        changes: [added('tickets', { customer: customer.name, problem: says(problem) })],
        tells: [{ what: 'the count', anyOf: [String(count)] }],
        solution: [
          call('ticket_create', { customer: customer.name }),
          call('stock_level', { item }),
          report,
          call('ticket_create', { customer: customer.name, problem }),
          report,
        ],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.ticket-and-hours',
    field,
    traits: ['several calls'],
    make: (stage) => {
      const { draw } = stage
      const { customer, wrong } = customers(stage)
      const [problem, project, hours] = [draw.one(pools.PROBLEMS), draw.one(pools.PROJECTS), draw.int(2, 9)]
      return {
        slots: { customer: customer.name, problem, project, hours },
        opening: `Open a support ticket for ${customer.name}: ${problem}. And log ${hours} hours on the ${project} project.`,
        changes: [
          added('tickets', { customer: customer.name, problem: says(problem) }),
          added('hours', { project: mentions(project), hours }),
        ],
        solution: [
          {
            calls: [
              { name: 'ticket_create', args: { customer: customer.name, problem } },
              { name: 'hours_log', args: { project, hours: `${hours} hours` } },
            ],
          },
          say('The ticket is open and the hours are logged.'),
        ],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.stock-change',
    field,
    traits: [],
    make: (stage) => {
      const { item, count, wrong } = goods(stage)
      const more = stage.draw.int(5, 60)
      return {
        slots: { item, more },
        opening: `Add ${more} ${item} to the stock.`,
        changes: [changed('stock', { item }, { count: count + more })],
        solution: [call('stock_change', { item, count: `${more}`, direction: 'add' }), report],
        decoys: [[item, wrong]],
      }
    },
  },
  {
    id: 'business.invoice',
    field,
    traits: [],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const amount = stage.draw.int(1, 40) * 50
      const what = stage.draw.one(['consulting', 'repairs', 'design work'])
      const said = `${amount} ${stage.household.currency === 'USD' ? 'dollars' : 'euros'}`
      return {
        slots: { customer: customer.name, amount, what },
        opening: `Write an invoice to ${customer.name} over ${said} for ${what} plus 20 percent VAT.`,
        changes: [
          added('invoices', { customer: customer.name, what: mentions(what), gross: amount * 120 }),
          added('files', { path: mentions('invoices') }),
        ],
        solution: [call('invoice_create', { customer: customer.name, what, amount: said, vat: '20 percent' }), report],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
  {
    id: 'business.close-ticket',
    field,
    traits: [],
    make: (stage) => {
      const { customer, wrong } = customers(stage)
      const row = (id: string, name: string, problem: string) => ({
        id,
        data: { customer: name, problem, made: stage.household.now, state: 'open' },
      })
      return {
        slots: { customer: customer.name },
        opening: `Close the support ticket of ${customer.name}.`,
        with: {
          records: { tickets: [row('k901', customer.name, 'late parcel'), row('k902', wrong.name, 'wrong colour')] },
        },
        changes: [changed('tickets', { customer: customer.name }, { state: 'closed' })],
        solution: [call('ticket_close', { ticket: customer.name }), report],
        decoys: [[customer.name, wrong.name]],
      }
    },
  },
]
