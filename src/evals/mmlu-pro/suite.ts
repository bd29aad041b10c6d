import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { benchmarkPath, MissingDataError } from '../datasets-place.js'
import { ask } from '../runner/ask.js'
import type { Suite } from '../runner/suite.js'
import { extractAnswer } from './extract.js'
import { type MmluProQuestion, mmluProPrompt } from './prompt.js'

const questionSchema = z.looseObject({
  question_id: z.number(),
  category: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  answer: z.string(),
  cot_content: z.string().optional(),
})

interface MmluProCase extends MmluProQuestion {
  readonly id: string
  readonly answer: string
  readonly labels: { readonly [name: string]: string }
}

/** Files of the question set, the whole one first; the user's copy may bring the examples of the five-shot prompt. */
const QUESTIONS = ['mmlu_pro/test.jsonl', 'mmlu_pro/sample_1000.jsonl']
const EXAMPLES = 'mmlu_pro/validation.jsonl'

/**
 * MMLU-Pro: five examples of the category where `validation.jsonl` lies beside the questions, else none, which the title
 * says. The official script draws a random letter where none is found; here such an answer is wrong.
 * @throws MissingDataError
 */
export function mmluProSuite(datasets?: string): Suite<MmluProCase, string> {
  const examplesFile = pathIfThere(EXAMPLES, datasets)
  const examples = examplesFile === undefined ? [] : readQuestions(examplesFile)
  const shots = examples.length > 0 ? 'five-shot' : 'zero-shot'
  const questionsFile = QUESTIONS.map((file) => pathIfThere(file, datasets)).find((path) => path !== undefined)
  const opening = readFileSync(benchmarkPath('mmlu_pro/initial_prompt.txt', datasets), 'utf8')
  return {
    name: 'mmlu_pro',
    version: `1-${shots}`,
    title: `MMLU-Pro (${shots})`,
    notes: [
      ...(shots === 'zero-shot'
        ? ['without examples, which the official run shows five of: not to be compared with five-shot figures']
        : []),
      'an answer without a letter is wrong; the official script draws one',
    ],
    cases: async () => {
      if (questionsFile === undefined)
        throw new MissingDataError(QUESTIONS.join(' or '), datasets === undefined ? [] : [datasets])
      return readQuestions(questionsFile).map((question) => ({
        ...question,
        id: String(question.question_id),
        labels: { category: question.category },
      }))
    },
    run: async (one, context) =>
      (await ask(context, [{ role: 'user', content: mmluProPrompt(opening, one, examples) }])).content,
    score: (one, response) => {
      const letter = extractAnswer(response, 'l2')
      return {
        value: Number(letter === one.answer),
        reason: letter === null ? 'no letter found' : `${letter}, right is ${one.answer}`,
      }
    },
  }
}

type Question = MmluProQuestion & z.infer<typeof questionSchema>

function readQuestions(file: string): Question[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => questionSchema.parse(JSON.parse(line)) as Question)
}

function pathIfThere(what: string, datasets: string | undefined): string | undefined {
  try {
    const path = benchmarkPath(what, datasets)
    return existsSync(path) ? path : undefined
  } catch (error) {
    if (error instanceof MissingDataError) return undefined
    throw error
  }
}
