import { VerdictFileError } from '../verdict-file.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { BfclCases } from './cases.js'
import { decodeFormatted, RETURN_FORMATS } from './decode-formats.js'
import { scoreCalls } from './score-single-turn.js'
import { compareScore } from './verify-single-turn.js'

/** Verifier of bfcl_v4_format: single-turn Python cases whose calls are written in other notations. */
export function openFormatVerifier(context: VerifierContext): LineVerifier {
  const cases = new BfclCases(context.datasets)
  return async (line) => {
    const category = line.string('category')
    const format = RETURN_FORMATS.find((one) => one === line.plain.return_format)
    if (!format)
      throw new VerdictFileError(line.file, line.number, `return_format must be one of ${RETURN_FORMATS.join(', ')}`)
    const tagged = line.boolean('has_tool_call_tag')
    const raw = line.string('raw')
    const one = await cases.find(category, line.string('id'))
    const settings = { category, language: 'python', underscoreToDot: false } as const
    return compareScore(
      line,
      scoreCalls(() => decodeFormatted(raw, format, tagged), one, settings),
    )
  }
}
