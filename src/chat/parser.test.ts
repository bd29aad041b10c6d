import { describe, expect, test } from 'vitest'
import type { ParserEvent } from './events.js'
import { collect } from './parse-all.js'
import { createParser } from './parser.js'
import { tools } from './testing/generate.js'
import { block, collectText, kinds, on, onCall, type ParseOptions, parse } from './testing/parsing.js'

describe('1. calls in the reasoning', () => {
  test('a call only inside the think block is reported and not run', () => {
    const parsed = parse(`I will switch it on.\n${on}\n</think>\n\nDone!`, { thinkState: 'open' })
    expect(parsed.message.toolCalls).toEqual([])
    expect(parsed.message.content).toBe('Done!')
    expect(kinds(parsed)).toEqual(['call-in-think'])
    expect(parsed.malformed[0]?.message).toContain('set_light')
    expect(parsed.malformed[0]?.raw).toContain('Otto')
  })

  test('also when the block is never closed', () => {
    expect(kinds(parse(`Now:\n${on}`, { thinkState: 'open' }))).toEqual(['call-in-think'])
  })

  test('a draft and the real call run once', () => {
    const parsed = parse(`Draft:\n${on}\n</think>\n\n${on}`, { thinkState: 'open' })
    expect(parsed.message.toolCalls).toEqual([onCall])
    expect(parsed.malformed).toEqual([])
  })

  test('prose that mentions the syntax is prose', () => {
    const thought = 'The user wants <function=set_light>, so <tool_call> then <function=NAME>. Or `</think>`? No.'
    const parsed = parse(`${thought}\n</think>\n\nHello.`, { thinkState: 'open' })
    expect(parsed).toEqual({
      message: { role: 'assistant', reasoning: thought, content: 'Hello.', toolCalls: [] },
      malformed: [],
    })
  })
})

describe('2. the state that the prompt left', () => {
  const output = 'Hm.\n</think>\n\nHello.'

  test('open: the output begins with reasoning', () => {
    expect(parse(output, { thinkState: 'open' }).message).toMatchObject({ reasoning: 'Hm.', content: 'Hello.' })
    expect(parse(`<think>\n${output}`, { thinkState: 'open' }).message).toMatchObject({ reasoning: 'Hm.' })
  })

  test('closed: the output begins with text', () => {
    expect(parse('\n\nHello.', { thinkState: 'closed' }).message).toEqual({
      role: 'assistant',
      content: 'Hello.',
      toolCalls: [],
    })
  })

  test.each(['absent', 'closed'] as const)('%s: a block that the model opens itself is reasoning', (thinkState) => {
    expect(parse(`<think>\n${output}`, { thinkState }).message).toMatchObject({ reasoning: 'Hm.', content: 'Hello.' })
    expect(parse('See <think> tags.', { thinkState }).message.content).toBe('See <think> tags.')
  })

  test('a stray end before any text is dropped', () => {
    expect(parse('</think>\n\nHello.').message.content).toBe('Hello.')
  })
})

