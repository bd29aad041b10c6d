import { openInstructionVerifier } from '../ifeval/verify-instructions.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { IFBENCH_CHECKS } from './checks.js'

/** Verifier of ifbench. @throws MissingDataError */
export function openIfbenchVerifier(context: VerifierContext): LineVerifier {
  return openInstructionVerifier('ifbench/IFBench_test.jsonl', IFBENCH_CHECKS, context)
}
