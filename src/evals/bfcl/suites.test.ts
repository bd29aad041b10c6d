import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ScriptedEngine } from '../../engine/scripted.js'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { dumpPythonJson } from '../python/json-dump.js'
import { PyDict, type PyValue } from '../python/values.js'
import { ask } from '../runner/ask.js'
import { exactCalls } from '../runner/exact-calls.js'
import { runFigures } from '../runner/run-figures.js'
import { readRun } from '../runner/run-folder.js'
import { runSuite } from '../runner/run-suite.js'
import { BfclCases } from './cases.js'
import { bfclFormatSuite } from './format-suite.js'
import { documentAsTool } from './function-docs.js'
import { readQuestions } from './questions.js'
import { bfclSingleTurnSuite } from './single-turn-suite.js'
import { systemPrompt } from './system-prompt.js'

const missing = needs('BOTPSY_DATASETS', datasetsFolder())
const datasets = datasetsFolder() ?? ''
const context = (engine: ScriptedEngine) => ({ engine, trial: 0, seed: 1, sampling: {} })

describe('exactCalls', () => {
  const tool = {
    name: 'area',
    description: '',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, n: { type: 'integer' }, s: { type: 'string' }, l: { type: 'array' } },
    },
  }
  it('keeps 5 and 5.0 apart in every dialect', async () => {
    const qwen =
      '<tool_call>\n<function=area>\n<parameter=a>\n5.0\n</parameter>\n<parameter=n>\n5\n</parameter>\n<parameter=s>\n5\n</parameter>\n<parameter=l>\n[1, 2.0]\n</parameter>\n</function>\n</tool_call>'
    const hermes =
      '<tool_call>\n{"name": "area", "arguments": {"a": 5.0, "n": 5, "s": "5", "l": [1, 2.0]}}\n</tool_call>'
    for (const [dialect, said] of [
      ['qwen3.5', qwen],
      ['hermes', hermes],
    ] as const) {
      const engine = new ScriptedEngine({ turns: [said], model: { dialect } })
      const turn = await ask(context(engine), [{ role: 'user', content: 'x' }], { tools: [tool] })
      expect(exactCalls(engine.model, [tool], turn)).toEqual([
        { name: 'area', json: '{"a": 5.0, "n": 5, "s": "5", "l": [1, 2.0]}' },
      ])
    }
  })
})

describe.skipIf(missing)('the prompts of BFCL', () => {
  // Made by the official formulate_system_prompt and convert_to_tool at commit 6ea57973, and equal to ours on every case.
  it('are the official ones, byte for byte', async () => {
    const hash = createHash('sha256')
    for (const category of ['simple_java', 'simple_javascript', 'parallel_multiple']) {
      for (const { documents } of await readQuestions(category, datasets)) {
        hash.update(systemPrompt(documents))
        hash.update(JSON.stringify(documents.map(documentAsTool)))
      }
    }
    expect(hash.digest('hex')).toBe('bce120294704b38628ca6ae0d6d9cac67b2aba90c70cb3009eb0239cf465dd00')
    const ways = createHash('sha256')
    const cases = await bfclFormatSuite(datasets).cases()
    expect(cases).toHaveLength(5200)
    for (const { question, variation } of cases.slice(0, 520)) ways.update(systemPrompt(question.documents, variation))
    expect(ways.digest('hex')).toBe('6b69214d1d72a7c2a8f0dbc52ea9f9031831b8b6ce6a7e1b24306ee9f5709cc8')
  })
})

/** The first accepted value, all the way down. */
function accepted(value: PyValue): PyValue {
  if (!(value instanceof PyDict)) return value
  return PyDict.of(
    [...value.entries()].map(
      ([key, options]) => [key, accepted(Array.isArray(options) ? (options[0] ?? null) : options)] as const,
    ),
  )
}

describe.skipIf(missing)('bfclSingleTurnSuite', () => {
  it('finds the accepted answers right, and words wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'botpsy-bfcl-'))
    try {
      const suite = bfclSingleTurnSuite(datasets)
      const all = (await suite.cases()).filter(({ category }) =>
        ['simple_python', 'parallel', 'irrelevance'].includes(category),
      )
      const wanted = [...all.slice(0, 40), ...all.slice(420, 440), ...all.slice(-20)]
      const answers = new BfclCases(datasets)
      const byQuestion = new Map(
        await Promise.all(
          wanted.map(async (one) => {
            const checked = one.category === 'irrelevance' ? { answers: [] } : await answers.find(one.category, one.id)
            const calls = checked.answers.map((answer) => {
              const [name, parameters] = [...answer.entries()][0]!
              const filled = [...(parameters as PyDict).entries()].filter(
                ([, options]) => Array.isArray(options) && options[0] !== '',
              )
              const args = PyDict.of(
                filled.map(([key, options]) => [key, accepted((options as PyValue[])[0]!)] as const),
              )
              return `<tool_call>\n{"name": ${JSON.stringify(String(name).replaceAll('.', '_'))}, "arguments": ${dumpPythonJson(args)}}\n</tool_call>`
            })
            return [String(one.messages.at(-1)?.content), calls.join('\n') || 'No function fits.'] as const
          }),
        ),
      )
      const gold = new ScriptedEngine({
        model: { dialect: 'hermes' },
        turns: ({ messages }) => byQuestion.get(String(messages?.at(-1)?.content)) ?? '',
      })
      const some = { ...suite, cases: async () => wanted }
      const base = { model: { name: 'gold', from: 'test' }, botpsy: '0' }
      await runSuite(some, { ...base, engine: gold, folder: join(folder, 'gold') })
      const figures = runFigures(readRun(join(folder, 'gold')), suite)
      expect(figures.score.mean).toBe(1)
      await runSuite(some, {
        ...base,
        engine: new ScriptedEngine({ model: { dialect: 'hermes' }, turns: () => 'I cannot do that.' }),
        folder: join(folder, 'words'),
      })
      const words = runFigures(readRun(join(folder, 'words')), suite)
      expect(words.groups.find(({ value }) => value === 'irrelevance')?.score.mean).toBe(1)
      expect(words.groups.find(({ value }) => value === 'simple_python')?.score.mean).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('asks a model without tools in its template in words, and reads calls from words', async () => {
    const suite = bfclSingleTurnSuite(datasets)
    const [one] = await suite.cases()
    const engine = new ScriptedEngine({
      model: { dialect: 'plain' },
      turns: () => '[calculate_triangle_area(base=10, height=5)]',
    })
    const outcome = await suite.run(one!, context(engine))
    expect(engine.requests[0]?.messages?.[0]).toMatchObject({ role: 'system' })
    expect(engine.requests[0]?.tools).toBeUndefined()
    expect((await suite.score(one!, outcome)).value).toBe(1)
    expect(
      (await suite.score(one!, { ...outcome, text: '[calculate_triangle_area(base=10, height=5.5)]' })).reason,
    ).toContain('type_error')
  })
})
