import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { readInstructionPrompts } from '../ifeval/cases.js'
import { following } from '../ifeval/follow.js'
import { TextTools } from '../text/tools.js'
import { verifyFile } from '../verify.js'
import '../verifiers.js'
import { IFBENCH_CHECKS } from './checks.js'
import { decimalValue } from './decimal.js'
import { IFBENCH_EXAMPLES } from './testing/examples.js'

const tools = new TextTools(datasetsFolder())
const strict = (id: string, args: Readonly<Record<string, unknown>>, response: string): boolean | undefined =>
  following({ instructions: [id], kwargs: [args] }, response, IFBENCH_CHECKS, tools).strict[0]

it('reads decimal digits of every script', () => {
  expect([decimalValue('1796'), decimalValue('٠٤٢'), decimalValue('𝟗𝟘𝟭')]).toEqual([1796, 42, 901])
})

it('has an example of every instruction', () => {
  expect([...new Set(IFBENCH_EXAMPLES.map((example) => example.id))].sort()).toEqual(Object.keys(IFBENCH_CHECKS).sort())
})

describe.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))('with the data', () => {
  it.each(IFBENCH_EXAMPLES)('judges $id', ({ id, args = {}, follows, fails }) => {
    for (const response of follows) expect([response, strict(id, args, response)]).toEqual([response, true])
    for (const response of fails) expect([response, strict(id, args, response)]).toEqual([response, false])
  })

  it('knows every instruction of the prompts', () => {
    const ids = readInstructionPrompts('ifbench/IFBench_test.jsonl', datasetsFolder()).flatMap(
      (one) => one.instructions,
    )
    expect(ids.filter((id) => !(id in IFBENCH_CHECKS))).toEqual([])
  })

  it('agrees with every recorded verdict', async () => {
    const file = join(datasetsFolder()!, 'verdicts', 'ifbench.jsonl.gz')
    const result = await verifyFile({ suite: 'ifbench', file })
    expect(result.disagreements).toEqual([])
    expect(result.agree).toBeGreaterThan(4000)
  }, 300_000)
})
