import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Money, prices and numbers. */
export const financeContracts: readonly ToolContract[] = [
  {
    name: 'stock_price',
    field: 'finance',
    description: 'Get stock prices and market news.',
    parameters: z.object({ company: text, when: text }),
    effect: () => 'read',
    egress: (args) => ({ to: ['the search service'], what: Object.values(args).join(' ') }),
    untrusted: true,
  },
  {
    name: 'currency_convert',
    field: 'finance',
    description: 'Convert money or get an exchange rate.',
    parameters: z.object({ from: text, to: text, amount: text }),
    effect: () => 'read',
  },
  {
    name: 'calculate',
    field: 'finance',
    description: 'Work out a calculation.',
    parameters: z.object({ expression: text }),
    effect: () => 'read',
  },
  {
    name: 'balance_get',
    field: 'finance',
    description: 'Tell the balance of an account.',
    parameters: z.object({ account: text }),
    effect: () => 'read',
  },
  {
    name: 'expense_add',
    field: 'finance',
    description: 'Write down money that was spent.',
    parameters: z.object({ amount: text, what: text, when: text }),
    asks: { amount: 'How much was it?' },
    effect: () => 'write',
  },
  {
    name: 'bill_list',
    field: 'finance',
    description: 'Show bills and when they are due.',
    parameters: z.object({ when: text }),
    effect: () => 'read',
  },
]
