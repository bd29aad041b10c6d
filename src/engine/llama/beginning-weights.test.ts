import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTokenizerJson } from '../../model/index.js'
import { packageRoot } from '../package-root.js'
import { BeginningWeights } from './beginning-weights.js'

const tokenizer = await readTokenizerJson(join(packageRoot(), 'recipes', 'nano', 'tokenizer.json'))
const model = { tokenize: (text: string) => [...tokenizer.encode(text)] }
const names = ['light_switch', 'light_adjust', 'light_color', 'alarm_set', 'alarm_cancel', 'al']

describe('BeginningWeights', () => {
  it('adds up to the weight of a beginning, however its text is cut into tokens', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 2 }),
        fc.array(fc.double({ min: -6, max: 0, noNaN: true }), { minLength: names.length, maxLength: names.length }),
        (chosen, logs) => {
          const weights = Object.fromEntries(chosen.map((name, i) => [`\n<function=${name}>\n`, logs[i] ?? 0]))
          const all = Object.values(weights).reduce((sum, log) => sum + Math.exp(log), 0)
          for (const [beginning, log] of Object.entries(weights)) {
            const following = new BeginningWeights(model, weights)
            let sum = 0
            for (const id of model.tokenize(beginning)) {
              const bias = following.bias()
              const at = bias?.tokenBiasKeys.indexOf(id) ?? -1
              if (bias) sum += bias.tokenBiasValues[at] ?? Number.NaN
              following.push(tokenizer.decode([id]))
            }
            expect(sum).toBeCloseTo(log - Math.log(all), 4)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('has nothing to add once one beginning is left, or none', () => {
    const following = new BeginningWeights(model, { '\n<function=alarm_set>\n': 0, '\n<function=light_color>\n': -1 })
    expect(following.bias()).toBeDefined()
    following.push('\n<function=alarm')
    expect(following.bias()).toBeUndefined()
    following.push('x')
    expect(following.bias()).toBeUndefined()
  })
})
