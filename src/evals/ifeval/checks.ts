import { FORMAT_CHECKS } from './checks-format.js'
import { TEXT_CHECKS } from './checks-text.js'
import type { MakeCheck } from './instruction.js'

/** The checks of IFEval by instruction id (Zhou et al., "Instruction-Following Evaluation for Large Language Models", 2023). */
export const IFEVAL_CHECKS: Readonly<Record<string, MakeCheck>> = { ...TEXT_CHECKS, ...FORMAT_CHECKS }
