import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { benchmarkPath, MissingDataError } from '../datasets-place.js'
import { type DataSet, dataSets, dataSetsNamed, NoDataSetError } from './catalogue.js'
import { hashPercent } from './convert-corpora.js'
import { dataState } from './data-state.js'
import { fetchData } from './fetch-data.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-data-'))
const commit = 'a'.repeat(40)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const QUESTIONS = '{"key": 1}\n'.repeat(2000)
const ALARMS = [
  'answerid;scenario;intent;answer_annotation;answer_from_anno;answer_from_user',
  '1;alarm;query;"what is [person : anna\'s] alarm";"what is anna\'s alarm";"What is Anna\'s alarm?"',
  ...Array.from({ length: 40 }, (_, n) => `${n};alarm;set;"wake me at [time : ${n} past   nine]";"";""`),
].join('\n')
const served = new Map([
  [`/owner/set/${commit}/data/questions.jsonl`, QUESTIONS],
  [`/owner/nlu/${commit}/fold%20one/alarm.csv`, ALARMS],
])
const asked: string[] = []
let breakAfter = 0
let server: Server
let endpoint: string

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range ?? ''} ${request.headers.authorization ?? ''}`.trim())
    const text = served.get(request.url ?? '')
    if (text === undefined) return void response.writeHead(404).end()
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': text.length - from })
    if (breakAfter === 0) return void response.end(text.slice(from))
    response.write(text.slice(from, from + breakAfter), () => setTimeout(() => response.destroy(), 20))
    breakAfter = 0
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true })
})

function setOf(name: string, path: string, to: string, text: string, made: DataSet['made'] = []): DataSet {
  const file = { repository: path.split('/').slice(0, 2).join('/'), commit, path: path.split('/').slice(2).join('/') }
  const files = [{ ...file, to, sha256: sha256(text), bytes: text.length }]
  return { name, title: name, licence: 'MIT', files, made, lacking: [] }
}

const plain = setOf('plain', 'owner/set/data/questions.jsonl', 'benchmarks/plain/questions.jsonl', QUESTIONS)

test('a broken fetch goes on where it stopped, and a finished one asks for nothing', async () => {
  const folder = mkdtempSync(join(root, 'x-'))
  process.env.HF_TOKEN = 'secret'
  breakAfter = 5000
  const failed = fetchData(plain, folder, [plain], { endpoint, attempts: 1 })
  await expect(failed).rejects.toMatchObject({ code: 'network' })
  expect(dataState(plain, [folder]).present).toBe(0)
  expect((await fetchData(plain, folder, [plain], { endpoint })).fetched).toBe(1)
  delete process.env.HF_TOKEN
  expect(readFileSync(join(folder, 'benchmarks/plain/questions.jsonl'), 'utf8')).toBe(QUESTIONS)
  expect(asked.slice(-2)).toEqual([
    `/owner/set/${commit}/data/questions.jsonl`,
    `/owner/set/${commit}/data/questions.jsonl bytes=5000-`,
  ])
  const before = asked.length
  expect(await fetchData(plain, folder, [plain], { endpoint })).toMatchObject({ fetched: 0, present: 1 })
  expect(asked.length).toBe(before)
  expect(dataState(plain, [join(root, 'nothing'), folder])).toMatchObject({ folder, present: 1, total: 1 })
  expect(benchmarkPath('plain/questions.jsonl', folder)).toBe(join(folder, 'benchmarks/plain/questions.jsonl'))
})

test('a damaged file is fetched again', async () => {
  const folder = mkdtempSync(join(root, 'x-'))
  await fetchData(plain, folder, [plain], { endpoint })
  const file = join(folder, 'benchmarks/plain/questions.jsonl')
  writeFileSync(file, 'other')
  expect((await fetchData(plain, folder, [plain], { endpoint })).fetched).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe(QUESTIONS)
})

test('a corpus is split by the hash of its texts, and another result than the pinned one is not written', async () => {
  const folder = mkdtempSync(join(root, 'x-'))
  const at = (pin: string): DataSet =>
    setOf('hwu64', 'owner/nlu/fold one/alarm.csv', 'sources/hwu64/csv/alarm.csv', ALARMS, [
      { to: 'corpora/hwu64/test.jsonl', sha256: pin },
    ])
  const wrong = at('0'.repeat(64))
  await expect(fetchData(wrong, folder, [wrong], { endpoint })).rejects.toMatchObject({ code: 'conversion' })
  expect(existsSync(join(folder, 'corpora/hwu64/test.jsonl'))).toBe(false)
  const expected = Array.from({ length: 40 }, (_, n) => `${n} past nine`)
    .filter((time) => hashPercent(`wake me at ${time}`) >= 70 && hashPercent(`wake me at ${time}`) < 85)
    .map(
      (time) =>
        `{"text": "wake me at ${time}", "intent": "alarm_set", "slots": [{"name": "time", "value": "${time}"}]}\n`,
    )
  expect(expected.length).toBeGreaterThan(0)
  const right = at(sha256(expected.join('')))
  expect((await fetchData(right, folder, [right], { endpoint })).made).toEqual(['corpora/hwu64/test.jsonl'])
})

test('every set of the list is pinned, and nothing leads out of the folder', () => {
  const sets = dataSets()
  const files = sets.flatMap((set) => set.files)
  expect(files.length).toBeGreaterThan(300)
  expect(new Set(files.map(({ to }) => to)).size).toBe(files.length)
  for (const { to } of files) expect(to).toMatch(/^(benchmarks|sources)\/(?!.*\.\.)/)
  for (const set of sets) expect(set.files.length + set.lacking.length).toBeGreaterThan(0)
  expect(dataSetsNamed('xsid')[0]?.made).toHaveLength(26)
  expect(() => dataSetsNamed('nothing')).toThrow(NoDataSetError)
  expect(() => benchmarkPath('nothing.json', root)).toThrow(MissingDataError)
})