describe('3. text, and calls in bad shape', () => {
  test('text before a call stays, with the call', () => {
    for (const gap of ['\n\n', '\n', '', ' ']) {
      const parsed = parse(`Switching it on.${gap}${on}`)
      expect(parsed.message).toEqual({ role: 'assistant', content: 'Switching it on.', toolCalls: [onCall] })
      expect(parsed.malformed).toEqual([])
    }
  })

  test('a doubled closing tag is reported, not taken into the value', () => {
    const parsed = parse(on.replace('True\n</parameter>', 'True\n</parameter>\n</parameter>'))
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(['doubled-closing'])
    expect(parsed.malformed[0]?.message).toMatch(/<\/parameter> stands twice after on of set_light.*not run/)
  })

  test('a missing opening is recovered for a closed block of a registered tool', () => {
    const parsed = parse(`Sure.\n\n${on.replace('<tool_call>\n', '')}`)
    expect(parsed.message).toEqual({ role: 'assistant', content: 'Sure.', toolCalls: [onCall] })
    expect(kinds(parsed)).toEqual(['missing-opening (recovered)'])
  })

  test.each([
    ['not closed', on.replace('<tool_call>\n', '').replace('</tool_call>', ''), ['unfinished-call']],
    ['not registered', on.replace('<tool_call>\n', '').replace('set_light', 'set_fire'), []],
    ['in running text', `Write ${on.replace('<tool_call>\n', '')}`, []],
  ])('a missing opening is not recovered: %s', (_, text, expected) => {
    const parsed = parse(text)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(expected)
  })

  test.each([
    ['another wrapper', on.replaceAll('tool_call', 'tool_use')],
    ['JSON in another wrapper', '<function_call>\n{"name": "set_light", "arguments": {}}\n</function_call>'],
    ['another wrapper, then text', `${on.replaceAll('tool_call', 'invoke')}\nDone.`],
  ])('unknown wrapper tags are reported: %s', (_, text) => {
    const parsed = parse(text)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(['unknown-wrapper'])
  })

  test.each([
    ['JSON', '<tool_call>\n{"name": "set_light", "arguments": {"on": true}}\n</tool_call>'],
    ['no function', '<tool_call>\nset_light(on=True)\n</tool_call>'],
    ['empty name', '<tool_call>\n<function=>\n</function>\n</tool_call>'],
    ['stray text', '<tool_call>\n<function=set_light>\nplease\n</function>\n</tool_call>'],
    ['no end of function', '<tool_call>\n<function=set_light>\n</tool_call>'],
    ['no end of call', '<tool_call>\n<function=list_lights>\n</function>\nDone.'],
    ['bad key', '<tool_call>\n<function=set_light>\n<parameter=>\n1\n</parameter>\n</function>\n</tool_call>'],
    ['unclosed before the next', on.replace('True\n</parameter>\n', 'True\n') + on],
  ])('broken calls are reported: %s', (_, text) => {
    const parsed = parse(text)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(['bad-call'])
    expect(parsed.malformed[0]?.message).toContain('<tool_call>')
  })

  test('a parameter given twice is reported', () => {
    const twice = on.replace('<parameter=on>', '<parameter=name>')
    expect(kinds(parse(twice))).toEqual(['duplicate-parameter'])
  })

  test('a good call after a bad one still counts', () => {
    const parsed = parse(`<tool_call>\n{}\n</tool_call>\n${on}`)
    expect(parsed.message.toolCalls).toEqual([onCall])
    expect(kinds(parsed)).toEqual(['bad-call'])
  })

  test('text after a call is reported and left out', () => {
    const parsed = parse(`${on}\nThe light is on now.`)
    expect(parsed.message).toEqual({ role: 'assistant', content: '', toolCalls: [onCall] })
    expect(kinds(parsed)).toEqual(['text-after-call (recovered)'])
    expect(parsed.malformed[0]?.raw).toBe('The light is on now.')
  })

  test('calls after an invented result are not run', () => {
    const parsed = parse(`${on}\n<tool_response>\nok\n</tool_response>\n${block({ name: 'Anna' })}`)
    expect(parsed.message.toolCalls).toEqual([onCall])
    expect(kinds(parsed)).toEqual(['invented-result', 'invented-result (recovered)'])
  })
})

describe('4. examples stay text', () => {
  test.each([
    ['a fence', `A call looks so:\n\n\`\`\`xml\n${on}\n\`\`\`\nClear?`],
    ['the line that opens a fence', `\`\`\`\` ${on}\n\`\`\`\``],
    ['a tilde fence', `~~~\n${on}\n~~~`],
    ['a longer fence', `\`\`\`\`\n\`\`\`\n${on}\n\`\`\`\`\nso`],
    ['a fence in a list', `1. So:\n    \`\`\`\n    ${on.replaceAll('\n', '\n    ')}\n    \`\`\`\n2. Done`],
    ['a code span', `Write \`${on}\` for it.`],
    ['quotation marks', `Write "${on}" for it.`],
    ['typographic marks', `Write “${on}” for it.`],
    ['two quoted calls', `Write "${on}\n${on}" for it.`],
    ['a block quote', `> ${on.replaceAll('\n', '\n> ')}\n\nSo.`],
    ['indented code', `So:\n\n    ${on.replaceAll('\n', '\n    ')}`],
    ['a mention', 'Begin with <tool_call> and then name the function with <function=set_light> as usual.'],
    ['a bare block in code', `\`\`\`\n${on.replace('<tool_call>\n', '')}\n\`\`\``],
  ])('in %s', (_, text) => {
    expect(parse(text)).toEqual({ message: { role: 'assistant', content: text, toolCalls: [] }, malformed: [] })
  })

  test('a call after an example runs', () => {
    for (const example of [
      `\`\`\`\n${on}\n\`\`\``,
      `"${on}"`,
      'The `<tool_call>` tag.',
      'A "<tool_call>\n<function=x> tag.',
    ]) {
      const parsed = parse(`${example}\n\n${on}`)
      expect(parsed.message).toEqual({ role: 'assistant', content: example, toolCalls: [onCall] })
    }
  })

  test('a call in a code block that is never closed is reported', () => {
    const parsed = parse(`\`\`\`xml\n${on}`)
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(['bad-call'])
  })
})

