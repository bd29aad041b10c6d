import { page, startSite, type WebSite } from './web-site.js'

/** One entry of {@link startSearxng}. */
export interface SearxngEntry {
  readonly title: string
  readonly url: string | null
  readonly content: string
  readonly category?: string
  readonly publishedDate?: string
}

/** What a {@link startSearxng} says and how it behaves. */
export interface SearxngOptions {
  readonly entries?: readonly SearxngEntry[]
  readonly answers?: readonly unknown[]
  readonly infoboxes?: readonly object[]
  /** False: `json` is not among its formats, so it answers 403 as SearXNG does. */
  readonly json?: boolean
  /** Answers of other kinds: its limiter, its proxy, something that is no SearXNG. */
  readonly status?: number
  readonly body?: string
  /** `Authorization` that its reverse proxy asks for. */
  readonly authorization?: string
}

const forbidden = '<!doctype html><html lang=en><title>403 Forbidden</title><h1>Forbidden</h1>'

/**
 * A local server that speaks the JSON API of SearXNG (`/search?q=…&format=json`), shaped after what version 2026.8 sends:
 * the same keys, results of offline engines without an address, engines that did not answer. Entries match when one of
 * the query's words occurs in them.
 */
export function startSearxng(options: SearxngOptions = {}): Promise<WebSite> {
  return startSite({
    '/search': (request, response) => {
      const asked = new URL(request.url ?? '/', 'http://localhost').searchParams
      if (options.authorization !== undefined && request.headers.authorization !== options.authorization)
        return page('who are you', { 'www-authenticate': 'Basic' }, 401)(request, response)
      if (options.status !== undefined) return page(options.body ?? '', {}, options.status)(request, response)
      if (options.body !== undefined)
        return page(options.body, { 'content-type': 'application/json' })(request, response)
      if (options.json === false && asked.get('format') === 'json') return page(forbidden, {}, 403)(request, response)
      const query = asked.get('q') ?? ''
      const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
      const category = asked.get('categories') ?? 'general'
      const results = (options.entries ?? [])
        .filter((e) => (e.category ?? 'general') === category)
        .filter((e) => words.some((w) => `${e.title} ${e.content}`.toLowerCase().includes(w)))
        .map((e, i) => ({
          ...{ title: e.title, url: e.url, content: e.content, publishedDate: e.publishedDate ?? null },
          ...{ img_src: '', thumbnail: '', author: '', engine: 'local', engines: ['local'], positions: [i + 1] },
          ...{ score: 1 / (i + 1), category, template: 'default.html', parsed_url: null },
        }))
      const { answers = [], infoboxes = [] } = options
      const unresponsive = [['broken', 'HTTP connection error']]
      page(
        JSON.stringify({
          ...{ query, results, answers, corrections: [], infoboxes, suggestions: [] },
          unresponsive_engines: unresponsive,
        }),
        { 'content-type': 'application/json' },
      )(request, response)
    },
  })
}
