import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { HubError } from './hub-error.js'
import { ModelFolderError, modelNames, resolveModel } from './model-folder.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

const weights = Buffer.from('GGUF and so on')
const sha256 = createHash('sha256').update(weights).digest('hex')
const hub = { owner: 'someone/some-model', file: 'base.gguf', sha256 }

let named: string
let search: string
let cache: string
beforeEach(() => {
  const place = mkdtempSync(join(root, 'x-'))
  named = join(place, 'models')
  search = join(place, 'search')
  cache = join(place, 'cache')
  for (const folder of [named, search]) mkdirSync(folder)
})
const places = () => ({ named: [named], search: [search], cache })

function folder(name: string, manifest: unknown, files: Record<string, string | Buffer> = {}): string {
  const path = join(named, name)
  mkdirSync(path)
  writeFileSync(join(path, 'model.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
  return path
}

test('a folder gives its weights, adapter, template and settings', async () => {
  const path = folder(
    'nano',
    {
      name: 'Nano',
      weights: 'w.gguf',
      adapter: 'a.gguf',
      template: 't.jinja',
      dialect: 'qwen3.5',
      sampling: { temperature: 0 },
    },
    { 'w.gguf': weights, 'a.gguf': 'x', 't.jinja': '{{ messages }}' },
  )
  const expected = {
    name: 'Nano',
    gguf: join(path, 'w.gguf'),
    lora: [join(path, 'a.gguf')],
    chatTemplate: '{{ messages }}',
    manifest: { dialect: 'qwen3.5', sampling: { temperature: 0 } },
  }
  expect(await resolveModel(path, places())).toMatchObject(expected)
  expect(await resolveModel('nano', places())).toMatchObject(expected)
  expect(await modelNames([named, join(named, 'absent')])).toEqual(['nano'])
})

test('a GGUF file, and a folder with a single one, need no manifest', async () => {
  const file = join(search, 'some.gguf')
  writeFileSync(file, weights)
  expect(await resolveModel(file, places())).toEqual({ name: 'some', gguf: file, lora: [] })
  expect(await resolveModel(search, places())).toMatchObject({ gguf: file })
  writeFileSync(join(search, 'other.gguf'), weights)
  await expect(resolveModel(search, places())).rejects.toMatchObject({ code: 'manifest' })
})

test('a base is found by its content, whatever its name, and hashed once', async () => {
  folder('tuned', { weights: { ...hub, bytes: weights.length } })
  mkdirSync(join(search, 'deep'))
  writeFileSync(join(search, 'base.gguf'), 'the right name, another content')
  const right = join(search, 'deep', 'renamed.gguf')
  writeFileSync(right, weights)
  expect((await resolveModel('tuned', places())).gguf).toBe(right)
  const memo = join(cache, 'sha256.json')
  expect(JSON.parse(readFileSync(memo, 'utf8'))).toMatchObject({ [right]: { sha256 } })

  writeFileSync(memo, readFileSync(memo, 'utf8').replace(sha256, 'f'.repeat(64)))
  await expect(resolveModel('tuned', places())).rejects.toMatchObject({ code: 'absent' })
  utimesSync(right, 1, 1)
  expect((await resolveModel('tuned', places())).gguf).toBe(right)
})

test('what is nowhere is downloaded into the cache when allowed, once', async () => {
  folder('tuned', { weights: { ...hub, revision: 'abc' } })
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(200, { 'content-length': weights.length }).end(weights)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await expect(resolveModel('tuned', places())).rejects.toMatchObject({ code: 'absent' })
    const first = await resolveModel('tuned', { ...places(), download: { endpoint } })
    expect(readFileSync(first.gguf).equals(weights)).toBe(true)
    expect(await resolveModel('tuned', { ...places(), download: { endpoint } })).toEqual(first)
    expect(asked).toEqual(['/someone/some-model/resolve/abc/base.gguf'])
  } finally {
    server.closeAllConnections()
    server.close()
  }
  rmSync(cache, { recursive: true })
  const refused = resolveModel('tuned', { ...places(), download: { endpoint, attempts: 1 } })
  await expect(refused).rejects.toBeInstanceOf(HubError)
})

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['no weights', {}],
  ['weights outside the folder', { weights: '../w.gguf' }],
  ['weights by an absolute path', { weights: '/etc/w.gguf' }],
  ['a checksum that is none', { weights: { ...hub, sha256: 'abc' } }],
  ['an unknown dialect', { weights: 'w.gguf', dialect: 'klingon' }],
  ['an adapter that is missing', { weights: 'w.gguf', adapter: 'gone.gguf' }],
  ['weights that are missing', { weights: 'gone.gguf' }],
])('%s is a typed error', async (_, manifest) => {
  folder('broken', manifest, { 'w.gguf': weights })
  const error = await resolveModel('broken', places()).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ModelFolderError)
  expect(error).toMatchObject({ code: 'manifest' })
})

test('an unknown name lists the known ones', async () => {
  folder('nano', { weights: 'w.gguf' })
  await expect(resolveModel('nanno', places())).rejects.toThrow(/nano/)
})
