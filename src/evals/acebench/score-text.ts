import { PyError } from '../python/errors.js'
import { iterate } from '../python/operations.js'
import { PyDict, type PyValue } from '../python/values.js'
import { checkCalls } from './check-calls.js'
import { decodeNormal } from './decode.js'

/** What a text is worth. */
export interface TextScore {
  readonly valid: boolean
  /** Official code of the failure, null when valid. */
  readonly errorType: string | null
  /** The decoded calls, null where decoding failed or none is needed. */
  readonly decoded: PyDict[] | null
  /** Python's exception class where decoding failed. */
  readonly decodeError: string | null
}

/** A case of a normal_* or special_* category as its scorer sees it. */
export interface TextCase {
  readonly category: string
  /** Documents of the functions. */
  readonly functions: PyValue
  readonly groundTruth: PyValue
}

/**
 * Scores a model's text of a normal_* category: one alternative of the answer is enough; the code of a failure is that of
 * the first alternative.
 *
 * Source: normal_single_turn_eval and normal_multi_turn_eval of ACEBench.
 * @throws PyError where the official checker raises
 */
export function scoreNormal(raw: string, one: TextCase): TextScore {
  let decoded: PyDict[]
  try {
    decoded = decodeNormal(raw, one.category)
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    return { valid: false, errorType: 'wrong_output_format', decoded: null, decodeError: error.type }
  }
  let errorType: string | null = null
  for (const answer of Array.isArray(one.groundTruth) ? one.groundTruth : [one.groundTruth]) {
    if (!(answer instanceof PyDict)) throw new PyError('AttributeError', 'an accepted answer must be an object')
    const code = checkCalls(one.functions, decoded, answer)
    if (code === null) return { valid: true, errorType: null, decoded, decodeError: null }
    errorType ??= code
  }
  return { valid: false, errorType, decoded, decodeError: null }
}

/**
 * Scores a model's text of a special_* category by the fixed phrases that the prompt asks for and the names and values
 * that must stand in it. Source: special_eval of ACEBench.
 * @throws PyError where the official checker raises
 */
export function scoreSpecial(raw: string, { category, groundTruth }: TextCase): TextScore {
  let errorType: string | null = null
  if (category.includes('incomplete') || category.includes('error')) {
    const phrase = category.includes('incomplete') ? 'Missing necessary parameters' : 'There is incorrect value'
    if (!(groundTruth instanceof PyDict)) throw new PyError('AttributeError', 'the answer must be an object')
    for (const [name, values] of groundTruth.entries()) {
      const wanted = category.includes('incomplete') ? [name] : []
      if (!raw.includes(phrase)) errorType = 'error_detection'
      else if ([...wanted, ...iterate(values)].some((value) => !containsText(raw, value)))
        errorType = 'error_correction'
    }
  } else if (!raw.includes('the limitations of the function')) errorType = 'error_detection'
  return { valid: errorType === null, errorType, decoded: null, decodeError: null }
}

function containsText(raw: string, value: PyValue): boolean {
  if (typeof value === 'string') return raw.includes(value)
  throw new PyError('TypeError', "'in <string>' requires string as left operand")
}
