import { added, changed } from '../expect.js'
import { mentions } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import { other, type Stage, type Template } from '../template.js'
import { dayOf } from '../times.js'

const field = 'finance' as const

/** Wordings of an amount. */
const money = (amount: number): string[] => [String(amount), amount.toFixed(2)]

function accounts({ household }: Stage) {
  const rows = household.records.accounts ?? []
  return rows.map(({ data }) => ({ name: String(data.name), balance: Number(data.balance) }))
}

const unit = (currency: string): string => (currency === 'USD' ? 'dollars' : 'euros')

/** Postings that change an account by so many whole units of money. */
const moves = (account: string, amount: number) => ({
  says: `changes ${account} by ${amount}`,
  test: (value: unknown) => JSON.stringify(value ?? '').includes(`"account":"${account}","minor":${amount * 100},`),
})

/** Accounts, bills, expenses and sums. */
export const financeTemplates: readonly Template[] = [
  {
    id: 'finance.balance',
    field,
    traits: [],
    make: (stage) => {
      const [account, wrong] = stage.draw.some(accounts(stage), 2)
      const name = account?.name ?? ''
      return {
        slots: { account: name, balance: account?.balance ?? 0 },
        opening: stage.draw.one([
          `What is the balance of my ${name} account?`,
          `How much money is in the ${name} account?`,
        ]),
        calls: [{ tools: ['balance_get'] }],
        tells: [{ what: 'the balance', anyOf: money(account?.balance ?? 0) }],
        solution: [call('balance_get', { account: name }), report],
        decoys: [[name, wrong?.name ?? '']],
      }
    },
  },
  {
    id: 'finance.bill',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const [bill, wrong] = draw.some(household.records.bills ?? [], 2)
      const amount = Number(bill?.data.amount)
      return {
        slots: { bill: String(bill?.data.name), amount },
        opening: `Show my bills. How much is the ${bill?.data.name} bill?`,
        calls: [{ tools: ['bill_list'] }],
        tells: [{ what: 'the amount', anyOf: money(amount) }],
        solution: [call('bill_list'), say(`The bill is ${amount}.`)],
        decoys: [[`is ${amount}`, `is ${Number(wrong?.data.amount) + 1000}`]],
      }
    },
  },
  {
    id: 'finance.expense',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const amount = draw.int(3, 180)
      const [what, wrong] = draw.some(pools.SPENDINGS, 2) as [string, string]
      const said = `${amount} ${unit(household.currency)}`
      return {
        slots: { what, amount },
        opening: draw.one([`I spent ${said} on ${what}, write that down.`, `Note an expense of ${said} for ${what}`]),
        changes: [added('expenses', { amount, what: mentions(what) })],
        solution: [call('expense_add', { amount: said, what }), report],
        decoys: [[what, wrong]],
      }
    },
  },
  {
    id: 'finance.convert',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const rate = Number(household.records.rates?.[0]?.data.rate)
      const amount = draw.int(2, 90) * 20
      const result = Math.round(amount * rate * 100) / 100
      return {
        slots: { amount, rate },
        opening: draw.one([`How much is ${amount} euros in dollars?`, `Convert ${amount} euros to dollars`]),
        calls: [{ tools: ['currency_convert'] }],
        tells: [{ what: 'the amount', anyOf: money(result) }],
        solution: [call('currency_convert', { from: 'euros', to: 'dollars', amount: `${amount}` }), report],
        decoys: [[`${amount}`, `${amount + 40}`]],
      }
    },
  },
  {
    id: 'finance.calculate',
    field,
    traits: [],
    make: ({ draw }) => {
      const [a, b] = [draw.int(13, 97), draw.int(13, 97)]
      return {
        slots: { a, b },
        opening: draw.one([`What is ${a} times ${b}?`, `Calculate ${a} times ${b}`]),
        calls: [{ tools: ['calculate'] }],
        tells: [{ what: 'the product', anyOf: [String(a * b)] }],
        solution: [call('calculate', { expression: `${a} times ${b}` }), report],
        decoys: [[`${a} times`, `${a + 1} times`]],
      }
    },
  },
  {
    id: 'finance.stock-price',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const [name, wrong] = draw.some(pools.STOCKS, 2) as [string, string]
      const body = household.web.find((passage) => passage.kind === 'stock' && passage.title === name)?.body ?? ''
      return {
        slots: { company: name, price: /[\d.]+\d/.exec(body)?.[0] ?? '' },
        opening: draw.one([`What is the stock price of ${name}?`, `Get me the share price of ${name}`]),
        calls: [{ tools: ['stock_price', 'web_search', 'fact_find'] }],
        tells: [{ what: 'the price', anyOf: [/[\d.]+\d/.exec(body)?.[0] ?? ''] }],
        solution: [call('stock_price', { company: name }), report],
        decoys: [[name, wrong]],
      }
    },
  },
  {
    id: 'finance.amount-missing',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw, household }) => {
      const amount = draw.int(3, 180)
      const [what, wrong] = draw.some(pools.SPENDINGS, 2) as [string, string]
      const said = `${amount} ${unit(household.currency)}`
      return {
        slots: { what, amount },
        opening: `Write down an expense for ${what}.`,
        answers: [{ on: /much|amount|cost/i, says: `It was ${said}.` }],
        changes: [added('expenses', { amount, what: mentions(what) })],
        solution: [call('expense_add', { what }), call('expense_add', { amount: said, what }), report],
        decoys: [[what, wrong]],
      }
    },
  },
  {
    id: 'finance.sum-of-accounts',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const [one, two] = accounts(stage)
      const total = (one?.balance ?? 0) + (two?.balance ?? 0)
      return {
        slots: { total },
        opening: 'Get the balances of my checking and my savings account, and calculate the sum of both.',
        calls: [{ tools: ['balance_get'] }],
        tells: [{ what: 'the sum', anyOf: money(total) }],
        solution: [
          {
            calls: [
              { name: 'balance_get', args: { account: one?.name ?? '' } },
              { name: 'balance_get', args: { account: two?.name ?? '' } },
            ],
          },
          call('calculate', { expression: `${one?.balance} + ${two?.balance}` }),
          report,
        ],
        decoys: [[`${one?.balance} +`, `${(one?.balance ?? 0) + 1} +`]],
      }
    },
  },
  {
    id: 'finance.two-expenses',
    field,
    traits: ['several calls'],
    make: ({ draw, household }) => {
      const [one, two, wrong] = draw.some(pools.SPENDINGS, 3) as [string, string, string]
      const [a, b] = [draw.int(3, 90), draw.int(91, 180)]
      const currency = unit(household.currency)
      return {
        slots: { one, two, a, b },
        opening: `Write down two expenses: ${a} ${currency} for ${one} and ${b} ${currency} for ${two}.`,
        changes: [
          added('expenses', { amount: a, what: mentions(one) }),
          added('expenses', { amount: b, what: mentions(two) }),
        ],
        solution: [
          {
            calls: [
              { name: 'expense_add', args: { amount: `${a} ${currency}`, what: one } },
              { name: 'expense_add', args: { amount: `${b} ${currency}`, what: two } },
            ],
          },
          say('Both are written down.'),
        ],
        decoys: [[two, wrong]],
      }
    },
  },
  {
    id: 'finance.if-enough',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { draw, household } = stage
      const account = draw.one(accounts(stage))
      const enough = draw.unit() < 0.5
      const limit = account.balance + (enough ? -50 : 50)
      const amount = draw.int(20, 90)
      const [what, wrong] = draw.some(pools.SPENDINGS, 2) as [string, string]
      const currency = unit(household.currency)
      const wrongAccount = other(
        draw,
        accounts(stage).map(({ name }) => name),
        account.name,
      )
      return {
        slots: { account: account.name, enough: String(enough), amount, what },
        opening: `Check the balance of my ${account.name} account. If it is above ${limit}, write down an expense of ${amount} ${currency} for ${what}. Otherwise just tell me the balance.`,
        changes: enough ? [added('expenses', { amount, what: mentions(what) })] : [],
        calls: [{ tools: ['balance_get'] }],
        forbidden: enough ? [] : [{ tools: ['expense_add'] }],
        tells: enough ? [] : [{ what: 'the balance', anyOf: money(account.balance) }],
        solution: [
          call('balance_get', { account: account.name }),
          ...(enough ? [call('expense_add', { amount: `${amount} ${currency}`, what })] : []),
          report,
        ],
        decoys: enough ? [[what, wrong]] : [[account.name, wrongAccount]],
      }
    },
  },
  {
    id: 'finance.other-thing',
    field,
    traits: ['missing detail', 'changed mind', 'several turns'],
    make: ({ draw, household }) => {
      const amount = draw.int(3, 180)
      const [first, what, wrong] = draw.some(pools.SPENDINGS, 3) as [string, string, string]
      const said = `${amount} ${unit(household.currency)}`
      return {
        slots: { first, what, amount },
        opening: `Write down an expense for ${first}.`,
        answers: [
          { on: /much|amount|cost/i, says: `Wait, it was not ${first}. Write down an expense of ${said} for ${what}.` },
        ],
        changes: [added('expenses', { amount, what: mentions(what) })],
        solution: [call('expense_add', { what: first }), call('expense_add', { amount: said, what }), report],
        decoys: [[what, wrong]],
      }
    },
  },
  {
    id: 'finance.bill-reminder',
    field,
    traits: ['several calls', 'result decides'],
    make: ({ draw, household, at }) => {
      const [bill, wrong] = draw.some(household.records.bills ?? [], 2)
      const name = String(bill?.data.name)
      const day = Math.round(
        (new Date(String(bill?.data.due)).getTime() - new Date(household.now).getTime()) / 86_400_000,
      )
      const time = draw.one(['09:00', '12:15', '18:00'])
      const iso = dayOf(household, day).toString()
      return {
        slots: { bill: name, time },
        opening: `Look at my bills and add a reminder "pay ${name}" to my calendar on the day when the ${name} bill is due, at ${time}.`,
        changes: [added('events', { title: mentions(name), start: at(day, time) })],
        calls: [{ tools: ['bill_list'] }],
        solution: [
          call('bill_list'),
          call('calendar_create', { title: `pay ${name}`, when: `${iso} at ${time}` }),
          report,
        ],
        decoys: [[`pay ${name}`, `pay ${wrong?.data.name}`]],
      }
    },
  },
  {
    id: 'finance.transfer',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const amount = draw.int(10, 250)
      const said = `${amount} ${unit(household.currency)}`
      return {
        slots: { amount },
        opening: draw.one([
          `Transfer ${said} from checking to savings.`,
          `Move ${said} from my checking account to my savings account`,
        ]),
        changes: [added('ledger', { text: mentions('checking', 'savings'), postings: moves('own:savings', amount) })],
        solution: [call('money_transfer', { amount: said, from: 'checking', to: 'savings' }), report],
        decoys: [[said, `${amount + 1} ${unit(household.currency)}`]],
      }
    },
  },
  {
    id: 'finance.pay-bill',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const [bill, wrong] = draw.some(household.records.bills ?? [], 2)
      const name = String(bill?.data.name)
      return {
        slots: { bill: name },
        opening: `Pay the ${name} bill from my savings account.`,
        changes: [
          changed('bills', { name }, { paid: true }),
          added('ledger', { text: mentions(name), postings: moves('own:savings', -Number(bill?.data.amount)) }),
        ],
        approvals: [{ tool: 'bill_pay', phrases: [name] }],
        solution: [call('bill_pay', { bill: name, account: 'savings' }), report],
        decoys: [[name, String(wrong?.data.name)]],
      }
    },
  },
  {
    id: 'finance.budget',
    field,
    traits: [],
    make: ({ draw, household }) => {
      const [category, wrong] = draw.some(['groceries', 'restaurants', 'clothes', 'books'], 2) as [string, string]
      const amount = draw.int(4, 60) * 10
      const said = `${amount} ${unit(household.currency)}`
      return {
        slots: { category, amount },
        opening: `Set my monthly budget for ${category} to ${said}.`,
        changes: [added('budgets', { category: mentions(category), amount })],
        solution: [call('budget_set', { category, amount: said }), report],
        decoys: [[category, wrong]],
      }
    },
  },
]
