import { PyError } from '../python/errors.js'
import type { PyValue } from '../python/values.js'
import { type CheckedCase, type CheckSettings, checkCalls } from './check-calls.js'
import { isCallList, isEmptyOutput } from './decode.js'

/** Result of scoring one answer of a single-turn case. */
export interface SingleTurnScore {
  readonly valid: boolean
  readonly errorType: string | null
  readonly subErrorTypes?: readonly string[]
  /** The decoded calls, or what the decoder gave instead; undefined when decoding failed. */
  readonly decoded?: PyValue
  /** Python exception of the failed decoding. */
  readonly decodeError: string | null
}

/** Decodes an answer, keeping what Python would raise. @throws what is not a {@link PyError} */
export function tryDecode(decode: () => PyValue): { readonly decoded?: PyValue; readonly decodeError: string | null } {
  try {
    return { decoded: decode(), decodeError: null }
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    return { decodeError: error.type }
  }
}

/** Scores an answer that should hold calls. Source: the runner for AST categories of BFCL v4. */
export function scoreCalls(decode: () => PyValue, one: CheckedCase, settings: CheckSettings): SingleTurnScore {
  const read = tryDecode(decode)
  if (read.decoded === undefined) return { ...read, valid: false, errorType: 'ast_decoder:decoder_failed' }
  if (!isCallList(read.decoded)) return { ...read, valid: false, errorType: 'ast_decoder:decoder_wrong_output_format' }
  return { ...read, ...checkCalls(read.decoded, one, settings) }
}

/** Scores an answer by whether it calls at all: right without a call for irrelevance, with one for relevance. */
export function scoreRelevance(decode: () => PyValue, category: string): SingleTurnScore {
  const read = tryDecode(decode)
  const called = read.decoded !== undefined && !isEmptyOutput(read.decoded)
  if (category.includes('irrelevance'))
    return { ...read, valid: !called, errorType: called ? 'irrelevance_error:decoder_success' : null }
  return { ...read, valid: called, errorType: called ? null : 'relevance_error:decoder_failed' }
}
