import type { MakeCheck } from '../ifeval/instruction.js'
import { COUNT_CHECKS } from './checks-count.js'
import { CUSTOM_CHECKS } from './checks-custom.js'
import { FORMAT_CHECKS } from './checks-format.js'
import { WORD_CHECKS } from './checks-words.js'

/** The checks of IFBench by instruction id (Pyatkin et al., "Generalizing Verifiable Instruction Following", 2025). */
export const IFBENCH_CHECKS: Readonly<Record<string, MakeCheck>> = {
  ...COUNT_CHECKS,
  ...WORD_CHECKS,
  ...FORMAT_CHECKS,
  ...CUSTOM_CHECKS,
}
