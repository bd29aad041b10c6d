import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message, ToolSpec } from '../../chat/types.js'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import type { Conversation } from '../sft/conversation.js'
import { Draw } from './draw.js'
import type { Corpora, HumanLine } from './human.js'
import { bareText, isHeldOut, readCorpora, swapSlots } from './human.js'
import { jitter } from './jitter.js'
import { NanoDataOptions, NanoSource } from './source.js'

const slot = (name: string, value: string) => ({ name, value })
const line = (text: string, intent: string, slots: HumanLine['slots'] = []): HumanLine => ({
  text,
  intent,
  slots,
  corpus: 'hwu64',
})

const few: Corpora = {
  train: [
    line('wake me up at five am', 'alarm_set', [slot('time', 'five am')]),
    line('set an alarm for nine am tomorrow', 'alarm_set', [slot('time', 'nine am'), slot('date', 'tomorrow')]),
    line('what is the weather in leeds', 'weather_query', [slot('place_name', 'leeds')]),
    line('play dune', 'play_audiobook', [slot('audiobook_name', 'dune')]),
    line('thank you very much', 'general_praise'),
    line('play jazz by nina on the radio or dune', 'play_music', [
      slot('music_genre', 'jazz'),
      slot('artist_name', 'nina'),
      slot('song_name', 'jazz'),
      slot('radio_name', 'radio'),
      slot('playlist_name', 'jazz'),
      slot('podcast_name', 'radio'),
      slot('game_name', 'dune'),
      slot('movie_name', 'dune'),
      slot('person', 'nina'),
    ]),
    {
      ...line('add Dune to jazz', 'AddToPlaylist', [slot('entity_name', 'Dune'), slot('playlist', 'jazz')]),
      corpus: 'snips',
    },
    {
      ...line('find Dune in Leeds', 'SearchCreativeWork', [slot('object_name', 'Dune'), slot('city', 'Leeds')]),
      corpus: 'snips',
    },
    {
      ...line('thai at Odeon with Fame by Nina in rock', 'BookRestaurant', [
        slot('cuisine', 'thai'),
        slot('location_name', 'Odeon'),
        slot('track', 'Fame'),
        slot('artist', 'Nina'),
        slot('genre', 'rock'),
      ]),
      corpus: 'snips',
    },
  ],
  validation: [],
}

const small = NanoDataOptions.parse({ synthetic: 4, snips: 1 })

function check(conversation: Conversation): void {
  const tools = new Map((conversation.tools ?? []).map((tool) => [tool.name, tool]))
  expect(tools.size).toBe(conversation.tools?.length)
  for (const exchange of conversation.exchanges ?? []) {
    expect(exchange[0]?.role).toBe('user')
    expect(exchange.at(-1)?.role).toBe('assistant')
    for (const message of exchange) checkCalls(message, exchange, tools)
  }
}

const ENUMERATED = /^(?:on|off|up|down|mute|unmute|set|like|dislike|lock|unlock)$/

function checkCalls(message: Message, exchange: readonly Message[], tools: ReadonlyMap<string, ToolSpec>): void {
  if (message.role !== 'assistant') return
  const said = exchange.map(({ content }) => content.toLowerCase()).join('\n')
  for (const call of message.toolCalls) {
    const properties = tools.get(call.name)?.parameters.properties
    expect(properties, call.name).toBeDefined()
    for (const [parameter, value] of Object.entries(call.arguments)) {
      expect(properties).toHaveProperty(parameter)
      if (typeof value !== 'string' || ENUMERATED.test(value) || properties?.[parameter]?.enum) continue
      // Values are never invented: each of their words stands in what was said.
      for (const word of value.toLowerCase().split(/\s+/)) expect(said).toContain(word)
    }
  }
}

