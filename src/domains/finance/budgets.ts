import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import type { ToolContext, ToolResult } from '../../tools/contract.js'
import { type Implementation, reads, writes } from '../implement.js'
import { asked, done, failed } from '../result.js'
import { resolveWhen, sayDay, zoned } from '../time/index.js'
import { text } from '../words/args.js'
import { findNamed, keyWords, listWords } from '../words/match.js'
import { parseNumber } from '../words/numbers.js'
import { minorOf, sayMinor } from './exact.js'
import type { Books, Movement } from './ledger.js'
import { currencyCode, parseMoney } from './money.js'
import { pickAccount } from './pick-account.js'

const budgetSchema = z.object({ category: z.string(), amount: z.number(), currency: z.string().optional() })

/** A span of time that was said, or the question that is left. */
function span(
  phrase: string | undefined,
  context: ToolContext,
): { readonly from: Date; readonly to: Date } | ToolResult | undefined {
  if (phrase === undefined) return undefined
  const when = resolveWhen(phrase, { now: context.now(), zone: context.timeZone, prefer: 'past' })
  if (when.kind === 'ambiguous') return asked(when.question)
  if (when.kind === 'unknown') return asked(`I did not understand the time "${phrase}". Which days?`)
  const day = zoned(when.start, context.timeZone).startOfDay()
  const end = when.end ?? new Date(day.add({ days: 1 }).epochMilliseconds)
  return { from: new Date(when.end ? when.start : day.epochMilliseconds), to: end }
}

/** What a movement spent: the sum of its `spent:` postings by currency. */
const spentIn = (m: Movement): readonly { readonly minor: number; readonly currency: string }[] =>
  m.postings.filter((p) => p.account.startsWith('spent:'))

