import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolContract } from './contract.js'
import { ToolRegistry } from './registry.js'
import { shortlist, shortlistWeights } from './shortlist.js'

const contract = (name: string, description: string, examples: string[]): ToolContract => ({
  name,
  field: 'calendar',
  description,
  parameters: z.object({}),
  examples,
  effect: () => 'read',
})

const registry = new ToolRegistry<ToolContract>([
  contract('alarm_set', 'Set an alarm.', ['set an alarm for six', 'wake me at seven']),
  contract('alarm_cancel', 'Remove an alarm.', ['cancel my alarm', 'remove the alarm for six']),
  contract('music_play', 'Play music.', ['play some jazz', 'put on a song']),
])

describe('shortlistWeights', () => {
  const request = 'play some jazz'
  const shown = shortlist(registry, request)

  it('weighs the tool that the words point to above the others, and more so with a higher power', () => {
    const one = shortlistWeights(registry, request, shown, 1)
    const two = shortlistWeights(registry, request, shown, 2)
    expect(one?.get('music_play')).toBe(0)
    expect(one?.get('alarm_set')).toBeLessThan(0)
    expect(two?.get('alarm_set')).toBeCloseTo(2 * (one?.get('alarm_set') ?? 0))
  })

  it('weighs nothing where no word says anything, or without a power', () => {
    expect(shortlistWeights(registry, 'zzz', shown, 2)).toBeUndefined()
    expect(shortlistWeights(registry, request, shown, undefined)).toBeUndefined()
    expect(shortlistWeights(registry, request, shown, 0)).toBeUndefined()
  })
})
