import { BytePairEncoder } from './bpe.js'
import { bytesOfEntry, entryOfBytes } from './byte-alphabet.js'
import { normalizeWithMap } from './normalize.js'
import { type Splitter, splitterOf } from './pretokenizer.js'
import { TokenizerError } from './tokenizer-error.js'

/** A token that is recognised as a whole, before any other processing. */
export interface AddedToken {
  readonly id: number
  readonly content: string
  /** Control tokens (`<|im_end|>`) are left out of decoded text on request; others (`<tool_call>`) are ordinary text to the reader. */
  readonly special: boolean
}

/** Everything that defines a byte-level BPE tokenizer. */
export interface TokenizerSpec {
  /** Entries in the byte alphabet by id; `undefined` where an id has none (added tokens, padding). */
  readonly vocabulary: readonly (string | undefined)[]
  /** Merge rules as pairs of entries, lowest rank first. */
  readonly merges: readonly (readonly [string, string])[]
  readonly addedTokens: readonly AddedToken[]
  readonly nfc: boolean
  /** Expressions that cut text into words, applied one after the other. */
  readonly expressions: readonly string[]
}

/** Token ids with the place of each in the text that was encoded. */
export interface Encoding {
  readonly ids: number[]
  /** UTF-16 index of the character that holds the first byte of each token. */
  readonly starts: number[]
}

/** How to encode. */
export interface EncodeOptions {
  /** Recognise control tokens in the text (default true). Non-control added tokens are always recognised, as in llama.cpp. */
  readonly control?: boolean
}

/**
 * Byte-level BPE tokenizer with added tokens and NFC, giving the ids that the tokenizers library and llama.cpp give.
 * Build one with `readTokenizerJson`, `tokenizerFromGguf` or from a spec.
 */
export class Tokenizer {
  /** Token id by the text of an added token. */
  private readonly addedIds: ReadonlyMap<string, number>
  private readonly addedById: ReadonlyMap<number, AddedToken>
  private readonly allAdded: RegExp | undefined
  private readonly plainAdded: RegExp | undefined
  private readonly bytes: readonly (Uint8Array | undefined)[]
  private readonly splitter: Splitter
  private readonly bpe: BytePairEncoder

  /** @throws TokenizerError `format` when a merge names an unknown entry. */
  constructor(readonly spec: TokenizerSpec) {
    this.addedIds = new Map(spec.addedTokens.map((token) => [token.content, token.id]))
    this.addedById = new Map(spec.addedTokens.map((token) => [token.id, token]))
    this.allAdded = alternatives(spec.addedTokens)
    this.plainAdded = alternatives(spec.addedTokens.filter((token) => !token.special))
    this.splitter = splitterOf(spec.expressions)
    this.bytes = spec.vocabulary.map((entry, id) =>
      entry === undefined || this.addedById.has(id) ? undefined : bytesOfEntry(entry),
    )
    this.bpe = new BytePairEncoder(mergeTable(spec))
  }

  /** Number of ids, added tokens included. */
  get size(): number {
    return Math.max(this.spec.vocabulary.length, ...this.spec.addedTokens.map((token) => token.id + 1))
  }

  /** Id of an added token by its text (`<|im_end|>`), or undefined. */
  idOf(addedToken: string): number | undefined {
    return this.addedIds.get(addedToken)
  }

  /** Token ids of a text. */
  encode(text: string, options: EncodeOptions = {}): number[] {
    const ids: number[] = []
    this.segments(text, options, (segment, _start, addedId) => {
      if (addedId !== undefined) {
        ids.push(addedId)
        return
      }
      for (const word of this.splitter(this.spec.nfc ? segment.normalize('NFC') : segment)) {
        for (const id of this.bpe.encode(word)) ids.push(id)
      }
    })
    return ids
  }

