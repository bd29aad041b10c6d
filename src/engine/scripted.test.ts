import { describe, expect, test } from 'vitest'
import type { EngineEvent, GenerateRequest } from './contract.js'
import { ScriptedEngine } from './scripted.js'

async function all(engine: ScriptedEngine, request: GenerateRequest): Promise<EngineEvent[]> {
  const events: EngineEvent[] = []
  for await (const event of engine.generate(request)) events.push(event)
  return events
}

const text = (events: readonly EngineEvent[]): string =>
  events.map((event) => (event.type === 'token' ? event.text : '')).join('')

describe('ScriptedEngine', () => {
  test('says raw text in several tokens and keeps the request', async () => {
    const said = 'On it.\n\n<tool_call>\n<function=list_files>\n</function>\n</tool_call>'
    const engine = new ScriptedEngine({ turns: [said] })
    const request = { messages: [{ role: 'user', content: 'list my files' } as const] }
    const events = await all(engine, request)
    expect(text(events)).toBe(said)
    expect(events.filter((event) => event.type === 'token').length).toBeGreaterThan(5)
    expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'end' })
    expect(engine.requests).toEqual([request])
  })

  test('reports a message as an endpoint that parses by itself does', async () => {
    const engine = new ScriptedEngine({
      turns: [
        {
          role: 'assistant',
          reasoning: 'a lamp',
          content: 'Sure.',
          toolCalls: [{ id: 'c1', name: 'set_lamp', arguments: { on: true } }],
        },
      ],
    })
    const events = await all(engine, { prompt: 'x' })
    expect(events.map((event) => event.type)).toEqual(['reasoning', 'token', 'calls', 'end'])
    expect(events[2]).toEqual({ type: 'calls', calls: [{ id: 'c1', name: 'set_lamp', arguments: '{"on":true}' }] })
  })

  test('honours the token budget, stop texts and the abort signal', async () => {
    const engine = new ScriptedEngine({ turns: () => 'one two three four five' })
    expect(await all(engine, { prompt: 'x', maxTokens: 2 })).toMatchObject([
      { text: 'one' },
      { text: ' two' },
      { type: 'end', stop: 'length', usage: { outputTokens: 2 } },
    ])
    const stopped = await all(engine, { prompt: 'x', stopTexts: ['ee f'] })
    expect(text(stopped)).toBe('one two thr')
    expect(stopped.at(-1)).toMatchObject({ stop: 'stop' })
    const controller = new AbortController()
    controller.abort()
    expect(await all(engine, { prompt: 'x', signal: controller.signal })).toMatchObject([
      { type: 'end', stop: 'abort' },
    ])
  })

  test('throws a scripted failure and says when the script is over', async () => {
    const engine = new ScriptedEngine({ turns: [new Error('boom')] })
    await expect(all(engine, { prompt: 'x' })).rejects.toThrow('boom')
    await expect(all(engine, { prompt: 'x' })).rejects.toMatchObject({ code: 'bad-request' })
  })
})
