import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { resolveWhen, sayDay } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed, listWords } from '../words/match.js'
import { minorOf, sayMinor } from './exact.js'
import type { Account, Books, Entry } from './ledger.js'
import { parseMoney } from './money.js'
import { pickAccount } from './pick-account.js'

/** A bill as it is stored. */
export const billSchema = z.object({
  name: z.string(),
  amount: z.number(),
  currency: z.string().optional(),
  due: z.string(),
  paid: z.boolean().optional(),
})

const rateSchema = z.object({ rate: z.number().positive(), at: z.string() })

/** What would be done, or the question or failure instead. */
type Planned = { readonly say: string; readonly after: string; readonly entry: Entry; readonly bill?: string }

const isResult = (x: object): x is ToolResult => 'ok' in x

/** An amount that is positive, in the account's currency. */
function amountFor(account: Account, phrase: string): number | ToolResult {
  const money = parseMoney(phrase)
  if (money === undefined || !(money.amount > 0 && money.amount <= 1e11))
    return asked(`I did not understand the amount "${phrase}". How much?`)
  const { currency } = account.data
  if (money.currency !== undefined && currency !== undefined && money.currency !== currency)
    return failed(`${account.data.name} is in ${currency}; say the amount in ${currency}.`)
  return minorOf(money.amount, currency ?? money.currency)
}

