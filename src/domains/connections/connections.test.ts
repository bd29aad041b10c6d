import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { needs } from '../../testing/datasets.js'
import { program } from '../../testing/server-process.js'
import { emptyFolder } from '../testing/desk.js'
import type { ConnectionAdapter } from './contract.js'
import type { Keyring } from './keyring.js'
import { checkSettings, OwnerConnections } from './owner-connections.js'
import { probeConnection } from './probe.js'
import { HIDDEN, Redactor } from './redact.js'

const CANARY = 'c4nary-Ω "quoted" \\ p%ss'

const adapter: ConnectionAdapter = {
  kind: 'imap',
  title: 'mail server',
  questions: [{ name: 'host', prompt: 'Host?' }],
  settings: z.object({ host: z.string().min(1), port: z.coerce.number().int().default(993) }),
  probe: async () => [{ ok: true, text: 'fine' }],
}
const noKeyring = { keyring: async () => undefined }

/** A keyring that holds its secrets in this process. */
const inProcess = (): Keyring & { readonly held: Map<string, string> } => {
  const held = new Map<string, string>()
  return {
    held,
    get: async (name) => held.get(name),
    set: async (name, secret) => void held.set(name, secret),
    remove: async (name) => void held.delete(name),
  }
}

describe('kept connections', () => {
  it('come back with their settings, and with the secret only when it is asked for', async () => {
    const home = emptyFolder()
    expect(new OwnerConnections(home, noKeyring).load([adapter]).find('imap')).toBeUndefined()
    const place = await new OwnerConnections(home, noKeyring).keep('imap', { host: 'mail.example.org' }, CANARY)
    expect(place).toBe('file')
    const found = new OwnerConnections(home, noKeyring).load([adapter]).find('imap')
    expect(found?.settings).toEqual({ host: 'mail.example.org', port: 993 })
    expect(await found?.secret()).toBe(CANARY)
    expect(readFileSync(join(home, 'connections.json'), 'utf8')).not.toContain('c4nary')
    for (const name of ['connections.json', 'credentials.json'])
      expect(statSync(join(home, name)).mode & 0o777).toBe(0o600)
  })

  it('keep the secret in the keyring where there is one, and leave none behind when they go or move', async () => {
    const home = emptyFolder()
    const keyring = inProcess()
    const withRing = { keyring: async () => keyring }
    await new OwnerConnections(home, noKeyring).keep('imap', { host: 'a' }, CANARY)
    expect(await new OwnerConnections(home, withRing).keep('imap', { host: 'a' }, 'other secret')).toBe('keyring')
    expect([...keyring.held]).toEqual([['imap', 'other secret']])
    expect(() => statSync(join(home, 'credentials.json'))).toThrow(/ENOENT/)
    expect(await new OwnerConnections(home, withRing).load([adapter]).find('imap')?.secret()).toBe('other secret')
    await expect(new OwnerConnections(home, noKeyring).load([adapter]).find('imap')?.secret()).rejects.toThrow(
      /keyring, which cannot be reached/,
    )
    expect(await new OwnerConnections(home, withRing).drop('imap')).toBe(true)
    expect(keyring.held.size).toBe(0)
    expect(await new OwnerConnections(home, withRing).drop('imap')).toBe(false)
  })

  it('refuse a password file that others can read, that is a link, or that is damaged, without quoting it', async () => {
    const home = emptyFolder()
    const file = join(home, 'credentials.json')
    await new OwnerConnections(home, noKeyring).keep('imap', { host: 'a' }, CANARY)
    const secret = () => new OwnerConnections(home, noKeyring).load([adapter]).find('imap')?.secret()
    chmodSync(file, 0o640)
    await expect(secret()).rejects.toThrow(/can be read by others.*chmod 600/)
    await expect(new OwnerConnections(home, noKeyring).keep('imap', { host: 'a' }, 'new')).rejects.toThrow(/chmod 600/)
    chmodSync(file, 0o600)
    expect(await secret()).toBe(CANARY)
    writeFileSync(file, `{"version":1,"secrets":{"imap":${CANARY}}}`)
    const error = await secret()?.catch((e: Error) => e)
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'credentials' })
    expect(`${(error as Error).message}${(error as Error).stack}`).not.toContain('c4nary')
    mkdirSync(join(home, 'elsewhere'))
    writeFileSync(join(home, 'elsewhere', 'c'), '{}')
    const linked = emptyFolder()
    symlinkSync(join(home, 'elsewhere', 'c'), join(linked, 'credentials.json'))
    writeFileSync(
      join(linked, 'connections.json'),
      '{"version":1,"connections":{"imap":{"settings":{"host":"a"},"secret":"file"}}}',
    )
    await expect(new OwnerConnections(linked, noKeyring).load([adapter]).find('imap')?.secret()).rejects.toThrow(
      /not a plain file/,
    )
  })

  it('say what is wrong with a settings file, and leave it', () => {
    for (const [text, message] of [
      ['{"version":1,"connections":{', /not JSON/],
      ['{"version":1,"connections":{"fax":{"settings":{}}}}', /cannot be read/],
      ['{"version":2,"connections":{}}', /newer BotPsy/],
      [
        '{"version":1,"connections":{"imap":{"settings":{"port":3},"secret":"none"}}}',
        /mail server: host: .*connect imap/,
      ],
      ['{"version":1,"connections":{"imap":{"settings":{"host":"x","port":"many"}}}}', /port/],
      ['{"version":1,"connections":{"imap":{"settings":{"host":"https://me:pw@x"}}}}', /password in the address/],
    ] as const) {
      const home = emptyFolder()
      writeFileSync(join(home, 'connections.json'), text)
      expect(() => new OwnerConnections(home, noKeyring).load([adapter]), text).toThrow(message)
      expect(readFileSync(join(home, 'connections.json'), 'utf8')).toBe(text)
    }
    expect(() => checkSettings(adapter, { host: 'imaps://me:c4nary@x' })).toThrow(/^(?!.*c4nary)/)
  })

  it('are changed by two at once without losing one', async () => {
    const home = emptyFolder()
    await Promise.all([
      new OwnerConnections(home, noKeyring).keep('imap', { host: 'a' }, CANARY),
      new OwnerConnections(home, noKeyring).keep('mqtt', { host: 'b' }, 'second secret'),
    ])
    const both = new OwnerConnections(home, noKeyring).load([adapter])
    expect(await both.find('imap')?.secret()).toBe(CANARY)
    expect(await both.find('mqtt')?.secret()).toBe('second secret')
  })
})

