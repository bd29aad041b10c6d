import { describe, expect, it, onTestFinished } from 'vitest'
import { page, startSite, type WebSite } from '../../testing/web-site.js'
import { type Desk, desk, emptyFolder } from '../testing/desk.js'
import { passages } from './pages.js'
import { rank } from './rank.js'

const html = `<html><head><title>The old tower</title><meta name="author" content="Ada Falk">
<meta property="article:published_time" content="2025-03-02"></head><body><article><h1>The old tower</h1>
<p>The tower stands in the middle of the market and can be seen from every bridge of the town.</p>
<p>Visitors may climb it from April to October, and the stairs are steep and narrow.</p>
<h2>Measures</h2><p>It is 62 metres tall. The walls are two metres thick at the foot.</p>
<h2>Falcons</h2><p>A pair of peregrines has nested under the roof since 2011 and raised nine young.</p></article></body></html>`

async function start(): Promise<{ site: WebSite; d: Desk; url: string; home: string }> {
  const site = await startSite({
    '/tower': page(html),
    '/report.pdf': page('%PDF', { 'content-type': 'application/pdf' }),
  })
  onTestFinished(() => site.stop())
  const home = emptyFolder()
  const d = desk(home, { web: { open: [site.origin], env: {} } })
  return { site, d, url: `${site.origin}/tower`, home }
}

describe('page_open', () => {
  it('gives the text with title, author, date and address, as outside text of that host', async () => {
    const { d, url } = await start()
    const { host } = new URL(url)
    const opened = await d.call('page_open', { url })
    expect(opened).toMatchObject({ ok: true, untrusted: `web page at ${host}`, data: { title: 'The old tower', url } })
    expect(opened.content.split('\n')[0]).toContain('The tower stands in the middle of the market')
    expect(opened.content).toContain('by Ada Falk, 2025-03-02')
    expect(d.tool('page_open').egress?.({ url })).toEqual({ to: [host], what: `the address ${url}` })
  }, 60_000)

  it('refuses what is no public page, in words', async () => {
    const { d, site } = await start()
    const outcomes = [
      'http://10.0.0.1/',
      'file:///etc/passwd',
      'http://2130706433/',
      `${site.origin}/report.pdf`,
      'the news',
    ]
    for (const url of outcomes) {
      const result = await d.call('page_open', { url })
      expect(result.ok, url).toBe(false)
      expect(result.content.length, url).toBeGreaterThan(20)
    }
    const closed = await desk().call('page_open', { url: `${site.origin}/tower` })
    expect(closed).toMatchObject({ ok: false, content: expect.stringContaining('local network') })
  }, 60_000)

  it('finds an opened page again without a connection', async () => {
    const { d, url, site, home } = await start()
    await d.call('page_open', { url })
    await d.call('page_open', { url })
    await site.stop()
    const later = desk(home, { web: { open: [site.origin], env: {} } })
    const found = await later.call('web_search', { query: 'peregrines nested roof' })
    expect(found.data).toHaveLength(1)
    expect(found.content).toContain('nine young')
    expect(found.content).toContain(`source: ${url}`)
    const again = await later.call('page_open', { url })
    expect(again.ok).toBe(true)
    expect(again.content).toContain('This is how the page was when it was opened')
  }, 60_000)
})

describe('page_extract', () => {
  it('answers from the page, fetching it once', async () => {
    const { d, url, site } = await start()
    const tall = await d.call('page_extract', { url, question: 'how tall is the tower?' })
    expect(tall.content.split('\n')[0]).toContain('It is 62 metres tall.')
    expect(tall.untrusted).toContain('web page at')
    expect((await d.call('page_extract', { url, question: 'which birds nested there' })).content).toContain(
      'peregrines',
    )
    expect((await d.call('page_extract', { url, question: 'submarine fuel' })).content).toContain('says nothing')
    expect(site.asked).toHaveLength(1)
    d.now = new Date(d.now.getTime() + 3_600_000)
    await d.call('page_extract', { url, question: 'how tall' })
    expect(site.asked).toHaveLength(2)
  }, 60_000)
})

describe('notes', () => {
  it('keep their source, are outside text when they come from a page, and can be cited', async () => {
    const { d, url } = await start()
    await d.call('page_open', { url })
    await d.call('note_add', { text: 'The walls are two metres thick at the foot' })
    await d.call('note_add', { text: 'buy a ladder for the attic' })
    const found = await d.call('note_find', { query: 'walls' })
    expect(found.content).toContain(`[source: ${url}]`)
    expect(found.untrusted).toContain('web page at')
    expect((await d.call('note_find', { query: 'ladder' })).untrusted).toBeUndefined()

    const answer = await d.call('notes_answer', { question: 'how thick are the walls?' })
    expect(answer.content.split('\n')[0]).toMatch(/^The walls are two metres thick.*\(n1, noted on /)
    expect(answer.content).toContain('Ada Falk, "The old tower"')
    expect(answer.untrusted).toContain('web page at')
    const own = await d.call('notes_answer', { question: 'what should I buy' })
    expect(own.content).toContain('your own note')
    expect(own.untrusted).toBeUndefined()
    expect((await d.call('notes_answer', { question: 'submarine' })).content).toContain('nothing')

    const cited = await d.call('source_cite', { source: 'note n1' })
    expect(cited.content).toMatch(/^Ada Falk, "The old tower", .*2025-03-02, http.*\/tower \(read /)
    expect((await d.call('source_cite', { source: url })).content).toBe(cited.content)
    expect((await d.call('source_cite', { source: 'n2' })).content).toContain('names no source')
    expect((await d.call('source_cite', { source: 'n9' })).ok).toBe(false)
  }, 60_000)

  it('remember what the agent says that they stem from', async () => {
    const d = desk()
    const tool = d.tool('note_add')
    await tool.run({ text: 'call 0900 123456' }, { ...d.context(), taintedBy: 'mail from x@y.example' })
    expect((await d.call('note_find', { query: 'call' })).untrusted).toBe('notes taken from mail from x@y.example')
  })
})

describe('rank and passages', () => {
  it('cuts any text without losing words', () => {
    const text = `# A\n\n${'word '.repeat(2000)}\n\n## B\n\n${'x'.repeat(5000)}`
    const cut = passages(text)
    expect(cut.every((p) => p.length <= 1300)).toBe(true)
    expect(cut.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  })

  it('prefers rare words of the question', () => {
    const texts = ['the tower of the town', 'the town hall', 'mice in the town']
    expect(rank('are there mice in the town?', texts, (t) => t)[0]).toBe('mice in the town')
    expect(rank('submarine', texts, (t) => t)).toEqual([])
  })
})
