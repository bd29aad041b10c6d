import { z } from 'zod'
import type { ToolContract } from '../../tools/contract.js'

const text = z.string().optional()

/** Lists, orders, tickets and tables. */
export const commerceContracts: readonly ToolContract[] = [
  {
    name: 'list_add',
    field: 'commerce',
    description: 'Create a list or add an item to one.',
    parameters: z.object({ list: text, item: text }),
    effect: () => 'write',
  },
  {
    name: 'list_show',
    field: 'commerce',
    description: 'Show lists or what is on them.',
    parameters: z.object({ list: text, when: text }),
    effect: () => 'read',
  },
  {
    name: 'list_remove',
    field: 'commerce',
    description: 'Delete a list or remove an item from one.',
    parameters: z.object({ list: text, item: text }),
    effect: () => 'write',
  },
  {
    name: 'takeaway_order',
    field: 'commerce',
    description: 'Order food for takeaway or delivery.',
    parameters: z.object({ food: text, from: text, how: text, when: text }),
    asks: { food: 'What should I order?' },
    effect: () => 'irreversible',
    egress: (args) => ({
      to: [String(args.from ?? args.restaurant ?? args.service ?? 'the seller')],
      what: 'the order',
    }),
  },
  {
    name: 'takeaway_info',
    field: 'commerce',
    description: 'Ask whether a place delivers, or for the state of a food order.',
    parameters: z.object({ food: text, from: text, how: text, when: text }),
    effect: () => 'read',
    egress: (args) => ({ to: ['the search service'], what: Object.values(args).join(' ') }),
    untrusted: true,
  },
  {
    name: 'restaurant_book',
    field: 'commerce',
    description: 'Book a table at a restaurant.',
    parameters: z.object({
      restaurant: text,
      kind: text,
      food: text,
      people: text,
      place: text,
      when: text,
      facility: text,
      sort: text,
    }),
    effect: () => 'irreversible',
    egress: (args) => ({
      to: [String(args.from ?? args.restaurant ?? args.service ?? 'the seller')],
      what: 'the order',
    }),
  },
  {
    name: 'ticket_book',
    field: 'commerce',
    description: 'Book or price a train, bus or flight ticket.',
    parameters: z.object({ mode: text, from: text, to: text, when: text }),
    asks: { to: 'Where do you want to go?' },
    effect: () => 'irreversible',
    egress: (args) => ({
      to: [String(args.from ?? args.restaurant ?? args.service ?? 'the seller')],
      what: 'the order',
    }),
  },
  {
    name: 'taxi_book',
    field: 'commerce',
    description: 'Call a taxi or ride.',
    parameters: z.object({ service: text, from: text, to: text, when: text }),
    effect: () => 'irreversible',
    egress: (args) => ({
      to: [String(args.from ?? args.restaurant ?? args.service ?? 'the seller')],
      what: 'the order',
    }),
  },
  {
    name: 'product_find',
    field: 'commerce',
    description: 'Find a product to buy.',
    parameters: z.object({ product: text, price: text }),
    asks: { product: 'What are you looking for?' },
    effect: () => 'read',
    egress: (args) => ({ to: ['the search service'], what: Object.values(args).join(' ') }),
    untrusted: true,
  },
  {
    name: 'book_rate',
    field: 'commerce',
    description: 'Rate a book or series.',
    parameters: z.object({ title: text, which: text, kind: text, rating: text }),
    asks: { rating: 'What rating?' },
    effect: () => 'write',
  },
]
