import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { program, type ServerProcess, startServer } from '../../../testing/server-process.js'
import { ANN } from './connection.js'

/** A running Radicale with helpers that speak to it without the code under test. */
export interface Radicale extends ServerProcess {
  readonly url: string
  /** Makes a calendar. @returns its address */
  calendar(name: string, shown?: string): Promise<string>
  /** Puts a file, as another program would. */
  put(address: string, ics: string): Promise<void>
  remove(address: string): Promise<void>
  /** Every item of a calendar as the server has it. */
  items(address: string): Promise<readonly string[]>
}

const authorization = `Basic ${Buffer.from(`${ANN.user}:${ANN.password}`).toString('base64')}`

async function request(
  url: string,
  init: RequestInit & { readonly headers?: Record<string, string> },
): Promise<string> {
  const response = await fetch(url, { ...init, headers: { authorization, ...init.headers } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${init.method} ${url}: ${response.status} ${text.slice(0, 200)}`)
  return text
}

/** Starts Radicale with one user; calendars whose name starts with `ro-` can only be read. */
export async function startRadicale(
  options: { readonly port?: number; readonly folder?: string } = {},
): Promise<Radicale> {
  const server = await startServer((port, folder) => {
    mkdirSync(join(folder, 'collections'), { recursive: true })
    writeFileSync(join(folder, 'users'), `${ANN.user}:${ANN.password}\n`)
    chmodSync(join(folder, 'users'), 0o600)
    writeFileSync(
      join(folder, 'rights'),
      [
        '[root]\nuser: .+\ncollection:\npermissions: R',
        '[principal]\nuser: .+\ncollection: {user}\npermissions: RW',
        '[readonly]\nuser: .+\ncollection: {user}/ro-[^/]+\npermissions: rR',
        '[calendars]\nuser: .+\ncollection: {user}/[^/]+\npermissions: rw',
      ].join('\n\n'),
    )
    const config = join(folder, 'config')
    writeFileSync(
      config,
      [
        `[server]\nhosts = 127.0.0.1:${port}`,
        `[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, 'users')}\nhtpasswd_encryption = plain\ndelay = 0`,
        `[rights]\ntype = from_file\nfile = ${join(folder, 'rights')}`,
        `[storage]\nfilesystem_folder = ${join(folder, 'collections')}`,
        '[web]\ntype = none',
        '[logging]\nlevel = warning',
      ].join('\n\n'),
    )
    return { file: program('radicale') ?? 'radicale', args: ['--config', config] }
  }, options)
  const url = `http://127.0.0.1:${server.port}/`
  return {
    ...server,
    url,
    calendar: async (name, shown = name) => {
      const address = `${url}${ANN.user}/${name}/`
      if (name.startsWith('ro-')) {
        // Made where the server keeps it, for nobody may make it through the server.
        const folder = join(server.folder, 'collections', 'collection-root', ANN.user, name)
        mkdirSync(folder, { recursive: true })
        writeFileSync(
          join(folder, '.Radicale.props'),
          JSON.stringify({ tag: 'VCALENDAR', 'D:displayname': shown, 'C:supported-calendar-component-set': 'VEVENT' }),
        )
        return address
      }
      await request(address, {
        method: 'MKCALENDAR',
        body: `<?xml version="1.0"?><C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>${shown}</D:displayname></D:prop></D:set></C:mkcalendar>`,
      })
      return address
    },
    put: async (address, ics) => {
      await request(address, { method: 'PUT', body: ics, headers: { 'content-type': 'text/calendar' } })
    },
    remove: async (address) => {
      await request(address, { method: 'DELETE' })
    },
    items: async (address) => {
      const text = await request(address, { method: 'GET' })
      return [...text.matchAll(/BEGIN:VEVENT[\s\S]*?END:VEVENT/g)].map((m) => m[0])
    },
  }
}

/** A Radicale that ends with the test. */
export async function radicale(): Promise<Radicale> {
  const server = await startRadicale()
  onTestFinished(() => server.stop())
  return server
}

/** An event of another program. */
export function foreign(uid: string, lines: readonly string[], extra: readonly string[] = []): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Other//Program//EN',
    ...extra,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}
