import { describe, expect, it, onTestFinished } from 'vitest'
import { type SearxngEntry, type SearxngOptions, startSearxng } from '../../testing/searxng-server.js'
import { redirect, startSite, type WebSite } from '../../testing/web-site.js'
import type { Connection, Connections } from '../connections/contract.js'
import { desk } from '../testing/desk.js'
import { searchWith } from './searxng.js'
import { searxngAdapter } from './searxng-adapter.js'

const entries: readonly SearxngEntry[] = [
  {
    title: 'Kestrel nests',
    url: 'https://birds.example/kestrel',
    content: 'Kestrels <b>nest</b> on towers. They hunt mice.',
  },
  { title: 'Kestrel, the car', url: 'https://cars.example/', content: 'A car of 1973.' },
  { title: 'An offline kestrel', url: null, content: 'without address' },
  { title: 'Script kestrel', url: 'javascript:alert(1)', content: 'no page' },
  {
    title: 'Kestrel returns',
    url: 'https://news.example/1',
    content: 'It is back.',
    category: 'news',
    publishedDate: '2026-11-29T08:00:00',
  },
]

async function server(options: SearxngOptions = {}): Promise<WebSite> {
  const site = await startSearxng({ entries, ...options })
  onTestFinished(() => site.stop())
  return site
}

const connection = (url: string, secret?: string, user?: string): Connection => ({
  kind: 'searxng',
  settings: { url, ...(user === undefined ? {} : { user }) },
  secret: async () => secret,
})
const connections = (found: Connection): Connections => ({ find: (kind) => (kind === 'searxng' ? found : undefined) })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (e: unknown) => e,
  )

describe('searchWith', () => {
  it('reads results and leaves out what is no page', async () => {
    const site = await server({
      infoboxes: [{ infobox: 'Kestrel', content: 'A falcon.' }],
      answers: ['one', { answer: 'two' }, 3],
    })
    const found = await searchWith(connection(site.origin), { query: 'kestrel' })
    expect(found.results).toEqual([
      {
        title: 'Kestrel nests',
        url: 'https://birds.example/kestrel',
        text: 'Kestrels nest on towers. They hunt mice.',
        date: undefined,
      },
      { title: 'Kestrel, the car', url: 'https://cars.example/', text: 'A car of 1973.', date: undefined },
    ])
    expect(found.answers).toEqual(['one', 'two', 'A falcon.'])
    expect(found.silent).toEqual(['broken: HTTP connection error'])
  })

  it.each([
    [{ json: false }, 'refused', /"json"/],
    [{ status: 429 }, 'refused', /limiter/],
    [{ status: 404 }, 'settings', /path/],
    [{ status: 502 }, 'protocol', /502/],
    [{ body: '<html>' }, 'protocol', /no search result/],
    [{ body: '[]' }, 'protocol', /no search result/],
    [{ authorization: 'Basic x' }, 'credentials', /password/],
  ] as const)('says what to do about %j', async (options, code, words) => {
    const site = await server(options)
    const error = await failure(searchWith(connection(site.origin, 'hunter2'), { query: 'kestrel' }))
    expect(error).toMatchObject({ name: 'ConnectionError', code, message: expect.stringMatching(words) })
    expect(String(error)).not.toContain('hunter2')
  })

  it('logs in where it is asked to, and carries the secret nowhere else', async () => {
    const basic = await server({ authorization: `Basic ${Buffer.from('me:hunter2').toString('base64')}` })
    expect((await searchWith(connection(basic.origin, 'hunter2', 'me'), { query: 'kestrel' })).results).toHaveLength(2)
    const token = await server({ authorization: 'Bearer hunter2' })
    expect((await searchWith(connection(token.origin, 'hunter2'), { query: 'kestrel' })).results).toHaveLength(2)
    const elsewhere = await startSite({ '/search': redirect(`${token.origin}/search`) })
    onTestFinished(() => elsewhere.stop())
    const before = token.asked.length
    expect(await failure(searchWith(connection(elsewhere.origin, 'hunter2'), { query: 'x' }))).toMatchObject({
      name: 'ConnectionError',
    })
    expect(token.asked).toHaveLength(before)
  })
})

