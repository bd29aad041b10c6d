import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trainBpe, writeTokenizer } from './bpe-trainer.js'
import { splitterOf } from './pretokenizer.js'
import { Tokenizer } from './tokenizer.js'
import { TokenizerError } from './tokenizer-error.js'
import { readTokenizerJson } from './tokenizer-json.js'

const none = { controlTokens: [], userTokens: [] }

/** The definition, without any index: recount every pair after every merge. */
function slowMerges(texts: readonly string[], count: number): string[] {
  let words = texts.flatMap(splitterOf(['~|[^~]+'])).map((word) => [...word])
  const merges: string[] = []
  const order = [...new Set(texts.join(''))].sort()
  const idOf = new Map(order.map((char, id) => [char, id]))
  while (merges.length < count) {
    const weights = new Map<string, { weight: number; left: string; right: string }>()
    for (const word of words) {
      for (let i = 0; i + 1 < word.length; i++) {
        const left = word[i]!
        const right = word[i + 1]!
        const entry = weights.get(`${left}|${right}`) ?? { weight: 0, left, right }
        entry.weight++
        weights.set(`${left}|${right}`, entry)
      }
    }
    const best = [...weights.values()].sort(
      (a, b) => b.weight - a.weight || idOf.get(a.left)! - idOf.get(b.left)! || idOf.get(a.right)! - idOf.get(b.right)!,
    )[0]
    if (best === undefined || best.weight < 2) break
    const made = best.left + best.right
    if (!idOf.has(made)) idOf.set(made, idOf.size)
    merges.push(`${best.left} ${best.right}`)
    words = words.map((word) => {
      const out: string[] = []
      for (let i = 0; i < word.length; i++) {
        if (word[i] === best.left && word[i + 1] === best.right) {
          out.push(made)
          i++
        } else out.push(word[i]!)
      }
      return out
    })
  }
  return merges
}

describe('trainBpe', () => {
  test('makes the merges of the definition', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '~'), minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), (texts) => {
        const spec = trainBpe(texts, { vocabularySize: 280, ...none, expression: '~|[^~]+' })
        const expected = slowMerges(texts, spec.merges.length)
        expect(spec.merges.map((pair) => pair.join(' '))).toEqual(expected)
      }),
    )
  })

  test('a weight counts as that many copies', () => {
    const options = { vocabularySize: 270, ...none }
    const copies = trainBpe(['xyxyxy', 'xyxyxy', 'xyxyxy', 'pq'], options)
    const weighted = trainBpe([{ text: 'xyxyxy', weight: 3 }, { text: 'pq' }], options)
    expect(weighted).toEqual(copies)
  })

  test('added tokens come last, control before user, and no merge is learned from them', () => {
    const spec = trainBpe(Array(50).fill('<tool_call>hello<|im_end|>'), {
      vocabularySize: 300,
      controlTokens: ['<|im_end|>'],
      userTokens: ['<tool_call>'],
    })
    expect(spec.addedTokens.map((token) => [token.content, token.special])).toEqual([
      ['<|im_end|>', true],
      ['<tool_call>', false],
    ])
    expect(spec.addedTokens[0]!.id).toBe(spec.vocabulary.length)
    expect(spec.merges.flat().join('')).not.toMatch(/[<_|]/)
    expect(new Tokenizer(spec).encode('<tool_call>hello<|im_end|>')).toHaveLength(3)
  })

  test('impossible options are typed errors', () => {
    expect(() => trainBpe([], { vocabularySize: 100, ...none })).toThrow(TokenizerError)
    expect(() => trainBpe([], { vocabularySize: 300, controlTokens: ['x'], userTokens: ['x'] })).toThrow(TokenizerError)
  })

  test('the written folder is read back to the same tokenizer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'botpsy-bpe-'))
    try {
      const spec = trainBpe(['some words, some more words'], {
        vocabularySize: 280,
        controlTokens: ['<|e|>', '<|p|>'],
        userTokens: [],
      })
      await writeTokenizer(folder, spec, { endOfTurn: '<|e|>', padding: '<|p|>', chatTemplate: '{{ messages }}' })
      expect((await readdir(folder)).sort()).toEqual(['chat_template.jinja', 'tokenizer.json', 'tokenizer_config.json'])
      const text = 'some more <|e|> words'
      expect((await readTokenizerJson(join(folder, 'tokenizer.json'))).encode(text)).toEqual(
        new Tokenizer(spec).encode(text),
      )
      expect(JSON.parse(await readFile(join(folder, 'tokenizer_config.json'), 'utf8'))).toMatchObject({
        eos_token: '<|e|>',
        pad_token: '<|p|>',
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
