import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { connect as connectTcp, createServer as createTcp, type Server } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { needs } from '../../testing/datasets.js'
import { program } from '../../testing/server-process.js'
import { page, redirect, startSite, type WebSite } from '../../testing/web-site.js'
import { emptyFolder } from '../testing/desk.js'
import { type FetchOptions, guardedFetch } from './guarded-fetch.js'
import { NetError } from './net-error.js'

const hello = '<p>Grüße</p>'
/** 200 MB of zeros in 200 kB, packed twice in 1 kB. */
const bomb = gzipSync(Buffer.alloc(200_000_000))

let site: WebSite
let loops = 0
beforeAll(async () => {
  site = await startSite({
    '/': page(hello),
    '/gzip': page(gzipSync(hello), { 'content-encoding': 'gzip' }),
    '/br': page(brotliCompressSync(hello), { 'content-encoding': 'br' }),
    '/deflate': page(deflateSync(hello), { 'content-encoding': 'deflate' }),
    '/raw-deflate': page(deflateRawSync(hello), { 'content-encoding': 'deflate' }),
    '/twice': page(brotliCompressSync(gzipSync(hello)), { 'content-encoding': 'gzip, br' }),
    '/unknown-packing': page(hello, { 'content-encoding': 'snappy' }),
    '/not-gzip': page(hello, { 'content-encoding': 'gzip' }),
    '/half-gzip': page(gzipSync('x'.repeat(100) + hello).subarray(0, 20), { 'content-encoding': 'gzip' }),
    '/bomb': page(bomb, { 'content-encoding': 'gzip' }),
    '/bomb-twice': page(gzipSync(bomb), { 'content-encoding': 'gzip, gzip' }),
    '/pdf': page('%PDF-1.7', { 'content-type': 'application/pdf' }),
    '/gone': page('no', {}, 410),
    '/moved': redirect('/gzip', 301),
    '/one': redirect('/two'),
    '/two': redirect('/one'),
    '/endless': (_, response) => redirect(`/endless?${++loops}`)(_, response),
    '/to-file': redirect('file:///etc/passwd'),
    '/to-router': redirect('http://192.168.1.1/reboot'),
    '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
    '/to-decimal': redirect('http://2130706433/'),
    '/to-user': redirect('http://admin:admin@example.org/'),
    '/to-nowhere': redirect('http://'),
    '/to-name': redirect('http://inside.example/'),
    '/long': page('x'.repeat(100_000)),
    '/forever': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const pump = (): void => {
        while (!response.destroyed && response.write('y'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', pump)
      }
      pump()
    },
    '/drip': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('the beginning')
    },
    '/short': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' }).write('only this', () => {
        response.socket?.destroy()
      })
    },
    '/liar': (_, response) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello and much more',
      )
    },
    '/silent': () => undefined,
    '/garbage': (_, response) => {
      response.socket?.end('220 mail.example ESMTP\r\n')
    },
    '/slow-loris': (_, response) => {
      const { socket } = response
      socket?.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket?.write('X-A: b\r\n'), 20)
      socket?.once('close', () => clearInterval(drip))
    },
    '/huge-head': (_, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nX-Long: ${'z'.repeat(100_000)}\r\n\r\n`)
    },
    '/headers': (request, response) => response.end(JSON.stringify(request.headers)),
  })
})
afterAll(() => site.stop())

const at = (path: string, options: FetchOptions = {}) =>
  guardedFetch(`${site.origin}${path}`, { open: [site.origin], env: {}, ...options })
const text = async (path: string, options?: FetchOptions): Promise<string> =>
  Buffer.from((await at(path, options)).bytes).toString()
const failure = async (work: Promise<unknown>): Promise<NetError> => {
  const error = await work.then(
    () => new Error('no failure'),
    (e: unknown) => e,
  )
  if (!(error instanceof NetError)) throw error
  return error
}

describe('where guardedFetch goes', () => {
  it('opens nothing on this machine or in its network unless the owner opened that very origin', async () => {
    const before = site.asked.length
    expect((await failure(guardedFetch(site.origin, { env: {} }))).code).toBe('private')
    expect((await failure(guardedFetch(`http://localhost:${site.port}/`, { env: {} }))).code).toBe('private')
    expect((await failure(at('/', { open: [`http://127.0.0.1:${site.port + 1}`] }))).code).toBe('private')
    expect(site.asked.length).toBe(before)
    expect(await text('/')).toBe(hello)
  })

  it.each(['10.0.0.1', '169.254.169.254', '100.64.0.1', '[::1]', '[fe80::1]', '[fd00::1]', '0.0.0.0', '224.0.0.1'])(
    'refuses %s',
    async (host) => {
      expect((await failure(guardedFetch(`http://${host}/`, { env: {} }))).code).toBe('private')
    },
  )

  it.each(['127.0.0.1', '::1', '10.0.0.7', '::ffff:127.0.0.1', '64:ff9b::a00:1', 'fe80::1%1'])(
    'refuses a name that resolves to %s',
    async (ip) => {
      const resolve = async () => [ip]
      expect((await failure(guardedFetch('http://evil.example/', { env: {}, resolve }))).code).toBe('private')
    },
  )

  it('refuses a name with one public and one private address', async () => {
    const resolve = async () => ['93.184.216.34', '127.0.0.1']
    expect((await failure(guardedFetch('http://evil.example/', { env: {}, resolve }))).code).toBe('private')
  })

  it('looks a name up once and connects to what it checked, so that a second answer changes nothing', async () => {
    // As in DNS rebinding: the first answer is fine, the next one is not.
    const origin = `http://home.example:${site.port}`
    const answers = ['127.0.0.1', '10.9.9.9', '10.9.9.9']
    let n = 0
    const resolve = async () => [answers[n++] ?? '10.9.9.9']
    const got = await guardedFetch(`${origin}/`, { env: {}, resolve, open: [origin] })
    expect(Buffer.from(got.bytes).toString()).toBe(hello)
    expect(n).toBe(1)
  })

  it('never opens what only cloud machines have, even when told to', async () => {
    const options = { env: {}, open: ['http://169.254.169.254'] }
    expect((await failure(guardedFetch('http://169.254.169.254/', options))).code).toBe('private')
  })

  it.each([
    ['/to-file', 'scheme'],
    ['/to-router', 'private'],
    ['/to-metadata', 'private'],
    ['/to-decimal', 'address'],
    ['/to-user', 'address'],
    ['/to-nowhere', 'address'],
  ])('does not follow %s', async (path, code) => {
    expect((await failure(at(path))).code).toBe(code)
  })

  it('checks the address of every hop', async () => {
    const resolve = async (host: string) => (host === 'inside.example' ? ['127.0.0.1'] : ['93.184.216.34'])
    expect((await failure(at('/to-name', { resolve }))).code).toBe('private')
  })

  it('follows redirects, but neither circles nor endless ones', async () => {
    const got = await at('/moved')
    expect(got.url.pathname).toBe('/gzip')
    expect((await failure(at('/one'))).code).toBe('redirects')
    loops = 0
    expect((await failure(at('/endless'))).code).toBe('redirects')
    expect(loops).toBe(6)
  })

  it('carries no cookie, credential or referrer', async () => {
    const headers = await text('/headers')
    expect(headers).not.toMatch(/cookie|authorization|referer/)
  })

  it('says that an unknown name is unknown and that a closed port is closed', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    expect((await failure(guardedFetch('http://nobody.example/', { env: {}, resolve }))).code).toBe('name')
    const closed = await startSite({})
    await closed.stop()
    expect((await failure(guardedFetch(closed.origin, { env: {}, open: [closed.origin] }))).code).toBe('unreachable')
  })
})

