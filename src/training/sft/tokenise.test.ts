import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChatTemplate, nanoTemplateSource } from '../../chat/index.js'
import { Tokenizer, trainBpe } from '../../model/index.js'
import type { Conversation } from './conversation.js'
import type { TokenisedExample } from './example.js'
import { lampConversations } from './testing/tiny.js'
import { tokenise } from './tokenise.js'

const nano = new ChatTemplate(nanoTemplateSource)
/** Strips the reasoning of earlier turns, as public templates do. */
const stripping = new ChatTemplate(
  [
    "{%- set last = namespace(at=-1) -%}{%- for m in messages -%}{%- if m.role == 'user' -%}{%- set last.at = loop.index0 -%}{%- endif -%}{%- endfor -%}",
    "{%- for m in messages -%}{{- '<|im_start|>' + m.role + '\\n' -}}",
    "{%- if m.role == 'assistant' and loop.index0 > last.at -%}{{- '<think>\\n' + (m.reasoning_content or '') + '\\n</think>\\n\\n' -}}{%- endif -%}",
    "{{- m.content + '<|im_end|>\\n' -}}{%- endfor -%}",
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' + ('<think>\\n' if enable_thinking else '<think>\\n\\n</think>\\n\\n') -}}{%- endif -%}",
  ].join(''),
)
const tokenizer = new Tokenizer(
  trainBpe(
    lampConversations(20).map((one) => JSON.stringify(one)),
    {
      vocabularySize: 420,
      controlTokens: ['<|im_start|>', '<|im_end|>'],
      userTokens: ['<think>', '</think>', '<tool_call>', '</tool_call>'],
    },
  ),
)

/** What the tokens with this weight say, stretch by stretch. */
function weighted(example: TokenisedExample, weight: number): string[] {
  const runs: number[][] = []
  let open = false
  example.tokens.forEach((id, i) => {
    const is = Math.abs((example.weights[i] as number) - weight) < 1e-6
    if (is && !open) runs.push([])
    if (is) runs.at(-1)?.push(id)
    open = is
  })
  return runs.map((ids) => tokenizer.decode(ids))
}

describe('tokenise', () => {
  const call =
    '<tool_call>\n<function=light_set>\n<parameter=name>\nkitchen 0\n</parameter>\n<parameter=on>\nTrue\n</parameter>\n</function>\n</tool_call>'

  it('teaches exactly what the assistant writes, end of turn included, and nothing of the prompt', () => {
    const conversation = lampConversations(1)[0] as Conversation
    const [example, ...more] = tokenise(conversation, nano, tokenizer, { maxTokens: 1000 })
    expect(more).toEqual([])
    const said = weighted(example as TokenisedExample, 1)
    expect(said.map((text) => text.replace('true', 'True'))).toEqual([
      `${call}<|im_end|>`,
      'The kitchen light is on.<|im_end|>',
      'You are welcome.<|im_end|>',
    ])
    expect(example?.turns).toHaveLength(6)
  })

  it('gives user text the auxiliary weight, but not tool results', () => {
    const conversation = lampConversations(1)[0] as Conversation
    const [example] = tokenise(conversation, nano, tokenizer, { maxTokens: 1000, auxWeight: 0.25 })
    expect(weighted(example as TokenisedExample, 0.25)).toEqual([
      'Turn on the kitchen light number 0, please.<|im_end|>',
      'Thank you!<|im_end|>',
    ])
    expect(weighted(example as TokenisedExample, 1)).toHaveLength(3)
  })

  it('takes the weights of single turns', () => {
    const conversation = { ...(lampConversations(1)[0] as Conversation), weights: [0, 0.5, 2] }
    const [example] = tokenise(conversation, nano, tokenizer, { maxTokens: 1000 })
    expect(weighted(example as TokenisedExample, 0.5)).toEqual(['The kitchen light is on.<|im_end|>'])
    expect(weighted(example as TokenisedExample, 2)).toEqual(['You are welcome.<|im_end|>'])
    expect(weighted(example as TokenisedExample, 1)).toEqual([])
    expect(example?.turns).toHaveLength(4)
  })

  it('teaches every turn as it is written in use, also where the template strips earlier reasoning', () => {
    const conversation: Conversation = {
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', reasoning: 'hm', content: 'first', toolCalls: [] },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'second', toolCalls: [] },
      ],
    }
    const examples = tokenise(conversation, stripping, tokenizer, { maxTokens: 1000 })
    const said = examples.map((example) => weighted(example, 1))
    expect(said).toEqual([['second<|im_end|>'], ['hm\n</think>\n\nfirst<|im_end|>']])
    expect(tokenizer.decode(examples[0]?.tokens ?? [])).not.toContain('hm')
  })

  it('spreads exchanges that are too many, and cuts a long conversation after a whole turn', () => {
    const many: Conversation = {
      system: 'Be kind.',
      exchanges: lampConversations(12).flatMap((one) => one.exchanges ?? []),
    }
    const whole = tokenise(many, nano, tokenizer, { maxTokens: 100_000 })
    const parts = tokenise(many, nano, tokenizer, { maxTokens: 300 })
    expect(whole).toHaveLength(1)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) {
      expect(part.tokens.length).toBeLessThanOrEqual(300)
      expect(tokenizer.decode(part.tokens)).toMatch(
        /^<\|im_start\|>system\nBe kind\.<\|im_end\|>\n<\|im_start\|>user\n/,
      )
    }
    expect(parts.flatMap((part) => weighted(part, 1))).toEqual(weighted(whole[0] as TokenisedExample, 1))

    const long: Conversation = { messages: (many.exchanges ?? []).flat() }
    const [cut] = tokenise(long, nano, tokenizer, { maxTokens: 300 })
    expect(cut?.tokens.length).toBeLessThanOrEqual(300)
    expect(tokenizer.decode(cut?.tokens ?? []).endsWith('<|im_end|>')).toBe(true)
    expect(tokenise(long, nano, tokenizer, { maxTokens: 5 })).toEqual([])
  })

  it('holds for any text: taught tokens say the turns, and the tokens say the rendered text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((s) => `x${s.replace(/[<>|]/g, '')}y`)
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (pairs) => {
        const exchanges = pairs.map(([question, answer]) => [
          { role: 'user' as const, content: question },
          { role: 'assistant' as const, content: answer, toolCalls: [] },
        ])
        const [example] = tokenise({ exchanges }, nano, tokenizer, { maxTokens: 100_000 })
        const expected = pairs.map(([, answer]) => `${answer.normalize('NFC')}<|im_end|>`)
        expect(weighted(example as TokenisedExample, 1)).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})
