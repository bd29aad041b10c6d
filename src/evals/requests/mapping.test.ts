import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allContracts } from '../../domains/contracts.js'
import { callEquals, expectedCall, mappingShare, UnknownIntentError } from './mapping.js'
import type { RequestLine } from './mapping-spans.js'
import { INTENT_TABLE } from './mapping-table.js'

const slot = (name: string, value: string) => ({ name, value })
const call = (line: RequestLine) => {
  const expectation = expectedCall(line)
  if (!('tool' in expectation)) throw new Error('no tool expected')
  return expectation
}

describe('expectedCall', () => {
  it('joins date and time into the span that covers both', () => {
    const expected = call({
      text: 'remind me to go to dinner with dave on friday at five pm',
      intent: 'calendar_set',
      slots: [slot('meal_type', 'dinner'), slot('person', 'dave'), slot('date', 'friday'), slot('time', 'five pm')],
    })
    expect(expected.tool).toBe('calendar_create')
    expect(expected.arguments).toEqual({ title: 'dinner', when: 'friday at five pm', people: 'dave' })
    expect(expected.missing).toEqual([])
  })

  it('joins by a blank what stands apart', () => {
    const text = 'on friday remind me of the dentist at nine'
    const slots = [slot('date', 'friday'), slot('event_name', 'dentist'), slot('time', 'nine')]
    expect(call({ text, intent: 'calendar_set', slots }).arguments['when']).toBe('friday nine')
  })

  it('tells from and to by the words around places', () => {
    const text = 'i need to get a ticket via train to orlando from hollywood'
    const slots = [slot('transport_type', 'train'), slot('place_name', 'orlando'), slot('place_name', 'hollywood')]
    const expected = call({ text, intent: 'transport_ticket', slots })
    expect(expected.arguments).toEqual({ mode: 'train', from: 'hollywood', to: 'orlando' })
  })

  it('takes the item of a list from the text, and nothing for an unnamed one', () => {
    const slots = [slot('list_name', 'shopping list')]
    const add = call({ text: 'add red wine to my shopping list', intent: 'lists_createoradd', slots })
    expect(add.arguments).toEqual({ list: 'shopping list', item: 'red wine' })
    const generic = call({ text: 'put the item on the list', intent: 'lists_createoradd', slots: [] })
    expect(generic.arguments).toEqual({})
  })

  it('says what is missing', () => {
    const expected = call({ text: 'compose email', intent: 'email_sendemail', slots: [] })
    expect(expected.missing).toEqual(['to', 'text'])
  })

  it('converts into the currency that is counted', () => {
    const text = 'how many dollars is twelve pesos'
    const slots = [slot('currency_name', 'dollars'), slot('currency_name', 'pesos')]
    expect(call({ text, intent: 'qa_currency', slots }).arguments).toEqual({
      from: 'pesos',
      to: 'dollars',
      amount: 'twelve',
    })
  })

  it('answers general intents in words, keeps quirky ones apart, and refuses unknown ones', () => {
    expect(expectedCall({ text: 'thanks', intent: 'general_praise', slots: [] })).toEqual({ noTool: true })
    expect(expectedCall({ text: 'do you like me', intent: 'general_quirky', slots: [] })).toEqual({ quirky: true })
    expect(() => expectedCall({ text: 'x', intent: 'nope', slots: [] })).toThrow(UnknownIntentError)
  })

  it('names only tools and fixed arguments that exist', () => {
    const contracts = new Map(allContracts.map((contract) => [contract.name, contract]))
    for (const row of Object.values(INTENT_TABLE)) {
      const shape = contracts.get(row.tool)?.parameters.shape
      expect(shape, row.tool).toBeDefined()
      for (const parameter of Object.keys(row.fixed ?? {})) expect(shape, row.tool).toHaveProperty(parameter)
      for (const target of Object.values(row.slots ?? {})) {
        const names = target === 'from/to' ? ['to'] : [target]
        for (const name of names) expect(shape, `${row.tool}.${name}`).toHaveProperty(name)
      }
    }
  })
})

describe('callEquals', () => {
  const expected = call({
    text: 'set an alarm for seven am tomorrow',
    intent: 'alarm_set',
    slots: [slot('time', 'seven am'), slot('date', 'tomorrow')],
  })

  it('does not mind order, function words or digits', () => {
    expect(callEquals(expected, { name: 'alarm_set', arguments: { when: 'tomorrow at 7 am' } })).toBe(true)
  })

  it('minds another value, a missing one, one too many and another tool', () => {
    expect(callEquals(expected, { name: 'alarm_set', arguments: { when: 'tomorrow at 8 am' } })).toBe(false)
    expect(callEquals(expected, { name: 'alarm_set', arguments: {} })).toBe(false)
    expect(callEquals(expected, { name: 'alarm_set', arguments: { when: 'seven am tomorrow', label: 'run' } })).toBe(
      false,
    )
    expect(callEquals(expected, { name: 'alarm_list', arguments: { when: 'seven am tomorrow' } })).toBe(false)
  })

  it('takes the words that a tool implies as no argument', () => {
    const show = call({ text: 'show my list', intent: 'lists_query', slots: [] })
    expect(callEquals(show, { name: 'list_show', arguments: { list: 'my list' } })).toBe(true)
    expect(callEquals(show, { name: 'list_show', arguments: { list: 'shopping list' } })).toBe(false)
  })
})

const corpora = process.env['BOTPSY_DATASETS'] ? join(process.env['BOTPSY_DATASETS'], 'corpora') : ''
const available = corpora !== '' && existsSync(corpora)
if (!available && process.env['CI'] === 'true') throw new Error('BOTPSY_DATASETS must name the data sets in CI')

describe.skipIf(!available)('share of slots carried (needs BOTPSY_DATASETS)', () => {
  it.each(['hwu64', 'slurp', 'snips'])('%s: at least 95%%', (name) => {
    const lines = readFileSync(join(corpora, name, 'train.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as RequestLine)
    expect(mappingShare(lines).share).toBeGreaterThanOrEqual(0.95)
  })
})