describe('the keyring of the system', () => {
  const ring = program('gnome-keyring-daemon')
  const bus = program('dbus-run-session')

  it.skipIf(needs('gnome-keyring and dbus', ring && bus))(
    'holds the secret, so that no file does',
    async () => {
      const home = emptyFolder()
      const script = fileURLToPath(new URL('./testing/keyring-child.ts', import.meta.url))
      const run = `printf unlock | '${ring}' --unlock --components=secrets > /dev/null 2>&1; exec '${process.execPath}' --import tsx '${script}' '${home}'`
      const { stdout } = await promisify(execFile)(bus as string, ['--', 'sh', '-c', run], {
        env: { ...process.env, HOME: emptyFolder(), XDG_RUNTIME_DIR: emptyFolder(), BOTPSY_KEYRING: '' },
      })
      expect(stdout).toContain('kept in: keyring\nread: the same\nanother folder reads: nothing\nafter: gone\n')
    },
    60_000,
  )
})

describe('what is shown', () => {
  it('holds no secret in any spelling that a server gives back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme' }), fc.string(), (secret, before) => {
        const redactor = new Redactor()
        redactor.add(secret, ['ann'])
        const basic = Buffer.from(`ann:${secret}`).toString('base64')
        for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), basic]) {
          const shown = redactor.text(`${before} ${spelling}!`)
          expect(shown.endsWith(`${HIDDEN}!`)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is a finding when a check hangs, throws or says nothing', async () => {
    const home = emptyFolder()
    const owner = new OwnerConnections(home, noKeyring)
    const tried = owner.tentative('imap', { host: 'a' }, CANARY)
    const probe = (p: ConnectionAdapter['probe']) =>
      probeConnection({ ...adapter, probe: p }, tried, (text) => owner.redact(text), 200)
    expect((await probe(() => new Promise(() => {})))[0]).toMatchObject({
      ok: false,
      text: expect.stringMatching(/did not answer/),
    })
    expect((await probe(async () => []))[0]?.ok).toBe(false)
    const [thrown] = await probe(async (c) => {
      throw new Error(`535 bad login ${await c.secret()}`)
    })
    expect(thrown).toMatchObject({ ok: false, text: `535 bad login ${HIDDEN}` })
  })
})
