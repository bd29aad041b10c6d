import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type LaterEvent, runFixed } from '../../agent/later/index.js'
import { OwnerConnections } from '../../domains/connections/index.js'
import { BROKER_USER, fakeDevices, startBroker } from '../../domains/devices/testing/broker.js'
import { mailConnection, putMails } from '../../domains/testing/mail-desk.js'
import { needs } from '../../testing/datasets.js'
import { mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
import { program } from '../../testing/server-process.js'
import { composeService } from './compose-service.js'
import { drive } from './drive.js'

const ACCOUNT = { address: 'owner@example.com', password: 'owner-pass-1234' }

describe.skipIf(needs('dovecot, exim4 and openssl', mailServersInstalled()))(
  'the service on a real mail server',
  () => {
    it('runs an automation when mail from somebody comes in, once', async () => {
      const home = mkdtempSync(join(tmpdir(), 'botpsy-drive-'))
      const servers = await startMailServers([ACCOUNT])
      const composed = composeService({ data: home })
      const controller = new AbortController()
      const events: LaterEvent[] = []
      composed.events.subscribe((event) => events.push(event))
      const connection = mailConnection(servers, ACCOUNT.address, ACCOUNT.password)
      const made = await runFixed(composed.fixed, 'make', 'Add an automation', {
        name: 'automation_create',
        arguments: {
          do: 'hall light on',
          from: 'anna@example.com',
          tool: 'light_switch',
          arguments: '{"state":"on","room":"hallway"}',
        },
      })
      expect(made.status).toBe('done')
      const withMail = { ...composed, mail: { ...composed.mail, connection: () => connection } }
      const driving = drive(withMail, join(home, 'calendar'), controller.signal)
      onTestFinished(async () => {
        controller.abort()
        await driving
        composed.close()
        await servers.stop()
        rmSync(home, { recursive: true, force: true })
      })
      const within = { timeout: 45_000, interval: 50 }
      await vi.waitFor(() => expect(composed.mail.seen()).toBeDefined(), within)
      const mail = (from: string) =>
        `From: ${from}\nSubject: hi\nDate: ${new Date(Date.now() + 1000).toUTCString()}\nMessage-ID: <${from}>\n\nhi`
      await putMails(connection, [mail('bob@example.com'), mail('anna@example.com')])
      await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['action']), within)
      expect(events[0]).toMatchObject({ outcome: { status: 'done', cause: 'mail from anna@example.com arrived' } })
    }, 120_000)
  },
)

describe.skipIf(needs('mosquitto', program('mosquitto')))('the service on a real MQTT broker', () => {
  it('runs an automation when a device changes, once, and not for what changed before', async () => {
    const home = mkdtempSync(join(tmpdir(), 'botpsy-drive-'))
    const broker = await startBroker()
    const devices = await fakeDevices(broker.port)
    for (const [name, at] of [
      ['Kettle', 'kettle'],
      ['Hood', 'hood'],
    ] as const) {
      await devices.retain(`homeassistant/switch/${at}/config`, {
        name,
        command_topic: `${at}/set`,
        state_topic: `${at}/state`,
      })
      await devices.retain(`${at}/state`, at === 'kettle' ? 'ON' : 'OFF')
      await devices.answer(`${at}/set`, (payload) => devices.retain(`${at}/state`, payload))
    }
    const settings = { url: `mqtt://127.0.0.1:${broker.port}`, user: BROKER_USER.user, prefix: 'homeassistant' }
    await new OwnerConnections(home, { keyring: async () => undefined }).keep('mqtt', settings, BROKER_USER.password)
    const composed = composeService({ data: home })
    const controller = new AbortController()
    const events: LaterEvent[] = []
    composed.events.subscribe((event) => events.push(event))
    const made = await runFixed(composed.fixed, 'make', 'Add an automation', {
      name: 'automation_create',
      arguments: {
        do: 'hood on',
        device: 'kettle',
        state: 'on',
        tool: 'plug_switch',
        arguments: '{"state":"on","device":"hood"}',
      },
    })
    expect(made.status).toBe('done')
    const looks = vi.spyOn(composed.service, 'noticeDevices')
    const driving = drive(composed, join(home, 'calendar'), controller.signal)
    onTestFinished(async () => {
      controller.abort()
      await driving
      composed.close()
      await devices.close()
      await broker.stop()
      rmSync(home, { recursive: true, force: true })
    })
    const within = { timeout: 30_000, interval: 50 }
    const seen = (count: number) =>
      vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThanOrEqual(count), within)
    await seen(1)
    // It was on before anybody looked.
    await devices.retain('kettle/state', 'OFF')
    await seen(2)
    expect(devices.commands).toEqual([])
    await devices.retain('kettle/state', 'ON')
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toEqual(['action']), within)
    expect(events[0]).toMatchObject({ outcome: { status: 'done', cause: 'the kettle is on' } })
    // The same state again is no change.
    await devices.retain('kettle/state', 'ON')
    await vi.waitFor(() => expect(composed.service.ledger.queue()).toEqual([]), within)
    expect(devices.commands).toEqual([{ topic: 'hood/set', payload: 'ON' }])
  }, 90_000)
})
