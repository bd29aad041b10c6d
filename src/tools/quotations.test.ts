import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGbnf } from '../engine/llama/gbnf.js'
import { GbnfMachine } from '../engine/llama/gbnf-machine.js'
import { GbnfBuilder } from './gbnf.js'
import { quotationRule } from './quotations.js'

/** Whether a text is a whole quotation by the rule. */
function quotes(texts: readonly string[], text: string): boolean {
  const builder = new GbnfBuilder()
  const rule = quotationRule(builder, texts, '"\\n"')
  builder.define('root', rule ?? '"\\n"')
  const machine = new GbnfMachine(parseGbnf(builder.toString(), () => undefined))
  return machine.accept(`${text}\n`) && machine.finished
}

describe('quotationRule', () => {
  it('lets through neighbouring words as they stand, from any of the texts', () => {
    const said = ['play some jazz, please', "order at mimo's"]
    for (const text of [
      'jazz',
      'jazz,',
      'some jazz',
      'jazz, please',
      'play some jazz, please',
      'mimo',
      "mimo's",
      "at mimo's",
    ])
      expect(quotes(said, text), text).toBe(true)
  })

  it('stops what was not said, half words, words out of order and empty values', () => {
    const said = ['play some jazz, please', "order at mimo's"]
    for (const text of ['', 'jaz', 'azz', 'jazz please', 'some  jazz', 'jazz some', 'please order', 'rock', 'Play'])
      expect(quotes(said, text), text).toBe(false)
  })

  it('has no rule where nothing was said', () => {
    expect(quotationRule(new GbnfBuilder(), ['', '  '], '"\\n"')).toBeUndefined()
  })

  it('lets through every stretch between blanks of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.nat(),
        (parts, a, b) => {
          const words = parts
            .join(' ')
            .split(/\s+/)
            .filter((w) => w !== '')
          if (words.length === 0) return
          const [from, to] = [a % words.length, b % words.length].sort((x, y) => x - y) as [number, number]
          expect(quotes([words.join(' ')], words.slice(from, to + 1).join(' '))).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
