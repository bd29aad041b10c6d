import { describe, expect, test } from 'vitest'
import { kinds, on, onCall, type ParseOptions, parse } from './testing/parsing.js'

describe('Hermes', () => {
  const hermes = (text: string, options: ParseOptions = {}) =>
    parse(text, { dialect: 'hermes', thinkState: 'absent', ...options })
  const json = (value: string) => `<tool_call>\n${value}\n</tool_call>`
  const good = json('{"name": "set_light", "arguments": {"name": "Otto", "on": "True"}}')

  test('reads calls, text and reasoning', () => {
    expect(hermes(`<think>\nHm.\n</think>\n\nSure.\n${good}\n${good}`)).toEqual({
      message: {
        role: 'assistant',
        reasoning: 'Hm.',
        content: 'Sure.',
        toolCalls: [onCall, { ...onCall, id: 'call_2' }],
      },
      malformed: [],
    })
    expect(hermes(json('{"name": "list_lights"}')).message.toolCalls[0]?.arguments).toEqual({})
    expect(
      hermes(json('{"name": "set_light", "arguments": "{\\"level\\": 4}"}')).message.toolCalls[0]?.arguments,
    ).toEqual({ level: 4 })
  })

  test('tags inside strings end nothing', () => {
    const text = 'a </tool_call> b <tool_call> {"name": "x"} \\" \n'
    const parsed = hermes(json(JSON.stringify({ name: 'write_note', arguments: { text } })))
    expect(parsed.message.toolCalls[0]?.arguments).toEqual({ text })
  })

  test.each([
    ['bad JSON', json("{'name': 'set_light'}"), 'bad-call'],
    ['another dialect', on, 'bad-call'],
    ['no name', json('{"arguments": {}}'), 'bad-call'],
    ['arguments of another type', json('{"name": "set_light", "arguments": [1]}'), 'bad-call'],
    ['something behind', json('{"name": "set_light"} x'), 'bad-call'],
    ['a key twice', json('{"name": "set_light", "arguments": {"on": true, "on": false}}'), 'duplicate-parameter'],
    ['NUL', json('{"name": "set_light", "arguments": {"name": "a\\u0000"}}'), 'refused-characters'],
    ['a lone surrogate', json('{"name": "set_light", "arguments": {"name": "\\ud800"}}'), 'refused-characters'],
    ['cut off', good.slice(0, -4), 'unfinished-call'],
    ['braces open', json('{"name": "set_light", "arguments": {"on": true}'), 'bad-call'],
    ['only reasoned', `<think>${good}</think>Hi`, 'call-in-think'],
  ])('reports %s', (_, text, kind) => {
    const parsed = hermes(text)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual([kind])
  })

  test('recovers a missing opening for a registered tool only', () => {
    const bare = good.replace('<tool_call>\n', '')
    expect(hermes(bare).message.toolCalls).toEqual([onCall])
    expect(kinds(hermes(bare))).toEqual(['missing-opening (recovered)'])
    expect(hermes(bare.replace('set_light', 'set_fire')).message.toolCalls).toEqual([])
  })

  test('examples stay text', () => {
    for (const text of [`\`\`\`\n${good}\n\`\`\``, `Write "${good}".`, 'The <tool_call> tag.']) {
      expect(hermes(text)).toEqual({ message: { role: 'assistant', content: text, toolCalls: [] }, malformed: [] })
    }
  })

  test('big integers keep their digits', () => {
    const parsed = hermes(json('{"name": "set_light", "arguments": {"name": 12345678901234567890, "until": 12}}'))
    expect(parsed.message.toolCalls[0]?.arguments).toEqual({ name: '12345678901234567890', until: 12 })
  })
})

describe('Pythonic', () => {
  const pythonic = (text: string) => parse(text, { dialect: 'pythonic', thinkState: 'absent' })
  const list = (source: string) => `<|tool_call_start|>${source}<|tool_call_end|>`

  test('reads lists of calls', () => {
    const source = `[set_light(name="Otto", on=True), write_note(text='it\\'s', tags=["a", 'b'], meta={"depth": 2}), list_lights()]`
    const parsed = pythonic(`Sure.${list(source)}One moment.`)
    expect(parsed.message.content).toBe('Sure.\n\nOne moment.')
    expect(parsed.message.toolCalls.map((call) => [call.name, call.arguments])).toEqual([
      ['set_light', { name: 'Otto', on: true }],
      ['write_note', { text: "it's", tags: ['a', 'b'], meta: { depth: 2 } }],
      ['list_lights', {}],
    ])
    expect(parsed.malformed).toEqual([])
  })

  test('markers inside strings end nothing', () => {
    const parsed = pythonic(list('[set_light(name="<|tool_call_end|>")]'))
    expect(parsed.message.toolCalls[0]?.arguments).toEqual({ name: '<|tool_call_end|>' })
  })

  test.each([
    ['positional arguments', list('[set_light("Otto")]'), 'bad-call'],
    ['expressions', list('[set_light(level=1+1)]'), 'bad-call'],
    ['a keyword twice', list('[set_light(on=True, on=False)]'), 'duplicate-parameter'],
    ['one bad call among good ones', list('[list_lights(), set_light(on=]'), 'bad-call'],
    ['a cut list', list('[list_lights()]').slice(0, -1), 'unfinished-call'],
  ])('reports %s and runs nothing of it', (_, text, kind) => {
    const parsed = pythonic(text)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual([kind])
  })
})

test('plain chat has no calls', () => {
  expect(parse(on, { dialect: 'plain' })).toEqual({
    message: { role: 'assistant', content: on, toolCalls: [] },
    malformed: [],
  })
})
