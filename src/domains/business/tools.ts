import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Customers, tickets, time and stock. */
export const businessContracts: readonly ToolContract[] = [
  {
    name: 'customer_find',
    field: 'business operations',
    description: 'Look up a customer.',
    parameters: z.object({ name: text }),
    asks: { name: 'Which customer?' },
    effect: () => 'read',
  },
  {
    name: 'ticket_create',
    field: 'business operations',
    description: 'Open a support ticket for a customer.',
    parameters: z.object({ customer: text, problem: text }),
    asks: { problem: 'What is the problem?' },
    effect: () => 'write',
  },
  {
    name: 'hours_log',
    field: 'business operations',
    description: 'Log hours worked on a project.',
    parameters: z.object({ project: text, hours: text, when: text }),
    asks: { hours: 'How many hours?' },
    effect: () => 'write',
  },
  {
    name: 'stock_level',
    field: 'business operations',
    description: 'Tell how many of an item are in stock.',
    parameters: z.object({ item: text }),
    asks: { item: 'Which item?' },
    effect: () => 'read',
  },
  {
    name: 'customer_add',
    field: 'business operations',
    description: 'Enter a customer with email, phone and address.',
    parameters: z.object({ name: text, email: text, phone: text, address: text, note: text }),
    asks: { name: 'What is the customer called?' },
    examples: ['add the customer acme with email office at acme dot com', 'enter a new customer called bluebird ltd'],
    effect: () => 'write',
  },
  {
    name: 'ticket_list',
    field: 'business operations',
    description: 'Show support tickets, open ones or of a customer.',
    parameters: z.object({ customer: text, state: text.describe('open or closed') }),
    examples: ['show the open support tickets', 'list the tickets of acme', 'which customer tickets are still open'],
    effect: () => 'read',
  },
  {
    name: 'ticket_close',
    field: 'business operations',
    description: 'Close a support ticket.',
    parameters: z.object({ ticket: text, note: text }),
    asks: { ticket: 'Which ticket?' },
    examples: [
      'close the support ticket k1',
      'mark the ticket of acme as solved',
      'close the customer ticket about the printer',
    ],
    effect: () => 'write',
  },
  {
    name: 'invoice_create',
    field: 'business operations',
    description: 'Write an invoice for a customer as a PDF.',
    parameters: z.object({ customer: text, what: text, amount: text, vat: text.describe('percent') }),
    asks: { customer: 'For which customer?', what: 'What is it for?', amount: 'How much is it without tax?' },
    examples: [
      'write an invoice to acme over 500 euros for consulting',
      'create an invoice for bluebird: design work 1200 dollars plus 20 percent vat',
      'bill the customer acme 300 euros for repairs',
    ],
    effect: () => 'write',
  },
  {
    name: 'invoice_list',
    field: 'business operations',
    description: 'Show the invoices that were written.',
    parameters: z.object({ customer: text }),
    examples: ['show my invoices', 'list the invoices to acme', 'which invoices did i write'],
    effect: () => 'read',
  },
  {
    name: 'hours_report',
    field: 'business operations',
    description: 'Add up the logged hours of a project: the time sheet.',
    parameters: z.object({ project: text, when: text }),
    examples: [
      'how many hours did i log on the website project',
      'show my time sheet for last week',
      'total logged hours this month',
    ],
    effect: () => 'read',
  },
  {
    name: 'stock_change',
    field: 'business operations',
    description: 'Add to, take from or set the stock of an item.',
    parameters: z.object({ item: text, count: text, direction: text.describe('add, remove or set') }),
    asks: { item: 'Which item?', count: 'How many?' },
    examples: ['add 20 boxes to the stock', 'take five cables out of stock', 'set the stock of screws to 300'],
    effect: () => 'write',
  },
]
