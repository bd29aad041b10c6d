import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ScriptedEngine } from '../../engine/scripted.js'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { parsePythonJson } from '../python/json.js'
import { pyRepr } from '../python/repr.js'
import type { PyDict, PyValue } from '../python/values.js'
import '../verifiers.js'
import { verifyFile } from '../verify.js'
import { summarizeAceBench } from './aggregate.js'
import { AceBenchCases, AGENT_CATEGORIES, NORMAL_CATEGORIES, SPECIAL_CATEGORIES } from './cases.js'
import { playSteps, playTurns } from './episodes.js'
import { textPrompt } from './prompts.js'
import { scoreAgent } from './score-agent.js'
import { scoreNormal, scoreSpecial } from './score-text.js'
import { Simulation } from './simulation.js'
import { aceBenchSuite } from './suite.js'

const datasets = datasetsFolder()
const python = (json: object | string): PyValue =>
  parsePythonJson(typeof json === 'string' ? json : JSON.stringify(json))
const dict = (json: object): PyDict => python(json) as PyDict

describe.skipIf(needs('BOTPSY_DATASETS', datasets))('recorded verdicts of the official scorer', () => {
  test('acebench', async () => {
    const file = join(datasets!, 'verdicts', 'acebench.jsonl.gz')
    const result = await verifyFile({ suite: 'acebench', file, datasets: datasets! })
    expect(result.disagreements).toEqual([])
    expect(result.agree).toBe(result.lines)
  }, 120_000)
})

describe('texts of calls', () => {
  const properties = {
    label: { type: 'string' },
    size: { type: 'number' },
    kind: { type: 'enum' },
    tags: { type: 'array', items: { type: 'string' } },
    frame: { type: 'object' },
    corners: { type: 'array', items: { type: 'object' } },
  }
  const functions = python([
    { name: 'draw', parameters: { type: 'object', properties, required: ['label'] } },
    { name: 'clear', parameters: {} },
  ])
  const score = (raw: string, groundTruth: object, category = 'normal_atom_bool'): string | null => {
    const result = scoreNormal(raw, { category, functions, groundTruth: python(groundTruth) })
    expect(result.valid).toBe(result.errorType === null)
    return result.errorType
  }

  it('finds the answer’s text within a string, whatever the case and the punctuation', () => {
    expect(score('[draw(label="A Blue-Box, please")]', { draw: { label: 'blue box' } })).toBeNull()
    expect(score('[draw(label="red box")]', { draw: { label: 'blue box' } })).toBe('value_error:string')
  })

  it('compares numbers and enumerations by type alone', () => {
    const truth = { draw: { label: 'x', size: 3, kind: 'round' } }
    expect(score('[draw(label="x", size=4, kind="square")]', truth)).toBeNull()
    expect(score('[draw(label="x", size="3", kind="round")]', truth)).toBe('type_error')
    expect(score('[draw(label="x", size=3.0, kind="round")]', truth)).toBeNull()
    expect(score('[draw(label="x", size=3.5, kind="round")]', truth)).toBe('type_error')
  })

  it('names what is missing, too much or of another function', () => {
    const truth = { draw: { label: 'x', size: 3 } }
    expect(score('[draw(size=3)]', truth)).toBe('lack_args')
    expect(score('[draw(label="x", width=3)]', truth)).toBe('addition_args')
    expect(score('[draw(label="x"), draw(label="x")]', truth)).toBe('wrong functions number')
    expect(score('[paint(label="x")]', truth)).toBe('function_mismatch')
    expect(score('[draw()]', truth)).toBe('wrong_param')
    expect(score('[clear()]', { clear: {} })).toBeNull()
    expect(score('draw(label="x"', truth)).toBe('wrong_output_format')
  })

  it('looks into lists and dicts', () => {
    const truth = { draw: { label: 'x', tags: ['New Tag'], frame: { width: 2 }, corners: [{ at: 'Top left' }] } }
    const call = (tags: string, frame: string, corners: string): string | null =>
      score(`[draw(label="x", tags=${tags}, frame=${frame}, corners=${corners})]`, truth)
    expect(call('["new-tag"]', '{"width": 2}', '[{"at": "TOP LEFT"}]')).toBeNull()
    expect(call('["new tag", "y"]', '{"width": 2}', '[{"at": "top left"}]')).toBe('value_error:list/tuple')
    expect(call('["new tag"]', '{"width": 3}', '[{"at": "top left"}]')).toBe('value_error')
    expect(call('["new tag"]', '{"width": 2}', '[]')).toBe('value_error:list_dict_count')
    expect(call('("new tag",)', '{"width": 2}', '[{"at": "top left"}]')).toBe('type_error')
  })

  it('takes one of several answers, and repeated calls by number', () => {
    const alternatives = [{ draw: { label: 'one' } }, { draw: { label: 'two' } }]
    expect(score('[draw(label="two")]', alternatives)).toBeNull()
    expect(score('[draw(label="three")]', alternatives)).toBe('value_error:string')
    const twice = { draw_1: { label: 'one' }, draw_2: { label: 'two' } }
    expect(score('[draw(label="two"), draw(label="one")]', twice)).toBeNull()
    expect(score('[draw(label="one"), draw(label="one")]', twice)).toBe('value_error:string')
  })

  it('drops prose around the brackets, in dialogues only white space', () => {
    const truth = { draw: { label: 'x y' } }
    expect(score('Here: [draw(label="x y")] Done.', truth)).toBeNull()
    expect(score('Here: [draw(label="x y")]', truth, 'normal_multi_turn_user_adjust')).toBe('wrong_output_format')
    expect(score('[ draw(\n label = "x  y") ]', truth, 'normal_multi_turn_user_adjust')).toBeNull()
    expect(score('] [draw(label="x y")]', truth)).toBe('wrong_output_format')
  })
})

