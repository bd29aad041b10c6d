import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { collect } from '../../testing/collect.js'
import type { GenerateRequest } from '../contract.js'
import { RemoteEngine, type RemoteOptions } from './engine.js'

interface Seen {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly [key: string]: unknown }
}

type Answer = (response: ServerResponse, seen: Seen, number: number) => void | Promise<void>

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A small endpoint: `/models` lists one model, everything else is answered by the test. */
async function endpoint(answer: Answer): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    if (request.url === '/v1/models') {
      response.end(JSON.stringify({ data: [{ id: 'small', max_model_len: 4096 }] }))
      return
    }
    const entry = { path: request.url ?? '', headers: request.headers, body: text === '' ? {} : JSON.parse(text) }
    seen.push(entry)
    await answer(response, entry, seen.length)
  })
  return { url: `${await listen(server)}/v1`, seen }
}

async function engineFor(url: string, options: Partial<RemoteOptions> = {}): Promise<RemoteEngine> {
  const engine = await RemoteEngine.connect({ baseUrl: url, proxy: 'none', pauseMs: 5, ...options })
  cleanups.push(() => engine.close())
  return engine
}

const stream = (response: ServerResponse, ...chunks: object[]): void => {
  response.setHeader('content-type', 'text/event-stream')
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

const delta = (delta: object, more: object = {}): object => ({ choices: [{ index: 0, delta, ...more }] })
const ask: GenerateRequest = { messages: [{ role: 'user', content: 'hi' }] }

describe('RemoteEngine', () => {
  test('streams reasoning, text with log-probabilities, calls and usage', async () => {
    const { url, seen } = await endpoint((response) =>
      stream(
        response,
        delta({ role: 'assistant', content: null }),
        delta({ reasoning_content: 'Which lamp?' }),
        delta(
          { content: 'On it' },
          {
            logprobs: {
              content: [
                { token: 'On', logprob: -0.5 },
                { token: ' it', logprob: -0.25 },
              ],
            },
          },
        ),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'set_lamp', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"on":' } }] }),
        delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'list', arguments: '{}' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: 'true}' } }] }),
        delta({}, { finish_reason: 'tool_calls' }),
        {
          choices: [],
          usage: {
            prompt_tokens: 50,
            completion_tokens: 9,
            prompt_tokens_details: { cached_tokens: 32 },
            completion_tokens_details: { reasoning_tokens: 3 },
          },
        },
      ),
    )
    const engine = await engineFor(url, { apiKey: 'secret' })
    expect(engine.model).toEqual({ name: 'small', contextLength: 4096, dialect: 'plain' })
    const run = await collect(engine, {
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'lamp on' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'r',
          toolCalls: [{ id: 'x', name: 'list', arguments: { all: true } }],
        },
        { role: 'tool', callId: 'x', name: 'list', content: 'one lamp' },
      ],
      tools: [{ name: 'list', description: 'List.', parameters: { type: 'object', properties: {} } }],
      sampling: { temperature: 0.5, topP: 0.9, seed: 7 },
      maxTokens: 20,
      think: true,
      logprobs: true,
    })
    expect(run.events.filter((event) => event.type !== 'end')).toEqual([
      { type: 'reasoning', text: 'Which lamp?' },
      { type: 'token', text: 'On', logprob: -0.5 },
      { type: 'token', text: ' it', logprob: -0.25 },
      {
        type: 'calls',
        calls: [
          { id: 'a', name: 'set_lamp', arguments: '{"on":true}' },
          { id: 'b', name: 'list', arguments: '{}' },
        ],
      },
    ])
    expect(run.stop).toBe('end')
    expect(run.usage).toMatchObject({ promptTokens: 50, cachedTokens: 32, outputTokens: 9, reasoningTokens: 3 })
    expect(seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer secret' },
      body: {
        model: 'small',
        stream: true,
        temperature: 0.5,
        top_p: 0.9,
        seed: 7,
        max_tokens: 20,
        logprobs: true,
        chat_template_kwargs: { enable_thinking: true },
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'lamp on' },
          {
            role: 'assistant',
            content: '',
            reasoning_content: 'r',
            tool_calls: [{ id: 'x', type: 'function', function: { name: 'list', arguments: '{"all":true}' } }],
          },
          { role: 'tool', tool_call_id: 'x', content: 'one lamp' },
        ],
        tools: [{ type: 'function', function: { name: 'list', description: 'List.' } }],
      },
    })
    expect(seen[0]?.body).not.toHaveProperty('top_k')
  })

  test('sends a ready prompt to /completions and tells why it stopped', async () => {
    const { url, seen } = await endpoint((response, { body }) =>
      stream(
        response,
        { choices: [{ text: 'abc' }] },
        {
          choices: [
            {
              text: '',
              finish_reason: body.max_tokens === 1 ? 'length' : 'stop',
              stop_reason: body.stop ? 'END' : null,
            },
          ],
        },
      ),
    )
    const engine = await engineFor(url)
    expect(await collect(engine, { prompt: [1, 2, 3], maxTokens: 1, stopIds: [9] })).toMatchObject({
      text: 'abc',
      stop: 'length',
    })
    expect(await collect(engine, { prompt: 'x', stopTexts: ['END'] })).toMatchObject({ stop: 'stop' })
    expect(await collect(engine, { prompt: 'x' })).toMatchObject({ stop: 'end' })
    expect(seen[0]).toMatchObject({ path: '/v1/completions', body: { prompt: [1, 2, 3], stop_token_ids: [9] } })
  })

  test('puts calls without an index one after another', async () => {
    const { url } = await endpoint((response) =>
      stream(
        response,
        delta({ tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{}' } }] }),
        delta({ tool_calls: [{ id: 'b', function: { name: 'two', arguments: '{"k":1}' } }] }),
        delta({}, { finish_reason: 'tool_calls' }),
      ),
    )
    const run = await collect(await engineFor(url), ask)
    expect(run.events[0]).toMatchObject({ calls: [{ name: 'one' }, { name: 'two', arguments: '{"k":1}' }] })
  })

  test('tries again after 503 and 429, as long as asked to wait, and then succeeds', async () => {
    const { url, seen } = await endpoint((response, _, number) => {
      if (number === 1) response.writeHead(503).end('busy')
      else if (number === 2) response.writeHead(429, { 'retry-after': '0' }).end('{"error":{"message":"slow down"}}')
      else stream(response, delta({ content: 'ok' }), delta({}, { finish_reason: 'stop' }))
    })
    expect(await collect(await engineFor(url), ask)).toMatchObject({ text: 'ok', stop: 'end' })
    expect(seen).toHaveLength(3)
  })

  test.each([
    [401, '{"error":{"message":"bad key"}}', 'unauthorized', 'bad key', 1],
    [404, '{"error":"no such model"}', 'endpoint', 'no such model', 1],
    [400, '{"message":"This exceeds the maximum context length of 4096"}', 'context-full', '4096', 1],
    [429, 'later', 'rate-limited', 'later', 3],
    [500, '', 'endpoint', 'no explanation', 3],
  ])('status %i with %s is %s', async (status, body, code, message, tries) => {
    const { url, seen } = await endpoint((response) => {
      response.writeHead(status).end(body)
    })
    const engine = await engineFor(url, { retries: 2 })
    await expect(collect(engine, ask)).rejects.toMatchObject({
      name: 'EngineError',
      code,
      status,
      message: expect.stringContaining(message),
    })
    expect(seen).toHaveLength(tries)
  })

  test('a refused connection is a network error', async () => {
    await expect(
      RemoteEngine.connect({ baseUrl: 'http://127.0.0.1:9/v1', proxy: 'none', retries: 1, pauseMs: 1 }),
    ).rejects.toMatchObject({ code: 'network' })
  })

  test.each<[string, Answer, string]>([
    [
      'breaks off',
      (response) => {
        response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\n`, () => response.destroy())
      },
      'network',
    ],
    [
      'ends early',
      (response) => {
        response.end(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\n`)
      },
      'network',
    ],
    [
      'is not JSON',
      (response) => {
        response.end('data: {"choices"\n\n')
      },
      'endpoint',
    ],
    [
      'has another form',
      (response) => {
        response.end('data: {"choices":[{"delta":{"content":5}}]}\n\n')
      },
      'endpoint',
    ],
    [
      'reports a failure',
      (response) => {
        response.end('data: {"error":{"message":"out of memory"}}\n\n')
      },
      'endpoint',
    ],
  ])('an answer that %s is an error, not an end', async (_, answer, code) => {
    const { url, seen } = await endpoint(answer)
    await expect(collect(await engineFor(url), ask)).rejects.toMatchObject({ name: 'EngineError', code })
    expect(seen).toHaveLength(1)
  })

  test('an abort ends the answer and the connection', async () => {
    let closed: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const { url } = await endpoint((response) => {
      response.on('close', closed)
      response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\n`)
    })
    const engine = await engineFor(url)
    const controller = new AbortController()
    const types: string[] = []
    for await (const event of engine.generate({ ...ask, signal: controller.signal })) {
      types.push(event.type === 'end' ? event.stop : event.type)
      controller.abort()
    }
    expect(types).toEqual(['token', 'abort'])
    await gone
  })

  test('scores where the endpoint echoes, and says so where it does not', async () => {
    const { url, seen } = await endpoint((response, { body }) => {
      const echo = (body.prompt as number[]).length > 2
      response.end(
        JSON.stringify({ choices: [{ text: '', logprobs: echo ? { token_logprobs: [null, -1, -2, -9] } : null }] }),
      )
    })
    const engine = await engineFor(url)
    expect([...(await engine.score({ tokens: [5, 6, 7], from: 1 }))]).toEqual([-1, -2])
    expect(seen[0]?.body).toMatchObject({ echo: true, prompt: [5, 6, 7] })
    await expect(engine.score({ tokens: [5, 6], from: 1 })).rejects.toMatchObject({ code: 'endpoint' })
  })

  test('goes through the proxy it is given', async () => {
    const { url } = await endpoint((response) =>
      stream(response, delta({ content: 'far' }), delta({}, { finish_reason: 'stop' })),
    )
    const tunnels: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket, head) => {
      tunnels.push(request.url ?? '')
      const { port } = new URL(url)
      const target = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        target.write(head)
        target.pipe(socket).pipe(target)
      })
      target.on('error', () => socket.destroy())
      socket.on('error', () => target.destroy())
    })
    const proxyUrl = await listen(proxy)
    const engine = await engineFor('http://models.example:8000/v1', { proxy: proxyUrl, model: 'm', contextLength: 10 })
    expect(await collect(engine, ask)).toMatchObject({ text: 'far' })
    expect(tunnels).toContain('models.example:8000')
  })
})
