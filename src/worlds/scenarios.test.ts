import { describe, expect, it } from 'vitest'
import { FIELDS } from '../tools/contract.js'
import { Draw } from './draw.js'
import { generateHousehold } from './generate.js'
import { generateScenarios } from './scenarios.js'
import { makeScenario, type Template } from './template.js'
import { TEMPLATES } from './templates/index.js'

describe('generateHousehold', () => {
  it('gives the same bytes for the same seed and others for another', () => {
    const bytes = (seed: string) => JSON.stringify(generateHousehold(seed))
    expect(bytes('a')).toBe(bytes('a'))
    expect(bytes('a')).not.toBe(bytes('b'))
  })

  it('has two people called Ann and nobody else whose first name is shared', () => {
    for (const seed of ['1', '2', '3', '4', '5']) {
      const firsts = generateHousehold(seed).people.map((person) => person.first)
      expect(firsts.filter((first) => first === 'Ann')).toHaveLength(2)
      expect(new Set(firsts).size).toBe(firsts.length - 1)
    }
  })
})

describe('generateScenarios', () => {
  it.each([1, 2, 77, 'any text'])('gives at least 400 distinct scenarios from seed %s', (seed) => {
    const scenarios = generateScenarios(seed, 400)
    const distinct = new Set(scenarios.map(({ template, slots }) => `${template} ${JSON.stringify(slots)}`))
    expect(distinct.size).toBe(400)
  })

  it('covers every field, simple and complex, and every trait', () => {
    const scenarios = generateScenarios(3, 200)
    for (const field of FIELDS)
      for (const complexity of ['simple', 'complex'])
        expect(scenarios.some((one) => one.field === field && one.complexity === complexity)).toBe(true)
    const traits = new Set(scenarios.flatMap((one) => one.traits))
    expect([...traits].sort()).toEqual([
      'ambiguity',
      'changed mind',
      'interruption',
      'missing detail',
      'result decides',
      'several calls',
      'several turns',
    ])
  })

  it('begins with the same scenarios however many are asked for', () => {
    const bytes = (n: number) =>
      generateScenarios(5, n)
        .slice(0, 20)
        .map((one) => JSON.stringify(one))
    expect(bytes(20)).toEqual(bytes(60))
  })

  it('says so when the templates cannot give that many', () => {
    const only: Template = {
      id: 'only',
      field: 'files',
      traits: [],
      make: () => ({ slots: {}, opening: 'hello', solution: [], decoys: [] }),
    }
    expect(() => generateScenarios(1, 2, [only])).toThrow('Only 1 distinct')
  })

  it('gives every template a name of its own, a decoy and something that doing nothing does not give', () => {
    expect(new Set(TEMPLATES.map(({ id }) => id)).size).toBe(TEMPLATES.length)
    for (const template of TEMPLATES) {
      const scenario = makeScenario(template, generateHousehold(template.id), new Draw(template.id))
      expect(scenario.changes.length + scenario.tells.length, template.id).toBeGreaterThan(0)
      expect(scenario.decoys.length, template.id).toBeGreaterThan(0)
    }
  })
})