describe('texts about faulty requests', () => {
  const score = (category: string, groundTruth: object | string, raw: string): string | null =>
    scoreSpecial(raw, { category, functions: [], groundTruth: python(JSON.stringify(groundTruth)) }).errorType

  it('wants the phrase, the names and the values', () => {
    const missing = { draw: ['label', 'size'] }
    const incomplete = (raw: string) => score('special_incomplete', missing, raw)
    expect(incomplete('["Missing necessary parameters (label, size) for the api (draw)"]')).toBeNull()
    expect(incomplete('["Missing necessary parameters (label) for the api (draw)"]')).toBe('error_correction')
    expect(incomplete('["Missing necessary parameters (label, size)"]')).toBe('error_correction')
    expect(incomplete('Which label and size should I draw?')).toBe('error_detection')
    const wrong = (raw: string) => score('special_error_param', { size: ['huge'] }, raw)
    expect(wrong('["There is incorrect value (huge) for the parameters (other)"]')).toBeNull()
    expect(wrong('["There is incorrect value (big) for the parameters (size)"]')).toBe('error_correction')
    expect(score('special_irrelevant', '', 'Due to the limitations of the function, no.')).toBeNull()
    expect(score('special_irrelevant', '', 'No.')).toBe('error_detection')
  })
})

/** A world of two people, one merchant and one inbox place. */
const initialState = {
  BaseApi: {},
  MessageApi: {
    max_capacity: 2,
    user_list: { Ann: { user_id: 'A' }, Bob: { user_id: 'B' } },
    inbox: { '7': { sender_id: 'A', receiver_id: 'B', message: 'Call me', time: '2024-01-02' } },
    message_id_counter: 7,
  },
  ReminderApi: { max_capacity: 1, reminder_list: {}, reminder_id_counter: 0 },
  FoodPlatform: {
    users: { Ann: { user_id: 'U1', password: 'pw', balance: 10 } },
    merchant_list: { "Tom's": { menu: [{ product: 'Soup', price: 4 }] } },
    logged_in_users: [],
    orders: [],
  },
  Travel: { users: {}, flights: [], reservations: [] },
}
/** Floats where Python has floats. */
const state = (): PyDict =>
  python(
    JSON.stringify(initialState).replace('"balance":10', '"balance":10.0').replace('"price":4', '"price":4.5'),
  ) as PyDict

