import type { LineVerifier, VerifierContext } from '../verify.js'
import { IFEVAL_CHECKS } from './checks.js'
import { openInstructionVerifier } from './verify-instructions.js'

/** Verifier of ifeval. @throws MissingDataError */
export function openIfevalVerifier(context: VerifierContext): LineVerifier {
  return openInstructionVerifier('ifeval/input_data.jsonl', IFEVAL_CHECKS, context)
}
