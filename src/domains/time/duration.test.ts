import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, sayDuration, spanMilliseconds } from './duration.js'

const seconds = (text: string): number | undefined => {
  const span = parseDuration(text)
  return span && spanMilliseconds(span) / 1000
}

describe('parseDuration', () => {
  it.each([
    ['an hour and a half', 5400],
    ['90 seconds', 90],
    ['two and a half hours', 9000],
    ['half an hour', 1800],
    ['a quarter of an hour', 900],
    ['one hour thirty', 5400],
    ['one hour and twenty minutes', 4800],
    ['1h30', 5400],
    ['1h 30m', 5400],
    ['45m', 2700],
    ['twenty second', 20],
    ['a couple of minutes', 120],
    ['for ten minutes', 600],
    ['5 mins', 300],
    ['a fortnight', 14 * 86_400],
    ['2:30 minutes', 150],
    ['three quarters of a banana', undefined],
    ['zero minutes', undefined],
    ['-5 minutes', undefined],
    ['minus five minutes', undefined],
    ['tomorrow', undefined],
  ])('%s → %s', (text, value) => {
    expect(seconds(text)).toBe(value)
  })

  it('reads back what it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 59 * 60 + 59 }), (n) => seconds(sayDuration(n * 1000)) === n),
      { numRuns: 300 },
    )
  })
})
