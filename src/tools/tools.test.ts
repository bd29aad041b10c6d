import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closestNames } from './closest.js'
import type { ToolContract } from './contract.js'
import { ToolRegistry } from './registry.js'
import { toolSpec } from './tool-spec.js'
import { unknownToolMessage, validateArguments } from './validate.js'

const lamp: ToolContract = {
  name: 'lamp_set',
  field: 'device control',
  description: 'Set a lamp.',
  parameters: z.object({
    title: z.string(),
    state: z.enum(['on', 'off']).optional().describe('wanted state'),
    level: z.int().optional(),
    names: z.record(z.string(), z.int()).optional(),
  }),
  effect: () => 'write',
}

describe('toolSpec', () => {
  it('is compact and keeps what the model can act on', () => {
    expect(toolSpec(lamp)).toEqual({
      name: 'lamp_set',
      description: 'Set a lamp.',
      parameters: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          state: { type: 'string', enum: ['on', 'off'], description: 'wanted state' },
          level: { type: 'integer' },
          names: { type: 'object', additionalProperties: { type: 'integer' } },
        },
        required: ['title'],
      },
    })
  })
})

describe('validateArguments', () => {
  it('passes good arguments, and takes null for left out', () => {
    expect(validateArguments(lamp, { title: 'a', level: 2 })).toEqual({ ok: true, args: { title: 'a', level: 2 } })
    expect(validateArguments(lamp, { title: 'a', level: null })).toEqual({ ok: true, args: { title: 'a' } })
  })

  it.each([
    [{}, 'title', 'title: missing'],
    [{ title: 'a', state: 'onn' }, 'state', 'did you mean on?'],
    [{ title: 'a', level: 'high' }, 'level', 'level: invalid input: expected number'],
    [{ title: 'a', levl: 3 }, 'levl', 'did you mean level?'],
    [{ title: 'a', names: { x: 'y' } }, 'names.x', 'names.x'],
  ])('names the failing field of %j', (args, field, message) => {
    const result = validateArguments(lamp, args)
    expect(result.ok).toBe(false)
    if (result.ok) return
    expect(result.problems.map((problem) => problem.field)).toContain(field)
    expect(result.message.toLowerCase()).toContain(message.toLowerCase())
  })
})

describe('ToolRegistry', () => {
  it('refuses a taken or unusable name', () => {
    const registry = new ToolRegistry<ToolContract>([lamp])
    expect(() => registry.add(lamp)).toThrow(/Two tools/)
    expect(() => registry.add({ ...lamp, name: 'two words' })).toThrow(/must start with a letter/)
  })

  it('suggests names for a wrong one, else says what there is', () => {
    const registry = new ToolRegistry<ToolContract>(['alarm_set', 'calendar_create'].map((name) => ({ ...lamp, name })))
    expect(unknownToolMessage('set_alarm', registry, [])).toContain('alarm_set')
    expect(unknownToolMessage('calender_create', registry, [])).toContain('calendar_create')
    expect(unknownToolMessage('zzqx', registry, ['a', 'b'])).toContain('Available tools: a, b')
    expect(closestNames('', ['a'])).toEqual([])
  })
})
