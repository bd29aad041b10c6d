import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openHome } from '../agent/home.js'
import { type Keyring, OwnerConnections } from '../domains/connections/index.js'
import { openMemory } from './memory-command.js'
import { exportCommand, importCommand } from './move-commands.js'

const CANARY = 'canary-7Qz-secret'
const noKeyring = { keyring: async () => undefined }
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'botpsy-carry-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}
afterEach(() => {
  vi.restoreAllMocks()
})

function captured(): () => string {
  const parts: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => parts.push(String(text)) > 0)
  return () => parts.splice(0).join('')
}

const bytes = (root: string): string =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('')

/** A data folder that is connected to one mail server, with something in the memory. */
async function connected(host: string, secret: string, places = noKeyring): Promise<string> {
  const data = join(folder(), 'home')
  openHome(data)
  await openMemory(data).memory.add(`my provider is ${host}`)
  await new OwnerConnections(data, places).keep('imap', { host }, secret)
  return data
}
const secretOf = (data: string) =>
  new OwnerConnections(data, noKeyring)
    .load([])
    .find('imap')
    ?.secret()
    .catch((error: Error) => error.message)

describe('passwords on a move', () => {
  it('stay at home unless asked for, and then arrive where the new machine keeps them', async () => {
    const said = captured()
    const here = await connected('a.example', CANARY)
    const file = join(folder(), 'x.tar.gz')
    expect(await exportCommand(file, { data: here }, noKeyring)).toBe(0)
    expect(said()).toMatch(/own files are not in it[\s\S]*Passwords are not in it/)
    const there = join(folder(), 'home')
    expect(await importCommand(file, { data: there }, noKeyring)).toBe(0)
    expect(said()).toMatch(/password for imap did not come along: botpsy connect imap/)
    expect(bytes(there)).not.toContain(CANARY)
    expect(await secretOf(there)).toMatch(/not where it was kept.*botpsy connect imap/)
    await exportCommand(file, { data: here, secrets: true, force: true }, noKeyring)
    expect(said()).toMatch(/holds your passwords/)
    await importCommand(file, { data: there, replace: true }, noKeyring)
    expect(await secretOf(there)).toBe(CANARY)
    expect(readFileSync(join(there, 'connections.json'), 'utf8')).not.toContain(CANARY)
    expect(said()).not.toContain(CANARY)
  })

  it('of this machine never go to the server that an archive names', async () => {
    captured()
    const file = join(folder(), 'x.tar.gz')
    await exportCommand(file, { data: await connected('evil.example', 'theirs-and-long') }, noKeyring)
    const inFile = await connected('good.example', CANARY)
    await importCommand(file, { data: inFile, replace: true }, noKeyring)
    expect(await secretOf(inFile)).toMatch(/not where it was kept/)
    expect(existsSync(join(inFile, 'credentials.json'))).toBe(false)

    const held = new Map<string, string>()
    const ring: Keyring = {
      get: async (name) => held.get(name),
      set: async (name, secret) => void held.set(name, secret),
      remove: async (name) => void held.delete(name),
    }
    const places = { keyring: async () => ring }
    const ringFile = join(folder(), 'y.tar.gz')
    await exportCommand(ringFile, { data: await connected('evil.example', 'theirs', places as never) }, places)
    held.clear()
    const inRing = await connected('good.example', CANARY, places as never)
    expect(held.get('imap')).toBe(CANARY)
    await importCommand(ringFile, { data: inRing, replace: true }, places)
    expect(held.size).toBe(0)
  })

  it('of this machine stay with the very same connection, and in a merge with ours', async () => {
    captured()
    const file = join(folder(), 'x.tar.gz')
    const data = await connected('a.example', CANARY)
    await exportCommand(file, { data }, noKeyring)
    await importCommand(file, { data, replace: true }, noKeyring)
    expect(await secretOf(data)).toBe(CANARY)
    const other = await connected('b.example', 'of the other one')
    await importCommand(file, { data: other, merge: true }, noKeyring)
    expect(await secretOf(other)).toBe('of the other one')
    expect(readFileSync(join(other, 'connections.json'), 'utf8')).toContain('b.example')
  })
})