describe('what guardedFetch takes', () => {
  it.each(['/gzip', '/br', '/deflate', '/raw-deflate', '/twice'])('unpacks %s', async (path) => {
    expect(await text(path)).toBe(hello)
  })

  it.each(['/unknown-packing', '/not-gzip'])('says of %s that it cannot be unpacked', async (path) => {
    expect((await failure(at(path))).code).toBe('encoding')
  })

  it('keeps what a broken packing gave, where a beginning is welcome', async () => {
    expect((await text('/half-gzip', { limits: { overflow: 'cut' } })).slice(0, 3)).toBe('xxx')
  })

  it.each(['/bomb', '/bomb-twice'])('holds no more of %s than it may', async (path) => {
    const limits = { bytes: 1_000_000 }
    expect((await failure(at(path, { limits }))).code).toBe('too-large')
    const cut = await at(path, { limits: { ...limits, overflow: 'cut' } })
    expect(cut).toMatchObject({ cut: 'size' })
    expect(cut.bytes.length).toBe(1_000_000)
  })

  it('cuts or refuses what is too long, and what never ends', async () => {
    expect((await failure(at('/long', { limits: { bytes: 1000 } }))).code).toBe('too-large')
    expect((await at('/forever', { limits: { bytes: 50_000, overflow: 'cut' } })).bytes.length).toBe(50_000)
    expect(await at('/long', { limits: { bytes: 100_000 } })).toMatchObject({ cut: undefined })
  })

  it('takes only the wanted kinds', async () => {
    const error = await failure(at('/pdf', { types: ['text/'] }))
    expect(error.code).toBe('content-type')
    expect(error.message).toContain('PDF')
  })

  it('says what a status means', async () => {
    expect(await failure(at('/gone'))).toMatchObject({ code: 'status', status: 410 })
    expect(await at('/gone', { anyStatus: true })).toMatchObject({ status: 410 })
  })

  it('gives up on heads that are endless, enormous or no HTTP', async () => {
    const times = { headers: 300 }
    expect((await failure(at('/silent', { times }))).code).toBe('timeout')
    expect((await failure(at('/slow-loris', { times }))).code).toBe('timeout')
    expect((await failure(at('/huge-head', { times }))).code).toBe('protocol')
    expect((await failure(at('/garbage', { times }))).code).toBe('protocol')
  })

  it('gives up on a body that does not come, or keeps the beginning', async () => {
    const times = { total: 300 }
    expect((await failure(at('/drip', { times }))).code).toBe('timeout')
    const cut = await at('/drip', { times, limits: { overflow: 'cut' } })
    expect(cut.cut).toBe('time')
    expect(Buffer.from(cut.bytes).toString()).toBe('the beginning')
  })

  it('notices a body shorter than announced, and reads no more than announced', async () => {
    expect((await failure(at('/short'))).code).toBe('dropped')
    const cut = await at('/short', { limits: { overflow: 'cut' } })
    expect(cut).toMatchObject({ cut: 'dropped' })
    expect(Buffer.from(cut.bytes).toString()).toBe('only this')
    expect(await text('/liar', { limits: { overflow: 'cut' } })).toBe('hello')
  })

  it('stops when the caller does', async () => {
    const stop = new AbortController()
    const work = failure(at('/silent', { signal: stop.signal }))
    setTimeout(() => stop.abort(), 50)
    expect((await work).code).toBe('aborted')
    expect((await failure(at('/', { signal: AbortSignal.abort() }))).code).toBe('aborted')
  })
})

