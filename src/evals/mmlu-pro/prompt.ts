/** A multiple-choice question of MMLU-Pro. */
export interface MmluProQuestion {
  readonly category: string
  readonly question: string
  readonly options: readonly string[]
  /** Worked answer of an example, beginning with "A: Let's think step by step."; unused for the question asked. */
  readonly cot_content?: string
}

const LETTERS = 'ABCDEFGHIJKLMNOP'

/**
 * The prompt of `evaluate_from_local.py`: the task's opening line with the category in place of `{$}`, the examples of
 * that category in their order, then the question. Options that read "N/A" are padding and left out. Without examples
 * the run is zero-shot and must be labelled so.
 */
export function mmluProPrompt(
  opening: string,
  question: MmluProQuestion,
  examples: readonly MmluProQuestion[] = [],
): string {
  const shown = examples.filter((example) => example.category === question.category)
  return (
    `${opening.replaceAll('{$}', question.category)}\n` +
    shown.map((example) => `${asked(example)}${worked(example)}\n\n`).join('') +
    `${asked(question)}Answer: Let's think step by step.`
  )
}

function asked(question: MmluProQuestion): string {
  const options = question.options.filter((option) => option !== 'N/A')
  const lines = options.map((option, index) => `${LETTERS[index]}. ${option}\n`).join('')
  return `Question:\n${question.question}\nOptions:\n${lines}`
}

function worked(example: MmluProQuestion): string {
  return (example.cot_content ?? '').replaceAll("A: Let's think step by step.", "Answer: Let's think step by step.")
}
