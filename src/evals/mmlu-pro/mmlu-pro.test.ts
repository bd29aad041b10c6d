import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { verifyFile } from '../verify.js'
import '../verifiers.js'
import { extractAnswer } from './extract.js'
import { mmluProPrompt } from './prompt.js'

describe('extractAnswer', () => {
  it('takes the first phrase, with or without brackets', () => {
    expect(extractAnswer('Then the answer is (C). No, the answer is D.', 'l1')).toBe('C')
    expect(extractAnswer('the answer is J', 'l1')).toBe('J')
    expect(extractAnswer('the answer is K', 'l1')).toBeNull()
  })

  it('takes the last label of a line, whose letter may stand on the next line', () => {
    expect(extractAnswer('Answer: B, or rather answer: \n C\nAnswer: D', 'l2')).toBe('C')
    expect(extractAnswer('Answer: B', 'l1')).toBeNull()
  })

  it('falls back to the last letter that stands alone', () => {
    expect(extractAnswer('A or B,\nnot C_ nor Dé', 'l2')).toBe('B')
    expect(extractAnswer('none', 'l2')).toBeNull()
  })
})

describe('mmluProPrompt', () => {
  const question = { category: 'law', question: 'Why?', options: ['x', 'N/A', 'y'] }
  it('asks without examples', () => {
    expect(mmluProPrompt('About {$}.\n', question)).toBe(
      "About law.\n\nQuestion:\nWhy?\nOptions:\nA. x\nB. y\nAnswer: Let's think step by step.",
    )
  })

  it('shows the examples of the same category only', () => {
    const example = { ...question, question: 'How?', cot_content: "A: Let's think step by step. So (A)." }
    const prompt = mmluProPrompt('{$}', question, [example, { ...example, category: 'health' }])
    expect(prompt.split("Answer: Let's think step by step.").length).toBe(3)
    expect(prompt).toContain("B. y\nAnswer: Let's think step by step. So (A).\n\nQuestion:\nWhy?")
  })
})

it.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))('agrees with every recorded verdict', async () => {
  const file = join(datasetsFolder()!, 'verdicts', 'mmlu_pro.jsonl.gz')
  const result = await verifyFile({ suite: 'mmlu_pro', file })
  expect(result.disagreements).toEqual([])
  expect(result.agree).toBeGreaterThan(2000)
})
