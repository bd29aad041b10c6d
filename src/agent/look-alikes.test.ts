import { describe, expect, it } from 'vitest'
import { hasLookAlikes, lookAlikeWarning, skeleton, warningsOf } from './look-alikes.js'

describe('look-alike letters', () => {
  it.each(['pаypal.example', 'αnna', 'арр.com', 'eve@ехамре.com', 'ann@раураӏ'])('are found in %s', (text) => {
    expect(hasLookAlikes(text)).toBe(true)
  })

  it.each(['paypal Привет', 'Привет, мир', 'почта.рф', 'Ελλάδα', 'ékes ñ', '張三'])('are not claimed of %s', (text) => {
    expect(hasLookAlikes(text)).toBe(false)
  })

  it.each([
    ['https://xn--pypal-4ve.com/login', /reads pаypal\.com/],
    ['ｅｖｅ@example.org', /unusual form for "eve@example\.org"/],
    ['𝓪𝓷𝓷', /unusual form/],
    ['ann@exarnple.org', /looks like ann@example\.org, but is not the same/],
    ['ann@examp1e.org', /looks like ann@example\.org/],
    ['pаypal', /alphabets/],
  ])('of %s are told to the owner', (text, words) => {
    expect(lookAlikeWarning(text, ['ann@example.org'])).toMatch(words)
  })

  it('leave what is right without a warning', () => {
    for (const text of ['ann@example.org', 'Lunch with Ann', '½ litre', 'http://example.org/a?b=1']) {
      expect(lookAlikeWarning(text, ['ann@example.org'])).toBeUndefined()
    }
    expect(skeleton('Paypa1')).toBe(skeleton('paypal'))
  })

  it('are compared with what the owner said and with own data, argument by argument', () => {
    const warnings = warningsOf({ to: ['bob@x.example', 'ann@exarnple.org'], text: 'hi' }, ['Ann Lee, ann@example.org'])
    expect([...warnings.keys()]).toEqual(['to'])
  })
})
