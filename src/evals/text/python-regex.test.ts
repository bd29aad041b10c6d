import { describe, expect, it } from 'vitest'
import { findAll, matchesStart, PythonPatternError, pyEscape, pyRegex, searches } from './python-regex.js'

describe('pyRegex', () => {
  it('knows the letters of all scripts, but no marks, as word characters', () => {
    expect(findAll(String.raw`\w+`, 'naïve Größe_2 日本 e\u0301a')).toEqual(['naïve', 'Größe_2', '日本', 'e', 'a'])
    expect(searches(String.raw`\bcafé\b`, 'un café noir')).toBe(true)
    expect(searches(String.raw`\bcaf\b`, 'un café noir')).toBe(false)
  })

  it('stops at line feeds only', () => {
    expect(findAll('.+', 'a\rb\u2028c\nd')).toEqual(['a\rb\u2028c', 'd'])
    expect(findAll('^.', 'a\rb\nc', 'm')).toEqual(['a', 'c'])
  })

  it('matches the end before a final line feed', () => {
    expect(searches('a$', 'a\n')).toBe(true)
    expect(searches('a$', 'a\n\n')).toBe(false)
    expect(searches(String.raw`a\Z`, 'a\n')).toBe(false)
    expect(searches('a$', 'a\nb', 'm')).toBe(true)
  })

  it('takes separators for whitespace and the byte order mark not', () => {
    expect(searches(String.raw`\s`, '\x1c')).toBe(true)
    expect(searches(String.raw`\s`, '\ufeff')).toBe(false)
  })

  it('ignores case as Python does', () => {
    expect(searches('straße', 'STRAßE', 'i')).toBe(true)
    expect(searches('ISTANBUL', 'ıstanbul', 'i')).toBe(true)
    expect(searches('[h-j]', 'İ', 'i')).toBe(true)
    expect(searches('k', '\u212a', 'i')).toBe(true)
    expect(searches('(?i)abc', 'ABC')).toBe(true)
  })

  it('reads sets with categories, ranges, a leading bracket and a trailing hyphen', () => {
    expect(findAll(String.raw`[^\W\d]`, 'a1_ä-')).toEqual(['a', '_', 'ä'])
    expect(findAll('[]a-]', ']b-a')).toEqual([']', '-', 'a'])
    expect(findAll(String.raw`[\]\)}>&&!!]`, ']&!)a')).toEqual([']', '&', '!', ')'])
  })

  it('reads groups, references, comments and braces', () => {
    expect(searches('^(?P<q>["\'])x(?P=q)$', '"x"')).toBe(true)
    expect(searches(String.raw`(a)(?#note)\1{2}`, 'aaa')).toBe(true)
    expect(searches('a{,2}b{', 'b{')).toBe(true)
    expect(matchesStart('a|b', 'cb')).toBeUndefined()
    expect(matchesStart('a|b', 'bc')?.[0]).toBe('b')
  })

  it('matches its own escaped text', () => {
    const text = '!?!? ... (a)[b]{c}|^$ #&~-\\'
    expect(findAll(pyEscape(text), `x${text}y`)).toEqual([text])
  })

  it.each(['(', 'a**', '[b-a]', String.raw`\q`, '(?>a)', 'a++', '[a'])('refuses %s', (pattern) => {
    expect(() => pyRegex(pattern)).toThrow(PythonPatternError)
  })
})
