import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesInAlphabetOrder, charOfByte } from './byte-alphabet.js'
import { Heap } from './heap.js'
import { QWEN35_EXPRESSION, splitterOf } from './pretokenizer.js'
import type { AddedToken, TokenizerSpec } from './tokenizer.js'
import { TokenizerError } from './tokenizer-error.js'
import { toTokenizerJson } from './tokenizer-json.js'
import { writeWhole } from './whole-file.js'

/** A text to learn from; `weight` says how many times it counts (default 1, fractions allowed). */
export interface TrainingText {
  readonly text: string
  readonly weight?: number
}

/** What vocabulary to make. */
export interface BpeTrainerOptions {
  /** Number of ids, bytes and added tokens included; fewer result when the texts offer no more pairs. */
  readonly vocabularySize: number
  /** Added tokens that decoding can skip and that plain text should not hold (`<|im_end|>`). */
  readonly controlTokens: readonly string[]
  /** Added tokens that are ordinary text written as one token (`<tool_call>`, `<function=`). */
  readonly userTokens: readonly string[]
  /** A pair must weigh at least so much to be merged (default 2). */
  readonly minimumWeight?: number
  /** Longest token in bytes (default 32): keeps one frequent sentence from eating ids. */
  readonly longestToken?: number
  /** Pre-tokenizer expression (default Qwen3.5's, which llama.cpp knows as `qwen35`). */
  readonly expression?: string
}

/**
 * Trains a byte-level BPE (Sennrich et al. 2016): starting from bytes, the adjacent pair with the greatest weight inside words is
 * merged until the vocabulary is full. Deterministic: of equally heavy pairs the one with the smallest ids wins. Added tokens are
 * cut out of the texts first and receive the last ids, control tokens before user tokens.
 *
 * @throws TokenizerError `format` when the options leave no room for bytes and added tokens, or repeat an added token.
 */
export function trainBpe(texts: Iterable<TrainingText | string>, options: BpeTrainerOptions): TokenizerSpec {
  const added = [...options.controlTokens, ...options.userTokens]
  const room = options.vocabularySize - 256 - added.length
  if (room < 0)
    throw new TokenizerError(
      'format',
      `vocabulary of ${options.vocabularySize} leaves no room for ${256 + added.length} fixed tokens`,
    )
  if (new Set(added).size !== added.length || added.includes(''))
    throw new TokenizerError('format', 'an added token is empty or given twice')
  const expression = options.expression ?? QWEN35_EXPRESSION
  const words = countWords(texts, added, expression)
  const learner = new MergeLearner(words, options.longestToken ?? 32)
  const merges = learner.learn(room, options.minimumWeight ?? 2)
  const firstAdded = learner.entries.length
  return {
    vocabulary: learner.entries,
    merges,
    addedTokens: added.map(
      (content, i): AddedToken => ({ id: firstAdded + i, content, special: i < options.controlTokens.length }),
    ),
    nfc: true,
    expressions: [expression],
  }
}

