import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { desk } from '../testing/desk.js'
import { fromMinor, shareOf, toMinor } from './exact.js'
import { importStatement } from './import-statement.js'
import { Books, imbalance } from './ledger.js'
import { plainDecimal, StatementError } from './statement.js'

async function books() {
  const d = desk()
  await d.call('account_add', { name: 'checking', balance: '100.10 euros' })
  await d.call('account_add', { name: 'savings', balance: '50 euros' })
  return { d, books: new Books(d.domains.stores.records) }
}

describe('exact amounts', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        fc.pre(Math.abs(minor) < 1e14)
        expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor === 0 ? 0 : minor)
      }),
    )
    expect(() => toMinor('0.001', 'EUR')).toThrow(/not an amount/)
    expect(shareOf(9999, 27_000)).toBe(2700)
  })
})

describe('the books', () => {
  it('always balance, and transfers keep the sum', async () => {
    const { d, books: b } = await books()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20_000 }), fc.boolean(), async (cents, there) => {
        const [from, to] = there ? ['checking', 'savings'] : ['savings', 'checking']
        await d.call('money_transfer', { amount: `${fromMinor(cents, 'EUR')} euros`, from, to })
        expect(b.accounts().reduce((sum, a) => sum + b.balance(a), 0)).toBe(15_010)
        expect(b.accounts().every((a) => b.balance(a) >= 0)).toBe(true)
        for (const e of b.entries()) expect(imbalance(e.data.postings).size).toBe(0)
      }),
      { numRuns: 15 },
    )
    expect(b.entries().length).toBeGreaterThan(0)
    expect(() => b.enter({ at: '', text: 'x', postings: [{ account: 'a', minor: 1, currency: 'EUR' }] })).toThrow(
      /add up/,
    )
  })

  it('take a transfer back, pay bills once, and know what is left', async () => {
    const { d } = await books()
    const moved = await d.call('money_transfer', { amount: '30 euros', from: 'checking', to: 'savings' })
    expect((await d.call('balance_get', { account: 'checking' })).content).toBe('checking has 70.10 EUR.')
    await d.undo('money_transfer', moved)
    expect((await d.call('money_transfer', { amount: '5', to: 'savngs' })).content).toMatch(/did you mean savings/)
    await d.call('bill_add', { name: 'Water', amount: '40 euros', due: 'friday' })
    expect((await d.call('bill_pay', { bill: 'wter' })).content).toMatch(/did you mean Water/)
    expect((await d.call('bill_pay', { bill: 'water', account: 'checking' })).content).toMatch(/no money was sent/)
    expect((await d.call('bill_pay', { bill: 'water', account: 'checking' })).ok).toBe(false)
    expect((await d.call('balance_get', { account: 'checking' })).content).toBe('checking has 60.10 EUR.')
    await d.call('budget_set', { category: 'water', amount: '100 euros' })
    expect((await d.call('budget_show', { category: 'water' })).content).toBe('water: 60 EUR left of 100 EUR.')
    expect((await d.call('payment_send', { to: 'Tom', amount: '500', account: 'checking' })).content).toMatch(
      /only 60.10/,
    )
    expect((await d.call('transaction_find', { words: 'water' })).content).toMatch(/^One transaction, 40 EUR spent/)
  })
})

const CSV = 'Datum;Betrag;Verwendungszweck\n13.11.2026;-1.234,50;Miete\n14.11.2026;-3,00;Brot\n14.11.2026;-3,00;Brot\n'
const SGML =
  'OFXHEADER:100\n\n<OFX><CURDEF>EUR<BANKTRANLIST><STMTTRN><DTPOSTED>20261101120000<TRNAMT>-12.34<FITID>7<NAME>A &amp; B\n</STMTTRN></BANKTRANLIST></OFX>'
const XML =
  '<?xml version="1.0"?><OFX><CURDEF>EUR</CURDEF><STMTTRN><DTPOSTED>20261101</DTPOSTED><TRNAMT>-12.34</TRNAMT><FITID>7</FITID><NAME>A &amp; B</NAME></STMTTRN></OFX>'

describe('statements', () => {
  it('are entered once, with every row of them', async () => {
    const { books: b } = await books()
    expect(importStatement(b, CSV, 'x.csv', { account: 'checking' })).toMatchObject({ entered: 3, known: 0 })
    expect(importStatement(b, CSV, 'x.csv', { account: 'checking' })).toMatchObject({ entered: 0, known: 3 })
    const [checking] = b.accounts()
    expect(checking && b.balance(checking)).toBe(10_010 - 123_450 - 600)
    expect(importStatement(b, SGML, 'a.ofx', { account: 'savings' }).entered).toBe(1)
    expect(importStatement(b, XML, 'b.ofx', { account: 'savings' })).toMatchObject({ entered: 0, known: 1 })
  })

  it('ask about dates that mean two days, and refuse a bad row with all the rest', async () => {
    const { books: b } = await books()
    const two = 'date,amount,description\n03/04/2026,5.00,tea\n'
    expect(() => importStatement(b, two, 'x', { account: 'savings' })).toThrow(/day first or month first/)
    importStatement(b, two, 'x', { account: 'savings', dates: 'mdy' })
    expect(b.entries()[0]?.data.at).toMatch(/^2026-03-04/)
    expect(() =>
      importStatement(b, 'date,amount\n2026-01-01,1\n2026-01-02,soon\n', 'x', { account: 'savings' }),
    ).toThrow(/line 3/)
    expect(() => importStatement(b, CSV, 'x.csv')).toThrow(/Which account/)
    expect(b.entries()).toHaveLength(1)
  })

  it('survive any damage', async () => {
    const { books: b } = await books()
    fc.assert(
      fc.property(fc.constantFrom(CSV, SGML, XML), fc.nat(200), fc.string({ maxLength: 5 }), (text, at, noise) => {
        const before = b.entries().length
        try {
          importStatement(b, text.slice(0, at) + noise + text.slice(at + 1), 'x', { account: 'savings', dates: 'dmy' })
        } catch (error) {
          expect(error).toBeInstanceOf(StatementError)
          expect(b.entries()).toHaveLength(before)
        }
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['1.234,56', undefined, '1234.56'],
    ['(1,234.50)', undefined, '-1234.50'],
    ['3,50-', undefined, '-3.50'],
    ['1,234', '.', '1234'],
    ['1 234.5 EUR', undefined, '1234.5'],
    ['1.2.3', undefined, undefined],
  ] as const)('%s is read exactly', (said, mark, plain) => {
    expect(plainDecimal(said, mark)).toBe(plain)
  })
})