describe('NanoSource', () => {
  it('gives the same epoch twice, and another one next', () => {
    const source = new NanoSource(few, small)
    const again = new NanoSource(few, small)
    const first = JSON.stringify([...source.epoch(0, 5)])
    expect(JSON.stringify([...again.epoch(0, 5)])).toBe(first)
    expect(JSON.stringify([...source.epoch(1, 6)])).not.toBe(first)
  })

  it('shows every called tool, with known parameters and values from what was said', () => {
    let exchanges = 0
    for (const conversation of new NanoSource(few, small).epoch(0, 7)) {
      check(conversation)
      exchanges += conversation.exchanges?.length ?? 0
    }
    expect(exchanges).toBeGreaterThan(300)
  })

  it('covers every tool, words without tools, results, several calls and tools that are not ours', () => {
    const source = new NanoSource(few, small)
    const names = new Set<string>()
    let words = 0
    let results = 0
    let parallel = 0
    for (const { exchanges = [] } of source.epoch(2, 8)) {
      for (const exchange of exchanges) {
        const calls = exchange.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
        for (const call of calls) names.add(call.name)
        if (calls.length === 0) words++
        if (exchange.some(({ role }) => role === 'tool')) results++
        if (exchange.some((message) => message.role === 'assistant' && message.toolCalls.length > 1)) parallel++
      }
    }
    for (const tool of ['alarm_snooze', 'file_move', 'lock_set', 'stock_level', 'note_find'])
      expect(names).toContain(tool)
    expect(names.size).toBeGreaterThan(90)
    for (const count of [words, results, parallel]) expect(count).toBeGreaterThan(5)
  })
})

describe('swapSlots', () => {
  it('puts other values of the same kind into text and slots alike', () => {
    const original = line('is it cold in leeds on monday', 'weather_query', [
      slot('place_name', 'leeds'),
      slot('date', 'monday'),
    ])
    const values = { place_name: ['york'], date: ['next friday'] }
    const swapped = swapSlots(original, values, () => undefined, 1, new Draw(1))
    expect(swapped.text).toBe('is it cold in york on next friday')
    expect(swapped.slots.map(({ value }) => value)).toEqual(['york', 'next friday'])
  })
})

describe('jitter', () => {
  it('says it otherwise and keeps the words of slots', () => {
    const original = line('can you turn on the lamp in the den', 'iot_hue_lighton', [
      slot('house_place', 'den'),
      slot('device_type', 'lamp'),
    ])
    const draw = new Draw(3)
    const texts = new Set(Array.from({ length: 60 }, () => jitter(original, draw).text))
    expect(texts.size).toBeGreaterThan(8)
    for (const text of texts) expect(text).toMatch(/lamp.*den/)
  })
})

const folder = datasetsFolder()
const corpora = folder === undefined ? '' : join(folder, 'corpora')
const missing = needs('BOTPSY_DATASETS with corpora/', existsSync(join(corpora, 'hwu64')))

describe.skipIf(missing)('the corpora', () => {
  it('splits the training files by hash and never reads a test line', () => {
    const { train, validation } = readCorpora(corpora)
    expect(validation.length / (train.length + validation.length)).toBeCloseTo(0.04, 2)
    expect(validation.every(({ text }) => isHeldOut(text))).toBe(true)
    const texts = new Set([...train, ...validation].map(({ text }) => bareText(text)))
    for (const name of ['hwu64', 'slurp', 'snips']) {
      const rows = readFileSync(join(corpora, name, 'test.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)
      expect(rows.filter((row) => texts.has(bareText((JSON.parse(row) as HumanLine).text)))).toEqual([])
    }
  })

  it('makes texts whose calls fit the tools that are shown', { timeout: 120_000 }, () => {
    const source = new NanoSource(
      readCorpora(corpora),
      NanoDataOptions.parse({ synthetic: 2, snips: 0.1, swapped: 0.2 }),
    )
    let count = 0
    for (const conversation of source.epoch(0, 3)) {
      if (count++ > 150) break
      check(conversation)
    }
    expect(count).toBeGreaterThan(100)
  })
})
