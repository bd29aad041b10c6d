import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { download, hubUrl } from './hub.js'
import { HubError } from './hub-error.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-hub-'))
afterAll(() => rmSync(root, { recursive: true }))

const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 251))
const sha256 = createHash('sha256').update(content).digest('hex')
const options = { sha256, pauseMs: 1 }

let server: Server
let base: string
let target: string
let seen: IncomingMessage['headers'][]
let answer: (request: IncomingMessage, response: ServerResponse) => void

beforeEach(async () => {
  seen = []
  target = join(mkdtempSync(join(root, 'x-')), 'model.gguf')
  server = createServer((request, response) => {
    seen.push(request.headers)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** A server that understands ranges, as the hub does. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (from >= content.length) {
    response.writeHead(416).end()
    return
  }
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from }).end(content.subarray(from))
}

/** Sends some bytes of the answer, then cuts the connection. */
function cutAfter(bytes: number): typeof serve {
  return (request, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from })
    response.write(content.subarray(from, from + bytes), () => setTimeout(() => response.destroy(), 20))
  }
}

test('a file arrives whole, with its progress told', async () => {
  answer = serve
  const progress: (number | undefined)[] = []
  await download(`${base}/f`, target, { ...options, onProgress: (received, total) => progress.push(received, total) })
  expect(readFileSync(target).equals(content)).toBe(true)
  expect(progress.slice(-2)).toEqual([content.length, content.length])
  expect(existsSync(`${target}.part`)).toBe(false)
})

test('a broken connection is resumed where it stopped', async () => {
  let calls = 0
  answer = (request, response) => (++calls < 3 ? cutAfter(100_000) : serve)(request, response)
  await download(`${base}/f`, target, options)
  expect(readFileSync(target).equals(content)).toBe(true)
  expect(seen.map((headers) => headers.range)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
})

test('a later call goes on from what an earlier one left', async () => {
  answer = cutAfter(120_000)
  await expect(download(`${base}/f`, target, { ...options, attempts: 1 })).rejects.toMatchObject({ code: 'network' })
  expect(existsSync(target)).toBe(false)
  answer = serve
  await download(`${base}/f`, target, options)
  expect(seen.at(-1)?.range).toBe('bytes=120000-')
  expect(readFileSync(target).equals(content)).toBe(true)
})

test('a server that ignores ranges is read from the start', async () => {
  writeFileSync(`${target}.part`, content.subarray(0, 1000))
  answer = (_, response) => response.writeHead(200, { 'content-length': content.length }).end(content)
  await download(`${base}/f`, target, options)
  expect(readFileSync(target).equals(content)).toBe(true)
})

test('a complete part needs no further byte', async () => {
  writeFileSync(`${target}.part`, content)
  answer = serve
  await download(`${base}/f`, target, options)
  expect(readFileSync(target).equals(content)).toBe(true)
})

test('another content than promised is thrown away', async () => {
  answer = serve
  await expect(download(`${base}/f`, target, { ...options, sha256: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'checksum',
  })
  expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false])
})

test('a refusal is told at once, a failing server is asked again', async () => {
  answer = (_, response) => response.writeHead(404).end()
  await expect(download(`${base}/f`, target, options)).rejects.toMatchObject({ code: 'status' })
  expect(seen).toHaveLength(1)
  let calls = 0
  answer = (request, response) => (++calls === 1 ? response.writeHead(503).end() : serve(request, response))
  await download(`${base}/f`, target, options)
  expect(calls).toBe(2)
})

test('the token goes to the hub and not to where it redirects', async () => {
  const other = createServer((request, response) => {
    seen.push(request.headers)
    serve(request, response)
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  try {
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/blob`
    answer = (_, response) => response.writeHead(302, { location: elsewhere }).end()
    await download(`${base}/f`, target, { ...options, token: 'secret' })
    expect(seen.map((headers) => headers.authorization)).toEqual(['Bearer secret', undefined])
  } finally {
    other.closeAllConnections()
    other.close()
  }
})

test('an abort stops it', async () => {
  const controller = new AbortController()
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': content.length })
    response.write(content.subarray(0, 10), () => controller.abort())
  }
  const error = await download(`${base}/f`, target, { ...options, signal: controller.signal }).catch(
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(HubError)
  expect(error).toMatchObject({ code: 'aborted' })
})

test('addresses', () => {
  const file = { repository: 'owner/some repo', file: 'sub/file name.gguf' }
  expect(hubUrl(file, 'http://hub.example/')).toBe(
    'http://hub.example/owner/some%20repo/resolve/main/sub/file%20name.gguf',
  )
  expect(hubUrl({ ...file, revision: 'abc' }, 'http://h')).toContain('/resolve/abc/')
})
