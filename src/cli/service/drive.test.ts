import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type LaterEvent, runFixed } from '../../agent/later/index.js'
import { mailConnection, putMails } from '../../domains/testing/mail-desk.js'
import { needs } from '../../testing/datasets.js'
import { mailServersInstalled, startMailServers } from '../../testing/mail-servers.js'
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
