import { describe, expect, it } from 'vitest'
import { added, changed, compareChanges, removed } from './expect.js'
import { exactly, fits, fitsAll, holds, mentions, near, oneOf, plain, says } from './match.js'
import { changesBetween, type Row, type WorldState } from './state.js'

const state = (collections: { readonly [name: string]: { readonly [id: string]: Row } }): WorldState =>
  new Map(Object.entries(collections).map(([name, rows]) => [name, new Map(Object.entries(rows))]))

describe('matching', () => {
  it('ignores case, accents, punctuation and thousands marks, but not other words', () => {
    expect(plain('  Ann Kovács, at 10:00. ')).toBe('ann kovacs at 10:00')
    expect(holds('It has 48,200 euros.', '48200')).toBe(true)
    expect(holds('It has 148200 euros.', '48200')).toBe(false)
    expect(holds('on row 16.', 'row 1')).toBe(false)
    expect(holds('-5 degrees', '5 degrees')).toBe(false)
  })

  it('tells values apart', () => {
    expect(fits('Dentist', 'dentist')).toBe(true)
    expect(fits('dentist at noon', 'dentist')).toBe(false)
    expect(fits('dentist at noon', mentions('noon dentist'))).toBe(true)
    expect(fits(['a', 'b'], exactly(['B', 'a']))).toBe(true)
    expect(fits(['a', 'b', 'c'], exactly(['a', 'b']))).toBe(false)
    expect(fits(20.004, near(20))).toBe(true)
    expect(fits(undefined, oneOf('x', 'y'))).toBe(false)
    expect(fits('Bring the keys, please', says('the keys'))).toBe(true)
    expect(fitsAll(undefined, {})).toBe(false)
  })
})

describe('compareChanges', () => {
  const before = state({ lists: { a: { name: 'a' }, b: { name: 'b' } }, notes: { n: { text: 'old' } } })

  it('finds nothing between equal states', () => {
    expect(changesBetween(before, before)).toEqual([])
  })

  it('pairs each change with one expectation', () => {
    const after = state({ lists: { b: { name: 'b' }, c: { name: 'c' } }, notes: { n: { text: 'new' } } })
    const required = [
      added('lists', { name: 'c' }),
      removed('lists', { name: 'a' }),
      changed('notes', { text: 'old' }, { text: 'new' }),
    ]
    expect(compareChanges(changesBetween(before, after), required)).toEqual({ missing: [], unexpected: [] })
  })

  it('reports a wrong target twice: as missing and as unexpected', () => {
    const after = state({ lists: { a: { name: 'a' } }, notes: { n: { text: 'old' } } })
    const { missing, unexpected } = compareChanges(changesBetween(before, after), [removed('lists', { name: 'a' })])
    expect(missing).toHaveLength(1)
    expect(unexpected.map(({ id }) => id)).toEqual(['b'])
  })

  it('does not let one change meet two expectations', () => {
    const after = state({
      lists: { a: { name: 'a' }, b: { name: 'b' }, c: { name: 'c' } },
      notes: { n: { text: 'old' } },
    })
    const twice = [added('lists', { name: 'c' }), added('lists', { name: 'c' })]
    expect(compareChanges(changesBetween(before, after), twice).missing).toHaveLength(1)
  })

  it('tolerates what is allowed', () => {
    const after = state({ ...{ lists: { a: { name: 'a' }, b: { name: 'b' } } }, notes: { n: { text: 'new' } } })
    const changes = changesBetween(before, after)
    expect(compareChanges(changes, [], [changed('notes', {}, { text: 'new' })]).unexpected).toEqual([])
    expect(compareChanges(changes, []).unexpected).toHaveLength(1)
  })
})
