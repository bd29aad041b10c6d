import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findModelFile, needs } from '../testing/datasets.js'
import { trainBpe } from './bpe-trainer.js'
import { Tokenizer } from './tokenizer.js'
import { TokenizerError } from './tokenizer-error.js'
import { parseTokenizerJson, readTokenizerJson, toTokenizerJson } from './tokenizer-json.js'

const spec = trainBpe(
  ['the cat sat on the mat', 'the café — the naïve café', 'aaaaaaaa aaaaaaaa', "it's what's they'll"],
  {
    vocabularySize: 330,
    controlTokens: ['<|im_start|>', '<|im_end|>'],
    userTokens: ['<tool_call>', '<tool_call>\n<function='],
  },
)
const tokenizer = new Tokenizer(spec)
/** Lone surrogates become U+FFFD, as in UTF-8. */
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('the', ' ', 'é', 'e\u0301', '\n', '가', '\u1112\u1161\u11ab', '<tool_call>', '<|im_end|>', '😀'),
    fc.string({ unit: 'binary' }),
  ),
})

describe('Tokenizer', () => {
  test('decoding an encoding gives the text in NFC', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(wellFormed(text).normalize('NFC'))
      }),
    )
  })

  test('offsets belong to the same ids, never go back and cut the text where tokens begin', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { ids, starts } = tokenizer.encodeWithOffsets(text)
        expect(ids).toEqual(tokenizer.encode(text))
        expect(starts).toHaveLength(ids.length)
        for (let i = 1; i < starts.length; i++) expect(starts[i]).toBeGreaterThanOrEqual(starts[i - 1]!)
        if (ids.length > 0) expect(starts[0]).toBe(0)
        if (text === wellFormed(text).normalize('NFC')) {
          ids.forEach((id, i) => {
            const own = Buffer.from(tokenizer.tokenBytes(id)).toString('utf8')
            if (!own.includes('\ufffd')) expect(text.startsWith(own, starts[i])).toBe(true)
          })
        }
      }),
    )
  })

  test('offsets point into the text as given when normalising shortens it', () => {
    const text = 'cafe\u0301<|im_end|>x'
    const { ids, starts } = tokenizer.encodeWithOffsets(text)
    expect(starts[ids.indexOf(tokenizer.idOf('<|im_end|>')!)]).toBe(5)
  })

  test('the longest added token wins, and control tokens are plain text when asked', () => {
    expect(tokenizer.encode('<tool_call>\n<function=')).toEqual([tokenizer.idOf('<tool_call>\n<function=')])
    const plain = tokenizer.encode('<|im_end|><tool_call>', { control: false })
    expect(plain).not.toContain(tokenizer.idOf('<|im_end|>'))
    expect(plain).toContain(tokenizer.idOf('<tool_call>'))
    expect(tokenizer.decode(plain)).toBe('<|im_end|><tool_call>')
    expect(tokenizer.decode(tokenizer.encode('a<|im_end|>'), { skipControl: true })).toBe('a')
  })

  test('a long word without spaces is merged as short ones are', () => {
    const run = 'a'.repeat(4096)
    const ids = tokenizer.encode(run)
    expect(tokenizer.decode(ids)).toBe(run)
    expect(ids.length).toBe(4096 / 8)
  })

  test('tokenizer.json round trip keeps every id', () => {
    const again = new Tokenizer(parseTokenizerJson(JSON.parse(JSON.stringify(toTokenizerJson(spec)))))
    fc.assert(
      fc.property(anyText, (text) => {
        expect(again.encode(text)).toEqual(tokenizer.encode(text))
      }),
    )
    expect(again.size).toBe(tokenizer.size)
  })

  test('an id outside the vocabulary, a broken file and an unknown kind are typed errors', () => {
    expect(() => tokenizer.decode([999_999])).toThrow(TokenizerError)
    expect(() => parseTokenizerJson({ model: { type: 'Unigram', vocab: {}, merges: [] } })).toThrow(/Unigram/)
    expect(() => parseTokenizerJson({ model: { vocab: { a: 1e9 }, merges: [] } })).toThrow(TokenizerError)
    expect(() => parseTokenizerJson(null)).toThrow(TokenizerError)
  })
})

const qwen = findModelFile('tokenizer.json.gz')
const reference = findModelFile('reference.jsonl.gz')

describe.skipIf(needs('the Qwen3.5 vocabulary (BOTPSY_MODELS)', qwen && reference))('Qwen3.5 vocabulary', () => {
  test('gives the reference ids on every line', async () => {
    const real = await readTokenizerJson(qwen!)
    const lines = gunzipSync(readFileSync(reference!)).toString('utf8').trim().split('\n')
    expect(lines.length).toBeGreaterThan(2000)
    const wrong = lines.filter((line) => {
      const { text, ids } = JSON.parse(line) as { text: string; ids: number[] }
      const got = real.encodeWithOffsets(text).ids
      return (
        got.length !== ids.length || got.some((id, i) => id !== ids[i]) || real.decode(got) !== text.normalize('NFC')
      )
    })
    expect(wrong).toEqual([])
  })
})
