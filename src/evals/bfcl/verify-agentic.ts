import type { PyValue } from '../python/values.js'
import { VerdictFileError } from '../verdict-file.js'
import type { LineVerifier } from '../verify.js'
import { checkAgentic } from './agentic.js'
import { compareVerdict } from './compare-verdict.js'

/** Verifier of bfcl_v4_agentic: `response` against `ground_truth`. */
export function openAgenticVerifier(): LineVerifier {
  return (line) => {
    const answers = line.exact.get('ground_truth')
    if (!Array.isArray(answers) || !answers.every((answer): answer is string => typeof answer === 'string'))
      throw new VerdictFileError(line.file, line.number, 'ground_truth must be a list of strings')
    const response: PyValue = line.exact.get('response') ?? null
    const valid = checkAgentic(response, answers)
    return compareVerdict(line, { verdict: valid, error_type: valid ? null : 'agentic:answer_not_found' })
  }
}
