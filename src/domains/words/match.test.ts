import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, findNamed, keyWords, listWords } from './match.js'

const find = (phrase: string, names: readonly string[]) => findNamed(phrase, names, (n) => [n])

describe('findNamed', () => {
  it('takes articles, plurals, possessives, case and accents lightly', () => {
    for (const phrase of ['The Living Room', 'my living-room', 'living rooms', "living room's", 'LÍVING ROOM'])
      expect(find(phrase, ['living room', 'bedroom']).matches).toEqual(['living room'])
  })

  it('prefers the whole name, keeps equals together, and tells near misses apart', () => {
    expect(find('shopping', ['shopping', 'holiday shopping']).matches).toEqual(['shopping'])
    expect(find('shopping', ['food shopping', 'holiday shopping']).matches).toHaveLength(2)
    expect(find('ktichen', ['kitchen', 'porch'])).toEqual({ matches: [], near: ['kitchen'] })
    expect(find('the', ['kitchen'])).toEqual({ matches: [], near: [] })
  })

  it('finds every name by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
        fc.pre(keyWords(name).length > 0)
        expect(find(name, [name]).matches).toEqual([name])
      }),
    )
  })
})

describe('distance', () => {
  it('counts insertions, deletions, changes and swaps', () => {
    expect([distance('kitchen', 'ktichen'), distance('a', 'b'), distance('', 'abc'), distance('same', 'same')]).toEqual(
      [1, 1, 3, 0],
    )
  })
})

describe('listWords', () => {
  it('joins as one says it', () => {
    expect([listWords([]), listWords(['a']), listWords(['a', 'b', 'c']), listWords(['a', 'b'], 'or')]).toEqual([
      '',
      'a',
      'a, b and c',
      'a or b',
    ])
  })
})
