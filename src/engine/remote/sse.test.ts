import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sseData } from './sse.js'

async function read(...chunks: Uint8Array[]): Promise<string[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* chunks
  }
  const out: string[] = []
  for await (const data of sseData(body())) out.push(data)
  return out
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('sseData', () => {
  test('joins the lines of an event and passes over comments and other fields', async () => {
    const text = ': hello\nevent: x\ndata: a\ndata: b\n\nid: 3\ndata:c\r\n\r\ndata:  d\r\rdata: last'
    expect(await read(bytes(text))).toEqual(['a\nb', 'c', ' d', 'last'])
  })

  test('gives the same whatever the split', async () => {
    const text = 'data: {"a":"é"}\r\n\r\ndata: 日本\n\n: ping\n\ndata: [DONE]\n\n'
    const all = bytes(text)
    const expected = await read(all)
    expect(expected).toEqual(['{"a":"é"}', '日本', '[DONE]'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: all.length }), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), all.length]
        expect(await read(...at.slice(1).map((end, i) => all.subarray(at[i], end)))).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})
