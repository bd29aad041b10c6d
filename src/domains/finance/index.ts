import { z } from 'zod'
import type { Tool } from '../../tools/contract.js'
import { implement, reads, writes } from '../implement.js'
import { asked, done, failed, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { budgetTools } from './budgets.js'
import { CalculationError, calculate, sayNumber } from './calculate.js'
import { fromMinor, sayMinor } from './exact.js'
import { Books } from './ledger.js'
import { currencyCode, parseMoney, sayMoney } from './money.js'
import { billSchema, paymentTools } from './payments.js'
import { financeContracts } from './tools.js'

const rateSchema = z.object({ rate: z.number().positive(), at: z.string() })
/** Money on records: accounts, expenses and bills as they were entered; rates only as the owner set them. */
export function financeTools(records: Records): readonly Tool[] {
  const rate = (from: string, to: string) => {
    if (from === to) return { rate: 1, at: '' }
    const direct = records.get('rates', `${from}/${to}`, rateSchema)
    if (direct) return direct
    const inverse = records.get('rates', `${to}/${from}`, rateSchema)
    return inverse && { rate: 1 / inverse.rate, at: inverse.at }
  }

  const books = new Books(records)
  return implement(financeContracts, {
    ...paymentTools(books),
    ...budgetTools(books),
    stock_price: reads((args) => {
      const company = text(args, 'company')
      const found = company === undefined ? [] : records.lookUp(company, 'stock', 3)
      const first = found[0]
      return first
        ? done(first.body.split('\n')[0] ?? first.title, { lines: [`Source: ${first.source}`] })
        : unavailable(
            `No stock market source is connected, so I do not know ${company === undefined ? 'the prices' : `the price of ${company}`}.`,
          )
    }),

    currency_convert: reads((args, context) => {
      const money = parseMoney(text(args, 'amount') ?? '1') ?? { amount: 1 }
      const said = [text(args, 'from'), text(args, 'to')] as const
      const fromMoney = said[0] === undefined ? undefined : parseMoney(said[0])
      const from = currencyCode(said[0]) ?? fromMoney?.currency ?? money.currency
      const to = currencyCode(said[1])
      if (from === undefined && said[0] !== undefined) return failed(`I do not know a currency called ${said[0]}.`)
      if (to === undefined && said[1] !== undefined) return failed(`I do not know a currency called ${said[1]}.`)
      if (from === undefined) return asked('From which currency?')
      if (to === undefined) return asked('To which currency?')
      const known = rate(from, to)
      if (known === undefined)
        return unavailable(
          `No exchange rate from ${from} to ${to} is known here, because no source of rates is connected.`,
        )
      const amount = text(args, 'amount') === undefined ? (fromMoney?.amount ?? 1) : money.amount
      return done(
        `${sayMoney(amount, from)} are ${sayMoney(amount * known.rate, to)}${known.at ? `, at the rate set on ${sayDay(new Date(known.at), context.timeZone, context.now())}` : ''}.`,
        { data: { from, to, amount, result: amount * known.rate } },
      )
    }),

    calculate: reads((args, context) => {
      const expression = text(args, 'expression') ?? context.request
      if (expression.trim() === '') return asked('What should I work out?')
      try {
        const value = calculate(expression)
        return done(`The result is ${sayNumber(value)}.`, { data: { value } })
      } catch (error) {
        if (error instanceof CalculationError) return failed(error.message)
        throw error
      }
    }),

    balance_get: reads((args) => {
      const accounts = books.accounts()
      if (accounts.length === 0) return unavailable('No account is entered or connected, so I know no balance.')
      const said = text(args, 'account')
      const { matches } =
        said === undefined
          ? { matches: accounts }
          : findNamed(said.replace(/\baccount\b/gi, ' '), accounts, (a) => [a.data.name])
      if (matches.length === 0)
        return failed(
          `No account is called ${said}; there ${accounts.length === 1 ? 'is' : 'are'} ${listWords(accounts.map((a) => a.data.name))}.`,
        )
      return done(
        `${listWords(matches.map((a) => `${a.data.name} has ${sayMinor(books.balance(a), a.data.currency)}`))}.`,
        {
          data: matches.map((a) => ({
            account: a.data.name,
            balance: Number(fromMinor(books.balance(a), a.data.currency)),
          })),
        },
      )
    }),

    expense_add: writes(records, 'expense_add', (args, context) => {
      const said = text(args, 'amount')
      if (said === undefined) return asked('How much was it?')
      const money = parseMoney(said)
      if (money === undefined || !(money.amount > 0))
        return asked(`I did not understand the amount "${said}". How much was it?`)
      const now = context.now()
      const phrase = text(args, 'when')
      const when =
        phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: context.timeZone, prefer: 'past' })
      if (when?.kind === 'unknown') return asked(`I did not understand the day "${phrase}". When was it?`)
      if (when?.kind === 'ambiguous') return asked(when.question)
      const day = when?.start ?? now
      const what = text(args, 'what')
      const id = records.nextId('e')
      records.put('expenses', id, { ...money, what: what ?? '', at: day.toISOString() })
      return done(
        `Noted ${sayMoney(money.amount, money.currency)}${what ? ` for ${what}` : ''} on ${sayDay(day, context.timeZone, now)}.`,
        { data: { id, ...money } },
      )
    }),

    bill_list: reads((args, context) => {
      const now = context.now()
      const phrase = text(args, 'when')
      const when = phrase === undefined ? undefined : resolveWhen(phrase, { now, zone: context.timeZone })
      if (when?.kind === 'ambiguous') return asked(when.question)
      const all = records.all('bills', billSchema).filter((b) => b.data.paid !== true)
      const due = all.filter(
        (b) =>
          when?.kind !== 'resolved' ||
          (new Date(b.data.due) >= when.start && (when.end === undefined || new Date(b.data.due) < when.end)),
      )
      if (due.length === 0)
        return done(all.length === 0 ? 'No bills are entered.' : 'No bill is due then.', { data: [] })
      const sorted = [...due].sort((a, b) => (a.data.due < b.data.due ? -1 : 1))
      return done(
        `Due: ${listWords(sorted.slice(0, 6).map((b) => `${b.data.name}, ${sayMoney(b.data.amount, b.data.currency)}, on ${sayDay(new Date(b.data.due), context.timeZone, now)}`))}.`,
        { data: sorted.map((b) => ({ id: b.id, name: b.data.name, amount: b.data.amount, due: b.data.due })) },
      )
    }),
  })
}

export { importStatement } from './import-statement.js'
export { Books } from './ledger.js'
export { StatementError } from './statement.js'
