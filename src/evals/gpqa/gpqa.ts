import { readFileSync } from 'node:fs'
import { readCsv } from '../text/csv.js'
import { PythonRandom } from '../text/mersenne-twister.js'

/** A question with its four choices in the order shown. */
export interface GpqaQuestion {
  readonly id: string
  readonly question: string
  readonly choices: readonly string[]
  /** Letter of the right choice. */
  readonly answer: string
  readonly category: string
}

/** The user's copy of GPQA cannot be read. */
export class GpqaFileError extends Error {
  override readonly name = 'GpqaFileError'
  readonly code = 'gpqa-file'
  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(`${file}: ${reason}. Expected the published gpqa_diamond.csv.`)
  }
}

const LETTERS = ['A', 'B', 'C', 'D']

/**
 * Reads the published CSV. The choices, the three wrong ones first, are shuffled question after question by one
 * generator of Python seeded with `seed`, as the authors' baselines do (seed 0).
 * @throws GpqaFileError
 */
export function readGpqa(file: string, seed = 0): GpqaQuestion[] {
  const [head = [], ...rows] = readCsv(readFileSync(file, 'utf8'))
  const column = (name: string): number => {
    const at = head.indexOf(name)
    if (at < 0) throw new GpqaFileError(file, `no column ${name}`)
    return at
  }
  const question = column('Question')
  const right = column('Correct Answer')
  const wrong = [1, 2, 3].map((n) => column(`Incorrect Answer ${n}`))
  const id = head.indexOf('Record ID')
  const domain = head.indexOf('High-level domain')
  const random = new PythonRandom(seed)
  return rows
    .filter((row) => row.length > 0)
    .map((row, at) => {
      const correct = row[right] ?? ''
      const choices = [...wrong.map((index) => row[index] ?? ''), correct]
      shuffle(choices, random)
      return {
        id: (id < 0 ? '' : row[id]) || String(at + 1),
        question: row[question] ?? '',
        choices,
        answer: LETTERS[choices.indexOf(correct)] ?? '',
        category: (domain < 0 ? '' : row[domain]) || 'unlabelled',
      }
    })
}

/** `random.shuffle(items)` of Python. */
function shuffle(items: string[], random: PythonRandom): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const [a, b] = [items[i], items[j]]
    if (a === undefined || b === undefined) continue
    items[i] = b
    items[j] = a
  }
}

/** The zero-shot prompt of the authors' baselines. */
export function gpqaPrompt({ question, choices }: Pick<GpqaQuestion, 'question' | 'choices'>): string {
  const lines = choices.map((choice, index) => `(${LETTERS[index]}) ${choice}`).join('\n')
  return (
    `What is the correct answer to this question: ${question}\n\nChoices:\n${lines}\n\n` +
    'Format your response as follows: "The correct answer is (insert answer here)"'
  )
}

const PATTERNS = [/answer is \((.)\)/u, /Answer: \((.)\)/u, /answer: \((.)\)/u, /answer \((.)\)/u, /\((.)\)/u]

/**
 * The letter that a response chooses, or null. Of each pattern in turn the first match counts, if it is one of the four
 * letters. Source: the authors' baselines, parse_sampled_answer.
 */
export function gpqaAnswer(response: string): string | null {
  for (const pattern of PATTERNS) {
    const letter = pattern.exec(response)?.[1]
    if (letter !== undefined && LETTERS.includes(letter)) return letter
  }
  return null
}
