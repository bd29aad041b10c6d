import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { Agent } from '../agent/agent.js'
import { Journal } from '../agent/journal.js'
import { type ConnectionAdapter, OwnerConnections, withoutSecrets } from '../domains/connections/index.js'
import { ScriptedEngine } from '../engine/scripted.js'
import { needs } from '../testing/datasets.js'
import { program } from '../testing/server-process.js'
import type { Tool } from '../tools/contract.js'
import { ToolRegistry } from '../tools/registry.js'
import { type ConnectParts, connect, disconnect, listConnections } from './connect-command.js'

const CANARY = 'canary-7Qz-secret'
const noKeyring = { keyring: async () => undefined }

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'botpsy-connect-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A server that wants a login and, as some do, gives what it was sent back in its complaint. */
async function talkative(accept: string): Promise<string> {
  const server = createServer((request, response) => {
    const auth = request.headers.authorization ?? ''
    const good = auth === `Basic ${Buffer.from(`ann:${accept}`).toString('base64')}`
    const said = Buffer.from(auth.replace('Basic ', ''), 'base64').toString()
    response.writeHead(good ? 200 : 401).end(`${good ? 'welcome' : 'no'}: ${auth} ${said}`)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const login = async (url: string, secret: string | undefined): Promise<Response> =>
  fetch(url, { headers: { authorization: `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}` } })

const adapter: ConnectionAdapter = {
  kind: 'caldav',
  title: 'calendar server (CalDAV)',
  questions: [
    { name: 'url', prompt: 'Address?' },
    { name: 'user', prompt: 'User?', suggest: () => 'ann' },
    { name: 'secret', prompt: 'Password?', secret: true },
  ],
  settings: z.object({ url: z.url(), user: z.string() }),
  probe: async (connection) => {
    const answer = await login(String(connection.settings.url), await connection.secret())
    const text = `${connection.settings.url} says ${await answer.text()}`
    return [answer.ok ? { ok: true, text } : { ok: false, text, todo: 'Check the password.' }]
  },
}

function parts(stdin = '', more: Partial<ConnectParts> = {}): ConnectParts & { said: () => string } {
  const input = new PassThrough()
  input.end(stdin)
  const output = new PassThrough()
  let said = ''
  output.on('data', (chunk) => {
    said += String(chunk)
  })
  return {
    adapters: [adapter],
    places: noKeyring,
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    said: () => said,
    ...more,
  }
}

/** Every byte of every file below a folder except the credentials file. */
const everything = (home: string): string =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'credentials.json')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

const SPELLINGS = [CANARY, Buffer.from(`ann:${CANARY}`).toString('base64'), Buffer.from(CANARY).toString('base64')]

describe('botpsy connect', () => {
  it('tries the server, says what it found and keeps it; the password is nowhere but in its place', async () => {
    const data = folder()
    const url = await talkative(CANARY)
    const first = parts(`${CANARY}\n`)
    const flags = { data, set: [`url=${url}`, 'user=ann'] }
    expect(await connect('caldav', { ...flags, secretStdin: true }, first)).toBe(0)
    expect(first.said()).toMatch(/✓ http:.*welcome[\s\S]*is kept, its password in .*credentials\.json/)
    const list = parts()
    listConnections({ data }, list)
    listConnections({ data, json: true }, list)
    expect(list.said()).toMatch(/caldav +url http:\/\/127.* user ann, password in credentials.json/)
    for (const spelling of SPELLINGS) expect(`${first.said()}${list.said()}${everything(data)}`).not.toContain(spelling)
    expect(readFileSync(join(data, 'credentials.json'), 'utf8')).toContain(CANARY)
    const gone = parts()
    expect(await disconnect('caldav', { data }, gone)).toBe(0)
    expect(existsSync(join(data, 'credentials.json'))).toBe(false)
    expect(await disconnect('caldav', { data }, gone)).toBe(1)
  })

  it('does not keep what fails, unless told to, and hides what the server gives back', async () => {
    const data = folder()
    const url = await talkative('something else')
    const flags = { data, set: [`url=${url}`, 'user=ann'], secretEnv: 'PW' }
    const bad = parts('', { env: { PW: CANARY } })
    expect(await connect('caldav', flags, bad)).toBe(1)
    expect(bad.said()).toMatch(/✗ .*‹hidden›[\s\S]*→ Check the password\.[\s\S]*not kept/)
    expect(existsSync(join(data, 'connections.json'))).toBe(false)
    const kept = parts('', { env: { PW: CANARY } })
    expect(await connect('caldav', { ...flags, keep: true, json: true }, kept)).toBe(0)
    expect(JSON.parse(kept.said())).toMatchObject({ kind: 'caldav', kept: true, findings: [{ ok: false }] })
    for (const spelling of SPELLINGS) expect(`${bad.said()}${kept.said()}${everything(data)}`).not.toContain(spelling)
  })

  it('says what is missing or wrong, and refuses a password on the command line without repeating it', async () => {
    const data = folder()
    await expect(connect('fax', { data }, parts())).rejects.toThrow(/caldav, imap, mqtt/)
    await expect(connect('caldav', { data, set: ['user=ann'] }, parts())).rejects.toThrow(/--set url=.*--secret-stdin/)
    for (const set of [[`secret=${CANARY}`], [CANARY], [`url=http://ann:${CANARY}@127.0.0.1/`, 'user=ann']]) {
      const error = await connect('caldav', { data, set, secretEnv: 'PW' }, parts('', { env: { PW: 'x' } })).catch(
        (e: Error) => e,
      )
      expect(error).toBeInstanceOf(Error)
      expect(String((error as Error).stack)).not.toContain(CANARY)
    }
    expect(everything(data)).not.toContain(CANARY)
  })
})

describe('a tool whose server echoes the password', () => {
  it('brings it neither to the journal, nor to the model, nor to an error', async () => {
    const data = folder()
    const url = await talkative('something else')
    await new OwnerConnections(data, noKeyring).keep('caldav', { url, user: 'ann' }, CANARY)
    const connections = new OwnerConnections(data, noKeyring).load([adapter])
    const echo = (name: string, fails: boolean): Tool => ({
      name,
      field: 'calendar',
      description: 'Ask the calendar server.',
      parameters: z.object({}),
      effect: () => 'read',
      run: async () => {
        const connection = connections.find('caldav')
        const said = await (await login(url, await connection?.secret())).text()
        if (fails) throw new Error(said)
        return { ok: true, content: said, data: { [said]: [said] }, question: said, undo: { said }, untrusted: said }
      },
      preview: async () => `would ask ${CANARY}`,
    })
    const tools = withoutSecrets([echo('server_ask', false), echo('server_fail', true)], connections)
    const turn = (name: string) => `<tool_call>\n<function=${name}>\n</function>\n</tool_call>`
    const engine = new ScriptedEngine({ turns: [turn('server_ask'), turn('server_fail'), 'That is all.'] })
    const journal = new Journal(join(data, 'journal.sqlite'))
    const events: unknown[] = []
    const agent = new Agent({ engine, registry: new ToolRegistry(tools), journal })
    await agent.run('ask the server', { onEvent: (event) => events.push(event) }).catch((error: Error) => {
      events.push(error.message, error.stack)
    })
    const context = { now: () => new Date(), timeZone: 'UTC', request: '', idempotencyKey: 'k' }
    events.push(await tools[0]?.preview?.({}, context))
    journal.close()
    const seen = JSON.stringify([engine.requests, events]) + everything(data)
    expect(seen).toContain('‹hidden›')
    for (const spelling of SPELLINGS) expect(seen).not.toContain(spelling)
  })
})

describe('the dialogue in a terminal', () => {
  const script = program('script')
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))

  it.skipIf(needs('script (util-linux)', script))(
    'asks, tries, and lets the owner decide',
    async () => {
      const data = folder()
      const other = folder()
      const command = `stty cols 200 rows 50; '${process.execPath}' --import tsx '${main}' connect files --data '${data}'`
      const talk = async (answers: readonly (readonly [RegExp, string])[]): Promise<string> => {
        const child = spawn(script as string, ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
        let said = ''
        let at = 0
        child.stdout.on('data', (chunk) => {
          said += String(chunk)
          const next = answers[at]
          if (next?.[0].test(said)) {
            at++
            child.stdin.write(next[1])
          }
        })
        await new Promise((resolve) => child.once('close', resolve))
        return said
      }
      const missing = await talk([
        [/Which folder/, `${join(other, 'nowhere')}\r`],
        [/Keep it anyway/, '\r'],
      ])
      expect(missing).toMatch(/is not there[\s\S]*It is not kept/)
      expect(existsSync(join(data, 'connections.json'))).toBe(false)
      mkdirSync(join(other, 'papers'))
      writeFileSync(join(other, 'papers', 'a.txt'), 'hello')
      expect(await talk([[/Which folder/, `${join(other, 'papers')}\r`]])).toMatch(
        /can be read and written[\s\S]*is kept/,
      )
      expect(JSON.parse(readFileSync(join(data, 'connections.json'), 'utf8'))).toMatchObject({
        connections: { files: { settings: { folder: join(other, 'papers') } } },
      })
    },
    120_000,
  )
})