describe('5. values end only where the structure does', () => {
  test.each([
    'a </tool_call> b',
    '</tool_call>',
    'a </parameter> b',
    'x\n</tool_call>\ny',
    'x\n</parameter>\ny',
    '</function>\n</tool_call>',
    '<tool_call>\n<function=set_light>\n</function>\n</tool_call>',
    'two\nlines',
    '\nblank line before',
    'blank line after\n',
    '\n\n',
    '',
    '  spaces  ',
    'tab\tand "quotes" and \'these\' and \\n',
    '🙂 \u{1F468}\u200d\u{1F469}',
    '{"a": [1, {"b": "</parameter>"}]}',
    '<parameter=name>',
    'carriage\r\nreturn\r',
  ])('%j', (text) => {
    const parsed = parse(block({ name: text, on: 'False' }))
    expect(parsed.message.toolCalls.map((call) => call.arguments)).toEqual([{ name: text, on: false }])
    expect(parsed.malformed).toEqual([])
  })

  test('a value on the tag’s own line keeps its spaces', () => {
    const parsed = parse('<tool_call><function=set_light><parameter=name> Otto </parameter></function></tool_call>')
    expect(parsed.message.toolCalls[0]?.arguments).toEqual({ name: ' Otto ' })
  })
})

describe('6. values become what the schema says', () => {
  const read = (parameters: { readonly [key: string]: string }, name = 'set_light') =>
    parse(block(parameters, name)).message.toolCalls[0]?.arguments

  test('strings stay strings', () => {
    for (const text of ['02134', 'True', 'null', '1e5', '{"a": 1}', '"quoted"', '12345678901234567890']) {
      expect(read({ name: text })).toEqual({ name: text })
    }
    expect(read({ mood: 'True' })).toEqual({ mood: 'True' })
    expect(read({ mood: '7' })).toEqual({ mood: '7' })
  })

  test('scalars by their type, in Python’s and JSON’s spelling', () => {
    for (const text of ['True', 'true', '"true"', 'TRUE'])
      expect(read({ name: 'a', on: text })).toEqual({ name: 'a', on: true })
    for (const text of ['False', 'false', '"false"']) expect(read({ on: text })).toEqual({ on: false })
    expect(read({ level: '40' })).toEqual({ level: 40 })
    expect(read({ level: '40.0' })).toEqual({ level: 40 })
    expect(read({ warmth: '1e-05' })).toEqual({ warmth: 0.00001 })
    expect(read({ until: 'None' })).toEqual({ until: null })
    expect(read({ until: 'null' })).toEqual({ until: null })
    expect(read({ until: '7' })).toEqual({ until: '7' })
  })

  test('what does not fit stays text', () => {
    expect(read({ on: 'maybe', level: '4.5', warmth: 'warm' })).toEqual({ on: 'maybe', level: '4.5', warmth: 'warm' })
    expect(read({ level: '9007199254740993' })).toEqual({ level: '9007199254740993' })
    expect(read({ warmth: '1e999' })).toEqual({ warmth: '1e999' })
  })

  test('objects and arrays from JSON or Python, with their insides by the schema', () => {
    const text = 'x'
    expect(read({ text, tags: '["02134", "b"]' }, 'write_note')).toEqual({ text, tags: ['02134', 'b'] })
    expect(read({ text, tags: "['a', 'b']" }, 'write_note')).toEqual({ text, tags: ['a', 'b'] })
    expect(read({ text, items: '[{"n": "3", "done": "True"}]' }, 'write_note')).toEqual({
      text,
      items: [{ n: 3, done: true }],
    })
    expect(read({ text, meta: '{"depth": "3", "code": "3"}' }, 'write_note')).toEqual({
      text,
      meta: { depth: 3, code: '3' },
    })
    expect(read({ text, tags: 'a, b' }, 'write_note')).toEqual({ text, tags: 'a, b' })
    expect(read({ text, meta: '{"depth": 1, "depth": 2}' }, 'write_note')).toEqual({
      text,
      meta: '{"depth": 1, "depth": 2}',
    })
  })

  test('names of the language’s own objects are names like any other', () => {
    const args = read({ __proto__x: '1', constructor: '2', toString: '3' })
    expect(args).toEqual({ __proto__x: '1', constructor: '2', toString: '3' })
    const proto = parse(on.replace('<parameter=on>', '<parameter=__proto__>')).message.toolCalls[0]!.arguments
    expect(Object.keys(proto)).toEqual(['name', '__proto__'])
    expect(Object.getPrototypeOf(proto)).toBe(Object.prototype)
  })

  test.each(['a\0b', '\ud800', 'x\udc00'])('refuses %j', (text) => {
    const parsed = parse(block({ name: text }))
    expect(parsed.message.toolCalls).toEqual([])
    expect(kinds(parsed)).toEqual(['refused-characters'])
  })
})

