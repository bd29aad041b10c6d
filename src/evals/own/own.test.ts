import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Journal } from '../../agent/journal.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import { ToolRegistry } from '../../tools/registry.js'
import { readRun } from '../runner/run-folder.js'
import { runSuite } from '../runner/run-suite.js'
import type { Suite } from '../runner/suite.js'
import { OwnFolderError, ownSuite, scoreOwn } from './own-folder.js'
import { replayCases, replaySuite } from './replay-suite.js'

const root = mkdtempSync(join(tmpdir(), 'botpsy-own-'))
afterAll(() => rmSync(root, { recursive: true }))

const says = (content: string, ...calls: { name: string; arguments: Record<string, string> }[]): ScriptedEngine =>
  new ScriptedEngine({
    turns: () => ({
      role: 'assistant',
      content,
      toolCalls: calls.map((call, at) => ({ id: `c${at}`, ...call })),
    }),
  })

async function values(suite: Suite, engine: ScriptedEngine, folder: string): Promise<number[]> {
  await runSuite(suite, { engine, folder, model: { name: 'm', from: 'test' }, botpsy: '0' })
  return readRun(folder).records.map(({ score }) => score.value)
}

test("the user's own tools and cases are run from a folder", async () => {
  const folder = mkdtempSync(join(root, 'f-'))
  writeFileSync(
    join(folder, 'tools.yaml'),
    '- name: water\n  description: Waters a bed.\n  parameters:\n    type: object\n    properties: {bed: {type: string}}\n',
  )
  writeFileSync(
    join(folder, 'cases.yaml'),
    '- ask: Water the roses\n  calls: [{tool: water, arguments: {bed: roses}}]\n- ask: Thanks\n  calls: []\n',
  )
  const engine = says('', { name: 'water', arguments: { bed: 'Roses' } })
  expect(await values(ownSuite(folder) as never, engine, join(folder, 'run'))).toEqual([1, 0])
})

test('a folder that is wrong is told where', () => {
  const folder = mkdtempSync(join(root, 'f-'))
  expect(() => ownSuite(folder)).toThrow(OwnFolderError)
  writeFileSync(join(folder, 'cases.json'), '[{"ask":"x","calls":[{"tool":"nothing"}]}]')
  expect(() => ownSuite(folder)).toThrow(/expects nothing, which tools does not have/)
  writeFileSync(join(folder, 'cases.json'), '[{"ask":"x"}]')
  expect(() => ownSuite(folder)).toThrow(/neither/)
  writeFileSync(join(folder, 'cases.json'), '[{"asks":"x"}]')
  expect(() => ownSuite(folder)).toThrow(OwnFolderError)
})

test('arguments that a case does not name are free; texts are looked for whatever their case', () => {
  const outcome = { text: 'Done, Anna.', calls: [{ name: 'a', arguments: { x: 1, y: 2 } }] }
  expect(scoreOwn({ calls: [{ tool: 'a', arguments: { x: 1 } }], says: ['anna'] }, outcome).value).toBe(1)
  expect(scoreOwn({ calls: [{ tool: 'a', arguments: { x: 2 } }] }, outcome).value).toBe(0)
  expect(scoreOwn({ says: ['Otto'] }, outcome).value).toBe(0)
})

test('the newest requests of the journal are replayed and nothing runs', async () => {
  const journal = new Journal(join(root, 'journal.sqlite'))
  for (const [run, request, from] of [
    ['r1', 'too old', undefined],
    ['r2', 'water the roses', undefined],
    ['r3', 'mail says so', 'a mail'],
    ['r4', 'hello', undefined],
  ] as const) {
    journal.append(
      run,
      {
        type: 'run.start',
        thread: run,
        request,
        model: 'old',
        tools: [],
        pid: 1,
        ...(from ? { requestFrom: from } : {}),
      },
      {
        type: 'assistant',
        content: '',
        outputTokens: 1,
        toolCalls: run === 'r2' ? [{ id: 'c', name: 'water', arguments: { bed: 'roses' } }] : [],
      },
    )
  }
  const cases = replayCases(journal, 3)
  journal.close()
  expect(cases.map(({ id, before }) => [id, before.length])).toEqual([
    ['r2', 1],
    ['r4', 0],
  ])
  const suite = replaySuite(cases, { registry: new ToolRegistry([]), constrain: false })
  expect(await values(suite as never, says('Hello!'), join(root, 'run'))).toEqual([0, 1])
})
