import { VerdictFileError } from '../verdict-file.js'
import type { LineVerifier } from '../verify.js'
import { extractAnswer } from './extract.js'

/** Verifier of mmlu_pro: both levels of extraction from `response`, and whether the second gives `answer`. */
export function openMmluProVerifier(): LineVerifier {
  return (line) => {
    const response = line.string('response')
    const level2 = extractAnswer(response, 'l2')
    const ours = {
      extract_l1: extractAnswer(response, 'l1'),
      extract_l2: level2,
      verdict: level2 === line.string('answer'),
    }
    for (const [member, value] of Object.entries(ours)) {
      const recorded = line.plain[member]
      if (recorded === undefined) throw new VerdictFileError(line.file, line.number, `${member} is missing`)
      if (recorded !== value) return `${member} is ${JSON.stringify(value)}, recorded ${JSON.stringify(recorded)}`
    }
    return undefined
  }
}
