import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../chat/types.js'
import { sayState } from '../device.js'
import { readAnnouncement } from './discovery.js'
import { messagesFor } from './entry-command.js'
import { kindOf, readDevice } from './entry-state.js'
import { readTemplate, writeTemplate } from './template.js'

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const COMPONENTS = ['light', 'switch', 'cover', 'lock', 'climate', 'fan', 'vacuum', 'scene', 'sensor', 'binary_sensor']

describe('readAnnouncement', () => {
  it('writes short names out and puts the base into topics', () => {
    const [entry] = readAnnouncement(
      'homeassistant',
      'homeassistant/switch/a/b/config',
      bytes({
        '~': 'tele/x',
        name: 'b',
        cmd_t: '~/cmnd',
        stat_t: 'base/~',
        avty: [{ t: '~/lwt' }],
        dev: { name: 'Den_a', sa: 'Den' },
      }),
    )
    expect(entry).toMatchObject({ id: 'switch/a/b', component: 'switch', name: 'Den a b', area: 'Den' })
    expect(entry?.config).toMatchObject({
      command_topic: 'tele/x/cmnd',
      state_topic: 'base/tele/x',
      availability: [{ topic: 'tele/x/lwt' }],
    })
  })

  it('takes no other topic, no empty message and no half one', () => {
    const config = bytes({ name: 'x', command_topic: 'x' })
    for (const topic of [
      'homeassistant/light/config',
      'other/light/x/config',
      'homeassistant/light/x/y/z/config',
      'homeassistant/li#ht/x/config',
    ])
      expect(readAnnouncement('homeassistant', topic, config)).toEqual([])
    expect(readAnnouncement('homeassistant', 'homeassistant/light/x/config', new Uint8Array())).toEqual([])
    expect(readAnnouncement('homeassistant', 'homeassistant/light/x/config', config.subarray(0, 9))).toEqual([])
    expect(readAnnouncement('a/b', 'a/b/light/x/config', config)).toHaveLength(1)
  })

  it('survives whatever is announced and whatever state follows', () => {
    const setting = fc.oneof(
      fc.json().map((s) => JSON.parse(s) as unknown),
      fc.constantFrom('ON', 'json', 'a/b', '+/#', '{{ value_json.x }}'),
    )
    const names = fc.constantFrom(
      'schema',
      'command_topic',
      'state_topic',
      'value_template',
      'position_open',
      'position_closed',
      'position_topic',
      'brightness_scale',
      'brightness_state_topic',
      'brightness_command_topic',
      'rgb_state_topic',
      'supported_color_modes',
      'availability',
      'availability_topic',
      'device',
      'name',
      'modes',
      '~',
      'temperature_state_topic',
      'device_class',
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...COMPONENTS, 'device'),
        fc.dictionary(names, setting),
        fc.string(),
        fc.constantFrom(
          { on: true, brightness: 30, color: 'blue' },
          { position: 40 },
          { locked: false },
          { temperature: 21, on: true },
        ),
        (component, config, payload, change) => {
          for (const entry of readAnnouncement('ha', `ha/${component}/x/config`, bytes(config))) {
            const kind = kindOf(entry)
            if (kind === undefined) continue
            const device = readDevice(entry, kind, new Map([['a/b', payload]]))
            expect(sayState(device)).not.toMatch(/undefined|\[object/)
            const messages = messagesFor(entry, change)
            if (Array.isArray(messages))
              for (const { topic } of messages as readonly { topic: string }[]) expect(topic).not.toMatch(/[+#]/)
          }
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('templates', () => {
  it.each([
    ['{{ value_json.state }}', '{"state":"ON"}', 'ON'],
    ["{{ value_json['a b'].c[1] | float | round(1) }}", '{"a b":{"c":[1,2.345]}}', '2.3'],
    ['{{value}}', 'x', 'x'],
    [undefined, 'x', 'x'],
    ["{{ value_json.missing | default('no') }}", '{}', 'no'],
    ['{{ value_json.__proto__ }}', '{}', undefined],
    ['{% for i in range(10**9) %}x{% endfor %}', 'x', undefined],
    ['{{ value_json.a if value_json.b else 1 }}', '{"a":1}', undefined],
    ['{{ value_json.a }}', 'no json', undefined],
  ])('%s of %s', (template, payload, value) => {
    expect(readTemplate(template, payload)).toBe(value)
  })

  it('are never run as programs and never throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (template, payload) => {
        const value = readTemplate(`{{ ${template} }}`, payload)
        expect(value === undefined || typeof value === 'string').toBe(true)
      }),
    )
    expect(writeTemplate('{"p": {{ position }}}', '40', ['position'])).toBe('{"p": 40}')
    expect(writeTemplate('{% if value %}x{% endif %}', '40', ['value'])).toBeUndefined()
  })
})

describe('lights', () => {
  const entry = (config: JsonObject) => readAnnouncement('ha', 'ha/light/x/config', bytes(config))[0]
  it('with a switch, a level and a color apart get each in its own form', () => {
    const lamp = entry({
      name: 'x',
      command_topic: 'c',
      brightness_command_topic: 'b',
      brightness_scale: 100,
      rgb_command_topic: 'r',
      payload_on: 'yes',
    })
    expect(lamp && messagesFor(lamp, { on: true, brightness: 30, color: 'red' })).toEqual([
      { topic: 'b', payload: '30', retain: false },
      { topic: 'r', payload: '255,0,0', retain: false },
      { topic: 'c', payload: 'yes', retain: false },
    ])
    expect(lamp && messagesFor(lamp, { on: false, brightness: 0 })).toEqual([
      { topic: 'c', payload: 'OFF', retain: false },
    ])
  })
})
