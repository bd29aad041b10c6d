import { pyRepr } from '../python/repr.js'
import type { PyValue } from '../python/values.js'
import { VerdictFileError, type VerdictLine } from '../verdict-file.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { BfclCases } from './cases.js'
import { compareVerdict } from './compare-verdict.js'
import { decodeNative, decodePrompted, languageOf } from './decode.js'
import { type SingleTurnScore, scoreCalls, scoreRelevance } from './score-single-turn.js'
import { loadSyntaxParsers } from './syntax-tree.js'

/** Verifier of bfcl_v4_single_turn: verdict, codes and decoded calls of every line. */
export async function openSingleTurnVerifier(context: VerifierContext): Promise<LineVerifier> {
  const cases = new BfclCases(context.datasets)
  const parsers = await loadSyntaxParsers()
  return async (line) => {
    const category = line.string('category')
    const mode = line.string('mode')
    if (mode !== 'prompt' && mode !== 'fc')
      throw new VerdictFileError(line.file, line.number, 'mode must be prompt or fc')
    const relevance = category.includes('relevance')
    const language = relevance ? 'python' : languageOf(category)
    const decode = (): PyValue =>
      mode === 'fc'
        ? decodeNative(line.exact.get('raw') ?? null)
        : decodePrompted(line.string('raw'), language, parsers)
    const score = relevance
      ? scoreRelevance(decode, category)
      : scoreCalls(decode, await cases.find(category, line.string('id')), {
          category,
          language,
          underscoreToDot: line.boolean('underscore_to_dot'),
        })
    return compareScore(line, score)
  }
}

/** Compares a single-turn score with a line: the codes, then the decoded value where JSON could keep it. */
export function compareScore(line: VerdictLine, score: SingleTurnScore): string | undefined {
  const difference = compareVerdict(line, {
    verdict: score.valid,
    error_type: score.errorType,
    sub_error_types: score.subErrorTypes,
  })
  if (difference !== undefined) return difference
  const recordedError = line.plain.decode_error
  // The exception's class is no part of the verdict, that decoding failed is.
  if (recordedError !== undefined && (recordedError === null) !== (score.decodeError === null))
    return `decode_error is ${score.decodeError}, recorded ${String(recordedError)}`
  const exact = line.plain.decoded_repr
  if (score.decoded === undefined || (exact === undefined && line.plain.decoded === undefined)) return undefined
  const recorded = typeof exact === 'string' ? exact : pyRepr(line.exact.get('decoded') ?? null)
  const ours = pyRepr(score.decoded)
  return ours === recorded ? undefined : `decoded is ${ours}, recorded ${recorded}`
}
