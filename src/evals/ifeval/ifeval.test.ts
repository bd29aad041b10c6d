import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { TextTools } from '../text/tools.js'
import { verifyFile } from '../verify.js'
import '../verifiers.js'
import { readInstructionPrompts } from './cases.js'
import { IFEVAL_CHECKS } from './checks.js'
import { following } from './follow.js'
import { InstructionError } from './instruction.js'
import { IFEVAL_EXAMPLES } from './testing/examples.js'

const tools = new TextTools(datasetsFolder())
const noModels = new TextTools('')
const judge = (id: string, args: Record<string, unknown>, response: string, withTools = noModels) =>
  following({ instructions: [id], kwargs: [args] }, response, IFEVAL_CHECKS, withTools)

describe('following', () => {
  it('forgives outer lines and asterisks in the loose measure only', () => {
    expect(judge('startend:quotation', {}, 'Sure:\n"a"')).toEqual({ strict: [false], loose: [true] })
    expect(judge('startend:quotation', {}, '"a"\nBye')).toEqual({ strict: [false], loose: [true] })
    expect(judge('startend:quotation', {}, 'Sure:\n**"a"**\nBye')).toEqual({ strict: [false], loose: [true] })
    expect(judge('startend:quotation', {}, 'x\ny\n"a"')).toEqual({ strict: [false], loose: [false] })
  })

  it('takes a blank response for following nothing', () => {
    expect(judge('punctuation:no_comma', {}, ' \n')).toEqual({ strict: [false], loose: [false] })
    expect(judge('punctuation:no_comma', {}, '')).toEqual({ strict: [false], loose: [false] })
  })

  it('counts null as absent and draws what is absent, the same in every run', () => {
    const drawn = (): unknown => judge('keywords:letter_frequency', { letter: '!', let_frequency: null }, 'yay, why')
    expect(drawn()).toEqual(drawn())
    // From CPython: random.seed(0) draws the letter y for the strict measure, then W for the loose one.
    const args = { letter: '#', let_frequency: 1, let_relation: 'at least' }
    expect(judge('keywords:letter_frequency', args, 'y')).toEqual({ strict: [true], loose: [false] })
    expect(judge('keywords:letter_frequency', args, 'w')).toEqual({ strict: [false], loose: [true] })
  })

  it('refuses unknown instructions and wrong arguments', () => {
    expect(() => judge('keywords:none', {}, 'a')).toThrow(InstructionError)
    expect(() => judge('constructor', {}, 'a')).toThrow(InstructionError)
    expect(() => judge('keywords:existence', { keywords: [1] }, 'a')).toThrow(InstructionError)
    expect(() => judge('keywords:frequency', { keyword: 'a', relation: 'more' }, 'a')).toThrow(InstructionError)
    expect(() => judge('combination:repeat_prompt', {}, 'a')).toThrow(InstructionError)
  })
})

it('has an example of every instruction', () => {
  expect([...new Set(IFEVAL_EXAMPLES.map((example) => example.id))].sort()).toEqual(Object.keys(IFEVAL_CHECKS).sort())
})

describe.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))('with the data', () => {
  it.each(IFEVAL_EXAMPLES)('judges $id', ({ id, args = {}, follows, fails }) => {
    for (const response of follows)
      expect([response, ...judge(id, args, response, tools).strict]).toEqual([response, true])
    for (const response of fails)
      expect([response, ...judge(id, args, response, tools).strict]).toEqual([response, false])
  })

  it('knows every instruction of the prompts', () => {
    const ids = readInstructionPrompts('ifeval/input_data.jsonl', datasetsFolder()).flatMap((one) => one.instructions)
    expect(ids.filter((id) => !(id in IFEVAL_CHECKS))).toEqual([])
  })

  it('agrees with every recorded verdict', async () => {
    const file = join(datasetsFolder()!, 'verdicts', 'ifeval.jsonl.gz')
    const result = await verifyFile({ suite: 'ifeval', file })
    expect(result.disagreements).toEqual([])
    expect(result.agree).toBeGreaterThan(4000)
  }, 300_000)
})
