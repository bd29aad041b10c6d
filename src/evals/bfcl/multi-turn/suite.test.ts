import { describe, expect, it } from 'vitest'
import { ScriptedEngine } from '../../../engine/scripted.js'
import { datasetsFolder, needs } from '../../../testing/datasets.js'
import { evaluate } from '../../python/evaluate.js'
import { dumpPythonJson } from '../../python/json-dump.js'
import { parsePythonExpression } from '../../python/parser.js'
import { PyDict } from '../../python/values.js'
import { bfclMultiTurnSuite } from './suite.js'

const missing = needs('BOTPSY_DATASETS', datasetsFolder())
const datasets = datasetsFolder() ?? ''
type Case = Awaited<ReturnType<ReturnType<typeof bfclMultiTurnSuite>['cases']>>[number]

const engineOf = (turns: ConstructorParameters<typeof ScriptedEngine>[0]['turns']) =>
  new ScriptedEngine({ turns, model: { dialect: 'hermes', contextLength: 1_000_000 } })
const context = (engine: ScriptedEngine) => ({ engine, trial: 0, seed: 1, sampling: {} })

/** A call string as a model of the Hermes dialect writes it. */
function spoken(call: string, one: Case): string {
  const node = parsePythonExpression(call)
  if (node.kind !== 'Call' || node.callee.kind !== 'Name') throw new Error(`not a call: ${call}`)
  const name = node.callee.id
  const document = [...one.conversation.documents, ...one.conversation.turns.flatMap(({ added }) => added)].find(
    (each) => each.get('name') === name,
  )
  const properties = (document!.get('parameters') as PyDict).get('properties') as PyDict
  const values = new PyDict()
  for (const [at, value] of node.args.entries()) values.set(properties.keys()[at]!, evaluate(value))
  for (const { name: key, value } of node.keywords) values.set(key, evaluate(value))
  return `<tool_call>\n${dumpPythonJson(new PyDict().set('name', name).set('arguments', values))}\n</tool_call>`
}

function accepted(one: Case): string[] {
  return one.scenario.truth.flatMap((calls) => [
    ...(calls.length > 0 ? [calls.map((call) => spoken(call, one)).join('\n')] : []),
    'Done.',
  ])
}

describe.skipIf(missing)('the suite bfcl_v4_multi_turn', () => {
  const suite = bfclMultiTurnSuite(datasets)

  it('gives the whole point for the accepted calls and none for silence', async () => {
    const cases = await suite.cases()
    expect(cases).toHaveLength(800)
    for (const one of cases.filter((_, at) => at % 9 === 0)) {
      const right = await suite.run(one, context(engineOf(accepted(one))))
      expect([one.id, await suite.score(one, right)]).toEqual([one.id, { value: 1 }])
      const silent = await suite.run(one, context(engineOf(() => 'I cannot do that.')))
      const score = await suite.score(one, silent)
      expect([one.id, score.value]).toEqual([one.id, 0])
      expect(score.reason).toContain('multi_turn:empty_turn_model_response')
    }
  })

  it('hands functions over in their turn, shows results, and gives up after 20 steps', async () => {
    const one = (await suite.cases()).find(({ id }) => id === 'multi_turn_miss_func_0')!
    const held = one.conversation.turns.findIndex(({ added }) => added.length > 0)
    const name = String(one.conversation.turns[held]!.added[0]!.get('name'))
    const engine = engineOf(accepted(one))
    await suite.run(one, context(engine))
    const before = engine.requests.filter(({ tools }) => !tools?.some((tool) => tool.name === name))
    const after = engine.requests.slice(before.length)
    expect(before.length).toBeGreaterThan(0)
    expect(after[0]?.messages?.at(-1)).toEqual({
      role: 'user',
      content: 'I have updated some more functions you can choose from. What about now?',
    })
    expect(engine.requests[1]?.messages?.find(({ role }) => role === 'tool')).toMatchObject({
      content: '{"current_working_directory": "document"}',
    })
    const restless = engineOf(() => '<tool_call>\n{"name": "pwd", "arguments": {}}\n</tool_call>')
    const given = await suite.run(one, context(restless))
    expect(given).toHaveLength(1)
    expect(restless.requests).toHaveLength(21)
    expect(await suite.score(one, given)).toEqual({ value: 0, reason: 'multi_turn:force_terminated' })
  })
})
