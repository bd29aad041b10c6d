import type { JsonObject } from '../../chat/types.js'
import type { Tool, ToolContext, ToolResult } from '../../tools/contract.js'
import { implement, reads } from '../implement.js'
import { asked, done, unavailable } from '../result.js'
import type { Records } from '../store/index.js'
import { resolveWhen, sayWhen } from '../time/index.js'
import { text } from '../words/args.js'
import { webContracts } from './tools.js'

/** How one tool looks things up in the local index. */
interface Source {
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

const SOURCES: { readonly [tool: string]: Source } = {
  web_search: {
    kind: undefined,
    words: ['query'],
    service: 'web search',
    gap: (a) => `cannot search for ${text(a, 'query')}`,
    question: 'What should I search for?',
  },
  weather_get: {
    kind: 'weather',
    words: ['place', 'condition'],
    service: 'weather service',
    gap: (a, when) => `cannot tell the weather${of(a, 'place', 'in')}${when}`,
  },
  news_get: {
    kind: 'news',
    words: ['topic', 'place', 'source'],
    service: 'news source',
    gap: (a, when) => `have no news${of(a, 'topic', 'about')}${of(a, 'place', 'from')}${of(a, 'source', 'by')}${when}`,
  },
  fact_find: {
    kind: 'fact',
    words: ['question', 'about'],
    service: 'source of facts',
    gap: (a) =>
      `cannot answer${(text(a, 'question') ?? text(a, 'about')) ? ` "${text(a, 'question') ?? text(a, 'about')}"` : ' that'}`,
  },
  word_define: {
    kind: 'word',
    words: ['word'],
    service: 'dictionary',
    gap: (a) => `cannot define ${text(a, 'word')}`,
    question: 'Which word?',
  },
  recipe_find: {
    kind: 'recipe',
    words: ['dish', 'ingredient'],
    service: 'source of recipes',
    gap: (a) => `have no recipe${of(a, 'dish', 'for')}`,
  },
  events_find: {
    kind: 'event',
    words: ['event', 'place'],
    service: 'source of events',
    gap: (a, when) => `know of no events${of(a, 'place', 'in')}${when}`,
  },
  places_find: {
    kind: 'place',
    words: ['kind', 'place'],
    service: 'map',
    gap: (a) => `cannot look for ${text(a, 'kind') ?? 'places'}${of(a, 'place', 'in')}`,
  },
  movies_find: {
    kind: 'movie',
    words: ['movie', 'kind', 'place'],
    service: 'cinema guide',
    gap: (a, when) => `cannot tell${of(a, 'movie', 'about')} what is shown${of(a, 'place', 'in')}${when}`,
  },
  work_find: {
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

function answer(records: Records, source: Source, args: JsonObject, context: ToolContext): ToolResult {
  const said = source.words.map((w) => text(args, w)).filter((x) => x !== undefined)
  if (said.length === 0 && source.question !== undefined) return asked(source.question)
  // The index is on this machine: what it says is what somebody put into it, with its source.
  const found = records.lookUp(said.length > 0 ? said.join(' ') : context.request, source.kind, 5)
  const first = found[0]
  if (first === undefined)
    return unavailable(`No ${source.service} is connected yet, so I ${source.gap(args, sayAt(args, context))}.`)
  return done(firstSentence(first.body) || first.title, {
    lines: found.map((f) => `- ${f.title}: ${f.body.slice(0, 2000)} (source: ${f.source})`),
    data: found.map((f) => ({ title: f.title, body: f.body, source: f.source })),
  })
}

/** Questions about the world, answered only from the local index until a search service is connected. */
export function webTools(records: Records): readonly Tool[] {
  return implement(
    webContracts,
    Object.fromEntries(
      Object.entries(SOURCES).map(([name, source]) => [
        name,
        reads((args, context) => answer(records, source, args, context)),
      ]),
    ),
  )
}