describe('simulators', () => {
  const open = (classes: readonly string[], config: object = {}): Simulation =>
    new Simulation({ initialState: state(), config: dict(config), classes })
  const said = (simulation: Simulation, message: string): string => pyRepr(simulation.step(message))
  const phone = ['BaseApi', 'MessageApi', 'ReminderApi', 'FoodPlatform']

  it('keeps a state in every class and tells it as Python does', () => {
    const simulation = open(phone)
    expect(said(simulation, '[login_food_platform(username="Ann", password="pw")]')).toContain('Wi-Fi is not enabled')
    simulation.step('[turn_on_wifi()]')
    simulation.step('[login_food_platform(username="Ann", password="pw")]')
    const order = (quantity: string): string =>
      said(
        simulation,
        `[add_food_delivery_order(username='Ann', merchant_name="Tom's", items=[{'product': 'Soup', 'quantity': ${quantity}}])]`,
      )
    expect(order('2')).toBe(
      `[{'status': True, 'message': "Food delivery order successfully placed with Tom's. Total amount: 9.0 yuan"}]`,
    )
    expect(order('1')).toContain('Insufficient balance')
    expect(order('1.0')).toContain('Invalid quantity 1.0 for product Soup')
    expect(said(simulation, '[check_balance(user_name="Ann")]')).toBe('[1.0]')
    expect(pyRepr(simulation.finalState())).toContain("'quantity': 2, 'price_per_unit': 4.5}], 'total_price': 9.0}")
  })

  it('shows results as they are after all calls of a message', () => {
    const simulation = open(phone, { BaseApi: { wifi: true } })
    simulation.step('[login_food_platform(username="Ann", password="pw")]')
    const soup = `add_food_delivery_order(username='Ann', merchant_name="Tom's", items=[{'product': 'Soup'}])`
    expect(said(simulation, `[${soup}, view_orders(user_name="Ann"), get_products(merchant_name="Tom's")]`)).toBe(
      `[{'status': True, 'message': "Food delivery order successfully placed with Tom's. Total amount: 4.5 yuan"}, ` +
        `{'status': True, 'orders': [{'user_name': 'Ann', 'merchant_name': "Tom's", 'items': [{'product': 'Soup', 'quantity': 1, 'price_per_unit': 4.5}], 'total_price': 4.5}]}, ` +
        `"[{'product': 'Soup', 'price': 4.5}]"]`,
    )
  })

  it('raises what Python raises', () => {
    const simulation = open(phone, { BaseApi: { wifi: true } })
    const error = (call: string): string => said(simulation, `[${call}]`)
    expect(error('delete_message()')).toContain(
      "MessageApi.delete_message() missing 1 required positional argument: 'message_id'",
    )
    expect(error('turn_on_wifi(now=True)')).toContain("BaseApi.turn_on_wifi() got an unexpected keyword argument 'now'")
    expect(error('delete_message(message_id=[1])')).toContain("unhashable type: 'list'")
    expect(error('fly()')).toContain("cannot access local variable 'func_call_result'")
    // The variable of the official loop still holds the result of the call before.
    expect(error('turn_on_wifi(), fly()')).toBe(
      `[${Array(2).fill("{'status': True, 'message': 'Wi-Fi has been turned on'}").join(', ')}]`,
    )
    simulation.step("[send_message(sender_name='Ann', receiver_name='Bob', message='hi')]")
    expect(error('get_latest_message_id()')).toBe(`["Error during execution: 'time'"]`)
    expect(error("send_message(sender_name='Ann', receiver_name='Bob', message='hi')")).toContain('capacity is full')
  })

  it('answers messages that are no calls, and executes nothing for them', () => {
    const simulation = open(phone)
    for (const message of [
      '',
      'I am done',
      '  [turn_on_wifi()]',
      '[turn_on_wifi()], [login_device()]',
      '[f(a={1: 2})]',
    ])
      expect(said(simulation, message)).toContain('Please do not ask me any questions')
    expect(simulation.finalState()).toEqual([])
    expect(said(simulation, '[done]')).toBe('[]')
    expect(simulation.finalState()).toHaveLength(4)
  })

  it('ends a message of agent_multi_turn at the first call that fails', () => {
    const simulation = open(phone)
    expect(simulation.turn('[turn_on_wifi(), fly(x=1), delete_message()]')).toEqual([
      ...'Error during execution: {str(e)}',
    ])
    expect(simulation.finalState()).toEqual([])
    expect(pyRepr(simulation.turn('[delete_message(message_id=7)]'))).toContain('successfully deleted')
    expect(pyRepr(simulation.finalState()[1]!)).toBe("{'MessageApi': {'inbox': {}}}")
  })
})

