import { benchmarkPath } from '../datasets-place.js'
import { ask } from '../runner/ask.js'
import type { Suite } from '../runner/suite.js'
import { type GpqaQuestion, gpqaAnswer, gpqaPrompt, readGpqa } from './gpqa.js'

interface GpqaCase extends GpqaQuestion {
  readonly labels: { readonly category: string }
}

/**
 * GPQA Diamond from the user's own copy, `benchmarks/gpqa/gpqa_diamond.csv`: its authors ask not to publish questions.
 * @throws MissingDataError, GpqaFileError when cases are read
 */
export function gpqaSuite(datasets?: string): Suite<GpqaCase, string> {
  return {
    name: 'gpqa_diamond',
    version: '1-zero-shot',
    title: 'GPQA Diamond (zero-shot)',
    notes: ['zero-shot; choices shuffled as by the authors with seed 0; an answer without a letter is wrong'],
    cases: async () =>
      readGpqa(benchmarkPath('gpqa/gpqa_diamond.csv', datasets)).map((question) => ({
        ...question,
        labels: { category: question.category },
      })),
    run: async (one, context) => (await ask(context, [{ role: 'user', content: gpqaPrompt(one) }])).content,
    score: (one, response) => {
      const letter = gpqaAnswer(response)
      return {
        value: Number(letter === one.answer),
        reason: letter === null ? 'no letter found' : `${letter}, right is ${one.answer}`,
      }
    },
  }
}
