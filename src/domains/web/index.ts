import type { JsonObject } from '../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { type Connection, ConnectionError, type Connections } from '../connections/contract.js'
import { implement, reads } from '../implement.js'
import type { Way } from '../net/index.js'
import { asked, done, failed, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'
import { text } from '../words/args.js'
import { countWords } from '../words/match.js'
import { instanceUrl, type SearchQuery, searchWith } from './searxng.js'
import { webContracts } from './tools.js'

/** How one tool looks things up, in the local index and with a search server. */
interface Source {
  /** What a search server is asked, from the arguments; undefined where a search cannot answer (ways, traffic). */
  readonly query?: (args: JsonObject) => string
  readonly category?: SearchQuery['category']
  /** Kind of passages; undefined for all. */
  readonly kind: string | undefined
  /** Arguments whose words are looked for. */
  readonly words: readonly string[]
  /** What is not connected. */
  readonly service: string
  /** "cannot tell …" with the owner's words. */
  readonly gap: (args: JsonObject, when: string) => string
  readonly question?: string
}

const of = (args: JsonObject, name: string, lead: string): string =>
  text(args, name) === undefined ? '' : ` ${lead}${lead ? ' ' : ''}${text(args, name)}`

const words =
  (...names: readonly string[]) =>
  (args: JsonObject): string =>
    names.flatMap((name) => text(args, name) ?? []).join(' ')

const SOURCES: { readonly [tool: string]: Source } = {
  web_search: {
    query: words('query'),
    kind: undefined,
    words: ['query'],
    service: 'web search',
    gap: (a) => `cannot search for ${text(a, 'query')}`,
    question: 'What should I search for?',
  },
  weather_get: {
    query: (a) => `weather ${words('place', 'when')(a)}`,
    category: 'weather',
    kind: 'weather',
    words: ['place', 'condition'],
    service: 'weather service',
    gap: (a, when) => `cannot tell the weather${of(a, 'place', 'in')}${when}`,
  },
  news_get: {
    query: (a) => words('topic', 'place', 'source')(a) || 'news',
    category: 'news',
    kind: 'news',
    words: ['topic', 'place', 'source'],
    service: 'news source',
    gap: (a, when) => `have no news${of(a, 'topic', 'about')}${of(a, 'place', 'from')}${of(a, 'source', 'by')}${when}`,
  },
  fact_find: {
    query: words('question', 'about'),
    kind: 'fact',
    words: ['question', 'about'],
    service: 'source of facts',
    gap: (a) =>
      `cannot answer${(text(a, 'question') ?? text(a, 'about')) ? ` "${text(a, 'question') ?? text(a, 'about')}"` : ' that'}`,
  },
  word_define: {
    query: (a) => `define ${words('word')(a)}`,
    kind: 'word',
    words: ['word'],
    service: 'dictionary',
    gap: (a) => `cannot define ${text(a, 'word')}`,
    question: 'Which word?',
  },
  recipe_find: {
    query: (a) => `${words('dish', 'ingredient', 'method')(a)} recipe`,
    kind: 'recipe',
    words: ['dish', 'ingredient'],
    service: 'source of recipes',
    gap: (a) => `have no recipe${of(a, 'dish', 'for')}`,
  },
  events_find: {
    query: (a) => `${words('event')(a) || 'events'} ${words('place', 'when')(a)}`,
    kind: 'event',
    words: ['event', 'place'],
    service: 'source of events',
    gap: (a, when) => `know of no events${of(a, 'place', 'in')}${when}`,
  },
  places_find: {
    query: words('kind', 'place'),
    kind: 'place',
    words: ['kind', 'place'],
    service: 'map',
    gap: (a) => `cannot look for ${text(a, 'kind') ?? 'places'}${of(a, 'place', 'in')}`,
  },
  movies_find: {
    query: (a) => `${words('movie', 'kind')(a) || 'movies'} ${words('what', 'place', 'when')(a)}`,
    kind: 'movie',
    words: ['movie', 'kind', 'place'],
    service: 'cinema guide',
    gap: (a, when) => `cannot tell${of(a, 'movie', 'about')} what is shown${of(a, 'place', 'in')}${when}`,
  },
  work_find: {
    query: words('title', 'kind'),
    kind: 'work',
    words: ['title'],
    service: 'catalogue',
    gap: (a) => `cannot look for${of(a, 'kind', 'the')} ${text(a, 'title')}`,
    question: 'What is it called?',
  },
  route_get: {
    kind: 'route',
    words: ['from', 'to', 'mode'],
    service: 'route planner',
    gap: (a, when) => `cannot tell the way${of(a, 'from', 'from')}${of(a, 'to', 'to')}${of(a, 'mode', 'by')}${when}`,
  },
  traffic_get: {
    kind: 'traffic',
    words: ['place'],
    service: 'traffic service',
    gap: (a, when) => `cannot tell the traffic${of(a, 'place', 'in')}${when}`,
  },
}

const sayAt = (args: JsonObject, context: ToolContext): string => {
  const phrase = text(args, 'when')
  if (phrase === undefined) return ''
  const when = resolveWhen(phrase, { now: context.now(), zone: context.timeZone })
  if (when.kind !== 'resolved') return ` (${phrase})`
  const said = sayWhen(when, context.now())
  return when.bound ? ` ${said}` : ` for ${said}`
}

const firstSentence = (body: string): string =>
  /^[\s\S]*?[.!?](?=\s|$)/.exec(body)?.[0]?.replace(/\s+/g, ' ').trim() ?? body.split('\n')[0] ?? ''

/** What is known on this machine. */
function fromIndex(records: Records, source: Source, args: JsonObject, context: ToolContext): ToolResult | undefined {
  const said = source.words.map((w) => text(args, w)).filter((x) => x !== undefined)
  // The index is on this machine: what it says is what somebody put into it, or a page that was opened, with its source.
  const found = records.lookUp(said.length > 0 ? said.join(' ') : context.request, source.kind, 5)
  const first = found[0]
  if (first === undefined) return undefined
  return done(firstSentence(first.body) || first.title, {
    lines: found.map((f) => `- ${f.title}: ${f.body.slice(0, 2000)} (source: ${f.source})`),
    data: found.map((f) => ({ title: f.title, body: f.body, source: f.source })),
  })
}

/** Today's news are asked for as such; other times stand in the query or not at all. */
const recent = (args: JsonObject): NonNullable<SearchQuery['time']> =>
  /today|tonight|this morning|latest|now/i.test(text(args, 'when') ?? '') ? 'day' : 'month'

/** Asks the search server. Undefined when it found nothing that answers. */
async function fromServer(
  link: SearchLink,
  source: Source,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  const query = (source.query?.(args) ?? '').replace(/\s+/g, ' ').trim() || context.request.slice(0, 300)
  if (query === '') return undefined
  const answer = await searchWith(
    link.connection,
    {
      query,
      ...(source.category === undefined ? {} : { category: source.category }),
      ...(source.category === 'news' ? { time: recent(args) } : {}),
    },
    { ...link.way, ...(context.signal === undefined ? {} : { signal: context.signal }) },
  )
  const untrusted = `web search results for "${query.slice(0, 60)}"`
  const lines = answer.results
    .slice(0, 8)
    .map((r) => `- ${r.title}${r.date ? ` (${r.date.slice(0, 10)})` : ''}: ${r.text} (${r.url})`)
  const data = answer.results
    .slice(0, 8)
    .map((r) => ({ title: r.title, url: r.url, text: r.text, ...(r.date ? { date: r.date } : {}) }))
  const direct = answer.answers[0]
  if (direct !== undefined)
    return { ...done(firstSentence(direct), { lines: [...answer.answers, ...lines], data }), untrusted }
  const first = answer.results[0]
  // A page about the weather is no forecast.
  if (first === undefined || source.category === 'weather') return undefined
  const begin =
    source.kind === undefined || first.text === ''
      ? `${countWords(answer.results.length, 'page')} found; the first: ${first.title}, at ${new URL(first.url).host}.`
      : firstSentence(first.text)
  return { ...done(begin, { lines, data }), untrusted }
}

async function answer(
  records: Records,
  link: SearchLink | undefined,
  source: Source,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolResult> {
  const said = source.words.some((w) => text(args, w) !== undefined)
  if (!said && source.question !== undefined) return asked(source.question)
  let trouble: string | undefined
  if (link !== undefined && source.query !== undefined) {
    try {
      const found = await fromServer(link, source, args, context)
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      trouble = error.message
    }
  }
  const known = fromIndex(records, source, args, context)
  const notice = trouble === undefined ? '' : `\n${trouble} This comes from what is kept on this machine.`
  if (known !== undefined) return { ...known, content: known.content + notice }
  const gap = source.gap(args, sayAt(args, context))
  if (trouble !== undefined) return failed(`I ${gap}. ${trouble}`)
  if (link === undefined || source.query === undefined || source.category === 'weather')
    return unavailable(
      `No ${source.service} is connected yet${link && source.query ? ' and the web search gave no answer' : ''}, so I ${gap}.`,
    )
  return failed(`The web search found nothing, so I ${gap}.`)
}

/** The search server and the way to it. */
interface SearchLink {
  readonly connection: Connection
  readonly way: Way
}

/** Where searches go, for the policy: the owner's rules may name the host. */
function hostOfLink(link: SearchLink): string | undefined {
  try {
    return instanceUrl(link.connection.settings).host
  } catch {
    return undefined
  }
}

/**
 * Questions about the world: from the owner's search server where one is connected, else from the local index, which
 * also answers when the server does not.
 * @param way how names are looked up; for tests
 */
export function webTools(records: Records, connections?: Connections, way: Way = {}): readonly Tool[] {
  const connection = connections?.find('searxng')
  const link = connection === undefined ? undefined : { connection, way }
  const host = link === undefined ? undefined : hostOfLink(link)
  const tools = implement(
    webContracts,
    Object.fromEntries(
      Object.entries(SOURCES).map(([name, source]) => [
        name,
        reads((args, context) => answer(records, link, source, args, context)),
      ]),
    ),
  )
  if (host === undefined) return tools
  return tools.map((tool) => ({
    ...tool,
    egress: (args: JsonObject) => {
      const query = SOURCES[tool.name]?.query
      return query === undefined ? tool.egress?.(args) : { to: [host], what: `the query "${query(args).trim()}"` }
    },
  }))
}