  /** Token ids of a text and where in it each begins; for masks made from character spans. */
  encodeWithOffsets(text: string, options: EncodeOptions = {}): Encoding {
    const ids: number[] = []
    const starts: number[] = []
    this.segments(text, options, (segment, start, addedId) => {
      if (addedId !== undefined) {
        ids.push(addedId)
        starts.push(start)
        return
      }
      const { text: normal, originOf } = this.spec.nfc
        ? normalizeWithMap(segment)
        : { text: segment, originOf: undefined }
      let at = 0
      for (const word of this.splitter(normal)) {
        this.encodeWord(word, at, (id, offset) => {
          ids.push(id)
          starts.push(start + (originOf === undefined ? offset : originOf(offset)))
        })
        at += word.length
      }
    })
    return { ids, starts }
  }

  /**
   * Text of token ids. Bytes that form no complete character become U+FFFD.
   *
   * @param options.skipControl leave out control tokens (default false).
   * @throws TokenizerError `id` for an id outside the vocabulary.
   */
  decode(ids: Iterable<number>, options: { readonly skipControl?: boolean } = {}): string {
    const parts: Uint8Array[] = []
    for (const id of ids) {
      if (options.skipControl === true && this.addedById.get(id)?.special === true) continue
      parts.push(this.tokenBytes(id))
    }
    return Buffer.concat(parts).toString('utf8')
  }

  /** Bytes that one token stands for; empty for padding ids. @throws TokenizerError `id` for an id outside the vocabulary. */
  tokenBytes(id: number): Uint8Array {
    const added = this.addedById.get(id)
    if (added !== undefined) return Buffer.from(added.content, 'utf8')
    if (!Number.isInteger(id) || id < 0 || id >= this.spec.vocabulary.length) {
      throw new TokenizerError('id', `token id ${id} is outside the vocabulary of ${this.size}`)
    }
    return this.bytes[id] ?? new Uint8Array(0)
  }

  private segments(
    text: string,
    options: EncodeOptions,
    visit: (segment: string, start: number, addedId: number | undefined) => void,
  ): void {
    const added = options.control === false ? this.plainAdded : this.allAdded
    let end = 0
    if (added !== undefined) {
      for (const match of text.matchAll(added)) {
        if (match.index > end) visit(text.slice(end, match.index), end, undefined)
        visit(match[0], match.index, this.addedIds.get(match[0]))
        end = match.index + match[0].length
      }
    }
    if (end < text.length) visit(text.slice(end), end, undefined)
  }

  private encodeWord(word: string, at: number, visit: (id: number, offset: number) => void): void {
    const ids = this.bpe.encode(word)
    const charOfByte = isAscii(word) ? undefined : charIndexByByte(word)
    let byte = 0
    for (const id of ids) {
      visit(id, at + (charOfByte === undefined ? byte : charOfByte[byte]!))
      byte += this.bytes[id]!.length
    }
  }
}

function alternatives(tokens: readonly AddedToken[]): RegExp | undefined {
  if (tokens.length === 0) return undefined
  const longestFirst = tokens.map((token) => token.content).sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((content) => content.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'gu')
}

function mergeTable(spec: TokenizerSpec): ConstructorParameters<typeof BytePairEncoder>[0] {
  const added = new Set(spec.addedTokens.map((token) => token.id))
  const idOf = new Map<string, number>()
  spec.vocabulary.forEach((entry, id) => {
    if (entry !== undefined && !added.has(id)) idOf.set(entry, id)
  })
  const find = (entry: string, use: string): number => {
    const id = idOf.get(entry)
    if (id === undefined) throw new TokenizerError('format', `${use} ${JSON.stringify(entry)} is not in the vocabulary`)
    return id
  }
  const byteIds = Array.from({ length: 256 }, (_, byte) => idOf.get(entryOfBytes(Uint8Array.of(byte))) ?? -1)
  const merges = spec.merges.map(
    ([left, right]) =>
      [find(left, 'merge part'), find(right, 'merge part'), find(left + right, 'merge result')] as const,
  )
  return { byteIds, merges, size: spec.vocabulary.length }
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 0x7f) return false
  return true
}

function charIndexByByte(word: string): number[] {
  const index: number[] = []
  let at = 0
  for (const char of word) {
    const bytes = Buffer.byteLength(char, 'utf8')
    for (let i = 0; i < bytes; i++) index.push(at)
    at += char.length
  }
  return index
}
