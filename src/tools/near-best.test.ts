import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolContract } from './contract.js'
import { ToolRegistry } from './registry.js'
import { nearBest, shortlist } from './shortlist.js'

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

describe('nearBest', () => {
  const request = 'play some jazz'
  const shown = shortlist(registry, request)

  it('leaves the one tool that the words point to', () => {
    expect(nearBest(registry, request, shown, 0.8)).toEqual(['music_play'])
  })

  it('leaves several where they come close, and never none', () => {
    expect(nearBest(registry, 'alarm', shown, 0.5).sort()).toEqual(['alarm_cancel', 'alarm_set'])
    expect(nearBest(registry, request, shown, 1)).toEqual(['music_play'])
    expect(nearBest(registry, 'zzz', shown, 0.8)).toEqual(shown)
  })
})
