import { TextTools } from '../text/tools.js'
import { VerdictFileError, type VerdictLine } from '../verdict-file.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { readInstructionPrompts } from './cases.js'
import { following } from './follow.js'
import type { MakeCheck } from './instruction.js'

/**
 * Verifier of recorded instruction verdicts: each instruction strict and loose, and both conjunctions. The arguments come
 * from the prompt whose key is the line's id.
 * @throws MissingDataError
 */
export function openInstructionVerifier(
  file: string,
  checks: Readonly<Record<string, MakeCheck>>,
  context: VerifierContext,
): LineVerifier {
  const prompts = new Map(readInstructionPrompts(file, context.datasets).map((prompt) => [prompt.key, prompt]))
  const tools = new TextTools(context.datasets)
  return (line) => {
    const prompt = prompts.get(line.string('id'))
    if (prompt === undefined) return 'no prompt has this id'
    const ours = following(prompt, line.string('response'), checks, tools)
    return (
      difference(line, 'strict', prompt.instructions, ours.strict) ??
      difference(line, 'loose', prompt.instructions, ours.loose) ??
      whole(line, 'verdict', ours.strict) ??
      whole(line, 'verdict_loose', ours.loose)
    )
  }
}

function difference(
  line: VerdictLine,
  member: string,
  ids: readonly string[],
  ours: readonly boolean[],
): string | undefined {
  const recorded = line.plain[member]
  if (!Array.isArray(recorded) || recorded.length !== ours.length)
    throw new VerdictFileError(line.file, line.number, `${member} must have ${ours.length} booleans`)
  const at = ours.findIndex((value, index) => value !== recorded[index])
  return at < 0 ? undefined : `${member} ${ids[at]} is ${ours[at]}, recorded ${recorded[at]}`
}

function whole(line: VerdictLine, member: string, ours: readonly boolean[]): string | undefined {
  const value = ours.every((one) => one)
  return value === line.boolean(member) ? undefined : `${member} is ${value}, recorded ${!value}`
}