describe('7. tags over several pieces', () => {
  const texts = (pieces: readonly string[], options: ParseOptions = {}) => {
    const parser = createParser('qwen3.5', { tools, thinkState: 'closed', ...options })
    return pieces.map((piece) => collectText(parser.push(piece)))
  }

  test('what could begin a tag is held back, all else is passed on at once', () => {
    expect(texts(['Hi </thi', 'nk> you <to', 'mato'])).toEqual(['Hi', ' </think> you', ' <tomato'])
    expect(texts(['hm</thi', 'nk>\n\nHi'], { thinkState: 'open' })).toEqual(['hm', 'Hi'])
    expect(texts(['a < b', ' and c'])).toEqual(['a < b', ' and c'])
  })

  test('the end-of-turn token does not become text', () => {
    for (const pieces of [['Hi<|im_end|>'], ['Hi<|im', '_end|>', '\n'], ['Hi\n', '<', '|im_end|>']]) {
      const parser = createParser('qwen3.5', { tools })
      const events = pieces.flatMap((piece) => parser.push(piece))
      expect(collect([...events, ...parser.end('end')]).message.content).toBe('Hi')
    }
    expect(parse(`${on}<|im_end|>`)).toEqual({
      message: { role: 'assistant', content: '', toolCalls: [onCall] },
      malformed: [],
    })
    expect(parse('ChatML ends turns with <|im_end|> so.').message.content).toBe('ChatML ends turns with <|im_end|> so.')
  })

  test('a pair of surrogates is never cut', () => {
    const parser = createParser('plain')
    expect(parser.push('a\ud83d')).toEqual([{ type: 'text', text: 'a' }])
    expect(parser.push('\ude42')).toEqual([{ type: 'text', text: '🙂' }])
  })
})

describe('8. parallel calls', () => {
  test('keep their order, and a call without arguments has none', () => {
    const parsed = parse(`${block({ name: 'b' })}\n${block({}, 'list_lights')}\n${block({ name: 'a' })}`, {
      newId: (index) => `id${index}`,
    })
    expect(parsed.message.toolCalls).toEqual([
      { id: 'id0', name: 'set_light', arguments: { name: 'b' } },
      { id: 'id1', name: 'list_lights', arguments: {} },
      { id: 'id2', name: 'set_light', arguments: { name: 'a' } },
    ])
    expect(parsed.malformed).toEqual([])
  })

  test('events tell a call as it is written', () => {
    const parser = createParser('qwen3.5', { tools, thinkState: 'closed' })
    const events: ParserEvent[] = []
    for (const piece of [
      '<tool_call>\n<function=set_light>\n<parameter=name>\nOt',
      'to\n',
      '</parameter>\n</function>\n</tool_call>',
    ]) {
      events.push(...parser.push(piece))
    }
    expect(events).toEqual([
      { type: 'call.start', index: 0, name: 'set_light' },
      { type: 'argument', index: 0, key: 'name', text: 'Ot' },
      { type: 'argument', index: 0, key: 'name', text: 'to' },
      { type: 'call.end', index: 0, call: { id: 'call_1', name: 'set_light', arguments: { name: 'Otto' } } },
    ])
  })
})

describe('9. output that is cut off', () => {
  test('no part of a call is run', () => {
    for (let length = '<tool_call>'.length; length < on.length; length++) {
      const parsed = parse(`Sure.\n\n${on.slice(0, length)}`, { reason: 'length' })
      expect(parsed.message).toEqual({ role: 'assistant', content: 'Sure.', toolCalls: [] })
      expect(kinds(parsed)).toEqual(['unfinished-call'])
    }
  })

  test('calls that were complete before stay', () => {
    const parsed = parse(`${on}\n${on.slice(0, -3)}`, { reason: 'length' })
    expect(parsed.message.toolCalls).toEqual([onCall])
    expect(kinds(parsed)).toEqual(['unfinished-call'])
  })

  test('after the end nothing is said', () => {
    const parser = createParser('qwen3.5', { tools })
    parser.end('length')
    expect(parser.push(on)).toEqual([])
    expect(parser.end('end')).toEqual([])
  })
})
