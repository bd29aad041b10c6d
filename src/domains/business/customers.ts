import { z } from 'zod'
import type { ToolResult } from '../../tools/contract.js'
import { asked, failed } from '../result.js'
import type { Item, Records } from '../store/index.js'
import { findNamed, listWords } from '../words/match.js'

/** A customer as it is stored. */
export const customerSchema = z.object({
  name: z.string(),
  email: z.string().optional(),
  phone: z.string().optional(),
  address: z.string().optional(),
  note: z.string().optional(),
})

/** A support ticket as it is stored. */
export const ticketSchema = z.object({
  customer: z.string(),
  problem: z.string(),
  made: z.string(),
  state: z.string(),
  note: z.string().optional(),
})

/** The one customer that a phrase names, or the question or failure that is left. */
export function pickCustomer(records: Records, phrase: string): Item<z.infer<typeof customerSchema>> | ToolResult {
  const all = records.all('customers', customerSchema)
  const { matches, near } = findNamed(phrase, all, (c) => [c.data.name, c.id])
  const say = (some: typeof all) =>
    listWords(
      some.slice(0, 6).map((c) => c.data.name),
      'or',
    )
  if (matches.length > 1) return asked(`Which customer: ${say(matches)}?`)
  const [only] = matches
  if (only) return only
  return failed(
    all.length === 0
      ? 'No customers are entered yet. Add the customer first.'
      : `No customer is called ${phrase}; did you mean ${say(near.length > 0 ? near : all)}?`,
  )
}
