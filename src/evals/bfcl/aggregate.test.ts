import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { datasetsFolder, needs } from '../../testing/datasets.js'
import { benchmarkPath } from '../datasets-place.js'
import { type CategoryScore, summarizeBfcl } from './aggregate.js'

const table = z.record(z.string(), z.unknown())
const board = z.object({
  rows: z.array(
    z.object({ model: z.string(), overall: table, non_live: table, live: table, multi_turn: table, agentic: table }),
  ),
})

/** Category, table, column, number of cases where the mean weighs by it. */
const LEAVES = [
  ['simple_python', 'non_live', 'Python Simple AST', 1],
  ['simple_java', 'non_live', 'Java Simple AST', 1],
  ['simple_javascript', 'non_live', 'JavaScript Simple AST', 1],
  ['multiple', 'non_live', 'Multiple AST', 1],
  ['parallel', 'non_live', 'Parallel AST', 1],
  ['parallel_multiple', 'non_live', 'Parallel Multiple AST', 1],
  ['irrelevance', 'non_live', 'Irrelevance Detection', 1],
  ['live_simple', 'live', 'Python Simple AST', 258],
  ['live_multiple', 'live', 'Python Multiple AST', 1053],
  ['live_parallel', 'live', 'Python Parallel AST', 16],
  ['live_parallel_multiple', 'live', 'Python Parallel Multiple AST', 24],
  ['live_irrelevance', 'live', 'Irrelevance Detection', 1],
  ['multi_turn_base', 'multi_turn', 'Base', 1],
  ['multi_turn_miss_func', 'multi_turn', 'Miss Func', 1],
  ['multi_turn_miss_param', 'multi_turn', 'Miss Param', 1],
  ['multi_turn_long_context', 'multi_turn', 'Long Context', 1],
  ['web_search_base', 'agentic', 'Web Search Base', 1],
  ['web_search_no_snippet', 'agentic', 'Web Search No Snippet', 1],
  ['memory_kv', 'agentic', 'Memory KV', 1],
  ['memory_vector', 'agentic', 'Memory Vector', 1],
  ['memory_rec_sum', 'agentic', 'Memory Recursive Summarization', 1],
] as const

test.skipIf(needs('BOTPSY_DATASETS', datasetsFolder()))('every published row follows from its categories', () => {
  const { rows } = board.parse(JSON.parse(readFileSync(benchmarkPath('bfcl_v4/leaderboard.json'), 'utf8')))
  expect(rows).toHaveLength(109)
  for (const row of rows) {
    const scores = new Map<string, CategoryScore>(
      LEAVES.map(([category, part, column, total]) => [
        category,
        { accuracy: Number(row[part][column] ?? 0) / 100, total },
      ]),
    )
    const summary = summarizeBfcl(scores)
    const published = [
      [summary.overall, row.overall['Overall Acc']],
      [summary.nonLive, row.non_live['Non-Live Overall Acc']],
      [summary.live, row.live['Live Overall Acc']],
      [summary.multiTurn, row.multi_turn['Multi Turn Overall Acc']],
      [summary.agentic, row.agentic['Agentic Overall Acc']],
    ] as const
    // The published parts are rounded to 0.01, so a sum of them may be off by as much.
    for (const [ours, theirs] of published)
      expect(Math.abs(ours * 100 - Number(theirs)), row.model).toBeLessThan(0.0101)
  }
})

test('a category that was not run counts as nothing and is named', () => {
  const summary = summarizeBfcl(new Map([['multi_turn_base', { accuracy: 1, total: 200 }]]))
  expect(summary.multiTurn).toBe(0.25)
  expect(summary.overall).toBeCloseTo(0.075)
  expect(summary.missing).toHaveLength(20)
})