function countWords(
  texts: Iterable<TrainingText | string>,
  added: readonly string[],
  expression: string,
): Map<string, number> {
  const split = splitterOf([expression])
  const longestFirst = [...added]
    .sort((a, b) => b.length - a.length)
    .map((content) => content.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const fixed = longestFirst.length > 0 ? new RegExp(longestFirst.join('|'), 'u') : undefined
  const words = new Map<string, number>()
  for (const item of texts) {
    const { text, weight = 1 } = typeof item === 'string' ? { text: item } : item
    for (const segment of fixed === undefined ? [text] : text.split(fixed)) {
      for (const word of split(segment.normalize('NFC'))) words.set(word, (words.get(word) ?? 0) + weight)
    }
  }
  return words
}

/** Pairs are keyed `left · PAIR_BASE + right`, exact in a double. */
const PAIR_BASE = 2 ** 21

interface Candidate {
  readonly pair: number
  readonly weight: number
}

class MergeLearner {
  /** Entries in the byte alphabet by id; grows by one per merge. */
  readonly entries: string[] = bytesInAlphabetOrder.map(charOfByte)
  private readonly words: number[][] = []
  private readonly weights: number[] = []
  private readonly pairWeight = new Map<number, number>()
  private readonly wordsOfPair = new Map<number, Set<number>>()
  private readonly queue = new Heap<Candidate>(heavier)
  private readonly idOfEntry: Map<string, number>
  /** Pairs that have a rule; one can reappear when another rule makes one of its halves. */
  private readonly merged = new Set<number>()

  constructor(
    words: ReadonlyMap<string, number>,
    private readonly longest: number,
  ) {
    this.idOfEntry = new Map(this.entries.map((entry, id) => [entry, id]))
    const idOfByte: number[] = []
    bytesInAlphabetOrder.forEach((byte, id) => {
      idOfByte[byte] = id
    })
    const sorted = [...words].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [word, weight] of sorted) {
      if (!(weight > 0)) continue
      this.words.push(Array.from(Buffer.from(word, 'utf8'), (byte) => idOfByte[byte]!))
      this.weights.push(weight)
    }
    this.words.forEach((word, at) => {
      for (let i = 0; i + 1 < word.length; i++) this.count(word[i]! * PAIR_BASE + word[i + 1]!, this.weights[at]!, at)
    })
    for (const [pair, weight] of this.pairWeight) this.queue.push({ pair, weight })
  }

  /** Up to `room` merges as pairs of entries, in the order they were made. */
  learn(room: number, minimumWeight: number): (readonly [string, string])[] {
    const merges: (readonly [string, string])[] = []
    let made = 0
    while (made < room) {
      const best = this.queue.pop()
      if (best === undefined || best.weight < minimumWeight) break
      const current = this.pairWeight.get(best.pair) ?? 0
      if (current !== best.weight) {
        if (current > 0) this.queue.push({ pair: best.pair, weight: current })
        continue
      }
      const left = Math.floor(best.pair / PAIR_BASE)
      const right = best.pair % PAIR_BASE
      const leftEntry = this.entries[left]!
      const rightEntry = this.entries[right]!
      const entry = leftEntry + rightEntry
      if (entry.length > this.longest) {
        this.pairWeight.delete(best.pair)
        continue
      }
      if (!this.merged.has(best.pair)) merges.push([leftEntry, rightEntry])
      this.merged.add(best.pair)
      let id = this.idOfEntry.get(entry)
      if (id === undefined) {
        id = this.entries.push(entry) - 1
        this.idOfEntry.set(entry, id)
        made++
      }
      this.apply(left, right, id)
    }
    return merges
  }

  private apply(left: number, right: number, id: number): void {
    const pair = left * PAIR_BASE + right
    const touched = new Set<number>()
    for (const at of this.wordsOfPair.get(pair) ?? []) {
      const word = this.words[at]!
      const weight = this.weights[at]!
      let write = 0
      for (let read = 0; read < word.length; read++, write++) {
        if (word[read] !== left || word[read + 1] !== right) {
          word[write] = word[read]!
          continue
        }
        const before = write > 0 ? word[write - 1]! : undefined
        const after = word[read + 2]
        if (before !== undefined) {
          this.uncount(before * PAIR_BASE + left, weight, touched)
          this.count(before * PAIR_BASE + id, weight, at, touched)
        }
        if (after !== undefined) {
          this.uncount(right * PAIR_BASE + after, weight, touched)
          this.count(id * PAIR_BASE + after, weight, at, touched)
        }
        word[write] = id
        read++
      }
      word.length = write
    }
    this.pairWeight.delete(pair)
    this.wordsOfPair.delete(pair)
    touched.delete(pair)
    for (const changed of touched) {
      const weight = this.pairWeight.get(changed) ?? 0
      if (weight > 0) this.queue.push({ pair: changed, weight })
    }
  }

  private count(pair: number, weight: number, at: number, touched?: Set<number>): void {
    this.pairWeight.set(pair, (this.pairWeight.get(pair) ?? 0) + weight)
    const places = this.wordsOfPair.get(pair)
    if (places === undefined) this.wordsOfPair.set(pair, new Set([at]))
    else places.add(at)
    touched?.add(pair)
  }

  private uncount(pair: number, weight: number, touched: Set<number>): void {
    this.pairWeight.set(pair, (this.pairWeight.get(pair) ?? 0) - weight)
    touched.add(pair)
  }
}

function heavier(a: Candidate, b: Candidate): boolean {
  return a.weight > b.weight || (a.weight === b.weight && a.pair < b.pair)
}

/** Roles that a tokenizer's configuration names; the chat template may be stored with it. */
export interface TokenizerRoles {
  readonly endOfTurn: string
  readonly padding: string
  readonly chatTemplate?: string
  readonly contextLength?: number
}

/** Writes `tokenizer.json` and `tokenizer_config.json` (and `chat_template.jinja`) into a folder, each whole or not at all. */
export async function writeTokenizer(folder: string, spec: TokenizerSpec, roles: TokenizerRoles): Promise<void> {
  await mkdir(folder, { recursive: true })
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    add_bos_token: false,
    add_prefix_space: false,
    bos_token: null,
    clean_up_tokenization_spaces: false,
    eos_token: roles.endOfTurn,
    pad_token: roles.padding,
    unk_token: null,
    split_special_tokens: false,
    ...(roles.contextLength !== undefined && { model_max_length: roles.contextLength }),
  }
  await writeWhole(join(folder, 'tokenizer.json'), `${JSON.stringify(toTokenizerJson(spec))}\n`)
  await writeWhole(join(folder, 'tokenizer_config.json'), `${JSON.stringify(config, null, 2)}\n`)
  if (roles.chatTemplate !== undefined) await writeWhole(join(folder, 'chat_template.jinja'), roles.chatTemplate)
}
