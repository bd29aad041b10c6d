import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import { type Connection, ConnectionError } from '../connections/contract.js'
import { asNetError, guardedFetch, type NetError, type Way, webAddress } from '../net/index.js'
import { visibleText } from '../page/hidden.js'

/** What is kept of a connected SearXNG. */
export const searxngSettings = z.object({
  /** Address of the instance, with its path if it has one. */
  url: z.string().min(1),
  /** User name, where a reverse proxy asks for one; without it a secret is sent as a bearer token. */
  user: z.string().optional(),
})

/** One result of a search. All of it is outside text. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  readonly text: string
  /** As the engine gave it, when it did. */
  readonly date: string | undefined
}

/** What a search found. */
export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  /** Direct answers (a sum, a definition, the weather), and summaries of encyclopaedias. */
  readonly answers: readonly string[]
  /** Engines of the instance that did not answer, with the reason. */
  readonly silent: readonly string[]
}

/** What is asked for. Categories and time ranges are those of SearXNG. */
export interface SearchQuery {
  readonly query: string
  readonly category?: 'news' | 'weather'
  readonly time?: 'day' | 'week' | 'month' | 'year'
}

const maybe = z.string().nullish().catch(undefined)
const list = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((i) => {
        const parsed = item.safeParse(i)
        return parsed.success ? [parsed.data] : []
      }),
    )

/** The JSON that `format=json` gives (docs of SearXNG, "Search API"); seen with 2026.8. Odd entries are left out, not fatal. */
const answerSchema = z.object({
  results: list(z.object({ title: maybe, url: maybe, content: maybe, publishedDate: maybe })),
  answers: list(
    z.union([
      z.string(),
      z.object({ answer: z.string() }).transform((a) => a.answer),
      z
        .object({
          service: maybe,
          current: z.object({ summary: maybe }),
        })
        .transform((a) => a.current.summary ?? ''),
    ]),
  ),
  infoboxes: list(z.object({ infobox: maybe, content: maybe })),
  unresponsive_engines: list(z.array(z.string()).min(1)),
})

const plain = (text: string | null | undefined, most: number): string =>
  visibleText((text ?? '').replace(/<\/?[a-z][^>]{0,200}>/gi, ''))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)

/** Address of an instance as it was given. @throws ConnectionError `settings` */
export function instanceUrl(settings: JsonObject): URL {
  const parsed = searxngSettings.safeParse(settings)
  try {
    if (!parsed.success) throw new Error('no address')
    const url = webAddress(parsed.data.url)
    if (!url.pathname.endsWith('/')) url.pathname += '/'
    url.search = ''
    return url
  } catch (error) {
    throw new ConnectionError(
      'settings',
      'searxng',
      'The address of the search server is not a web address. Connect it again: botpsy connect searxng.',
      { cause: error },
    )
  }
}

async function headers(connection: Connection): Promise<{ readonly [name: string]: string }> {
  const secret = await connection.secret()
  const { user } = searxngSettings.parse(connection.settings)
  const authorization =
    user !== undefined && user !== ''
      ? `Basic ${Buffer.from(`${user}:${secret ?? ''}`).toString('base64')}`
      : secret
        ? `Bearer ${secret}`
        : undefined
  return { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) }
}

const PROBLEMS: { readonly [code in NetError['code']]?: ConnectionError['code'] } = {
  timeout: 'timeout',
  dropped: 'dropped',
  unreachable: 'unreachable',
  name: 'unreachable',
  private: 'settings',
  address: 'settings',
  scheme: 'settings',
}

function problem(status: number, host: string): ConnectionError | undefined {
  const say = (code: ConnectionError['code'], what: string): ConnectionError =>
    new ConnectionError(code, 'searxng', `The search server ${host} ${what}`)
  if (status === 401 || status === 407) return say('credentials', 'wants a user name and password (or a token).')
  if (status === 403)
    return say(
      'refused',
      'does not give results to programs (status 403). In its settings.yml, add "json" to search: formats:, and restart it.',
    )
  if (status === 429)
    return say(
      'refused',
      'turned BotPsy away for asking too often (status 429). In its settings.yml, set server: limiter: false, or let its limiter pass this machine.',
    )
  if (status === 404) return say('settings', 'has no search at that address (status 404). Check the path.')
  if (status >= 500) return say('protocol', `has trouble of its own (status ${status}). Look into its log.`)
  return status === 200 ? undefined : say('protocol', `answers with status ${status}, which no SearXNG does.`)
}

/**
 * Searches with a connected SearXNG. The instance may stand on this machine or in the owner's network: that address, and
 * no other there, is open for this connection, and the credentials go nowhere else (redirects are not followed).
 * @throws ConnectionError
 */
export async function searchWith(
  connection: Connection,
  asked: SearchQuery,
  way: Way & { readonly signal?: AbortSignal; readonly seconds?: number } = {},
): Promise<SearchAnswer> {
  const base = instanceUrl(connection.settings)
  const url = new URL('search', base)
  url.searchParams.set('q', asked.query.slice(0, 500))
  url.searchParams.set('format', 'json')
  if (asked.category) url.searchParams.set('categories', asked.category)
  if (asked.time) url.searchParams.set('time_range', asked.time)
  const { seconds = 20, signal, ...rest } = way
  let status: number
  let body: string
  try {
    const got = await guardedFetch(url.href, {
      ...rest,
      open: [...(way.open ?? []), base.origin],
      headers: await headers(connection),
      anyStatus: true,
      redirects: 0,
      times: { connect: Math.min(10, seconds) * 1000, headers: seconds * 1000, total: seconds * 1000 },
      ...(signal === undefined ? {} : { signal }),
    })
    status = got.status
    body = Buffer.from(got.bytes).toString('utf8')
  } catch (error) {
    if (error instanceof ConnectionError) throw error
    const known = asNetError(error, base.host)
    const message =
      known.code === 'redirects'
        ? `The search server ${base.host} sends visitors on to another address. Connect that one instead.`
        : known.message
    throw new ConnectionError(PROBLEMS[known.code] ?? 'protocol', 'searxng', message, { cause: error })
  }
  const wrong = problem(status, base.host)
  if (wrong) throw wrong
  let found: z.infer<typeof answerSchema>
  try {
    found = answerSchema.parse(JSON.parse(body))
  } catch (error) {
    throw new ConnectionError(
      'protocol',
      'searxng',
      `What ${base.host} answers is no search result. Check that a SearXNG runs at that address.`,
      { cause: error },
    )
  }
  const boxes = found.infoboxes.map((b) => plain(b.content, 1500)).filter((t) => t !== '')
  return {
    results: found.results.flatMap((r) => {
      const title = plain(r.title, 200)
      return !r.url || !/^https?:\/\//i.test(r.url) || title === ''
        ? []
        : [{ title, url: plain(r.url, 1000), text: plain(r.content, 500), date: r.publishedDate ?? undefined }]
    }),
    answers: [...found.answers.map((a) => plain(a, 1500)).filter((t) => t !== ''), ...boxes],
    silent: found.unresponsive_engines.map((e) => plain(e.slice(0, 2).join(': '), 100)),
  }
}
