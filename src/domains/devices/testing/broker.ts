import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import mqtt, { type MqttClient } from 'mqtt'
import { program, type ServerProcess, startServer } from '../../../testing/server-process.js'

/** User and password of the brokers that tests start. */
export const BROKER_USER = { user: 'owner', password: 'p4ss-of-the-broker' } as const

/** Starts mosquitto with one user; `port` and `folder` bring one back that was killed. */
export function startBroker(again: { readonly port?: number; readonly folder?: string } = {}): Promise<ServerProcess> {
  return startServer((port, folder) => {
    const passwords = join(folder, 'passwords')
    writeFileSync(passwords, `${BROKER_USER.user}:${BROKER_USER.password}\n`, { mode: 0o600 })
    spawnSync(program('mosquitto_passwd') ?? 'mosquitto_passwd', ['-U', passwords])
    writeFileSync(
      join(folder, 'mosquitto.conf'),
      [
        `listener ${port} 127.0.0.1`,
        'allow_anonymous false',
        `password_file ${passwords}`,
        ...(process.getuid?.() === 0 ? ['user root'] : []),
        'persistence true',
        `persistence_location ${folder}/`,
        'autosave_on_changes true',
        'autosave_interval 1',
        '',
      ].join('\n'),
    )
    return { file: program('mosquitto') ?? 'mosquitto', args: ['-c', join(folder, 'mosquitto.conf')] }
  }, again)
}

/** A client of the broker that plays the devices of a house. */
export interface FakeDevices {
  /** Every command that came, in order: topic and payload. */
  readonly commands: readonly { readonly topic: string; readonly payload: string }[]
  /** Publishes a retained message. */
  retain(topic: string, payload: string | object): Promise<void>
  /** What a topic's command does; without an answer the device stays silent. */
  answer(topic: string, reply: (payload: string) => Promise<void> | void): Promise<void>
  close(): Promise<void>
}

/** Connects a client that plays devices. */
export async function fakeDevices(port: number): Promise<FakeDevices> {
  const client: MqttClient = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: BROKER_USER.user,
    password: BROKER_USER.password,
    reconnectPeriod: 0,
  })
  client.on('error', () => {})
  const commands: { topic: string; payload: string }[] = []
  const replies = new Map<string, (payload: string) => Promise<void> | void>()
  client.on('message', (topic, payload) => {
    commands.push({ topic, payload: payload.toString() })
    // The connection may be gone by the time of the reply.
    void Promise.resolve(replies.get(topic)?.(payload.toString())).catch(() => {})
  })
  return {
    commands,
    retain: async (topic, payload) => {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
      await client.publishAsync(topic, text, { qos: 1, retain: true })
    },
    answer: async (topic, reply) => {
      replies.set(topic, reply)
      await client.subscribeAsync(topic, { qos: 1 })
    },
    close: async () => {
      await client.endAsync(true)
    },
  }
}
