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
]
