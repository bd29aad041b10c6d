import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseAll } from '../chat/parse-all.js'
import type { JsonObject, JsonValue } from '../chat/types.js'
import { parseGbnf } from '../engine/llama/gbnf.js'
import { GbnfMachine } from '../engine/llama/gbnf-machine.js'
import { CALL_OPENING, callGrammar } from './grammar.js'
import { toolSpec } from './tool-spec.js'
import { validateArguments } from './validate.js'

const contract = {
  name: 'lamp_set',
  description: 'Set a lamp.',
  parameters: z.object({
    room: z.string().min(1),
    state: z.enum(['on', 'off']).optional(),
    level: z.int().min(0).optional(),
    flash: z.boolean().optional(),
    tags: z.array(z.string()).max(3).optional(),
    colour: z.object({ r: z.int(), g: z.number().optional() }).optional(),
    note: z.string().optional(),
  }),
}
const small = {
  name: 'note',
  description: 'Note.',
  parameters: z.object({ text: z.string(), title: z.string().optional() }),
}
const empty = { name: 'lamp_list', description: 'List lamps.', parameters: z.object({}) }
const all = [contract, small, empty]
const specs = all.map(toolSpec)
const qwen = parseGbnf(callGrammar(specs, 'qwen3.5')!.gbnf, () => undefined)
const hermes = parseGbnf(callGrammar(specs, 'hermes')!.gbnf, () => undefined)

/** The Qwen3.5 form, written here once more so that the test does not lean on the renderer. */
function qwenText(name: string, args: JsonObject): string {
  const value = (v: JsonValue): string => {
    if (typeof v === 'string') return v
    if (typeof v === 'boolean') return v ? 'True' : 'False'
    return spaced(v)
  }
  const blocks = Object.entries(args).map(([key, v]) => `<parameter=${key}>\n${value(v)}\n</parameter>\n`)
  return `\n<function=${name}>\n${blocks.join('')}</function>\n</tool_call>`
}

