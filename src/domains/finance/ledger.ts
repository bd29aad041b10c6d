import { z } from 'zod'
import type { Item, Records } from '../store/index.js'
import { minorOf } from './exact.js'

const postingSchema = z.object({
  /** `own:<account id>`, `spent:<category>`, `earned:<category>`, `exchange`. */
  account: z.string(),
  /** Smallest units of `currency`; what comes in is positive. */
  minor: z.int(),
  currency: z.string(),
})

const entrySchema = z.object({
  /** ISO instant. */
  at: z.string(),
  text: z.string(),
  category: z.string().optional(),
  postings: z.array(postingSchema),
  /** Marks a row of a statement, so that it is entered once. */
  row: z.string().optional(),
})

/** One movement of money: its postings add up to zero in every currency. */
export type Entry = z.infer<typeof entrySchema>

/** One side of an entry. */
export type Posting = z.infer<typeof postingSchema>

/** An account as it is stored; `balance` is what it had before the first entry. */
export const accountSchema = z.object({ name: z.string(), balance: z.number(), currency: z.string().optional() })

/** An account of the owner. */
export type Account = Item<z.infer<typeof accountSchema>>

const expenseSchema = z.object({
  amount: z.number(),
  currency: z.string().optional(),
  what: z.string(),
  at: z.string(),
})

/** The postings of an entry do not add up. */
export class UnbalancedError extends Error {
  override readonly name = 'UnbalancedError'
  readonly code = 'unbalanced'
  constructor(readonly where: string) {
    super(`The entry "${where}" does not add up to zero; it was not written.`)
  }
}

/** Sums by currency that are not zero; none for a balanced entry. */
export function imbalance(postings: readonly Posting[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { currency, minor } of postings) sums.set(currency, (sums.get(currency) ?? 0) + minor)
  return new Map([...sums].filter(([, sum]) => sum !== 0))
}

/** Money that was moved, spent or received, with what can be worked out from it. */
export interface Movement {
  readonly id: string
  readonly at: Date
  readonly text: string
  readonly category: string | undefined
  readonly postings: readonly Posting[]
}

/** The owner's books over records: double entry, whole smallest units. */
export class Books {
  constructor(readonly records: Records) {}

  /** The owner's accounts in the order of their ids. */
  accounts(): readonly Account[] {
    return this.records.all('accounts', accountSchema)
  }

  /** What an account has, in smallest units. */
  balance(account: Account): number {
    const sum = this.entries()
      .flatMap((e) => e.data.postings)
      .filter((p) => p.account === `own:${account.id}`)
      .reduce((total, p) => total + p.minor, 0)
    return minorOf(account.data.balance, account.data.currency) + sum
  }

  /** Entries in the order of their ids. */
  entries(): readonly Item<Entry>[] {
    return this.records.all('ledger', entrySchema)
  }

  /**
   * Writes an entry and returns its id.
   * @throws {UnbalancedError} when its postings do not add up to zero in each currency.
   */
  enter(entry: Entry): string {
    if (entry.postings.length < 2 || imbalance(entry.postings).size > 0) throw new UnbalancedError(entry.text)
    const id = this.records.nextId('m')
    this.records.put('ledger', id, entry)
    return id
  }

  /** Entries and noted expenses together, latest first. Noted expenses are cash that was spent. */
  movements(): readonly Movement[] {
    const noted = this.records
      .all('expenses', expenseSchema)
      .filter((e) => Math.abs(e.data.amount) <= 1e11)
      .map(({ id, data }) => {
        const currency = data.currency ?? this.accounts()[0]?.data.currency ?? ''
        const minor = minorOf(data.amount, currency)
        return {
          id,
          at: new Date(data.at),
          text: data.what,
          category: data.what,
          postings: [
            { account: 'own:cash', minor: -minor, currency },
            { account: `spent:${data.what}`, minor, currency },
          ],
        }
      })
    const entered = this.entries().map(({ id, data }) => ({
      id,
      at: new Date(data.at),
      text: data.text,
      category: data.category,
      postings: data.postings,
    }))
    return [...noted, ...entered].sort((a, b) => b.at.getTime() - a.at.getTime())
  }
}
