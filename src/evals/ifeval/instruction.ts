import type { PythonRandom } from '../text/mersenne-twister.js'
import type { TextTools } from '../text/tools.js'

/** A response cannot be judged: the instruction is unknown, or its arguments are not what the checker takes. */
export class InstructionError extends Error {
  override readonly name = 'InstructionError'
  readonly code = 'instruction'
  constructor(
    readonly instruction: string,
    reason: string,
  ) {
    super(`${instruction}: ${reason}`)
  }
}

/** Judges one response. */
export type Check = (response: string) => boolean

/** Makes the judge of an instruction from its arguments. @throws InstructionError */
export type MakeCheck = (args: InstructionArguments, tools: TextTools) => Check

/** The arguments of an instruction as the data gives them; null counts as absent. */
export class InstructionArguments {
  constructor(
    readonly instruction: string,
    readonly values: Readonly<Record<string, unknown>>,
    /** Draws the arguments that are absent and have a random default. */
    readonly random: PythonRandom,
  ) {}

  /** A string, or undefined when absent. @throws InstructionError */
  text(name: string): string | undefined {
    const value = this.values[name] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    throw this.#wrong(name, 'a string')
  }

  /** A string that must be there. @throws InstructionError */
  requiredText(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw this.#wrong(name, 'given')
    return value
  }

  /** A number, or undefined when absent. @throws InstructionError */
  number(name: string): number | undefined {
    const value = this.values[name] ?? undefined
    if (value === undefined || typeof value === 'number') return value
    throw this.#wrong(name, 'a number')
  }

  /** A number; when absent or negative one from `low` to `high`, both included. @throws InstructionError */
  numberOrDrawn(name: string, low: number, high: number): number {
    const value = this.number(name)
    return value === undefined || value < 0 ? this.drawn(low, high) : value
  }

  /** `random.randint(low, high)`. */
  drawn(low: number, high: number): number {
    return low + this.random.below(high - low + 1)
  }

  /** A list of strings, or undefined when absent or empty. @throws InstructionError */
  texts(name: string): string[] | undefined {
    const value = this.values[name] ?? undefined
    if (value === undefined) return undefined
    if (!Array.isArray(value) || !value.every((one): one is string => typeof one === 'string'))
      throw this.#wrong(name, 'a list of strings')
    return value.length === 0 ? undefined : value
  }

  /** Compares a count by the relation in argument `name`: "less than" or "at least". @throws InstructionError */
  relation(name: string): (count: number, threshold: number) => boolean {
    const value = this.text(name) ?? this.random.choice(['less than', 'at least'])
    if (value === 'less than') return (count, threshold) => count < threshold
    if (value === 'at least') return (count, threshold) => count >= threshold
    throw this.#wrong(name, 'less than or at least')
  }

  #wrong(name: string, expected: string): InstructionError {
    return new InstructionError(this.instruction, `${name} must be ${expected}`)
  }
}