describe('agents', () => {
  const answer = {
    groundTruth: python([{ BaseApi: { wifi: true } }, { Lists: { items: { '1': 'a' }, size: 2 } }]),
    milestones: python([['[a()]', '[b()] '], ['[c()]']]),
  }
  const score = (states: object, process: string[] = []) => scoreAgent(python(states), process, answer)
  const right = [{ Lists: { items: { '1': 'a', '2': 'b' }, size: 2.0 } }, { BaseApi: { wifi: 1 } }]

  it('compares what the answer has, in any order of the classes', () => {
    expect(score(right)).toEqual({ valid: true, errorType: null, processAccuracy: 1, processShare: 1 })
    expect(score([right[0]!]).errorType).toBe('wrong number of class')
    expect(score([right[0]!, { BaseApi: { wifi: false } }]).errorType).toBe('class attributes wrong')
    expect(score([right[0]!, { BaseApi: { wifi: true, other: 1 } }]).errorType).toBe('class attributes wrong')
    expect(score([right[0]!, { Unknown: { wifi: false } }]).valid).toBe(true)
  })

  it('counts milestones in order, the best of the alternatives', () => {
    expect(score([], ['x', '[a()]', '[b()]']).processAccuracy).toBe(1)
    expect(score([], ['[b()]', '[a()]']).processAccuracy).toBe(0.5)
    expect(score([], ['[b()]']).processAccuracy).toBe(0)
    expect(score([], [' [c()]']).processAccuracy).toBe(1)
  })
})

