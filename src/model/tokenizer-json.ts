import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { GPT2_EXPRESSION } from './pretokenizer.js'
import { type AddedToken, Tokenizer, type TokenizerSpec } from './tokenizer.js'
import { TokenizerError } from './tokenizer-error.js'

const addedTokenSchema = z.object({
  id: z.number().int().nonnegative(),
  content: z.string().min(1),
  single_word: z.boolean().default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  special: z.boolean(),
})

const stepSchema = z.looseObject({ type: z.string() })
type Step = z.infer<typeof stepSchema>

const fileSchema = z.object({
  normalizer: stepSchema.nullish(),
  pre_tokenizer: stepSchema.nullish(),
  added_tokens: z.array(addedTokenSchema).default([]),
  model: z.looseObject({
    type: z.string().optional(),
    vocab: z.unknown(),
    merges: z.unknown(),
    byte_fallback: z.boolean().nullish(),
    ignore_merges: z.boolean().nullish(),
    dropout: z.number().nullish(),
  }),
})

/**
 * Reads a `tokenizer.json` of the tokenizers library (also gzipped).
 *
 * @throws TokenizerError `format` for a broken file, `unsupported` for anything but byte-level BPE; errors of the file system as they are.
 */
export async function readTokenizerJson(path: string): Promise<Tokenizer> {
  const bytes = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new TokenizerError('format', `${path} is not JSON: ${String(cause)}`)
  }
  return new Tokenizer(parseTokenizerJson(value))
}

/** Checks and converts the parsed content of a `tokenizer.json`. @throws TokenizerError as `readTokenizerJson`. */
export function parseTokenizerJson(value: unknown): TokenizerSpec {
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) throw new TokenizerError('format', `tokenizer.json: ${z.prettifyError(parsed.error)}`)
  const { model, normalizer, pre_tokenizer, added_tokens } = parsed.data
  if (model.type !== undefined && model.type !== 'BPE') {
    throw new TokenizerError('unsupported', `tokenizer model ${model.type}; only byte-level BPE is implemented`)
  }
  if (model.byte_fallback === true || (model.ignore_merges === true && !mergesReachAll(model.vocab, model.merges))) {
    throw new TokenizerError('unsupported', 'BPE with byte_fallback or ignore_merges is not implemented')
  }
  for (const token of added_tokens) {
    if (token.single_word || token.lstrip || token.rstrip) {
      throw new TokenizerError('unsupported', `added token ${token.content} with single_word, lstrip or rstrip`)
    }
  }
  return {
    vocabulary: readVocabulary(model.vocab),
    merges: readMerges(model.merges),
    addedTokens: added_tokens.map(({ id, content, special }) => ({ id, content, special })),
    nfc: readNormalizer(normalizer),
    expressions: readExpressions(pre_tokenizer),
  }
}

/** With `ignore_merges` a whole word is looked up first, which changes nothing when merges make every entry anyway. */
function mergesReachAll(vocab: unknown, merges: unknown): boolean {
  const made = new Set(readMerges(merges).map(([left, right]) => left + right))
  return readVocabulary(vocab).every((entry) => entry === undefined || entry.length === 1 || made.has(entry))
}

function readVocabulary(vocab: unknown): (string | undefined)[] {
  if (typeof vocab !== 'object' || vocab === null)
    throw new TokenizerError('format', 'tokenizer.json has no model.vocab')
  const entries = Object.entries(vocab as Record<string, unknown>)
  const limit = 2 * entries.length + 100_000
  const vocabulary: (string | undefined)[] = []
  for (const [entry, id] of entries) {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > limit) {
      throw new TokenizerError(
        'format',
        `tokenizer.json: vocabulary entry ${JSON.stringify(entry)} has id ${String(id)}`,
      )
    }
    while (vocabulary.length <= id) vocabulary.push(undefined)
    vocabulary[id] = entry
  }
  return vocabulary
}

function readMerges(merges: unknown): (readonly [string, string])[] {
  if (!Array.isArray(merges)) throw new TokenizerError('format', 'tokenizer.json has no model.merges')
  return merges.map((merge: unknown, rank) => {
    const pair = typeof merge === 'string' ? merge.split(' ') : merge
    if (Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'string') {
      return [pair[0], pair[1]] as const
    }
    throw new TokenizerError('format', `tokenizer.json: merge ${rank} is not a pair of entries`)
  })
}

function readNormalizer(step: Step | null | undefined): boolean {
  if (step === null || step === undefined) return false
  if (step.type === 'NFC') return true
  const inner = z.object({ normalizers: z.array(stepSchema) }).safeParse(step)
  if (step.type === 'Sequence' && inner.success) return inner.data.normalizers.some(readNormalizer)
  throw new TokenizerError('unsupported', `normalizer ${step.type}`)
}

function readExpressions(step: Step | null | undefined): string[] {
  const expressions: string[] = []
  let byteLevel = false
  const visit = (current: Step): void => {
    if (current.type === 'Sequence') {
      const inner = z.object({ pretokenizers: z.array(stepSchema) }).safeParse(current)
      if (!inner.success) throw new TokenizerError('format', 'pre_tokenizer Sequence without pretokenizers')
      inner.data.pretokenizers.forEach(visit)
      return
    }
    if (current.type === 'Split') {
      expressions.push(readSplit(current))
      return
    }
    if (current.type === 'Digits') {
      expressions.push(current.individual_digits === true ? '\\p{N}' : '\\p{N}+')
      return
    }
    if (current.type !== 'ByteLevel' || current.add_prefix_space === true) {
      throw new TokenizerError(
        'unsupported',
        `pre-tokenizer ${current.type}${current.add_prefix_space ? ' with prefix space' : ''}`,
      )
    }
    byteLevel = true
    if (current.use_regex !== false) expressions.push(GPT2_EXPRESSION)
  }
  if (step !== null && step !== undefined) visit(step)
  if (!byteLevel) throw new TokenizerError('unsupported', 'a tokenizer without the ByteLevel pre-tokenizer')
  return expressions
}

function readSplit(step: Step): string {
  const split = z
    .object({
      pattern: z.union([z.object({ Regex: z.string() }), z.object({ String: z.string() })]),
      behavior: z.literal('Isolated'),
      invert: z.literal(false).optional(),
    })
    .safeParse(step)
  if (!split.success) throw new TokenizerError('unsupported', 'Split pre-tokenizer that does not isolate its matches')
  const { pattern } = split.data
  return 'Regex' in pattern ? pattern.Regex : pattern.String.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Content of a `tokenizer.json` that the tokenizers library reads to the same tokenizer. */
export function toTokenizerJson(spec: TokenizerSpec): object {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false }
  const added = new Set(spec.addedTokens.map((token) => token.id))
  const vocab: Record<string, number> = {}
  spec.vocabulary.forEach((entry, id) => {
    if (entry !== undefined && !added.has(id)) vocab[entry] = id
  })
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [...spec.addedTokens].sort((a, b) => a.id - b.id).map(addedTokenJson),
    normalizer: spec.nfc ? { type: 'NFC' } : null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        ...spec.expressions.map((expression) => ({
          type: 'Split',
          pattern: { Regex: expression },
          behavior: 'Isolated',
          invert: false,
        })),
        byteLevel,
      ],
    },
    post_processor: byteLevel,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges: spec.merges,
    },
  }
}

function addedTokenJson({ id, content, special }: AddedToken): object {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special }
}
