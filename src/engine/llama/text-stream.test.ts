import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextStream } from './text-stream.js'

/** A vocabulary of the 256 bytes, so that characters fall apart into several tokens. */
const decode = (ids: readonly number[]): string => Buffer.from(ids).toString('utf8')

function stream(text: string, stops: readonly string[]): { text: string; stopped: boolean; pieces: string[] } {
  const out = new TextStream(decode, stops)
  const pieces: string[] = []
  for (const byte of Buffer.from(text)) {
    const { text: piece, stopped } = out.push(byte)
    pieces.push(piece)
    if (stopped) return { text: pieces.join(''), stopped, pieces }
  }
  pieces.push(out.flush())
  return { text: pieces.join(''), stopped: false, pieces }
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日', '👍', '\n') })

describe('TextStream', () => {
  test('gives the text back, never half a character', () => {
    fc.assert(
      fc.property(letters, (text) => {
        const run = stream(text, [])
        expect(run.text).toBe(text)
        expect(run.pieces.join('|')).not.toContain('\uFFFD')
      }),
    )
  })

  test('ends before the first stop text and emits nothing of it', () => {
    fc.assert(
      fc.property(
        letters,
        fc.array(
          letters.filter((s) => s !== ''),
          { minLength: 1, maxLength: 3 },
        ),
        (text, stops) => {
          const run = stream(text, stops)
          const cuts = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
          expect(run.stopped).toBe(cuts.length > 0)
          if (cuts.length === 0) expect(run.text).toBe(text)
          else {
            expect(text.startsWith(run.text)).toBe(true)
            expect(stops.some((stop) => run.text.includes(stop))).toBe(false)
            expect(stops.some((stop) => text.startsWith(run.text + stop))).toBe(true)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('does not wait for ever on bytes that are no character', () => {
    const out = new TextStream(decode)
    const text = Array.from({ length: 12 }, () => out.push(0x80).text).join('')
    expect(text.length).toBeGreaterThan(0)
  })
})