describe('the suite on a data set of our own', () => {
  let folder = ''
  const functions = [{ name: 'turn_on_wifi', parameters: { type: 'dict', required: [], properties: {} } }]
  const lamp = {
    name: 'lamp',
    parameters: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
  }
  const agent = (id: string) => ({
    id,
    question: 'Turn on Wi-Fi {now}.',
    initial_config: { BaseApi: { wifi: false } },
    function: functions,
    involved_classes: ['BaseApi'],
  })
  const agentAnswer = { ground_truth: [{ BaseApi: { wifi: true, logged_in: true } }], mile_stone: ['[turn_on_wifi()]'] }
  const files: { readonly [category: string]: readonly [object, object] } = {
    normal_atom_bool: [
      { id: 'normal_atom_bool_0', question: 'user: Light!\n', function: [lamp], time: 'It is noon.' },
      { ground_truth: { lamp: { on: true } } },
    ],
    agent_multi_step: [agent('agent_multi_step_0'), agentAnswer],
    agent_multi_turn: [agent('agent_multi_turn_0'), agentAnswer],
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'botpsy-acebench-'))
    const data = join(folder, 'benchmarks', 'acebench', 'data_en')
    mkdirSync(join(data, 'possible_answer'), { recursive: true })
    writeFileSync(join(data, '..', 'agent_multi_step_initial_state_en.json'), JSON.stringify(initialState))
    for (const category of [...NORMAL_CATEGORIES, ...SPECIAL_CATEGORIES, ...AGENT_CATEGORIES]) {
      const [one, answer] = files[category] ?? []
      const line = (value: object | undefined): string => (value ? `${JSON.stringify(value)}\n` : '')
      writeFileSync(join(data, `data_${category}.json`), line(one))
      const id = one && 'id' in one ? { id: one.id } : {}
      writeFileSync(join(data, 'possible_answer', `data_${category}.json`), line(answer && { ...id, ...answer }))
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Says the next of its lines at every turn, the last one for ever. */
  const speaker = (...lines: string[]): ScriptedEngine => {
    let at = 0
    return new ScriptedEngine({ turns: () => lines[Math.min(at++, lines.length - 1)]! })
  }
  const context = (engine: ScriptedEngine) => ({ engine, trial: 0, seed: 1, sampling: { temperature: 0 } })

  it('writes documents into the prompt as Python writes them', async () => {
    const one = await new AceBenchCases(folder).find('normal_atom_bool', 'normal_atom_bool_0')
    const [system, user] = textPrompt(one).map(({ content }) => content)
    expect(system).toContain("[{'name': 'lamp', 'parameters': {'type': 'object', 'properties': {'on': {'type'")
    expect(system).toContain('\n\nIt is noon.\n\n')
    expect(user).toBe('Conversation history 1..t:\nuser: Light!\n')
  })

  it('plays steps until the model says that it has finished', async () => {
    const one = await new AceBenchCases(folder).find('agent_multi_step', 'agent_multi_step_0')
    const outcome = await playSteps(one, context(speaker('[turn_on_wifi()]', 'finish conversation')), 100)
    expect(outcome.process).toEqual(['[turn_on_wifi()]'])
    expect(outcome.dialogue.map(({ sender }) => sender)).toEqual(['user', 'agent', 'execution', 'agent'])
  })

  it('plays turns with another model as the user', async () => {
    const one = await new AceBenchCases(folder).find('agent_multi_turn', 'agent_multi_turn_0')
    const agentModel = speaker('What do you want?', '[turn_on_wifi()]', 'Done.')
    const user = speaker('Hello', 'Wi-Fi, please', 'finish conversation')
    const outcome = await playTurns(one, context(agentModel), { user, maxTokens: 100 })
    expect(outcome.process).toEqual(['[turn_on_wifi()]'])
    expect(outcome.dialogue.map(({ message }) => message)).toEqual([
      'Hello',
      'What do you want?',
      'Wi-Fi, please',
      '[turn_on_wifi()]',
      "[{'status': True, 'message': 'Wi-Fi has been turned on'}]",
      'Done.',
      'finish conversation',
    ])
  })

  it('scores outcomes alone and sums them up', async () => {
    const suite = aceBenchSuite({ datasets: folder })
    const cases = await suite.cases()
    expect(cases.map(({ id }) => id)).toEqual(['normal_atom_bool_0', 'agent_multi_turn_0', 'agent_multi_step_0'])
    const outcomes = ['[lamp(on=True)]', { process: [], dialogue: [] }, { process: ['[turn_on_wifi()]'], dialogue: [] }]
    const scored = await Promise.all(
      cases.map(async (one, i) => ({
        id: one.id,
        trial: 0,
        labels: one.labels,
        score: await suite.score(one, outcomes[i]!),
      })),
    )
    expect(scored.map(({ score }) => score.value)).toEqual([1, 0, 1])
    const totals = Object.fromEntries(suite.aggregate!(scored).map(({ name, value }) => [name, value]))
    expect(totals).toMatchObject({ normal: 0.083, atom: 0.167, special: 0, agent: 0.5, summary: 0.125 })
    expect(totals['agent_multi_turn process']).toBe(0)
  })
})

describe('the summary', () => {
  it('counts a conversation when all its turns are right, in every trial anew', () => {
    const turn = (id: string, valid: boolean, trial = 0) => ({
      category: 'normal_multi_turn_user_adjust',
      id: `normal_multi_turn_user_adjust_${id}`,
      trial,
      valid,
    })
    const results = [
      turn('0_0', true),
      turn('0_1', false),
      turn('1_0', true),
      turn('0_0', true, 1),
      turn('0_1', true, 1),
    ]
    const summary = summarizeAceBench(results)
    expect(summary.categories.normal_multi_turn_user_adjust).toBe(0.667)
    expect(summary.missing).toHaveLength(16)
  })

  it('weighs the groups as published', () => {
    const all = [...NORMAL_CATEGORIES, ...SPECIAL_CATEGORIES, ...AGENT_CATEGORIES]
    const results = all.map((category) => ({ category, id: `${category}_0_0`, trial: 0, valid: true, process: 1 }))
    expect(summarizeAceBench(results)).toMatchObject({ normal: 1, special: 1, agent: 1, overall: 1, missing: [] })
    const special = results.map((one) => ({ ...one, valid: one.category.startsWith('special') }))
    expect(summarizeAceBench(special).overall).toBe(0.268)
  })
})
