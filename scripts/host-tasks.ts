/**
 * Ten everyday requests on real servers, with the real command line and the embedded model; prints the transcript.
 *
 *     npm run build && npx tsx scripts/host-tasks.ts > docs/host-tasks.txt
 *
 * Starts Radicale, Dovecot, Exim and mosquitto (Debian packages), a server that speaks Home Assistant's websocket API and
 * one that speaks SearXNG's JSON API. Nobody is there to approve: the owner's rules in policy.yaml allow what is asked.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BROKER_USER, fakeDevices, startBroker } from '../src/domains/devices/testing/broker.js'
import { mailConnection, putMails } from '../src/domains/testing/mail-desk.js'
import { packageRoot } from '../src/engine/package-root.js'
import { startHomeAssistant } from '../src/testing/home-assistant-server.js'
import { startMailServers } from '../src/testing/mail-servers.js'
import { startSearxng } from '../src/testing/searxng-server.js'
import { program, startServer } from '../src/testing/server-process.js'

const main = join(packageRoot(), 'dist', 'cli', 'main.js')
const folder = mkdtempSync(join(tmpdir(), 'botpsy-tasks-'))
const PASSWORD = 'owner-pass-1234'
const ADDRESS = 'owner@example.com'

/** Runs a command without a terminal; shows it and what it printed. */
async function show(home: string, args: readonly string[], secret?: string): Promise<void> {
  const shown = args.map((argument) => (/[^\w./:=@-]/.test(argument) ? `"${argument}"` : argument)).join(' ')
  const said = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [main, ...args, '--data', join(folder, home)],
      { env: { ...process.env, TZ: 'UTC', TOKEN: secret ?? '', DBUS_SESSION_BUS_ADDRESS: '' }, timeout: 120_000 },
      (_error, out, err) => resolve(`${out}${err}`),
    )
    child.stdin?.end()
  })
  process.stdout.write(
    `$ botpsy ${shown.replaceAll(tmpdir(), '…')}\n${said.replaceAll(folder, '~').replace(/\s+$/, '')}\n\n`,
  )
}

const set = (answers: { readonly [name: string]: unknown }): string[] =>
  Object.entries(answers).flatMap(([name, value]) => ['--set', `${name}=${String(value)}`])

const RULES = `rules:
  - { field: calendar, effect: write, decision: allow }
  - { field: device control, effect: write, decision: allow }
  - { tool: web_search, decision: allow }
`

for (const home of ['home', 'flat']) {
  mkdirSync(join(folder, home, 'files'), { recursive: true })
  writeFileSync(join(folder, home, 'policy.yaml'), RULES)
}
writeFileSync(join(folder, 'home', 'files', 'packing.txt'), 'passport\nsocks\nphone charger\n')

const radicale = await startServer((port, own) => {
  writeFileSync(join(own, 'users'), `ann:${PASSWORD}\n`)
  writeFileSync(
    join(own, 'config'),
    `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(own, 'users')}\nhtpasswd_encryption = plain\n[rights]\ntype = owner_only\n[storage]\nfilesystem_folder = ${join(own, 'collections')}\n`,
  )
  return { file: program('radicale') ?? 'radicale', args: ['--config', join(own, 'config')] }
})
const caldav = `http://127.0.0.1:${radicale.port}/`
const made = await fetch(`${caldav}ann/home/`, {
  method: 'MKCALENDAR',
  headers: { authorization: `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}` },
})
if (!made.ok) throw new Error(`MKCALENDAR: ${made.status}`)

const mail = await startMailServers([{ address: ADDRESS, password: PASSWORD }])
const connection = mailConnection(mail, ADDRESS, PASSWORD)
await putMails(connection, [
  `From: Anna Kovacs <anna@example.com>\nTo: ${ADDRESS}\nSubject: Lunch on Friday\nDate: ${new Date().toUTCString()}\nMessage-ID: <lunch@example.com>\n\nShall we meet at noon at the old mill?`,
])

const broker = await startBroker()
const devices = await fakeDevices(broker.port)
await devices.retain('homeassistant/light/k/config', {
  name: 'Kitchen light',
  command_topic: 'k/set',
  state_topic: 'k/state',
  device: { identifiers: ['k'], name: 'Kitchen', suggested_area: 'Kitchen' },
})
await devices.retain('k/state', 'OFF')
await devices.answer('k/set', (payload) => devices.retain('k/state', payload))

const assistant = await startHomeAssistant({
  states: { 'light.bedroom': ['off', { friendly_name: 'Bedroom light', supported_color_modes: ['onoff'] }] },
  areas: { bedroom: 'Bedroom' },
  rooms: { 'light.bedroom': 'bedroom' },
})
const searxng = await startSearxng({
  entries: [
    {
      title: 'Wind power',
      url: 'https://energy.example/wind',
      content: 'Wind power is the use of wind to make electricity with turbines. An article of an encyclopedia.',
    },
  ],
})

try {
  const secret = ['--secret-env', 'TOKEN']
  await show('home', ['connect', 'caldav', ...set({ url: caldav, user: 'ann' }), ...secret], PASSWORD)
  await show('home', ['connect', 'imap', ...set(connection.settings), ...secret], PASSWORD)
  await show(
    'home',
    [...['connect', 'mqtt', ...set({ url: `mqtt://127.0.0.1:${broker.port}`, user: BROKER_USER.user })], ...secret],
    BROKER_USER.password,
  )
  await show('home', ['connect', 'searxng', ...set({ url: searxng.origin })])
  await show('flat', ['connect', 'homeassistant', ...set({ url: assistant.url }), ...secret], assistant.token)
  for (const request of [
    'put dentist in my calendar for friday at 9 am',
    "what's in my calendar on friday",
    'do I have any new email from anna',
    'read the email from anna',
    'turn on the kitchen light',
    'is the kitchen light on?',
    'search the web for wind power',
    'read the file packing.txt',
  ])
    await show('home', [request])
  for (const request of ['turn on the bedroom light', 'is the bedroom light on?']) await show('flat', [request])
  process.stdout.write(
    `What the servers saw: the broker ${JSON.stringify(devices.commands)}; Home Assistant ${JSON.stringify(assistant.calls)}.\n`,
  )
} finally {
  await devices.close()
  await Promise.all([radicale.stop(), broker.stop(), mail.stop(), searxng.stop(), assistant.close()])
  rmSync(folder, { recursive: true, force: true })
}
