import { describe, expect, it } from 'vitest'
import { desk } from '../testing/desk.js'
import { parseAmount } from './amount.js'

const first = (content: string): string => content.split('\n')[0] ?? ''

describe('devices', () => {
  it.each([
    ['light_switch', { state: 'on', room: 'the kitchen' }, 'The kitchen ceiling light is now on.'],
    ['light_switch', { state: 'off', room: 'my bed room' }, 'The lights in the bedroom are already off.'],
    ['light_switch', { state: 'on', device: 'lights', room: 'house' }, 'All lights are now on.'],
    ['light_switch', { state: 'on', device: 'desk lamp' }, 'The office desk lamp is now on.'],
    [
      'light_adjust',
      { direction: 'up', amount: 'to half', room: 'hall' },
      'The hallway ceiling light is now at 50 percent.',
    ],
    [
      'light_color',
      { color: 'blue', room: 'living room and kitchen' },
      'The lights in the living room and kitchen are now blue.',
    ],
    ['plug_switch', { state: 'on', device: 'wemo plug socket' }, 'The living room plug is now on.'],
    ['volume_adjust', { direction: 'up', amount: 'by ten' }, 'The living room speaker is at volume 50.'],
    ['volume_adjust', { direction: 'mute', when: 'two hours' }, 'The living room speaker is muted until 00:00.'],
    ['vacuum_start', { room: 'carpet' }, 'The robot vacuum is cleaning the house.'],
    ['coffee_make', { coffee: 'a double cappuccino' }, 'The coffee machine is making a double cappuccino.'],
    ['thermostat_set', { temperature: 'two degrees warmer' }, 'The heating is set to 22 degrees.'],
    ['thermostat_set', { temperature: '70 fahrenheit' }, 'The heating is set to 21 degrees.'],
    ['scene_set', { scene: 'movie night scene' }, 'The scene movie night is set.'],
    [
      'lock_set',
      { state: 'lock', door: 'all doors' },
      'The front door, the back door and the garage door are now locked.',
    ],
    [
      'vacuum_start',
      { when: 'one pm' },
      'Planned as p1: the robot vacuum cleans the house on Tuesday 1 December at 13:00 (12:00 UTC).',
    ],
    ['music_play', { music: 'jazz' }, 'Playing jazz.'],
  ])('%s %j', async (name, args, said) => {
    const result = await desk().call(name, args)
    expect(result.ok).toBe(true)
    expect(first(result.content)).toBe(said)
  })

  it('say that the house is only an example', async () => {
    const d = desk()
    for (const [name, args] of [
      ['device_list', {}],
      ['light_switch', { state: 'on' }],
      ['device_state', { device: 'tv' }],
    ] as const)
      expect((await d.call(name, args)).content).toMatch(/No real devices are connected yet/)
  })

  it('refuse unknown rooms and devices by naming the known ones', async () => {
    const d = desk()
    expect((await d.call('light_switch', { state: 'on', room: 'ballroom' })).content).toMatch(
      /no room called ballroom; the rooms are living room/,
    )
    expect((await d.call('scene_set', { scene: 'apocalypse' })).content).toMatch(/there are movie night/)
    expect((await d.call('thermostat_set', { temperature: '90 degrees celsius' })).ok).toBe(false)
  })

  it('ask before a door opens that nobody named', async () => {
    const d = desk()
    expect((await d.call('lock_set', { state: 'unlock' }, { request: 'unlock the door' })).question).toMatch(
      /Which door/,
    )
    expect(first((await d.call('device_state', { device: 'front door' })).content)).toMatch(/is locked/)
  })

  it('do not switch lights by looking', async () => {
    const d = desk()
    await d.call('device_state', { device: 'kitchen light' })
    expect(first((await d.call('device_state', { device: 'lights', room: 'kitchen' })).content)).toBe(
      'The kitchen ceiling light is off.',
    )
  })

  it('tell the state of the lights that were asked about when only the room was named', async () => {
    const d = desk()
    const asked = async (request: string, args: { device?: string; room?: string }): Promise<string> =>
      first((await d.call('device_state', args, { request })).content)
    expect(await asked('is the kitchen light on?', { device: 'kitchen' })).toBe('The kitchen ceiling light is off.')
    expect(await asked('is the kitchen light on?', { room: 'kitchen' })).toBe('The kitchen ceiling light is off.')
    expect(await asked('what is on in the kitchen?', { device: 'the kitchen' })).toBe('On: kitchen speaker.')
    expect(await asked('is the garage door locked?', { device: 'garage door' })).toMatch(/^The garage door is locked/)
    expect(await asked('is the lamp in the kitchen or the speaker on?', { room: 'kitchen' })).toBe(
      'On: kitchen speaker.',
    )
  })

  it('remember what plays, and pause, rate and collect it', async () => {
    const d = desk()
    expect((await d.call('media_control', { action: 'pause' })).ok).toBe(false)
    await d.call('music_play', { music: 'Yellow by Coldplay' })
    expect(first((await d.call('music_info')).content)).toBe('This is Yellow by Coldplay.')
    expect(first((await d.call('playlist_add', { playlist: 'gym playlist', music: 'this song' })).content)).toBe(
      'Added Yellow by Coldplay to the new playlist gym.',
    )
    expect((await d.call('music_rate', { liking: 'like' })).content).toBe('Noted that you like Yellow by Coldplay.')
    const paused = await d.call('media_control', { action: 'pause the music' })
    expect(first(paused.content)).toBe('Paused Yellow by Coldplay.')
    await d.undo('media_control', paused)
    expect(first((await d.call('music_info')).content)).toBe('This is Yellow by Coldplay.')
  })
})

describe('parseAmount', () => {
  it.each([
    ['to half', { mode: 'set', value: 50 }],
    ['by twenty percent', { mode: 'step', value: 20 }],
    ['twenty percent', { mode: 'set', value: 20 }],
    ['a little bit', { mode: 'step', value: 10 }],
    ['to maximum', { mode: 'set', value: 100 }],
    ['by two levels', { mode: 'step', value: 20 }],
    ['to sixty five percent', { mode: 'set', value: 65 }],
    ['to zero', { mode: 'set', value: 0 }],
    ['300', { mode: 'set', value: 100 }],
    ['purple', undefined],
  ])('%s', (text, amount) => {
    expect(parseAmount(text)).toEqual(amount)
  })
})
