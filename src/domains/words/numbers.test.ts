import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digitise, parseNumber } from './numbers.js'

describe('digitise', () => {
  it.each([
    ['four thirty five pm', '4 35 pm'],
    ['twenty second', '22nd'],
    ['twenty seconds', '20 seconds'],
    ['june fourteenth two thousand and seventeen', 'june 14th 2017'],
    ['twenty three march', '23 march'],
    ['four hundred and thirty pm', '430 pm'],
    ['one thousand nine hundred and ninety', '1990'],
    ['nine thirty', '9 30'],
    ['six oh five', '6 05'],
    ['three and five', '3 and 5'],
    ['twenty-fourth of march', '24th of march'],
    ['twelve months', '12 months'],
    ['constructor', 'constructor'],
  ])('%s → %s', (words, digits) => {
    expect(digitise(words)).toBe(digits)
  })

  it('leaves "second" a unit when durations are read', () => {
    expect(digitise('twenty second', { ordinals: false })).toBe('20 second')
  })
})

describe('parseNumber', () => {
  it.each([
    ['twenty three', 23],
    ['two and a half', 2.5],
    ['three point one four', 3.14],
    ['1,200.5', 1200.5],
    ['a dozen', 12],
    ['minus four', -4],
    ['a hundred', 100],
    ['two hundred and six', 206],
    ['half', 0.5],
  ])('%s → %d', (words, value) => {
    expect(parseNumber(words)).toBe(value)
  })

  it('refuses what is not a number', () => {
    for (const words of ['', 'bananas', 'three bananas', 'and', 'hundred of them'])
      expect(parseNumber(words)).toBeUndefined()
  })

  it('reads back any number below ten thousand said in words', () => {
    const units =
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
        ' ',
      )
    const tens = '. . twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
    const say = (n: number): string => {
      if (n < 20) return units[n] as string
      if (n < 100) return [tens[Math.floor(n / 10)], n % 10 ? units[n % 10] : ''].join(' ').trim()
      if (n < 1000) return `${units[Math.floor(n / 100)]} hundred${n % 100 ? ` and ${say(n % 100)}` : ''}`
      return `${say(Math.floor(n / 1000))} thousand${n % 1000 ? ` ${say(n % 1000)}` : ''}`
    }
    fc.assert(fc.property(fc.integer({ min: 0, max: 9999 }), (n) => parseNumber(say(n)) === n))
  })
})
