import type { JsonObject } from '../../chat/types.js'
import { PyDict, type PyValue } from '../python/values.js'
import { ask } from '../runner/ask.js'
import { exactCalls } from '../runner/exact-calls.js'
import type { Score, Suite } from '../runner/suite.js'
import { type CategoryScore, summarizeBfcl } from './aggregate.js'
import { BfclCases } from './cases.js'
import { decodeNative, decodePrompted, languageOf } from './decode.js'
import { documentAsTool } from './function-docs.js'
import { type BfclQuestion, readQuestions, SINGLE_TURN_CATEGORIES, withSystem } from './questions.js'
import { type SingleTurnScore, scoreCalls, scoreRelevance } from './score-single-turn.js'
import { loadSyntaxParsers, type SyntaxParsers } from './syntax-tree.js'
import { systemPrompt } from './system-prompt.js'

interface SingleTurnCase extends BfclQuestion {
  readonly labels: { readonly [name: string]: string }
}

/** What a model answered: calls of native tool calling with arguments as JSON text, or text. */
interface SingleTurnOutcome extends JsonObject {
  readonly mode: 'native' | 'prompt'
  readonly calls: { name: string; json: string }[]
  readonly text: string
}

/**
 * BFCL v4, single-turn categories. A model whose template knows tools is shown them natively and its calls are read by its
 * dialect; any other is asked in words with the benchmark's default system prompt.
 * @throws MissingDataError when the cases are read
 */
export function bfclSingleTurnSuite(datasets?: string): Suite<SingleTurnCase, SingleTurnOutcome> {
  const cases = new BfclCases(datasets)
  let parsers: Promise<SyntaxParsers> | undefined
  return {
    name: 'bfcl_v4_single_turn',
    version: '1',
    title: 'BFCL v4, single turn',
    notes: [
      'models whose template has no tools are prompted in words, with the default system prompt of the benchmark',
    ],
    cases: async () => {
      const all = await Promise.all(SINGLE_TURN_CATEGORIES.map((category) => readQuestions(category, datasets)))
      return all.flat().map((one) => ({ ...one, labels: { category: one.category, group: groupOf(one.category) } }))
    },
    run: async (one, context) => {
      if (context.engine.model.dialect === 'plain') {
        const turn = await ask(context, withSystem(one.messages, systemPrompt(one.documents)))
        return { mode: 'prompt', calls: [], text: turn.content }
      }
      const tools = one.documents.map(documentAsTool)
      const turn = await ask(context, one.messages, { tools })
      const calls = exactCalls(context.engine.model, tools, turn).map(({ name, json }) => ({ name, json }))
      return { mode: 'native', calls, text: turn.content }
    },
    score: async (one, outcome) => {
      const language = languageOf(one.category)
      parsers ??= loadSyntaxParsers()
      const ready = await parsers
      const decode = (): PyValue =>
        outcome.mode === 'prompt'
          ? decodePrompted(outcome.text, one.category.includes('relevance') ? 'python' : language, ready)
          : decodeNative(
              outcome.calls.length === 0
                ? outcome.text || 'no call'
                : outcome.calls.map(({ name, json }) => new PyDict().set(name, json)),
            )
      const score = one.category.includes('relevance')
        ? scoreRelevance(decode, one.category)
        : scoreCalls(decode, await cases.find(one.category, one.id), {
            category: one.category,
            language,
            underscoreToDot: outcome.mode === 'native',
          })
      return asScore(score)
    },
    aggregate: (scored) => {
      const byCategory = new Map<string, { right: number; total: number }>()
      for (const { labels, score } of scored) {
        const entry = byCategory.get(labels.category ?? '') ?? { right: 0, total: 0 }
        entry.right += score.value
        entry.total++
        byCategory.set(labels.category ?? '', entry)
      }
      const scores = new Map<string, CategoryScore>(
        [...byCategory].map(([category, { right, total }]) => [category, { accuracy: right / total, total }]),
      )
      const summary = summarizeBfcl(scores)
      const has = (...categories: string[]): boolean => categories.every((category) => scores.has(category))
      return [
        ...(has('simple_python', 'simple_java', 'simple_javascript', 'multiple', 'parallel', 'parallel_multiple')
          ? [{ name: 'non-live', value: summary.nonLive, note: 'mean of categories, as the leaderboard' }]
          : []),
        ...(has('live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple')
          ? [{ name: 'live', value: summary.live, note: 'weighted by cases, as the leaderboard' }]
          : []),
        ...(has('irrelevance', 'live_irrelevance')
          ? [{ name: 'irrelevance', value: summary.irrelevance, note: 'the leaderboard’s hallucination measure' }]
          : []),
      ]
    },
  }
}

/** Turns the checker's result into a score. */
export function asScore(score: SingleTurnScore): Score {
  return { value: Number(score.valid), ...(score.errorType === null ? {} : { reason: score.errorType }) }
}

function groupOf(category: string): string {
  if (category.includes('irrelevance')) return 'irrelevance'
  return category.startsWith('live') ? 'live' : 'non-live'
}
