import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textGrowth } from './growth.js'
import { isGenuineUser, mendMessages } from './mend.js'
import { nanoTemplateSource } from './nano.js'
import { parseAll } from './parse-all.js'
import { pythonNumber, pythonStrip } from './python-text.js'
import { render } from './render.js'
import { ChatTemplate } from './template.js'
import { conversation, tools } from './testing/generate.js'
import { chatmlTemplate, hermesTemplate, strippingTemplate } from './testing/templates.js'
import type { AssistantMessage, Message } from './types.js'

const templates = {
  nano: new ChatTemplate(nanoTemplateSource),
  stripping: new ChatTemplate(strippingTemplate),
  hermes: new ChatTemplate(hermesTemplate),
  chatml: new ChatTemplate(chatmlTemplate),
}
type Name = keyof typeof templates
const names = Object.keys(templates) as Name[]

const wild = conversation({ readable: false, traps: true, reasoning: true })
const readable = conversation({ readable: true, traps: false, reasoning: true })
const quiet = conversation({ readable: true, traps: false, reasoning: false })
const shown = fc.constantFrom(tools, [], undefined)

/** The assistant's turn as the model writes it in this template; an oracle made without the renderer. */
function written(name: Name, message: AssistantMessage, reasons: boolean): string {
  if (name === 'chatml') return `${message.content}<|im_end|>`
  const thinks = name === 'nano' || name === 'stripping'
  const reasoning = pythonStrip(message.reasoning ?? '')
  const think = thinks && reasons && reasoning !== '' ? `${reasoning}\n</think>\n\n` : ''
  const content = thinks ? pythonStrip(message.content) : message.content
  const calls = message.toolCalls.map((call) => {
    if (name === 'hermes')
      return `<tool_call>\n{"name": "${call.name}", "arguments": ${python(call.arguments)}}\n</tool_call>`
    const parameters = Object.entries(call.arguments).map(
      ([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : scalar(value)}\n</parameter>\n`,
    )
    return `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`
  })
  const gap = content === '' || calls.length === 0 ? '' : name === 'hermes' ? '\n' : '\n\n'
  return `${think}${content}${gap}${calls.join('\n')}<|im_end|>`
}

function scalar(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  return python(value)
}

function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${python(item)}`)
      .join(', ')}}`
  }
  return typeof value === 'number' ? pythonNumber(value) : JSON.stringify(value)
}

/** Whether the reasoning of this message is kept: everywhere it is after the last genuine user message. */
function keeps(messages: readonly Message[], index: number): boolean {
  return index > messages.findLastIndex(isGenuineUser)
}

describe.each(names)('%s', (name) => {
  const template = templates[name]

  test('any conversation renders, and its spans are what the model writes', () => {
    fc.assert(
      fc.property(wild, shown, fc.boolean(), (messages, offered, prompt) => {
        const rendered = render(template, { messages, tools: offered, addGenerationPrompt: prompt })
        const turns = rendered.turns
        const assistants = rendered.messages.flatMap((message, i) => (message.role === 'assistant' ? [i] : []))
        expect(turns.map((turn) => turn.message)).toEqual(assistants)
        let at = 0
        for (const turn of turns) {
          const message = rendered.messages[turn.message] as AssistantMessage
          expect(rendered.text.slice(turn.start, turn.end)).toBe(
            written(name, message, keeps(rendered.messages, turn.message)),
          )
          expect(turn.start).toBeGreaterThanOrEqual(at)
          at = turn.start
          for (const span of turn.spans) {
            expect(span.start).toBe(at)
            at = span.end
          }
          expect(at).toBe(turn.end)
          const texts = Object.fromEntries(
            turn.spans.map((span) => [span.kind, rendered.text.slice(span.start, span.end)]),
          )
          expect(texts.end).toBe('<|im_end|>')
          if (texts.text !== undefined) expect(pythonStrip(texts.text)).toBe(pythonStrip(message.content))
          expect(texts.call !== undefined).toBe(message.toolCalls.length > 0)
        }
        expect(rendered.spans).toEqual(turns.flatMap((turn) => turn.spans))
      }),
      { numRuns: 900 },
    )
  }, 240_000)

  test('the last turn follows its generation prompt, and the parser reads it back', () => {
    fc.assert(
      fc.property(readable, (messages) => {
        const rendered = render(template, { messages, tools, addGenerationPrompt: false })
        for (const turn of rendered.turns) {
          const message = rendered.messages[turn.message] as AssistantMessage
          const kept = keeps(rendered.messages, turn.message)
          const reasons = pythonStrip(message.reasoning ?? '') !== '' && kept
          const before = rendered.messages.slice(0, turn.message)
          let thinkState: 'open' | 'closed' | 'absent' = 'absent'
          if (kept || name === 'nano') {
            const prompt = render(template, { messages: before, tools, think: reasons })
            // Between two user messages earlier reasoning is still in the prompt; in the later text it is not.
            if (kept) expect(rendered.text.slice(0, turn.start)).toBe(prompt.text)
            expect(turn.asGenerated).toBe(true)
            thinkState = prompt.thinkState
          }
          if (name === 'chatml') continue
          const parsed = parseAll(rendered.text.slice(turn.start, turn.end), {
            dialect: template.dialect,
            tools,
            thinkState,
          })
          const reasoning = pythonStrip(message.reasoning ?? '')
          expect(parsed.message.reasoning ?? '').toBe(reasons && name !== 'hermes' ? reasoning : '')
          expect(parsed.message.content).toBe(pythonStrip(message.content))
          expect(parsed.message.toolCalls.map((one) => [one.name, one.arguments])).toEqual(
            message.toolCalls.map((one) => [one.name, one.arguments]),
          )
          expect(parsed.malformed).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  }, 240_000)

  test('a conversation that grows keeps what is cached', () => {
    fc.assert(
      fc.property(name === 'nano' ? quiet : readable, fc.nat(), (messages, seed) => {
        const mended = mendMessages(messages, { controls: template.controls, withoutTools: name === 'chatml' })
        const cut = 1 + (seed % mended.length)
        const before = render(template, { messages: mended.slice(0, cut), tools, addGenerationPrompt: false }).text
        const after = render(template, { messages: mended, tools, addGenerationPrompt: false }).text
        const growth = textGrowth(before, after)
        expect(after.startsWith(before.slice(0, growth.kept))).toBe(true)
        expect(growth.extension).toBe(growth.kept === before.length)
        if (growth.kept < Math.min(before.length, after.length)) {
          expect(after[growth.kept]).not.toBe(before[growth.kept])
        }
        if (mended[cut]?.role === 'tool') return
        if (name !== 'stripping') expect(growth.extension).toBe(true)
        else {
          // Only turns after what was the last genuine user message can change.
          const last = mended.slice(0, cut).findLastIndex(isGenuineUser)
          const stable = render(template, {
            messages: mended.slice(0, last + 1),
            tools,
            addGenerationPrompt: false,
          }).text
          expect(growth.kept).toBeGreaterThanOrEqual(stable.length)
        }
      }),
      { numRuns: 200 },
    )
  }, 240_000)
})
