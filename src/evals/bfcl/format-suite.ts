import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { benchmarkPath } from '../datasets-place.js'
import { ask } from '../runner/ask.js'
import type { Suite } from '../runner/suite.js'
import { BfclCases } from './cases.js'
import { decodeFormatted } from './decode-formats.js'
import { type BfclQuestion, readQuestions, withSystem } from './questions.js'
import { scoreCalls } from './score-single-turn.js'
import { asScore } from './single-turn-suite.js'
import { type PromptVariation, systemPrompt, VARIATIONS, variationName } from './system-prompt.js'

interface FormatCase {
  /** `format_sensitivity_N:variation:id`, as official. */
  readonly id: string
  readonly question: BfclQuestion
  readonly variation: PromptVariation
  readonly labels: { readonly [name: string]: string }
}

/**
 * BFCL v4, format sensitivity: 200 questions in 26 ways of prompting for calls in words. The leaderboard reports the
 * spread over the ways; here it stands among the aggregates as the highest less the lowest.
 */
export function bfclFormatSuite(datasets?: string): Suite<FormatCase, string> {
  const cases = new BfclCases(datasets)
  return {
    name: 'bfcl_v4_format',
    version: '1',
    title: 'BFCL v4, format sensitivity',
    cases: async () => {
      const file = join(benchmarkPath('bfcl_v4/data', datasets), 'BFCL_v4_format_sensitivity.json')
      const ids = z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(file, 'utf8')))
      const out: FormatCase[] = []
      for (const [category, wanted] of Object.entries(ids)) {
        const chosen = new Set(wanted)
        for (const question of await readQuestions(category, datasets)) {
          if (!chosen.has(question.id)) continue
          for (const variation of VARIATIONS) {
            const { returnFormat, tagged, documents, layout, style } = variation
            out.push({
              id: `format_sensitivity_${out.length}:${variationName(variation)}:${question.id}`,
              question,
              variation,
              labels: {
                category,
                'calls as': returnFormat,
                tags: String(tagged),
                'documents as': documents,
                layout,
                style,
              },
            })
          }
        }
      }
      return out
    },
    run: async ({ question, variation }, context) =>
      (await ask(context, withSystem(question.messages, systemPrompt(question.documents, variation)))).content,
    score: async ({ question, variation }, text) =>
      asScore(
        scoreCalls(
          () => decodeFormatted(text, variation.returnFormat, variation.tagged),
          await cases.find(question.category, question.id),
          { category: question.category, language: 'python', underscoreToDot: false },
        ),
      ),
    aggregate: (scored) => {
      const sums = new Map<string, number[]>()
      for (const { id, score } of scored) {
        const way = id.split(':')[1] ?? ''
        sums.set(way, [...(sums.get(way) ?? []), score.value])
      }
      const means = [...sums.values()].map((values) => values.reduce((a, b) => a + b, 0) / values.length)
      if (means.length < 2) return []
      return [
        { name: 'best way', value: Math.max(...means) },
        { name: 'worst way', value: Math.min(...means) },
        { name: 'spread', value: Math.max(...means) - Math.min(...means) },
      ]
    },
  }
}
