import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EndReason, ParserEvent } from './events.js'
import { createParser } from './parser.js'
import type { ThinkState } from './render.js'
import { call, fragments, speech, thought, tools, wildText } from './testing/generate.js'
import type { Dialect, JsonValue } from './types.js'

/** Events with neighbouring pieces of the same text joined: how text is cut into pieces is not part of the contract. */
function joined(events: readonly ParserEvent[]): ParserEvent[] {
  const out: ParserEvent[] = []
  for (const event of events) {
    const last = out.at(-1)
    if (event.type === 'text' && last?.type === 'text') out[out.length - 1] = { ...last, text: last.text + event.text }
    else if (event.type === 'reasoning' && last?.type === 'reasoning') {
      out[out.length - 1] = { ...last, text: last.text + event.text }
    } else if (
      event.type === 'argument' &&
      last?.type === 'argument' &&
      last.index === event.index &&
      last.key === event.key
    ) {
      out[out.length - 1] = { ...last, text: last.text + event.text }
    } else out.push(event)
  }
  return out
}

function run(dialect: Dialect, pieces: readonly string[], thinkState: ThinkState, reason: EndReason): ParserEvent[] {
  const parser = createParser(dialect, { tools, thinkState })
  return joined([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end(reason)])
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  let at = 0
  for (let i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length]!
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

const python = (value: JsonValue): string =>
  typeof value === 'string'
    ? value
    : value === true
      ? 'True'
      : value === false
        ? 'False'
        : value === null
          ? 'None'
          : JSON.stringify(value)
const qwen = call.map(({ name, arguments: args }) => {
  const parameters = Object.entries(args).map(([key, value]) => `<parameter=${key}>\n${python(value)}\n</parameter>\n`)
  return `<tool_call>\n<function=${name}>\n${parameters.join('')}</function>\n</tool_call>`
})
const hermes = call.map((one) => `<tool_call>\n${JSON.stringify(one)}\n</tool_call>`)
const fragment = fc.constantFrom(...fragments)

/** Turns of every kind: proper, nearly proper, and none. */
const turn = fc
  .array(
    fc.oneof(
      qwen,
      hermes,
      speech,
      wildText,
      fragment,
      thought.map((text) => `<think>\n${text}\n</think>\n\n`),
    ),
    {
      maxLength: 6,
    },
  )
  .chain((parts) => fc.constantFrom('', '\n', '\n\n').map((gap) => parts.join(gap)))
/** The same with one piece taken out, doubled or replaced somewhere. */
const damaged = fc
  .tuple(turn, fc.nat(), fc.nat({ max: 12 }), fc.oneof(fc.constant(''), fragment))
  .map(([text, at, length, instead]) => {
    const from = text.length === 0 ? 0 : at % text.length
    return text.slice(0, from) + instead + text.slice(from + length)
  })

const dialects = fc.constantFrom<Dialect>('qwen3.5', 'hermes', 'pythonic', 'plain')
const states = fc.constantFrom<ThinkState>('open', 'closed', 'absent')
const reasons = fc.constantFrom<EndReason>('end', 'length', 'stop', 'abort')
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

test('any split gives the same events as one piece', () => {
  fc.assert(
    fc.property(fc.oneof(turn, damaged), dialects, states, reasons, sizes, (text, dialect, state, reason, parts) => {
      const whole = run(dialect, [text], state, reason)
      expect(run(dialect, cut(text, parts), state, reason)).toEqual(whole)
      expect(run(dialect, cut(text, [1]), state, reason)).toEqual(whole)
    }),
    { numRuns: 4000 },
  )
}, 240_000)

test('whatever comes, every call that is run stands whole in the text', () => {
  fc.assert(
    fc.property(fc.oneof(turn, damaged), dialects, states, reasons, (text, dialect, state, reason) => {
      for (const event of run(dialect, [text], state, reason)) {
        if (event.type !== 'call.end') continue
        expect(dialect).not.toBe('plain')
        const { name } = event.call
        if (dialect === 'qwen3.5') {
          const from = text.indexOf(`<function=${name}>`)
          expect(from).toBeGreaterThanOrEqual(0)
          expect(text.slice(from)).toMatch(/<\/function>\s*<\/tool_call>/)
        } else if (dialect === 'hermes') expect(text).toContain('</tool_call>')
        else expect(text).toContain('<|tool_call_end|>')
      }
    }),
    { numRuns: 3000 },
  )
}, 240_000)

test('visible text and reasoning are not invented: their words stand in the text in order', () => {
  fc.assert(
    fc.property(damaged, dialects, states, (text, dialect, state) => {
      let at = 0
      for (const event of run(dialect, [text], state, 'end')) {
        if (event.type !== 'text' && event.type !== 'reasoning') continue
        for (const word of event.text.split(/\s+/)) {
          const found = text.indexOf(word, at)
          expect(found).toBeGreaterThanOrEqual(at)
          at = found + word.length
        }
      }
    }),
    { numRuns: 1500 },
  )
}, 240_000)
