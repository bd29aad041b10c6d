import { added, changed } from '../expect.js'
import { exactly, mentions } from '../match.js'
import * as pools from '../pools.js'
import { call, report, say } from '../scenario.js'
import type { Stage, Template } from '../template.js'
import { sayTime } from '../times.js'

const field = 'web search' as const
const SEARCHES = ['web_search', 'fact_find']

const passage = ({ household }: Stage, kind: string, title: string): string =>
  household.web.find((one) => one.kind === kind && one.title === title)?.body ?? ''

const degrees = (stage: Stage, city: string): number =>
  Number(/(-?\d+) degrees/.exec(passage(stage, 'weather', `Weather in ${city}`))?.[1])

const sky = (stage: Stage, city: string): string =>
  /: (\w+) tomorrow/.exec(passage(stage, 'weather', `Weather in ${city}`))?.[1] ?? ''

/** What the world outside says. */
export const webTemplates: readonly Template[] = [
  {
    id: 'web.define',
    field,
    traits: [],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.WORDS, 2)
      const word = one?.word ?? ''
      const opening = draw.one([`Define the word ${word}.`, `What does the word ${word} mean?`])
      return {
        slots: { word, opening },
        opening,
        calls: [{ tools: ['word_define', ...SEARCHES] }],
        tells: [{ what: 'the meaning', anyOf: [one?.fact ?? ''] }],
        solution: [call('word_define', { word }), report],
        decoys: [[word, wrong?.word ?? '']],
      }
    },
  },
  {
    id: 'web.recipe',
    field,
    traits: [],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.DISHES, 2)
      const dish = one?.dish ?? ''
      const opening = draw.one([`Find a recipe for ${dish}.`, `How do I cook ${dish}?`])
      return {
        slots: { dish, opening },
        opening,
        calls: [{ tools: ['recipe_find', ...SEARCHES] }],
        tells: [{ what: 'how it is made', anyOf: [one?.fact ?? ''] }],
        solution: [call('recipe_find', { dish }), report],
        decoys: [[dish, wrong?.dish ?? '']],
      }
    },
  },
  {
    id: 'web.work',
    field,
    traits: [],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.WORKS, 2)
      const title = one?.title ?? ''
      const opening = draw.one([
        `Find the work called ${title}. Who made it?`,
        `Look for a creative work called ${title} and tell me whose it is`,
      ])
      return {
        slots: { title, opening },
        opening,
        calls: [{ tools: ['work_find', 'movies_find', ...SEARCHES] }],
        tells: [{ what: 'who made it', anyOf: [one?.fact ?? ''] }],
        solution: [call('work_find', { title }), report],
        decoys: [[title, wrong?.title ?? '']],
      }
    },
  },
  {
    id: 'web.fact',
    field,
    traits: [],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.QUESTIONS, 2)
      const question = one?.question ?? ''
      return {
        slots: { question },
        opening: `${question}?`,
        calls: [{ tools: SEARCHES }],
        tells: [{ what: 'the answer', anyOf: [one?.fact ?? ''] }],
        solution: [call('fact_find', { question }), report],
        decoys: [[question, wrong?.question ?? '']],
      }
    },
  },
  {
    id: 'web.weather',
    field,
    traits: [],
    make: (stage) => {
      const [city, wrong] = stage.draw.some(pools.CITIES, 2) as [string, string]
      const body = (where: string) => passage(stage, 'weather', `Weather in ${where}`)
      const far = body(wrong) === body(city) ? 'Nowhere' : wrong
      return {
        slots: { city, degrees: degrees(stage, city) },
        opening: stage.draw.one([
          `What is the weather in ${city} tomorrow?`,
          `How warm will it be in ${city} tomorrow?`,
        ]),
        calls: [{ tools: ['weather_get', ...SEARCHES] }],
        tells: [{ what: 'the temperature', anyOf: [`${degrees(stage, city)} degrees`] }],
        solution: [call('weather_get', { place: city, when: 'tomorrow' }), report],
        decoys: [[city, degrees(stage, far) === degrees(stage, city) ? 'Nowhere' : far]],
      }
    },
  },
  {
    id: 'web.route',
    field,
    traits: [],
    make: (stage) => {
      const [city] = stage.draw.some(pools.CITIES, 1) as [string]
      const platform = /platform \d+/.exec(passage(stage, 'route', `Train to ${city}`))?.[0] ?? ''
      return {
        slots: { city, platform },
        opening: `How do I get to ${city} by train? Which platform does it leave from?`,
        calls: [{ tools: ['route_get', ...SEARCHES] }],
        tells: [{ what: 'the platform', anyOf: [platform] }],
        solution: [call('route_get', { to: city, mode: 'train' }), report],
        decoys: [[city, 'Nowhere']],
      }
    },
  },
  {
    id: 'web.traffic',
    field,
    traits: [],
    make: (stage) => {
      const [city] = stage.draw.some(pools.CITIES, 1) as [string]
      const road = /road \d+/.exec(passage(stage, 'traffic', `Traffic in ${city}`))?.[0] ?? ''
      return {
        slots: { city, road },
        opening: `Get the traffic in ${city}. Which road is it about?`,
        calls: [{ tools: ['traffic_get', ...SEARCHES] }],
        tells: [{ what: 'the road', anyOf: [road] }],
        solution: [call('traffic_get', { place: city }), report],
        decoys: [[city, 'Nowhere']],
      }
    },
  },
  {
    id: 'web.warmer',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const cities = stage.draw.some(pools.CITIES, pools.CITIES.length)
      const one = cities[0] ?? ''
      const two = cities.find((city) => degrees(stage, city) !== degrees(stage, one)) ?? ''
      const warm = degrees(stage, one) > degrees(stage, two) ? one : two
      const cold = warm === one ? two : one
      return {
        slots: { one, two, warm },
        opening: `Get the weather in ${one} and in ${two} for tomorrow. Tell me the temperature of the warmer place only.`,
        calls: [{ tools: ['weather_get', ...SEARCHES] }],
        tells: [{ what: 'the higher temperature', anyOf: [`${degrees(stage, warm)} degrees`] }],
        solution: [
          {
            calls: [one, two].map((place) => ({ name: 'weather_get', args: { place, when: 'tomorrow' } })),
          },
          say(`In ${warm}: ${degrees(stage, warm)} degrees.`),
        ],
        decoys: [[`In ${warm}: ${degrees(stage, warm)} degrees`, `In ${cold}: ${degrees(stage, cold)} degrees`]],
      }
    },
  },
  {
    id: 'web.which-word',
    field,
    traits: ['missing detail', 'several turns'],
    make: ({ draw }) => {
      const [one, wrong] = draw.some(pools.WORDS, 2)
      const word = one?.word ?? ''
      const opening = draw.one(['Define a word for me.', 'I need the definition of a word.', 'Please define a word.'])
      return {
        slots: { word, opening },
        opening,
        answers: [{ on: /which|word/i, says: `Define ${word}.` }],
        calls: [{ tools: ['word_define', ...SEARCHES] }],
        tells: [{ what: 'the meaning', anyOf: [one?.fact ?? ''] }],
        solution: [call('word_define'), call('word_define', { word }), report],
        decoys: [[word, wrong?.word ?? '']],
      }
    },
  },
  {
    id: 'web.if-rain',
    field,
    traits: ['several calls', 'result decides'],
    make: (stage) => {
      const { draw, at } = stage
      const city = draw.one(pools.CITIES)
      const real = sky(stage, city)
      const feared = draw.unit() < 0.5 ? real : draw.one(pools.WEATHER.filter((one) => one !== real))
      const time = draw.one(['07:00', '12:15', '20:00'])
      const bad = feared === real
      return {
        slots: { city, feared, real, time },
        opening: `Get the weather in ${city} for tomorrow. If there will be ${feared}, add "pack the boots" to my calendar tomorrow at ${sayTime(time)}; otherwise tell me the temperature.`,
        changes: bad ? [added('events', { title: mentions('boots'), start: at(1, time) })] : [],
        calls: [{ tools: ['weather_get', ...SEARCHES] }],
        forbidden: bad ? [] : [{ tools: ['calendar_create'] }],
        tells: bad ? [] : [{ what: 'the temperature', anyOf: [`${degrees(stage, city)} degrees`] }],
        approvals: [{ tool: 'calendar_create', phrases: ['boots'] }],
        solution: [
          call('weather_get', { place: city, when: 'tomorrow' }),
          ...(bad ? [call('calendar_create', { title: 'pack the boots', when: `tomorrow at ${sayTime(time)}` })] : []),
          report,
        ],
        decoys: bad ? [['pack the boots', 'pack the']] : [[city, 'Nowhere']],
      }
    },
  },
  {
    id: 'web.other-city',
    field,
    traits: ['changed mind', 'several turns'],
    make: (stage) => {
      const cities = stage.draw.some(pools.CITIES, pools.CITIES.length)
      const first = cities[0] ?? ''
      const city = cities.find((one) => degrees(stage, one) !== degrees(stage, first)) ?? ''
      return {
        slots: { first, city },
        opening: `Get the weather in ${first} for tomorrow.`,
        next: [`Sorry, I meant another place. Get the weather in ${city} for tomorrow.`],
        calls: [{ tools: ['weather_get', ...SEARCHES] }],
        tells: [{ what: 'the temperature', anyOf: [`${degrees(stage, city)} degrees`] }],
        solution: [
          call('weather_get', { place: first, when: 'tomorrow' }),
          report,
          call('weather_get', { place: city, when: 'tomorrow' }),
          report,
        ],
        decoys: [[city, 'Nowhere']],
      }
    },
  },
  {
    id: 'web.recipe-and-list',
    field,
    traits: ['several calls'],
    make: (stage) => {
      const { draw, household } = stage
      const [one, wrong] = draw.some(pools.DISHES, 2)
      const dish = one?.dish ?? ''
      const items = household.records.lists?.find((row) => row.id === 'shopping')?.data.items
      const list = Array.isArray(items) ? items.map(String) : []
      const item = draw.one(pools.GROCERIES.filter((one) => !list.includes(one)))
      return {
        slots: { dish, item },
        opening: `Add ${item} to the shopping list, and find a recipe for ${dish}.`,
        changes: [changed('lists', { name: 'shopping' }, { items: exactly([...list, item]) })],
        calls: [{ tools: ['recipe_find', ...SEARCHES] }],
        tells: [{ what: 'how it is made', anyOf: [one?.fact ?? ''] }],
        solution: [call('list_add', { list: 'shopping', item }), call('recipe_find', { dish }), report],
        decoys: [[dish, wrong?.dish ?? '']],
      }
    },
  },
]
