import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CalculationError, calculate, sayNumber } from './calculate.js'
import { parseMoney } from './money.js'

describe('calculate', () => {
  it.each([
    ['three times seven', '21'],
    ['what is fifteen percent of eighty', '12'],
    ['2+2*3', '8'],
    ['square root of one hundred and forty four', '12'],
    ['subtract four from ten', '6'],
    ['200 plus 10 percent', '220'],
    ['two to the power of ten', '1024'],
    ['five squared', '25'],
    ['1,000 x 3', '3000'],
    ['half of fifty', '25'],
    ['(2+3)(4)', '20'],
    ['-3^2', '-9'],
    ['2^3^2', '512'],
    ['0.1 + 0.2', '0.3'],
    ['what is the answer to four plus four', '8'],
    ['3 point 5 times 2', '7'],
    ['ten minus four minus three', '3'],
  ])('%s = %s', (text, value) => {
    expect(sayNumber(calculate(text))).toBe(value)
  })

  it('says why it cannot', () => {
    for (const text of [
      '',
      '1/0',
      'how are you',
      '2 +',
      '((1)',
      '9^9^9^9',
      'root of -4',
      'process.exit()',
      '('.repeat(5000),
    ])
      expect(() => calculate(text), text).toThrow(CalculationError)
  })

  it('agrees with arithmetic', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -999, max: 999 }),
        fc.integer({ min: -999, max: 999 }),
        fc.integer({ min: 1, max: 99 }),
        (a, b, c) => {
          expect(calculate(`${a} + ${b} * ${c}`)).toBe(a + b * c)
          expect(calculate(`(${a} minus ${b}) divided by ${c}`)).toBeCloseTo((a - b) / c, 9)
        },
      ),
    )
  })

  it('never throws anything else', () => {
    const bit = fc.constantFrom(
      '1',
      '2.5',
      'three',
      'plus',
      '-',
      '*',
      '/',
      '(',
      ')',
      '^',
      'percent',
      'of',
      'the',
      'root',
      'and',
      '√',
      '.',
      ',',
    )
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), (bits) => {
        try {
          return Number.isFinite(calculate(bits.join(' ')))
        } catch (error) {
          return error instanceof CalculationError
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('parseMoney', () => {
  it.each([
    ['$12.50', { amount: 12.5, currency: 'USD' }],
    ['twelve euros', { amount: 12, currency: 'EUR' }],
    ['1,200 HUF', { amount: 1200, currency: 'HUF' }],
    ['five dollars and twenty cents', { amount: 5.2, currency: 'USD' }],
    ['2,50 euro', { amount: 2.5, currency: 'EUR' }],
    ['usd 5', { amount: 5, currency: 'USD' }],
    ['fifty', { amount: 50 }],
    ['a lot', undefined],
  ])('%s', (text, money) => {
    expect(parseMoney(text)).toEqual(money)
  })
})
