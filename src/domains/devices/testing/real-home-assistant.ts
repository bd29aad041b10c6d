import { createHmac, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program, type ServerProcess, startServer } from '../../../testing/server-process.js'

/** The `hass` program that BOTPSY_HASS names or that is on the PATH; undefined where Home Assistant is not installed. */
export function hassProgram(): string | undefined {
  return process.env.BOTPSY_HASS || program('hass')
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Starts Home Assistant itself with its demo integration and a long-lived token, which it keeps as a refresh token whose
 * key signs the token (JWT, HS256).
 */
export async function startRealHomeAssistant(): Promise<{ readonly server: ServerProcess; readonly token: string }> {
  const user = randomBytes(16).toString('hex')
  const refresh = randomBytes(16).toString('hex')
  const key = randomBytes(64).toString('hex')
  const now = Math.floor(Date.now() / 1000)
  const body = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: refresh, iat: now, exp: now + 86_400 })}`
  const token = `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
  const server = await startServer(
    (port, folder) => {
      mkdirSync(join(folder, '.storage'))
      writeFileSync(
        join(folder, 'configuration.yaml'),
        `homeassistant:\n  name: Home\n  unit_system: metric\n  time_zone: UTC\nhttp:\n  server_host: 127.0.0.1\n  server_port: ${port}\nauth:\nwebsocket_api:\nconfig:\ndemo:\n`,
      )
      const data = {
        users: [
          {
            id: user,
            group_ids: ['system-admin'],
            is_owner: true,
            is_active: true,
            name: 'Owner',
            system_generated: false,
            local_only: false,
          },
        ],
        groups: [{ id: 'system-admin', name: 'Administrators' }],
        credentials: [],
        refresh_tokens: [
          {
            id: refresh,
            user_id: user,
            client_id: null,
            client_name: 'BotPsy',
            client_icon: null,
            token_type: 'long_lived_access_token',
            created_at: '2026-01-01T00:00:00+00:00',
            access_token_expiration: 315_360_000,
            token: randomBytes(64).toString('hex'),
            jwt_key: key,
            last_used_at: null,
            last_used_ip: null,
            credential_id: null,
            version: null,
          },
        ],
      }
      writeFileSync(
        join(folder, '.storage', 'auth'),
        JSON.stringify({ version: 1, minor_version: 1, key: 'auth', data }),
        { mode: 0o600 },
      )
      return { file: hassProgram() ?? 'hass', args: ['-c', folder] }
    },
    { seconds: 240 },
  )
  return { server, token }
}