describe('searxngAdapter', () => {
  it('says what it found, or what to do', async () => {
    const good = await server({ entries: [{ title: 'Encyclopedia', url: 'https://e.example/', content: '' }] })
    expect(await searxngAdapter.probe(connection(good.origin))).toMatchObject([{ ok: true }, { ok: true }])
    const empty = await server()
    expect(await searxngAdapter.probe(connection(empty.origin))).toMatchObject([
      { ok: false, todo: /./ },
      { ok: false },
    ])
    for (const url of ['http://127.0.0.1:1/', 'nonsense', (await server({ json: false })).origin])
      expect(await searxngAdapter.probe(connection(url))).toMatchObject([{ ok: false, todo: expect.any(String) }])
  })
})

describe('the tools of web search', () => {
  it('say plainly that nothing is connected', async () => {
    expect(await desk().call('web_search', { query: 'kestrel' })).toMatchObject({ ok: false, unavailable: true })
  })

  it('give titles, texts and addresses as outside text, and name the host that learns the query', async () => {
    const site = await server()
    const d = desk(':memory:', { connections: connections(connection(site.origin)) })
    const found = await d.call('web_search', { query: 'kestrel' })
    expect(found).toMatchObject({ ok: true, untrusted: expect.stringContaining('kestrel') })
    expect(found.content.split('\n')[0]).toBe('2 pages found; the first: Kestrel nests, at birds.example.')
    expect(found.content).toContain('https://cars.example/')
    expect(d.tool('web_search').egress?.({ query: 'kestrel' })).toEqual({
      to: [new URL(site.origin).host],
      what: 'the query "kestrel"',
    })
    const news = await d.call('news_get', { topic: 'kestrel', when: 'today' })
    expect(news.content).toContain('Kestrel returns (2026-11-29)')
    expect(site.asked.at(-1)).toMatch(/categories=news&time_range=day/)
    await d.call('recipe_find', { dish: 'pancakes' })
    expect(site.asked.at(-1)).toContain('q=pancakes+recipe')
  })

  it('answer a fact by the direct answer where there is one', async () => {
    const site = await server({ answers: [{ answer: 'It is 330 metres tall.' }] })
    const d = desk(':memory:', { connections: connections(connection(site.origin)) })
    const fact = await d.call('fact_find', { question: 'how tall is the tower' })
    expect(fact.content.split('\n')[0]).toBe('It is 330 metres tall.')
  })

  it('do not take a page about the weather for the weather', async () => {
    const weather = { title: 'Weather in Bremen', url: 'https://w.example/', content: 'weather', category: 'weather' }
    const without = desk(':memory:', {
      connections: connections(connection((await server({ entries: [weather] })).origin)),
    })
    expect(await without.call('weather_get', { place: 'Bremen' })).toMatchObject({ ok: false, unavailable: true })
    const site = await server({ answers: [{ service: 'x', current: { summary: 'Light rain, 7 degrees.' } }] })
    const known = desk(':memory:', { connections: connections(connection(site.origin)) })
    expect((await known.call('weather_get', { place: 'Bremen' })).content).toContain('Light rain, 7 degrees.')
  })

  it('fall back to what is kept here when the server does not answer, and say so', async () => {
    const d = desk(':memory:', { connections: connections(connection('http://127.0.0.1:1')) })
    expect(await d.call('web_search', { query: 'kestrel' })).toMatchObject({ ok: false })
    d.domains.stores.records.learn('page', {
      title: 'Kestrels',
      body: 'The kestrel nests here.',
      source: 'https://a.example/',
    })
    const kept = await d.call('web_search', { query: 'kestrel' })
    expect(kept.ok).toBe(true)
    expect(kept.content).toContain('kept on this machine')
  })
})
