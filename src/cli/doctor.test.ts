import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { ANN } from '../domains/calendar/testing/connection.js'
import { startRadicale } from '../domains/calendar/testing/radicale.js'
import { ADAPTERS } from '../domains/connections/adapters.js'
import { type ConnectionAdapter, type ConnectionKind, OwnerConnections } from '../domains/connections/index.js'
import { filesAdapter } from '../domains/files/adapter.js'
import { needs } from '../testing/datasets.js'
import { startSearxng } from '../testing/searxng-server.js'
import { freePort, program } from '../testing/server-process.js'
import { type Check, checkText } from './doctor/check.js'
import { connectionChecks } from './doctor/connection-checks.js'
import { dataChecks } from './doctor/data-checks.js'
import { doctor } from './doctor-command.js'

const noKeyring = { keyring: async () => undefined }
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'botpsy-doctor-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const open: Server[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const server of open.splice(0)) server.close()
})

async function listening(server: Server): Promise<string> {
  open.push(server)
  const sockets = new Set<import('node:net').Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A web server as one kind of connection: good when it answers JSON with `ok`. */
const over = (kind: ConnectionKind): ConnectionAdapter => ({
  kind,
  title: `${kind} server`,
  questions: [],
  settings: z.object({ url: z.url() }),
  probe: async (connection, signal) => {
    const url = String(connection.settings.url)
    try {
      const said = await (await fetch(url, signal ? { signal } : {})).json()
      return [{ ok: z.object({ ok: z.literal(true) }).safeParse(said).success, text: `${url} answers` }]
    } catch (error) {
      const text = error instanceof Error ? `${error.message} ${error.cause ?? ''}` : ''
      return [{ ok: false, text: `${url} is no ${kind} server: ${text}`, todo: 'Start it.' }]
    }
  },
})

describe('botpsy doctor', () => {
  it('tells the broken half of the connections from the sound one', async () => {
    const home = folder()
    const files = folder()
    const sound = await listening(createHttp((_, response) => response.end('{"ok":true}')))
    const hanging = await listening(createServer(() => undefined))
    const garbage = await listening(createServer((socket) => socket.end('\x16\x03garbage\r\n\r\n')))
    const closed = `http://127.0.0.1:${await freePort()}/`
    const owner = new OwnerConnections(home, noKeyring)
    await owner.keep('files', { folder: files }, undefined)
    await owner.keep('caldav', { url: sound }, undefined)
    await owner.keep('searxng', { url: sound }, 'a password here')
    await owner.keep('imap', { url: hanging }, undefined)
    await owner.keep('mqtt', { url: garbage }, undefined)
    await owner.keep('homeassistant', { url: closed }, undefined)
    const adapters = [filesAdapter, ...(['caldav', 'searxng', 'imap', 'mqtt', 'homeassistant'] as const).map(over)]
    const checks = await connectionChecks(home, adapters, noKeyring, 700)
    const state = Object.fromEntries(checks.map((check) => [check.name.replace('connection ', ''), check]))
    expect(checks).toHaveLength(6)
    for (const kind of ['files', 'caldav', 'searxng']) expect(state[kind], kind).toMatchObject({ state: 'ok' })
    expect(state.imap).toMatchObject({ state: 'bad', text: 'the imap server did not answer within 0.7 seconds' })
    expect(state.mqtt).toMatchObject({ state: 'bad', text: expect.stringMatching(/is no mqtt server/) })
    expect(state.homeassistant).toMatchObject({
      state: 'bad',
      text: expect.stringMatching(/ECONNREFUSED|fetch failed/),
    })
    for (const check of checks) if (check.state === 'bad') expect(check.todo).toBeTruthy()
    rmSync(files, { recursive: true })
    expect((await connectionChecks(home, adapters, noKeyring, 700)).at(-1)).toMatchObject({
      name: 'connection files',
      state: 'bad',
      text: expect.stringMatching(/is not there/),
    })
  })

  it.skipIf(needs('radicale', program('radicale')))(
    'does so with the adapters of this package, on real servers and real failures, and shows no password',
    async () => {
      const home = folder()
      const files = folder()
      const calendar = await startRadicale()
      onTestFinished(() => calendar.stop())
      await calendar.calendar('home')
      const search = await startSearxng({
        entries: [{ title: 'An encyclopedia', url: 'https://example.org', content: '' }],
      })
      onTestFinished(() => search.stop())
      const hanging = new URL(await listening(createServer(() => undefined)))
      const garbage = new URL(await listening(createServer((socket) => socket.end('\x16\x03garbage\r\n\r\n'))))
      const owner = new OwnerConnections(home, noKeyring)
      const secret = 'canary-7Qz-secret'
      await owner.keep('files', { folder: files }, undefined)
      await owner.keep('caldav', { url: calendar.url, user: ANN.user }, ANN.password)
      await owner.keep('searxng', { url: search.origin }, undefined)
      const mail = { imapHost: '127.0.0.1', imapPort: Number(hanging.port), imapSecurity: 'none' }
      const sending = { smtpHost: '127.0.0.1', smtpPort: Number(hanging.port), smtpSecurity: 'none' }
      await owner.keep('imap', { address: 'ann@example.org', ...mail, ...sending }, secret)
      await owner.keep('mqtt', { url: `mqtt://127.0.0.1:${garbage.port}`, user: 'ann' }, secret)
      await owner.keep('homeassistant', { url: `http://127.0.0.1:${await freePort()}` }, secret)
      const checks = await connectionChecks(home, ADAPTERS, noKeyring, 5000)
      const states = (kind: string) =>
        checks.filter(({ name }) => name === `connection ${kind}`).map(({ state }) => state)
      for (const kind of ['files', 'caldav', 'searxng'])
        expect(states(kind), JSON.stringify(checks)).not.toContain('bad')
      for (const kind of ['imap', 'mqtt', 'homeassistant']) expect(states(kind)[0], kind).toBe('bad')
      for (const check of checks) if (check.state === 'bad') expect(check.todo, check.name).toBeTruthy()
      expect(JSON.stringify(checks)).not.toContain(secret)
      expect(JSON.stringify(checks)).not.toContain(ANN.password)
      process.stderr.write(process.env.BOTPSY_SHOW ? `${checks.map(checkText).join('\n')}\n` : '')
    },
    60_000,
  )

  it('finds what is wrong with the data, and says what to do', async () => {
    const root = folder()
    const home = {
      root,
      journal: join(root, 'journal.sqlite'),
      policy: join(root, 'policy.yaml'),
      files: join(root, 'files'),
      cache: join(root, 'cache'),
    }
    const states = async () => {
      const checks = [...(await dataChecks(home)), ...(await connectionChecks(root, [], noKeyring, 500))]
      return Object.fromEntries(checks.map((check: Check) => [check.name, check]))
    }
    for (const check of Object.values(await states())) expect(check.state, check.text).not.toBe('bad')
    writeFileSync(home.journal, 'no database at all, whatever it is called '.repeat(40))
    writeFileSync(join(root, 'domains.db'), 'neither is this one '.repeat(400))
    writeFileSync(home.policy, 'rules: [{ tool: x }]')
    mkdirSync(join(root, 'calendar'))
    writeFileSync(join(root, 'calendar', 'events.ics'), 'BEGIN:VCALENDAR\nnonsense')
    writeFileSync(join(root, 'connections.json'), '{')
    writeFileSync(join(root, 'credentials.json'), '{"version":1,"secrets":{}}', { mode: 0o644 })
    chmodSync(root, 0o755)
    const after = await states()
    for (const name of ['journal', 'stores', 'policy', 'calendar and contacts', 'permissions', 'connections']) {
      expect(after[name], name).toMatchObject({ state: 'bad' })
      expect(after[name]?.todo, name).toBeTruthy()
    }
    expect(after.permissions?.todo).toBe(`Run: chmod 700 '${root}'`)
    writeFileSync(join(root, 'connections.json'), '{"version":1,"connections":{}}')
    expect((await states()).passwords?.text).toMatch(/can be read by others/)
  })

  it('prints a line each with what to do, and ends with 1 when something is wrong', async () => {
    const data = folder()
    const parts: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => parts.push(String(text)) > 0)
    await new OwnerConnections(data, noKeyring).keep('files', { folder: join(data, 'gone') }, undefined)
    const flags = { data, model: 'no-such-model' }
    expect(await doctor(flags, { places: noKeyring })).toBe(1)
    expect(parts.join('')).toMatch(/✓ node: Node \d+[\s\S]*✗ model: There is no model no-such-model[\s\S]*\n {4}→ /)
    expect(parts.splice(0).join('')).toMatch(
      /✗ connection files: .*gone is not there\n {4}→ Make the folder[\s\S]* need you\.\n$/,
    )
    await doctor({ ...flags, json: true }, { places: noKeyring })
    const json = JSON.parse(parts.join('')) as { ok: boolean; checks: Check[] }
    expect(json.ok).toBe(false)
    expect(json.checks.find(({ name }) => name === 'connection files')?.todo).toMatch(/drive/)
  })

  it('finds nothing wrong with a fresh installation', async () => {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const said = await new Promise<{ code: unknown; out: string }>((resolve) => {
      const args = ['--import', 'tsx', main, 'doctor', '--data', folder()]
      execFile(process.execPath, args, (error, out) => resolve({ code: error?.code ?? 0, out }))
    })
    expect(said.out).toMatch(/✓ engine: botpsy-nano loads[\s\S]*All is well\.\n$/)
    expect(said.code).toBe(0)
  }, 120_000)
})