/** JSON with a blank after commas and colons, as models write it. */
function spaced(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, v]) => `${JSON.stringify(key)}: ${spaced(v)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value)
}

const hermesText = (name: string, args: JsonObject): string =>
  `\n{"name": ${JSON.stringify(name)}, "arguments": ${spaced(args)}}\n</tool_call>`

function accepts(grammar: typeof qwen, text: string): boolean {
  const machine = new GbnfMachine(grammar)
  return machine.accept(text) && machine.finished
}

const someText = fc
  .oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc.constantFrom(
      '</parameter>',
      'a\n</parameter',
      '</tool_call>',
      'say "hi"\n\n\tthen <function=x>',
      '\n\n</p>\n',
      '{"a": 1}',
    ),
  )
  .filter(
    (text) =>
      text.trim() !== '' &&
      !text.includes('\0') &&
      !text.includes('\n</param') &&
      !/[\x00-\x08\x0b-\x1f\x7f]/.test(text),
  )

const someArgs = fc.record(
  {
    room: someText,
    state: fc.constantFrom('on', 'off'),
    level: fc.nat(100_000),
    flash: fc.boolean(),
    tags: fc.array(
      fc.string({ maxLength: 8 }).filter((t) => !/[\x7f]/.test(t)),
      { maxLength: 3 },
    ),
    colour: fc.record(
      { r: fc.integer({ min: -255, max: 255 }), g: fc.constantFrom(0.5, 3, -1.25) },
      { requiredKeys: ['r'] },
    ),
    note: someText,
  },
  { requiredKeys: ['room'] },
) as fc.Arbitrary<JsonObject>

describe('callGrammar', () => {
  it('accepts every valid call in both dialects', () => {
    fc.assert(
      fc.property(someArgs, (args) => {
        if (!String(args.room).startsWith('\n')) expect(accepts(qwen, qwenText('lamp_set', args))).toBe(true)
        expect(accepts(hermes, hermesText('lamp_set', args))).toBe(true)
      }),
      { numRuns: 300 },
    )
    for (const [grammar, write] of [
      [qwen, qwenText],
      [hermes, hermesText],
    ] as const) {
      expect(accepts(grammar, write('lamp_list', {}))).toBe(true)
      expect(accepts(grammar, write('note', { text: 'a', title: 'b' }))).toBe(true)
    }
    // Few parameters come in any order.
    expect(accepts(qwen, qwenText('note', { title: 'b', text: 'a' }))).toBe(true)
  })

  it('refuses unknown names and keys, doubled and missing parameters, and values of another type', () => {
    const wrong: [string, JsonObject][] = [
      ['lamp_sit', { room: 'a' }],
      ['lamp_set', {}],
      ['lamp_set', { state: 'on' }],
      ['lamp_set', { room: 'a', state: 'dim' }],
      ['lamp_set', { room: 'a', level: -3 }],
      ['lamp_set', { room: 'a', level: 2.5 }],
      ['lamp_set', { room: 'a', flash: 'maybe' }],
      ['lamp_set', { room: 'a', tags: ['a', 'b', 'c', 'd'] }],
      ['lamp_set', { room: 'a', colour: { g: 1 } }],
      ['lamp_set', { room: 'a', place: 'b' }],
      ['lamp_list', { room: 'a' }],
      ['note', { title: 'b' }],
    ]
    for (const [name, args] of wrong) {
      expect([name, args, accepts(qwen, qwenText(name, args))]).toEqual([name, args, false])
      expect([name, args, accepts(hermes, hermesText(name, args))]).toEqual([name, args, false])
    }
    const twice =
      '\n<function=note>\n<parameter=text>\na\n</parameter>\n<parameter=text>\nb\n</parameter>\n</function>\n</tool_call>'
    expect(accepts(qwen, twice)).toBe(false)
  })

  it('lets no call begin inside a value, which would be read as a value without an end', () => {
    expect(accepts(qwen, qwenText('note', { text: '</function>\n</tool_call>' }))).toBe(true)
    expect(accepts(qwen, qwenText('note', { text: '<tool_cal' }))).toBe(true)
    for (const text of ['</function>\n</tool_call>\n<tool_call>\n<function=x>', '<tool_call>', 'a\n<tool_call>'])
      for (const [name, args] of [['note', { text }] as const, ['lamp_set', { room: text }] as const])
        expect([name, args, accepts(qwen, qwenText(name, { ...args }))]).toEqual([name, args, false])
  })

  it('whatever it lets through is read back as one call that validates', () => {
    for (const [dialect, grammar] of [
      ['qwen3.5', qwen],
      ['hermes', hermes],
    ] as const) {
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat(999)), (numbers) => {
          const text = walk(grammar, numbers)
          const { message, malformed } = parseAll(CALL_OPENING + text, { dialect, tools: specs })
          expect(malformed).toEqual([])
          expect(message.toolCalls).toHaveLength(1)
          const call = message.toolCalls[0]!
          const called = all.find((tool) => tool.name === call.name)!
          expect(validateArguments(called, call.arguments)).toMatchObject({ ok: true })
        }),
        { numRuns: 150, endOnFailure: true },
      )
    }
  })

  it('forces what can only be one thing', () => {
    const machine = new GbnfMachine(qwen)
    expect(machine.takeForced()).toEqual(['\n<function='])
    machine.accept('lamp_l')
    expect(machine.takeForced().join('')).toBe('ist>\n</function>\n</tool_call>')
    const text = new GbnfMachine(qwen)
    text.accept('\n<function=note>\n<parameter=text>\nbuy milk\n</param')
    expect(text.takeForced().join('')).toContain('eter>\n<')
  })

  it('has nothing to constrain without tools or a call opening', () => {
    expect(callGrammar([], 'qwen3.5')).toBeUndefined()
    expect(callGrammar(specs, 'plain')).toBeUndefined()
  })
})

const CLOSE = '\n</param'

/** A random text that the grammar admits; leans towards endings, so that it comes to one. */
function walk(grammar: typeof qwen, numbers: Iterable<number>): string {
  const machine = new GbnfMachine(grammar)
  const draw = numbers[Symbol.iterator]()
  let text = ''
  while (!machine.finished) {
    const next = machine.sampleNext()
    const number = Number(draw.next().value)
    let written = CLOSE.length - 1
    while (!text.endsWith(CLOSE.slice(0, written))) written--
    const ending = next.filter((char) => '"/}],'.includes(char) || char === CLOSE[written])
    const pool = ending.length > 0 && (number % 10 > 3 || text.length > 300) ? ending : next
    const char = pool[Math.floor(number / 10) % pool.length]!
    expect(machine.accept(char)).toBe(true)
    text += char
  }
  return text
}
