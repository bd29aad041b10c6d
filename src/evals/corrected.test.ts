import { expect, test } from 'vitest'
import { CORRECTIONS, correct, correctedName } from './corrected.js'

test('a pronoun is no choice, a chosen letter is', () => {
  const line = (response: string, l1: string | null = null): Parameters<typeof correct>[1] => ({
    id: '1',
    verdict: true,
    line: { response, answer: 'I', extract_l1: l1 },
  })
  expect(correct('mmlu_pro', line('That is all I know about it'))).toMatchObject({ verdict: false })
  expect(correct('mmlu_pro', line('So it must be I')).verdict).toBe(true)
  expect(correct('mmlu_pro', line('Answer: I. That is all I know')).verdict).toBe(true)
  expect(correct('mmlu_pro', line('The answer is (I), I think', 'I')).verdict).toBe(true)
  expect(correct('ifeval', line('That is all I know')).verdict).toBe(true)
})

test('corrected verdicts never go by the official name, and every correction says why and from where', () => {
  expect(correctedName('mmlu_pro')).not.toBe('mmlu_pro')
  for (const { reason, source } of CORRECTIONS) expect([reason, source].every((text) => text.length > 10)).toBe(true)
})
