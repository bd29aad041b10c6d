import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { decode, encode } from '@msgpack/msgpack'
import { z } from 'zod'
import { writeWhole } from '../../model/index.js'
import { type Conversation, parseConversation } from './conversation.js'
import type { TokenisedExample } from './example.js'
import { SftError } from './sft-error.js'

/** Conversations to tokens with everything fixed; `key` changes whenever the outcome could. */
export interface Tokeniser {
  readonly key: string
  tokenise(conversation: Conversation): readonly TokenisedExample[]
}

/** Rises when the meaning of what is cached changes. */
const FORMAT = 1

const bin = z.instanceof(Uint8Array)
const CacheShape = z.object({
  tokens: bin,
  weights: bin,
  lengths: bin,
  turns: bin,
  turnCounts: bin,
  dropped: z.number(),
})

/**
 * Reads and tokenises a file of conversations, or takes the result from the cache, whose key is the content of the file
 * and the tokeniser's key. Examples that do not fit are left out and counted in a line to `say`.
 * @throws {SftError} `no-data` when the file cannot be read or nothing in it fits, `bad-data` for a wrong line.
 */
export async function tokeniseFile(
  file: string,
  tokeniser: Tokeniser,
  folder: string,
  say: (line: string) => void,
): Promise<TokenisedExample[]> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new SftError('no-data', file, `cannot be read (${(error as Error).message}).`)
  }
  const key = createHash('sha256').update(`${FORMAT}\0${tokeniser.key}\0`).update(bytes).digest('hex').slice(0, 24)
  const cached = join(folder, `${key}.msgpack`)
  const found = await readCache(cached)
  if (found !== undefined) return found

  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const examples: TokenisedExample[] = []
  let dropped = 0
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const made = tokeniser.tokenise(parseConversation(line, `${file}:${index + 1}`))
    if (made.length === 0) dropped++
    examples.push(...made)
  })
  if (examples.length === 0) throw new SftError('no-data', file, 'holds no example that fits into data.maxTokens.')
  const total = examples.reduce((sum, example) => sum + example.tokens.length, 0)
  say(`${file}: ${examples.length} examples, ${total} tokens${dropped > 0 ? `; ${dropped} too long, left out` : ''}.`)
  await writeCache(folder, cached, examples, dropped)
  return examples
}

async function writeCache(folder: string, path: string, examples: TokenisedExample[], dropped: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  const content = encode({
    tokens: joined(examples.map((example) => example.tokens)),
    weights: joined(examples.map((example) => example.weights)),
    lengths: Int32Array.from(examples, (example) => example.tokens.length),
    turns: joined(examples.map((example) => example.turns)),
    turnCounts: Int32Array.from(examples, (example) => example.turns.length),
    dropped,
  })
  await writeWhole(path, content)
}

async function readCache(path: string): Promise<TokenisedExample[] | undefined> {
  let content: unknown
  try {
    content = decode(await readFile(path))
  } catch {
    return undefined
  }
  const parsed = CacheShape.safeParse(content)
  if (!parsed.success) return undefined
  const tokens = new Int32Array(aligned(parsed.data.tokens))
  const weights = new Float32Array(aligned(parsed.data.weights))
  const lengths = new Int32Array(aligned(parsed.data.lengths))
  const turns = new Int32Array(aligned(parsed.data.turns))
  const turnCounts = new Int32Array(aligned(parsed.data.turnCounts))
  const examples: TokenisedExample[] = []
  let at = 0
  let turn = 0
  lengths.forEach((length, i) => {
    const count = turnCounts[i] ?? 0
    examples.push({
      tokens: tokens.subarray(at, at + length),
      weights: weights.subarray(at, at + length),
      turns: turns.subarray(turn, turn + count),
    })
    at += length
    turn += count
  })
  return at === tokens.length && at === weights.length && turn === turns.length ? examples : undefined
}

function joined(parts: readonly (Int32Array | Float32Array)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)))
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes.byteLength)
  new Uint8Array(buffer).set(bytes)
  return buffer
}
