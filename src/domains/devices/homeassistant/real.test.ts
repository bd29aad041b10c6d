import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerProcess } from '../../../testing/server-process.js'
import type { Connections } from '../../connections/index.js'
import { connected } from '../testing/connected.js'
import { type HouseDesk, houseDesk } from '../testing/house-desk.js'
import { hassProgram, startRealHomeAssistant } from '../testing/real-home-assistant.js'
import { homeAssistantAdapter } from './adapter.js'

const first = (content: string): string => content.split('\n')[0] ?? ''

// Home Assistant is no package of Debian and large, so that it is not asked for even on the CI machine.
const missing = hassProgram() === undefined
if (missing) process.stderr.write('skipped: Home Assistant itself (BOTPSY_HASS) is missing\n')

describe.skipIf(missing)('Home Assistant itself, with its demo devices', () => {
  let server: ServerProcess
  let connections: Connections
  let desk: HouseDesk
  beforeAll(async () => {
    const real = await startRealHomeAssistant()
    server = real.server
    connections = connected('homeassistant', { url: `http://127.0.0.1:${server.port}` }, real.token)
    desk = houseDesk(connections, { open: 8000, answer: 5000 })
    // The page answers before the devices are there.
    for (let i = 0; i < 120; i++) {
      const found = await desk.call('device_state', { device: 'kitchen lights' })
      if (found.ok) break
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }, 400_000)
  afterAll(async () => {
    desk?.records.close()
    await server?.stop()
  })

  it('tells its devices', async () => {
    const connection = connections.find('homeassistant')
    const findings = connection ? await homeAssistantAdapter.probe(connection) : []
    expect(findings[0]?.text).toMatch(/^Home Assistant answers; it has 6 lights, .*5 doors/)
  })

  it.each([
    ['light_switch', { state: 'off', room: 'kitchen' }, 'The Kitchen Lights are now off.'],
    [
      'light_adjust',
      { direction: 'up', amount: 'to half', room: 'kitchen' },
      'The Kitchen Lights are now at 50 percent.',
    ],
    ['light_color', { color: 'blue', room: 'kitchen' }, 'The Kitchen Lights are now blue.'],
    ['plug_switch', { state: 'on', device: 'ac outlet' }, /^The AC\b.* is now on\.$/],
    ['plug_switch', { state: 'on', device: 'living room fan' }, 'The Living Room Fan is now on.'],
    ['lock_set', { state: 'unlock', door: 'front door' }, /(?:Front Door|door) is now unlocked\.$/],
    ['lock_set', { state: 'unlock', door: 'garage door' }, 'The Garage Door is now open.'],
    ['thermostat_set', { temperature: '22 degrees' }, /^The heating is set to 22 degrees\./],
    ['volume_adjust', { direction: 'set', amount: 'thirty percent', device: 'walkman' }, / is at volume 30\.$/],
  ] as const)('%s %j', async (name, args, said) => {
    const result = await desk.call(name, args, { request: 'the ac outlet, the front door' })
    expect(first(result.content)).toMatch(said)
    expect(result.ok).toBe(true)
  })

  it('takes a change back', async () => {
    const result = await desk.call('light_switch', { state: 'off', device: 'ceiling lights' })
    expect((await desk.undo('light_switch', result)).content).toBe('Done, that is taken back.')
    expect((await desk.call('device_state', { device: 'ceiling lights' })).content).toMatch(/is on/)
  })

  it('does not take a wrong token', async () => {
    const wrong = connected('homeassistant', { url: `http://127.0.0.1:${server.port}` }, 'not.the.token')
    const result = await houseDesk(wrong).call('light_switch', { state: 'on', room: 'kitchen' })
    expect(result).toMatchObject({ ok: false, content: expect.stringMatching(/does not accept the token/) as string })
    expect(result.content).not.toContain('not.the.token')
  })
})
