import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../chat/types.js'
import { requestFigures, type ScoredRequest } from './figures.js'
import { expectedCall } from './mapping.js'
import { scoreRequest } from './score.js'

const alarm = {
  text: 'wake me up at six am tomorrow',
  intent: 'alarm_set',
  slots: [
    { name: 'time', value: 'six am' },
    { name: 'date', value: 'tomorrow' },
  ],
}
const step = (calls: { name: string; arguments: JsonObject }[], text = '') => ({
  calls,
  text,
  outputTokens: 5,
  latencyMs: 10,
})

describe('scoreRequest', () => {
  const expected = expectedCall(alarm)

  it('takes the expected call, words in any order, as exact', () => {
    const score = scoreRequest(expected, step([{ name: 'alarm_set', arguments: { when: 'tomorrow six am' } }]))
    expect(score).toMatchObject({
      kind: 'tool',
      toolRight: true,
      exact: true,
      slots: { right: 1, wrong: 0, missed: 0 },
    })
  })

  it('does not take one argument too many, or another value, as exact', () => {
    const extra = scoreRequest(
      expected,
      step([{ name: 'alarm_set', arguments: { when: 'six am tomorrow', label: 'gym' } }]),
    )
    expect(extra).toMatchObject({ toolRight: true, exact: false, slots: { right: 1, wrong: 1, missed: 0 } })
    const other = scoreRequest(expected, step([{ name: 'alarm_set', arguments: { when: 'seven am tomorrow' } }]))
    expect(other).toMatchObject({ toolRight: true, exact: false, slots: { right: 0, wrong: 1, missed: 1 } })
  })

  it('does not take a second call as exact', () => {
    const call = { name: 'alarm_set', arguments: { when: 'six am tomorrow' } }
    expect(scoreRequest(expected, step([call, call])).exact).toBe(false)
  })

  it('takes a question for a call only where a required value is missing', () => {
    expect(scoreRequest(expected, step([], 'When should it ring?')).toolRight).toBe(false)
    const bare = expectedCall({ text: 'set an alarm', intent: 'alarm_set', slots: [] })
    expect(scoreRequest(bare, step([], 'When should it ring?'))).toMatchObject({
      toolRight: true,
      exact: true,
      lacksValue: true,
    })
    expect(scoreRequest(bare, step([{ name: 'alarm_set', arguments: {} }]))).toMatchObject({
      exact: true,
      lacksValue: true,
    })
    expect(scoreRequest(bare, step([], 'Done.')).toolRight).toBe(false)
  })
})

describe('requestFigures', () => {
  const scored = (
    line: typeof alarm | { text: string; intent: string; slots: never[] },
    observed: ReturnType<typeof step>,
  ): ScoredRequest => {
    const expected = expectedCall(line)
    return { text: line.text, intent: line.intent, expected, observed, score: scoreRequest(expected, observed) }
  }
  const thanks = { text: 'thanks', intent: 'general_praise', slots: [] as never[] }

  it('counts no-tool precision over tool and general intents', () => {
    const figures = requestFigures([
      scored(alarm, step([{ name: 'alarm_set', arguments: { when: 'six am tomorrow' } }])),
      scored(alarm, step([], 'Sure.')),
      scored(thanks, step([], 'You are welcome.')),
      scored(thanks, step([], 'Any time.')),
      scored(thanks, step([{ name: 'alarm_list', arguments: {} }])),
      scored({ text: 'amazon deals', intent: 'general_quirky', slots: [] }, step([], 'Hm.')),
    ])
    expect(figures).toMatchObject({ n: 6, toolIntents: 2, noToolIntents: 3, toolChoice: 0.5, exactCall: 0.5 })
    expect(figures.noToolPrecision).toBeCloseTo(2 / 3)
    expect(figures.noToolRecall).toBeCloseTo(2 / 3)
    expect(figures.slotF1).toBeCloseTo(2 / 3)
    expect(figures.quirky).toEqual({ n: 1, answeredInWords: 1 })
    expect(figures.confusions).toEqual([{ expected: 'alarm_set', chosen: 'none', n: 1 }])
  })

  it('keeps JSON free of NaN for an empty file', () => {
    expect(JSON.parse(JSON.stringify(requestFigures([])))).toMatchObject({ n: 0, toolChoice: 0, slotF1: 0 })
  })
})