/** money_transfer, payment_send, bill_add and bill_pay. */
export function paymentTools(books: Books): { readonly [name: string]: Implementation } {
  const { records } = books
  const short = (account: Account, minor: number): ToolResult | undefined => {
    const has = books.balance(account)
    const { name, currency } = account.data
    return has < minor
      ? failed(`${name} has only ${sayMinor(has, currency)}; ${sayMinor(minor, currency)} is more than that.`)
      : undefined
  }

  const exchanged = (minor: number, from: string, to: string): number | undefined => {
    if (from === to) return minor
    const direct = records.get('rates', `${from}/${to}`, rateSchema)?.rate
    const inverse = records.get('rates', `${to}/${from}`, rateSchema)?.rate
    const rate = direct ?? (inverse === undefined ? undefined : 1 / inverse)
    if (rate === undefined) return undefined
    const one = minorOf(1, from)
    return minorOf((minor / one) * rate, to)
  }

  const planTransfer = (args: JsonObject, context: ToolContext): Planned | ToolResult => {
    const said = text(args, 'amount')
    if (said === undefined) return asked('How much should be transferred?')
    const accounts = books.accounts()
    const to = pickAccount(accounts, text(args, 'to'), 'To which account:')
    if (isResult(to)) return to
    const rest = accounts.filter((a) => a.id !== to.id)
    const from = pickAccount(
      text(args, 'from') === undefined ? rest : accounts,
      text(args, 'from'),
      'From which account:',
    )
    if (isResult(from)) return from
    if (from.id === to.id) return failed(`That is the same account twice: ${from.data.name}.`)
    const minor = amountFor(from, said)
    if (typeof minor !== 'number') return minor
    const lack = short(from, minor)
    if (lack) return lack
    const [have, want] = [from.data.currency ?? '', to.data.currency ?? '']
    const arrives = exchanged(minor, have, want)
    if (arrives === undefined) return failed(`No exchange rate from ${have} to ${want} is entered. Set one first.`)
    const what = `${sayMinor(minor, have)} from ${from.data.name} to ${to.data.name}${have === want ? '' : `, where ${sayMinor(arrives, want)} arrive`}`
    return {
      say: `Transfer ${what}.`,
      after: `Transferred ${what} in the books here; no bank is connected.`,
      entry: {
        at: context.now().toISOString(),
        text: `Transfer from ${from.data.name} to ${to.data.name}`,
        postings: [
          { account: `own:${from.id}`, minor: -minor, currency: have },
          ...(have === want
            ? []
            : [
                { account: 'exchange', minor, currency: have },
                { account: 'exchange', minor: -arrives, currency: want },
              ]),
          { account: `own:${to.id}`, minor: arrives, currency: want },
        ],
      },
    }
  }

  const outgoing = (
    account: Account,
    minor: number,
    to: string,
    reference: string | undefined,
    context: ToolContext,
  ): Planned | ToolResult => {
    const lack = short(account, minor)
    if (lack) return lack
    const currency = account.data.currency ?? ''
    const what = `${sayMinor(minor, currency)} to ${to} from ${account.data.name}${reference ? ` for ${reference}` : ''}`
    return {
      say: `Pay ${what}. No bank is connected, so this is only noted here.`,
      after: `Noted as paid: ${what}; no bank is connected, so no money was sent.`,
      entry: {
        at: context.now().toISOString(),
        text: `${to}${reference ? `: ${reference}` : ''}`,
        category: reference ?? to,
        postings: [
          { account: `own:${account.id}`, minor: -minor, currency },
          { account: `spent:${reference ?? to}`, minor, currency },
        ],
      },
    }
  }

  const planPayment = (args: JsonObject, context: ToolContext): Planned | ToolResult => {
    const [to, said] = [text(args, 'to')?.slice(0, 200), text(args, 'amount')]
    if (to === undefined) return asked('Who should be paid?')
    if (said === undefined) return asked('How much should be paid?')
    const account = pickAccount(books.accounts(), text(args, 'account'), 'From which account:')
    if (isResult(account)) return account
    const minor = amountFor(account, said)
    if (typeof minor !== 'number') return minor
    return outgoing(account, minor, to, text(args, 'reference')?.slice(0, 200), context)
  }

  const planBill = (args: JsonObject, context: ToolContext): Planned | ToolResult => {
    const said = text(args, 'bill')
    if (said === undefined) return asked('Which bill?')
    const open = records.all('bills', billSchema).filter((b) => b.data.paid !== true)
    const names = (bills: readonly (typeof open)[number][]) =>
      listWords(
        bills.slice(0, 6).map((b) => b.data.name),
        'or',
      )
    if (open.length === 0) return failed('No unpaid bill is entered.')
    const { matches, near } = findNamed(said.replace(/\bbills?\b/gi, ' '), open, (b) => [b.data.name, b.id])
    if (matches.length > 1) return asked(`Which bill: ${names(matches)}?`)
    const [bill] = matches
    if (!bill) return failed(`No unpaid bill is called ${said}; did you mean ${names(near.length > 0 ? near : open)}?`)
    const account = pickAccount(books.accounts(), text(args, 'account'), 'From which account:')
    if (isResult(account)) return account
    const { name, amount, currency } = bill.data
    if (currency !== undefined && account.data.currency !== undefined && currency !== account.data.currency)
      return failed(
        `The bill is in ${currency} and ${account.data.name} in ${account.data.currency}. Name another account.`,
      )
    const plan = outgoing(account, minorOf(amount, currency ?? account.data.currency), name, undefined, context)
    return isResult(plan) ? plan : { ...plan, bill: bill.id }
  }

  const acting = (
    tool: string,
    plan: (args: JsonObject, context: ToolContext) => Planned | ToolResult,
  ): Implementation => ({
    ...writes(records, tool, (args, context) => {
      const planned = plan(args, context)
      if (isResult(planned)) return planned
      const id = books.enter(planned.entry)
      if (planned.bill !== undefined) {
        const bill = records.get('bills', planned.bill, billSchema)
        if (bill) records.put('bills', planned.bill, { ...bill, paid: true })
      }
      return done(planned.after, { data: { id } })
    }),
    preview: (args, context) => {
      const planned = plan(args, context)
      return isResult(planned) ? planned : planned.say
    },
  })

  return {
    money_transfer: acting('money_transfer', planTransfer),
    payment_send: acting('payment_send', planPayment),
    bill_pay: acting('bill_pay', planBill),
    bill_add: writes(records, 'bill_add', (args, context) => {
      const [name, said, phrase] = [text(args, 'name')?.slice(0, 200), text(args, 'amount'), text(args, 'due')]
      if (name === undefined) return asked('Whose bill is it?')
      if (said === undefined) return asked('How much is the bill?')
      if (phrase === undefined) return asked('When is it due?')
      const money = parseMoney(said)
      if (money === undefined || !(money.amount > 0) || money.amount > 1e11)
        return asked(`I did not understand the amount "${said}". How much is the bill?`)
      const now = context.now()
      const due = resolveWhen(phrase, { now, zone: context.timeZone })
      if (due.kind === 'ambiguous') return asked(due.question)
      if (due.kind === 'unknown') return asked(`I did not understand the day "${phrase}". When is it due?`)
      const currency = money.currency ?? books.accounts()[0]?.data.currency
      const id = records.nextId('r')
      records.put('bills', id, {
        name,
        amount: money.amount,
        ...(currency ? { currency } : {}),
        due: due.start.toISOString(),
      })
      return done(
        `Entered the bill ${name}, ${sayMinor(minorOf(money.amount, currency), currency)}, due on ${sayDay(due.start, context.timeZone, now)}.`,
        { data: { id, name } },
      )
    }),
  }
}
