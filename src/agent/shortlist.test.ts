import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allContracts } from '../domains/contracts.js'
import { toolPhrasings } from '../domains/phrasings.js'
import type { ToolContract } from '../tools/contract.js'
import { ToolRegistry } from '../tools/registry.js'
import { shortlist, toolIndex } from '../tools/shortlist.js'
import { toolSpec } from '../tools/tool-spec.js'

describe('the tools of the package', () => {
  it('each have a compact schema', () => {
    for (const contract of allContracts) {
      const text = JSON.stringify(toolSpec(contract))
      expect(text).not.toMatch(/\$schema|additionalProperties|9007199254740991/)
    }
  })
})

describe('shortlist', () => {
  const registry = new ToolRegistry<ToolContract>(allContracts).addPhrasings(toolPhrasings())

  it('shows all of a small set, in order of registration', () => {
    const few = new ToolRegistry<ToolContract>(allContracts.slice(0, 10))
    expect(shortlist(few, 'anything')).toEqual(few.names())
  })

  it.each([
    ['set an alarm for quarter past six tomorrow morning', 'alarm_set'],
    ['whats the wether like in lisbon', 'weather_get'],
    ['turn of the lihgts in the kitchen', 'light_switch'],
    ['put oat milk on the shopping list', 'list_add'],
    ['did anna write to me', 'email_search'],
  ])('finds the tool of "%s" among eight', (request, tool) => {
    const names = shortlist(registry, request)
    expect(names).toHaveLength(8)
    expect(names).toContain(tool)
  })

  it('is deterministic, bounded, and survives any text', () => {
    const long = `${'set an alarm '.repeat(5000)}\u0000\ud800 ${'😀'.repeat(100)}`
    expect(shortlist(registry, long)).toEqual(shortlist(registry, long))
    expect(shortlist(registry, '')).toHaveLength(8)
    expect(shortlist(registry, 'alarm', { k: 3 })).toHaveLength(3)
  })

  it('keeps the tools of the thread in sight, the latest first, but no more than a third', () => {
    const thread = ['word_define', 'music_play', 'taxi_book', 'gone_tool']
    const names = shortlist(registry, 'and at seven', { thread })
    expect(names).toContain('taxi_book')
    expect(names).toHaveLength(8)
    expect(new Set(names).size).toBe(8)
    const unrelated = shortlist(registry, 'wake me up at seven', { thread })
    expect(unrelated.filter((name) => thread.includes(name))).toEqual(['taxi_book', 'music_play'])
    expect(unrelated[0]).toBe('alarm_set')
  })

  it('finds a tool without phrasings by its name, description and parameters', () => {
    const own: ToolContract = {
      field: 'device control',
      effect: () => 'write',
      name: 'aquarium_feed',
      description: 'Feed the fish in the aquarium.',
      parameters: z.object({ portion: z.string().optional() }),
    }
    const more = new ToolRegistry<ToolContract>([...allContracts, own]).addPhrasings(toolPhrasings())
    expect(shortlist(more, 'please feed the fish')).toContain('aquarium_feed')
    expect(toolIndex(more).rank('give the aquarium a portion')[0]?.name).toBe('aquarium_feed')
  })
})
