import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { benchmarkPath } from '../datasets-place.js'
import type { InstructionCase } from './follow.js'

const schema = z.object({
  key: z.union([z.string(), z.number()]),
  prompt: z.string(),
  instruction_id_list: z.array(z.string()),
  kwargs: z.array(z.record(z.string(), z.unknown())),
})

/** A prompt of IFEval or IFBench. */
export interface InstructionPrompt extends InstructionCase {
  readonly key: string
  readonly prompt: string
}

/**
 * The prompts of `ifeval/input_data.jsonl` or `ifbench/IFBench_test.jsonl`, in their order.
 * @throws MissingDataError, ZodError
 */
export function readInstructionPrompts(file: string, datasets?: string): InstructionPrompt[] {
  return readFileSync(benchmarkPath(file, datasets), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const row = schema.parse(JSON.parse(line))
      return { key: String(row.key), prompt: row.prompt, instructions: row.instruction_id_list, kwargs: row.kwargs }
    })
}