/** account_add, rate_set, transaction_find, budget_set and budget_show. */
export function budgetTools(books: Books): { readonly [name: string]: Implementation } {
  const { records } = books
  return {
    account_add: writes(records, 'account_add', (args) => {
      const said = text(args, 'name')
      const name = said
        ?.replace(/\b(?:my|the|bank account|account)\b/gi, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 80)
      if (!name) return asked('What is the account called?')
      if (books.accounts().some((a) => keyWords(a.data.name).join(' ') === keyWords(name).join(' ')))
        return failed(`There is an account called ${name} already.`)
      const phrase = text(args, 'balance')
      const money = phrase === undefined ? { amount: 0 } : parseMoney(phrase)
      if (money === undefined || Math.abs(money.amount) > 1e11)
        return asked(`I did not understand the balance "${phrase}". How much is in it?`)
      const id = records.nextId('a')
      const currency = 'currency' in money ? money.currency : undefined
      records.put('accounts', id, { name, balance: money.amount, ...(currency ? { currency } : {}) })
      return done(`Entered the account ${name} with ${sayMinor(minorOf(money.amount, currency), currency)}.`, {
        data: { id, name },
      })
    }),

    rate_set: writes(records, 'rate_set', (args, context) => {
      const [from, to, said] = [text(args, 'from'), text(args, 'to'), text(args, 'rate')]
      if (from === undefined) return asked('From which currency?')
      if (to === undefined) return asked('To which currency?')
      if (said === undefined) return asked('What is the rate?')
      const [a, b] = [currencyCode(from), currencyCode(to)]
      if (a === undefined || b === undefined)
        return failed(`I do not know a currency called ${a === undefined ? from : to}.`)
      const rate = parseNumber(said)
      if (rate === undefined || !(rate > 0) || rate > 1e9 || a === b)
        return asked(`I did not understand the rate "${said}". How many ${b} is one ${a}?`)
      records.remove('rates', `${b}/${a}`)
      records.put('rates', `${a}/${b}`, { rate, at: context.now().toISOString() })
      return done(`One ${a} is ${rate} ${b} from now on.`, { data: { from: a, to: b, rate } })
    }),

    transaction_find: reads((args, context) => {
      const when = span(text(args, 'when'), context)
      if (when !== undefined && 'ok' in when) return when
      const phrase = text(args, 'account')
      const account = phrase === undefined ? undefined : pickAccount(books.accounts(), phrase, 'Which account:')
      if (account !== undefined && 'ok' in account) return account
      const words = text(args, 'words')
      const all = books.movements()
      const inTime = all.filter(
        (m) =>
          (when === undefined || (m.at >= when.from && m.at < when.to)) &&
          (account === undefined || m.postings.some((p) => p.account === `own:${account.id}`)),
      )
      const found =
        words === undefined ? inTime : findNamed(words, inTime, (m) => [m.text, m.category ?? '', m.id]).matches
      if (all.length === 0) return done('No transactions are entered.', { data: [] })
      if (found.length === 0) return done('No transaction fits.', { data: [] })
      const own = (m: Movement) =>
        m.postings.find(
          (p) => p.account === (account ? `own:${account.id}` : p.account) && p.account.startsWith('own:'),
        )
      const line = (m: Movement) =>
        `${m.text || 'no text'}, ${sayMinor(own(m)?.minor ?? 0, own(m)?.currency)}, on ${sayDay(m.at, context.timeZone, context.now())}`
      const sums = new Map<string, number>()
      for (const s of found.flatMap(spentIn)) sums.set(s.currency, (sums.get(s.currency) ?? 0) + s.minor)
      const total = listWords([...sums].map(([currency, minor]) => sayMinor(minor, currency)))
      return done(
        `${found.length === 1 ? 'One transaction' : `${found.length} transactions`}${total ? `, ${total} spent` : ''}: ${found.slice(0, 5).map(line).join('; ')}.`,
        {
          lines: found.slice(5, 25).map((m) => `- ${m.id}: ${line(m)}`),
          data: found
            .slice(0, 100)
            .map((m) => ({ id: m.id, text: m.text, at: m.at.toISOString(), minor: own(m)?.minor ?? 0 })),
        },
      )
    }),

    budget_set: writes(records, 'budget_set', (args: JsonObject) => {
      const [said, amount] = [text(args, 'category'), text(args, 'amount')]
      const category = said
        ?.replace(/\b(?:monthly|budget|my|the)\b/gi, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase()
        .slice(0, 80)
      if (!category) return asked('A budget for what?')
      if (amount === undefined) return asked('How much a month?')
      const money = parseMoney(amount.replace(/\b(?:a|per|each|every) month\b/gi, ' '))
      if (money === undefined || !(money.amount >= 0) || money.amount > 1e11)
        return asked(`I did not understand the amount "${amount}". How much a month?`)
      const currency = money.currency ?? books.accounts()[0]?.data.currency
      records.put('budgets', keyWords(category).join(' '), {
        category,
        amount: money.amount,
        ...(currency ? { currency } : {}),
      })
      return done(`The budget for ${category} is ${sayMinor(minorOf(money.amount, currency), currency)} a month.`, {
        data: { category, amount: money.amount },
      })
    }),

    budget_show: reads((args, context) => {
      const all = records.all('budgets', budgetSchema)
      if (all.length === 0) return done('No budget is set.', { data: [] })
      const said = text(args, 'category')
      const { matches, near } =
        said === undefined
          ? { matches: all, near: [] }
          : findNamed(said.replace(/\bbudgets?\b/gi, ' '), all, (b) => [b.data.category])
      if (matches.length === 0)
        return failed(
          `There is no budget for ${said}; did you mean ${listWords(
            (near.length > 0 ? near : all).slice(0, 6).map((b) => b.data.category),
            'or',
          )}?`,
        )
      const when = span(text(args, 'when'), context)
      if (when !== undefined && 'ok' in when) return when
      const month = zoned(when?.from ?? context.now(), context.timeZone)
        .startOfDay()
        .with({ day: 1 })
      const [from, to] = [month.epochMilliseconds, month.add({ months: 1 }).epochMilliseconds]
      const inMonth = books.movements().filter((m) => m.at.getTime() >= from && m.at.getTime() < to)
      const lines = matches.map(({ data }) => {
        const spent = findNamed(data.category, inMonth, (m) => [m.category ?? '', m.text])
          .matches.flatMap(spentIn)
          .filter((s) => data.currency === undefined || s.currency === '' || s.currency === data.currency)
          .reduce((sum, s) => sum + s.minor, 0)
        const limit = minorOf(data.amount, data.currency)
        return { category: data.category, spent, left: limit - spent, currency: data.currency, limit }
      })
      return done(
        `${listWords(lines.map((l) => `${l.category}: ${l.left < 0 ? `${sayMinor(-l.left, l.currency)} over` : `${sayMinor(l.left, l.currency)} left of`} ${sayMinor(l.limit, l.currency)}`))}.`,
        { data: lines.map((l) => ({ category: l.category, spent: l.spent, left: l.left })) },
      )
    }),
  }
}
