import { PythonRandom } from '../text/mersenne-twister.js'
import { strip } from '../text/strings.js'
import type { TextTools } from '../text/tools.js'
import { type Check, InstructionArguments, InstructionError, type MakeCheck } from './instruction.js'

/** A prompt's instructions with their arguments. */
export interface InstructionCase {
  readonly instructions: readonly string[]
  /** One object per instruction. */
  readonly kwargs: readonly Readonly<Record<string, unknown>>[]
}

/** Which instructions a response follows, in their order. */
export interface Following {
  readonly strict: readonly boolean[]
  /** Also followed when the first or the last line or all asterisks are taken away. */
  readonly loose: readonly boolean[]
}

/**
 * Judges a response by each of its instructions. A blank response follows none. Where the official code draws an absent
 * argument, strict and loose draw one after the other from one generator, seeded anew for every response, so that a
 * score can be repeated.
 * @throws InstructionError when an instruction is not in `checks` or its arguments are wrong
 */
export function following(
  one: InstructionCase,
  response: string,
  checks: Readonly<Record<string, MakeCheck>>,
  tools: TextTools,
): Following {
  const random = new PythonRandom(0)
  const judged = (texts: readonly string[]): boolean[] =>
    one.instructions.map((id, index) => {
      const make = Object.hasOwn(checks, id) ? checks[id] : undefined
      if (make === undefined) throw new InstructionError(id, 'this instruction is not known')
      const check = make(new InstructionArguments(id, one.kwargs[index] ?? {}, random), tools)
      return texts.some((text) => follows(check, text))
    })
  return { strict: judged([response]), loose: judged(relaxed(response)) }
}

function follows(check: Check, text: string): boolean {
  return strip(text) !== '' && check(text)
}

/** The response itself, then what the loose measure also accepts. */
function relaxed(response: string): string[] {
  const lines = response.split('\n')
  const shorter = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((part) => strip(part.join('\n')))
  const plain = (text: string): string => text.replaceAll('*', '')
  return [response, plain(response), ...shorter, ...shorter.map(plain)]
}
