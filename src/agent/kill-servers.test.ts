import { expect, it, onTestFinished } from 'vitest'
import { ANN } from '../domains/calendar/testing/connection.js'
import { startRadicale } from '../domains/calendar/testing/radicale.js'
import { BROKER_USER, type FakeDevices, fakeDevices, startBroker } from '../domains/devices/testing/broker.js'
import { mailConnection, sourcesOf } from '../domains/testing/mail-desk.js'
import { needs } from '../testing/datasets.js'
import { mailServersInstalled, startMailServers } from '../testing/mail-servers.js'
import { program, type ServerProcess } from '../testing/server-process.js'
import { WORDS } from './testing/kill-plan.js'
import { seeded } from './testing/kill-runs.js'
import { killServerRuns } from './testing/kill-servers.js'

/** More of them, for the table in docs/safety.md. */
const KILLS = Number(process.env.BOTPSY_SERVER_KILLS ?? 8)
const ROUNDS = 3
const installed = program('radicale') && program('mosquitto') && mailServersInstalled()

it.skipIf(needs('radicale, mosquitto, dovecot, exim4 and openssl', installed))(
  'repeats nothing and loses nothing on servers over kill -9 at random points; what nobody knows is put to the owner',
  async () => {
    const mail = await startMailServers([
      { address: 'me@example.com', password: 'owner-pass-1234' },
      { address: 'anna@example.com', password: 'anna-pass-1234' },
    ])
    onTestFinished(() => mail.stop())
    const caldav = await startRadicale()
    let broker: ServerProcess | undefined
    let devices: FakeDevices | undefined
    onTestFinished(async () => {
      await devices?.close()
      await broker?.stop()
    })
    broker = await startBroker()
    const mqttPort = broker.port
    let round = 0
    let events = ''
    let before: readonly string[] = []
    let inbox: readonly string[] = []
    const me = mailConnection(mail, 'me@example.com', 'owner-pass-1234')
    const anna = mailConnection(mail, 'anna@example.com', 'anna-pass-1234')
    const connections = {
      caldav: { settings: { url: caldav.url, user: ANN.user }, password: ANN.password },
      imap: { settings: me.settings, password: 'owner-pass-1234' },
      mqtt: {
        settings: { url: `mqtt://127.0.0.1:${mqttPort}`, user: BROKER_USER.user, prefix: 'homeassistant' },
        password: BROKER_USER.password,
      },
    }
    const fresh = async (): Promise<void> => {
      if (round++ === 0) events = await caldav.calendar('home')
      before = await caldav.items(events)
      inbox = await sourcesOf(anna, 'INBOX')
      await devices?.close()
      devices = await fakeDevices(mqttPort)
      for (const word of WORDS.slice(0, ROUNDS)) {
        await devices.retain(`homeassistant/switch/${word}/config`, {
          name: `heater ${word}`,
          unique_id: word,
          command_topic: `${word}/set`,
          state_topic: `${word}/state`,
        })
        await devices.retain(`${word}/state`, 'OFF')
        await devices.answer(`${word}/set`, (payload) => devices?.retain(`${word}/state`, payload))
      }
    }
    const times = (now: readonly string[], old: readonly string[], text: string): number =>
      now.filter((item) => item.includes(text)).length - old.filter((item) => item.includes(text)).length
    const count = async (call: number): Promise<number> => {
      const n = Math.floor(call / 3)
      if (call % 3 === 0) return times(await caldav.items(events), before, `visit ${n + 1}x`)
      if (call % 3 === 2) return devices?.commands.filter(({ topic }) => topic === `${WORDS[n]}/set`).length ?? 0
      for (let tries = 0; ; tries++) {
        const found = times(await sourcesOf(anna, 'INBOX'), inbox, `Subject: letter ${n + 1}x`)
        // The delivery follows the acceptance.
        if (found > 0 || tries === 10) return found
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    const report = await killServerRuns(KILLS, seeded(Date.now()), ROUNDS, connections, fresh, count)
    console.log(JSON.stringify(report))
    expect(report.kills).toBe(KILLS)
    expect({ repeated: report.repeated, lost: report.lost }).toEqual({ repeated: [], lost: [] })
  },
  900_000,
)
