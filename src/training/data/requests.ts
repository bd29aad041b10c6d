import type { Draw } from './draw.js'
import type { Piece, Pools } from './grammar.js'
import { renderTemplate } from './grammar.js'
import { calendarRequests } from './requests-calendar.js'
import { deviceRequests } from './requests-devices.js'
import { worldRequests } from './requests-world.js'
import { VALUES } from './values.js'

/** Ways to ask for one tool; slots of the templates are parameters of the tool. */
export interface RequestGrammar {
  readonly tool: string
  /** Arguments that these templates imply. */
  readonly fixed?: { readonly [parameter: string]: string }
  readonly templates: readonly string[]
  /** The argument is the whole question. */
  readonly whole?: boolean
}

/** A request with the call that it asks for, before the frame of politeness. */
export interface SyntheticRequest {
  readonly tool: string
  readonly pieces: readonly Piece[]
  readonly fixed: { readonly [parameter: string]: string }
}

/** Small pools that only some templates need. */
const EXTRA: Pools = {
  mailId: ['m{:digit}', 'm1{:digit}', '{:digit}', 'mail-{:digit}', '{:tensDigit}'],
  tweet: ['tweet'],
  complaint: [
    'the delivery was late',
    'my order arrived broken',
    'their customer service is terrible',
    'the food was cold',
    'my flight was cancelled again',
    'the app keeps crashing',
    'nobody answers the phone',
    'the batteries drain too fast',
    'i waited for {:duration}',
  ],
  vacuum: ['vacuum', 'roomba', 'robot vacuum', 'vacuum cleaner', 'robot'],
  my: ['my'],
  owner: ['my', "{:first}'s", 'our'],
  pause: ['pause', 'stop'],
  skip: ['skip'],
  repeatWord: ['repeat', 'loop', 'replay'],
  shuffle: ['shuffle'],
  next: ['next'],
  previous: ['previous'],
  resume: ['resume', 'continue'],
  readWord: ['read', 'start', 'play'],
  episodeWord: [
    'next episode',
    'latest episode',
    'last episode',
    'previous episode',
    'newest episode',
    'first episode',
  ],
  films: ['movies', 'films', 'animated movies', 'comedies', 'horror movies', 'action movies'],
  cinema: ['{:@location_name}', '{:@location_name}', 'the cinema', 'the movie theatre'],
  movieTimes: ['movie times', 'movie schedule', 'showtimes', 'schedule'],
  road: [
    'the highway',
    'route {:tensDigit}',
    'main street',
    'the i {:tensDigit}',
    'the ring road',
    'the {:color} bridge',
    'the m{:digit}',
    'highway {:digit}',
  ],
  diner: ['restaurant', 'bar', 'pub', 'cafe', 'bistro', 'steakhouse', 'brasserie', 'pizzeria', 'tavern'],
  sorting: ['highly rated', 'popular', 'top-rated', 'best', 'famous'],
  facility: ['parking', 'wifi', 'a pool', 'outdoor seating', 'a smoking room'],
  which: ['this', 'the current', 'the last', 'this'],
}

/** All request templates. */
export const REQUESTS: readonly RequestGrammar[] = [...calendarRequests, ...deviceRequests, ...worldRequests]

/** The pools of templates, with the corpora's slot values under `@name`. */
export function poolsWith(corpusValues: { readonly [slot: string]: readonly string[] }): Pools {
  const own = Object.fromEntries(
    Object.entries(corpusValues).map(([slot, values]) => [`@${slot}`, values.map(escaped)]),
  )
  return { ...VALUES, ...EXTRA, ...own }
}

function escaped(value: string): string {
  return value.replace(/[()[\]{}|]/g, ' ')
}

/** Renders a request by one of the grammars. */
export function drawRequest(grammar: RequestGrammar, pools: Pools, draw: Draw): SyntheticRequest {
  let pieces = renderTemplate(draw.pick(grammar.templates), pools, draw)
  if (grammar.whole) pieces = [{ text: pieces.map(({ text }) => text).join(''), parameter: 'question' }]
  return { tool: grammar.tool, pieces, fixed: grammar.fixed ?? {} }
}
