import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../chat/types.js'
import { finalAnswer, firstLine, grounded, saysOnly } from './answer.js'
import { canonicalJson, hashOf } from './canonical.js'
import { compact, estimateTokens, fitResult } from './compaction.js'
import { defaultHome } from './home.js'
import { makeVisible } from './visible.js'

describe('canonicalJson', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse())
        const text = canonicalJson(turned as never)
        expect(text).toBe(canonicalJson(value as never))
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
    expect(hashOf('ab', 'c')).not.toBe(hashOf('a', 'bc'))
  })
})

describe('compaction', () => {
  const exchange = (n: number, size: number): Message[] => [
    { role: 'user', content: `request ${n}` },
    { role: 'assistant', content: '', toolCalls: [{ id: `c${n}`, name: 't', arguments: {} }] },
    { role: 'tool', callId: `c${n}`, name: 't', content: 'x'.repeat(size) },
    { role: 'assistant', content: `answer ${n}`, toolCalls: [] },
  ]
  const system: Message = { role: 'system', content: 'standing instructions' }
  const last: Message = { role: 'user', content: 'now this' }

  it('fits, and never drops the system text, the last request, or the exchange that asked the open question', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(4000), { maxLength: 8 }),
        fc.integer({ min: 700, max: 3000 }),
        fc.boolean(),
        (sizes, limit, open) => {
          const messages = [system, ...sizes.flatMap((size, n) => exchange(n, size)), last]
          const { messages: kept, dropped } = compact(messages, limit, open)
          expect(kept[0]).toEqual(system)
          expect(kept.at(-1)).toEqual(last)
          if (open && sizes.length > 0)
            expect(kept).toContainEqual({ role: 'user', content: `request ${sizes.length - 1}` })
          if (!open) expect(estimateTokens(kept)).toBeLessThanOrEqual(limit)
          if (estimateTokens(messages) <= limit) expect(kept).toEqual(messages)
          // What is kept of the history is its end, without holes: every result stands behind its call.
          const users = kept.filter((message) => message.role === 'user').map((message) => message.content)
          expect(users).toEqual(
            [...sizes.keys()]
              .slice(dropped)
              .map((n) => `request ${n}`)
              .concat('now this'),
          )
        },
      ),
    )
  })

  it('cuts a long result with a notice and leaves a short one alone', () => {
    expect(fitResult('short', 100)).toBe('short')
    const cut = fitResult('😀'.repeat(2000), 100)
    expect(cut.length).toBeLessThanOrEqual(300)
    expect(cut).toMatch(/\[cut after \d+ of 4000 characters; the whole result is in the journal\]$/)
    expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})

describe('the final answer', () => {
  const ok = { name: 't', ok: true, content: 'Alarm set for Tuesday, 06:15.\nuid: 123' }
  const bad = { name: 'u', ok: false, content: 'No contact named Ann.' }

  it.each([
    ['Your alarm is set for 6:15.', [ok], 'Your alarm is set for 6:15.', false],
    ['Your alarm is set for 7:15.', [ok], 'Alarm set for Tuesday, 06:15.', true],
    ['', [ok], 'Alarm set for Tuesday, 06:15.', true],
    ['Alarm set for Tuesday?', [ok], 'Alarm set for Tuesday, 06:15.', true],
    ['Done!', [bad], 'No contact named Ann.', true],
    ['Alarm set.', [ok, bad], 'Alarm set.\nNo contact named Ann.', true],
    [
      'All done.',
      [
        { ...ok, name: 'u', ok: false, content: 'bad argument' },
        { ...ok, name: 'u' },
      ],
      'All done.',
      false,
    ],
    ['Hello there.', [], 'Hello there.', false],
    ['Hello hello hello hello.', [], '', false],
    ['Your alarm is set.', [], '', false],
    ['Done.', [], '', false],
    ['It is 20 degrees.', [], '', false],
    ['Nothing is set. What should I do?', [], 'Nothing is set. What should I do?', false],
  ])('%j after %j', (words, results, text, byHost) => {
    expect(finalAnswer(words, results, [])).toEqual({ text, byHost })
  })

  it('lets no word through that neither a result nor the owner said', () => {
    const result = 'The kitchen light is now on.'
    expect(saysOnly('The kitchen light is on now.', [result])).toBe(true)
    expect(saysOnly('The kitchen lights are on.', [result])).toBe(true)
    for (const wrong of ['The kitchen light is off.', 'The kitchen light is not on.', 'Bob is in the kitchen.'])
      expect(saysOnly(wrong, [result])).toBe(false)
    expect(saysOnly('on on on on', [result])).toBe(false)
  })

  it('knows numbers in any of their usual shapes', () => {
    expect(grounded('1,000 at 09:05', ['1000', 'at 9:05'])).toBe(true)
    expect(grounded('2 of them', ['three'])).toBe(false)
    expect(firstLine('\n\n  a\nb')).toBe('a')
  })
})

describe('makeVisible', () => {
  it('shows everything that would not be seen, and changes nothing that would', () => {
    expect(makeVisible('a\u001b[31mb\u202ec\u200bd\u0000\u{e0041}')).toBe(
      'a‹ESC›[31mb‹direction›c‹zero width›d‹x00›‹U+E0041›',
    )
    for (const text of ['plain\n\ttext', 'ékes ñ 日本語', '👩‍👩‍👧 ❤️']) expect(makeVisible(text)).toBe(text)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(makeVisible(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/)
      }),
    )
  })
})

describe('defaultHome', () => {
  it('follows the platform', () => {
    expect(defaultHome({ HOME: '/h' }, 'linux')).toBe('/h/.local/share/botpsy')
    expect(defaultHome({ HOME: '/h', XDG_DATA_HOME: '/x' }, 'linux')).toBe('/x/botpsy')
    expect(defaultHome({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/BotPsy')
  })
})
