import { ask } from '../runner/ask.js'
import type { Score, Suite } from '../runner/suite.js'
import { TextTools } from '../text/tools.js'
import { type InstructionPrompt, readInstructionPrompts } from './cases.js'
import { following } from './follow.js'
import type { MakeCheck } from './instruction.js'

/** A suite of prompts with checkable instructions. */
export interface InstructionSuiteOptions {
  readonly name: string
  readonly title: string
  /** Data file below benchmarks/. */
  readonly file: string
  readonly checks: Readonly<Record<string, MakeCheck>>
  readonly datasets?: string
}

interface InstructionEvalCase extends InstructionPrompt {
  readonly id: string
  readonly labels: { readonly [name: string]: string }
}

/**
 * The prompt is the only message; the answer without its reasoning is judged. `value` is the official prompt-level strict
 * accuracy, with prompt-level loose beside it; the shares of all instructions followed are among the aggregates.
 */
export function instructionSuite(options: InstructionSuiteOptions): Suite<InstructionEvalCase, string> {
  let tools: TextTools | undefined
  return {
    name: options.name,
    version: '1',
    title: options.title,
    cases: async () =>
      readInstructionPrompts(options.file, options.datasets).map((prompt) => ({
        ...prompt,
        id: prompt.key,
        labels: {
          instructions: String(prompt.instructions.length),
          category: (prompt.instructions[0] ?? '').split(':')[0] ?? '',
        },
      })),
    run: async (one, context) => (await ask(context, [{ role: 'user', content: one.prompt }])).content,
    score: (one, response): Score => {
      tools ??= new TextTools(options.datasets)
      const { strict, loose } = following(one, response, options.checks, tools)
      const missed = one.instructions.filter((_, index) => !strict[index])
      return {
        value: Number(missed.length === 0),
        metrics: { loose: Number(loose.every((ok) => ok)) },
        ...(missed.length > 0 ? { reason: `not followed: ${missed.join(', ')}` } : {}),
        details: { strict: [...strict], loose: [...loose] },
      }
    },
    aggregate: (scored) =>
      (['strict', 'loose'] as const).map((level) => {
        const all = scored.flatMap(({ score }) => (score.details?.[level] as boolean[] | undefined) ?? [])
        return { name: `instructions ${level}`, value: all.filter(Boolean).length / Math.max(1, all.length) }
      }),
  }
}
