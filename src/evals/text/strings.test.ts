import { describe, expect, it } from 'vitest'
import { countOf, PUNCTUATION, splitWords, strip, stripEnd, stripStart, withoutPunctuation } from './strings.js'
import { isDigits, isLower, isUpper, pyLength } from './unicode.js'

describe('strings as Python has them', () => {
  it('splits at every kind of whitespace', () => {
    expect(splitWords(' a\x1fb\u3000c\x85\n')).toEqual(['a', 'b', 'c'])
    expect(splitWords('a\ufeffb')).toEqual(['a\ufeffb'])
    expect(splitWords('')).toEqual([])
  })

  it('strips whole characters', () => {
    expect(strip('\x1c a \u00a0')).toBe('a')
    expect(strip('!a.b?', PUNCTUATION)).toBe('a.b')
    expect(stripEnd('a😀😀', '😀')).toBe('a')
    expect(stripStart('😀a😀', '😀')).toBe('a😀')
    expect(stripEnd('a😀', '\ude00')).toBe('a😀')
  })

  it('removes ASCII punctuation only', () => {
    expect(withoutPunctuation(`${PUNCTUATION}a“b”`)).toBe('a“b”')
    expect(PUNCTUATION.length).toBe(32)
  })

  it('counts', () => {
    expect(countOf('aaaa', 'aa')).toBe(2)
    expect(countOf('a😀', '')).toBe(3)
    expect(pyLength('a😀')).toBe(2)
  })

  it('knows case and digits', () => {
    expect([isUpper('ABC 1'), isUpper('ABc'), isUpper('123'), isUpper('ǅ'), isUpper('Ⅷ')]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
    expect([isLower('abc 1'), isLower('ª'), isLower('aB'), isLower('')]).toEqual([true, true, false, false])
    expect([isDigits('12'), isDigits('²'), isDigits('½'), isDigits('')]).toEqual([true, true, false, false])
  })
})