describe.skipIf(needs('openssl', program('openssl')))('encryption', () => {
  it('trusts no certificate that it cannot check, and no plain server behind https', async () => {
    const folder = emptyFolder()
    const key = join(folder, 'key.pem')
    const cert = join(folder, 'cert.pem')
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    ])
    expect(made.status).toBe(0)
    const secure = await startSite(
      { '/': page(hello) },
      { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') },
    )
    onTestFinished(() => secure.stop())
    expect((await failure(guardedFetch(secure.origin, { env: {}, open: [secure.origin] }))).code).toBe('tls')
    expect(secure.asked).toEqual([])
    const plain = site.origin.replace('http:', 'https:')
    expect((await failure(guardedFetch(plain, { env: {}, open: [plain] }))).code).toBe('tls')
  })
})

describe('a proxy of the environment', () => {
  /** A proxy that notes what it was asked for and leads everything to the site. */
  async function startProxy(status = 200): Promise<{ url: string; asked: string[]; authorization: string[] }> {
    const asked: string[] = []
    const authorization: string[] = []
    const proxy: Server = createHttp((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end()
    }).on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`)
      authorization.push(request.headers['proxy-authorization'] ?? '')
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      const onward = connectTcp(site.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const address = proxy.address()
    return {
      url: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
      asked,
      authorization,
    }
  }
  const resolve = async () => ['93.184.216.34']

  it('is asked for the checked address, never for a name', async () => {
    const proxy = await startProxy()
    const env = { HTTP_PROXY: `http://me:s%20e@${proxy.url}` }
    const got = await guardedFetch('http://example.org/', { env, resolve })
    expect(Buffer.from(got.bytes).toString()).toBe(hello)
    expect(proxy.asked).toEqual(['CONNECT 93.184.216.34:80'])
    expect(proxy.authorization).toEqual([`Basic ${Buffer.from('me:s e').toString('base64')}`])
  })

  it('is not asked for what may not be opened, nor for what NO_PROXY names', async () => {
    const proxy = await startProxy()
    const env = { http_proxy: proxy.url, no_proxy: 'localhost,.example.com' }
    const home = async () => ['192.168.1.1']
    expect((await failure(guardedFetch('http://router.example/', { env, resolve: home }))).code).toBe('private')
    const times = { connect: 300 }
    const local = async () => ['127.0.0.1']
    expect((await failure(guardedFetch('http://a.example.com/', { env, resolve: local, times }))).code).toBe('private')
    expect(await text('/', { env })).toBe(hello)
    expect(proxy.asked).toEqual([])
  })

  it('gets names only where the owner said so, and none that sound local', async () => {
    const proxy = await startProxy()
    const env = { http_proxy: proxy.url, BOTPSY_PROXY_RESOLVES: '1' }
    await guardedFetch('http://example.org/', { env })
    expect(proxy.asked).toEqual(['CONNECT example.org:80'])
    for (const host of ['router.local', 'metadata.google.internal', 'a.localhost', '10.0.0.1'])
      expect((await failure(guardedFetch(`http://${host}/`, { env }))).code, host).toBe('private')
    expect(proxy.asked).toHaveLength(1)
  })

  it('that refuses, hangs up, or is no proxy is named, without its password', async () => {
    const refusing = await startProxy(403)
    const wants = await startProxy(407)
    const odd = createTcp((socket) => socket.end('hello\r\n\r\n')).listen(0, '127.0.0.1')
    await new Promise((done) => odd.once('listening', done))
    onTestFinished(() => void odd.close())
    const oddAddress = odd.address()
    const oddPort = typeof oddAddress === 'object' && oddAddress !== null ? oddAddress.port : 0
    for (const host of [refusing.url, wants.url, `127.0.0.1:${oddPort}`, '127.0.0.1:1']) {
      const env = { HTTP_PROXY: `http://me:hunter2@${host}` }
      const error = await failure(guardedFetch('http://example.org/', { env, resolve }))
      expect(error.code).toBe('proxy')
      expect(`${error.message} ${error.where}`).not.toContain('hunter2')
    }
    expect(
      (await failure(guardedFetch('http://example.org/', { env: { HTTP_PROXY: 'socks5://x' }, resolve }))).code,
    ).toBe('proxy')
  })
})
