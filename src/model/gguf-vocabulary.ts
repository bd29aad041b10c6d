import { ConversionError } from './conversion-error.js'
import { GgufError } from './gguf-error.js'
import type { GgufValue } from './gguf-format.js'
import type { GgufFile } from './gguf-reader.js'
import { PRETOKENIZERS_BY_GGUF_NAME, QWEN35_EXPRESSION } from './pretokenizer.js'
import { type AddedToken, Tokenizer, type TokenizerSpec } from './tokenizer.js'
import { TokenizerError } from './tokenizer-error.js'

/** Numbers in `tokenizer.ggml.token_type`. */
export const GGUF_TOKEN_TYPE = { normal: 1, control: 3, userDefined: 4, unused: 5 } as const

/** Added tokens that llama.cpp's converter takes for control tokens by their looks, whatever the tokenizer says. */
const LOOKS_LIKE_CONTROL = /^(<\|.*\|>|<\uff5c.*\uff5c>|<unused.*>|<pad>|<mask>|<2mass>|\[@BOS@\])$/s

/**
 * Metadata that carries a tokenizer in a GGUF file, in the converter's order, without ids of special roles.
 *
 * @param size Rows of the embedding; ids beyond the vocabulary are filled with unused tokens.
 * @throws ConversionError `unsupported` when llama.cpp has no name for the pre-tokenizer, `shape` when the vocabulary is larger than `size`.
 */
export function vocabularyMetadata(where: string, spec: TokenizerSpec, size: number): [string, GgufValue][] {
  const added = new Map(spec.addedTokens.map((token) => [token.id, token]))
  const highest = Math.max(spec.vocabulary.length - 1, ...added.keys())
  if (highest >= size)
    throw new ConversionError('shape', where, `token id ${highest} lies beyond the ${size} rows of the embedding`)
  const tokens: string[] = []
  const types: number[] = []
  for (let id = 0; id < size; id++) {
    const token = added.get(id)
    const entry = spec.vocabulary[id]
    if (token !== undefined) {
      tokens.push(token.content)
      const control = token.special || LOOKS_LIKE_CONTROL.test(token.content)
      types.push(control ? GGUF_TOKEN_TYPE.control : GGUF_TOKEN_TYPE.userDefined)
    } else {
      tokens.push(entry ?? `[PAD${id}]`)
      types.push(entry === undefined ? GGUF_TOKEN_TYPE.unused : GGUF_TOKEN_TYPE.normal)
    }
  }
  return [
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2' }],
    ['tokenizer.ggml.pre', { type: 'string', value: pretokenizerName(where, spec) }],
    ['tokenizer.ggml.tokens', { type: 'array', of: 'string', items: tokens }],
    ['tokenizer.ggml.token_type', { type: 'array', of: 'i32', items: types }],
    ['tokenizer.ggml.merges', { type: 'array', of: 'string', items: spec.merges.map((pair) => pair.join(' ')) }],
  ]
}

function pretokenizerName(where: string, spec: TokenizerSpec): string {
  for (const [name, expressions] of PRETOKENIZERS_BY_GGUF_NAME) {
    if (expressions.length === spec.expressions.length && expressions.every((one, i) => one === spec.expressions[i]))
      return name
  }
  throw new ConversionError(
    'unsupported',
    where,
    `llama.cpp has no pre-tokenizer for ${spec.expressions.join(' then ')}; use ${QWEN35_EXPRESSION}`,
  )
}

/**
 * The tokenizer that a GGUF file carries.
 * @throws TokenizerError `unsupported` for anything but byte-level BPE with a known pre-tokenizer; GgufError when metadata contradict each other.
 */
export function tokenizerFromGguf(file: GgufFile): Tokenizer {
  const model = file.text('tokenizer.ggml.model')
  if (model !== 'gpt2')
    throw new TokenizerError(
      'unsupported',
      `${file.path}: tokenizer ${model ?? '(none)'}; only gpt2 (byte-level BPE) is implemented`,
    )
  const pre = file.text('tokenizer.ggml.pre') ?? 'default'
  const expressions = PRETOKENIZERS_BY_GGUF_NAME.get(pre)
  if (expressions === undefined) throw new TokenizerError('unsupported', `${file.path}: pre-tokenizer ${pre}`)
  const tokens = texts(file, 'tokenizer.ggml.tokens')
  const merges = texts(file, 'tokenizer.ggml.merges')
  const types = file.array('tokenizer.ggml.token_type')?.items
  if (types !== undefined && types.length !== tokens.length) {
    throw new GgufError('format', file.path, `${types.length} token types for ${tokens.length} tokens`)
  }
  const addedTokens: AddedToken[] = []
  const vocabulary = tokens.map((content, id) => {
    const type = types?.[id] ?? GGUF_TOKEN_TYPE.normal
    if (type === GGUF_TOKEN_TYPE.normal) return content
    if (type === GGUF_TOKEN_TYPE.unused || content === '') return undefined
    addedTokens.push({ id, content, special: type === GGUF_TOKEN_TYPE.control })
    return undefined
  })
  return new Tokenizer({
    vocabulary,
    merges: merges.map((merge) => {
      const space = merge.indexOf(' ', 1)
      return [merge.slice(0, space), merge.slice(space + 1)] as const
    }),
    addedTokens,
    nfc: pre === 'qwen35' || pre === 'qwen2',
    expressions,
  })
}

function texts(file: GgufFile, key: string): readonly string[] {
  const array = file.array(key)
  if (array?.of !== 'string') throw new GgufError('missing', file.path, `no list of texts under ${key}`)
  return array.items as readonly string[]
}
