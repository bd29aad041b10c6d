import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoTemplateSource } from '../../../chat/index.js'
import { type TokenizerSpec, toTokenizerJson, trainBpe } from '../../../model/index.js'
import { tinyQwen } from '../../../testing/tiny-qwen.js'
import type { Conversation } from '../conversation.js'

/** A Qwen3.5-shaped model of some ten thousand parameters. */
export const tinyConfig = tinyQwen({
  intermediate_size: 64,
  max_position_embeddings: 512,
  rope_parameters: { rope_type: 'default', rope_theta: 10000, partial_rotary_factor: 0.25 },
})

const lamp = {
  name: 'light_set',
  description: 'Switch a light.',
  parameters: { type: 'object', properties: { name: { type: 'string' }, on: { type: 'boolean' } } },
}

/** Small conversations of lamps, numbered from `from`. */
export function lampConversations(count: number, from = 0): Conversation[] {
  const rooms = ['kitchen', 'hall', 'garden', 'attic', 'cellar']
  return Array.from({ length: count }, (_, n) => {
    const i = from + n
    const room = rooms[i % rooms.length] as string
    const on = i % 2 === 0
    return {
      tools: [lamp],
      exchanges: [
        [
          { role: 'user', content: `${on ? 'Turn on' : 'Switch off'} the ${room} light number ${i}, please.` },
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'a', name: 'light_set', arguments: { name: `${room} ${i}`, on } }],
          },
          { role: 'tool', callId: 'a', name: 'light_set', content: 'done' },
          { role: 'assistant', content: `The ${room} light is ${on ? 'on' : 'off'}.`, toolCalls: [] },
        ],
        [
          { role: 'user', content: i % 3 === 0 ? 'Thank you!' : 'Is it nice — outside?' },
          { role: 'assistant', content: i % 3 === 0 ? 'You are welcome.' : 'I cannot tell.', toolCalls: [] },
        ],
      ],
    }
  })
}

/** A vocabulary of `size` ids learned from these texts, with the tokens that the template of botpsy-nano writes. */
export function tinyVocabulary(texts: Iterable<string>, size: number): TokenizerSpec {
  return trainBpe(texts, {
    vocabularySize: size,
    controlTokens: ['<|endoftext|>', '<|im_start|>', '<|im_end|>'],
    userTokens: [
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '<function=',
      '</function>',
      '<parameter=',
      '</parameter>',
    ],
  })
}

/** Writes tokenizer, template and data for a tiny run. @returns nothing; the files are named in {@link tinyRecipe}. */
export function writeTinyRun(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const train = lampConversations(40)
  const lines = (list: readonly Conversation[]) => list.map((one) => `${JSON.stringify(one)}\n`).join('')
  writeFileSync(join(folder, 'train.jsonl'), lines(train))
  writeFileSync(join(folder, 'held-out.jsonl'), lines(lampConversations(6, 100)))
  writeFileSync(join(folder, 'template.jinja'), nanoTemplateSource)
  const spec = tinyVocabulary([lines(train)], 400)
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(toTokenizerJson(spec)))
}

/** Recipe text for {@link writeTinyRun}'s files, with the run in `output`. */
export function tinyRecipe(output: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    name: 'tiny',
    output,
    seed: 7,
    model: { config: tinyConfig },
    tokenizer: 'tokenizer.json',
    template: 'template.jinja',
    data: { sources: [{ file: 'train.jsonl' }], maxTokens: 512, pool: 16, auxWeight: 0.1 },
    batch: { tokens: 2048, microTokens: 1024 },
    optimizer: { schedule: { kind: 'cosine', peak: 0.01, warmup: 2 } },
    steps: 12,
    evaluation: { files: { 'held-out': 'held-out.jsonl' }, every: 6 },
    checkpoints: { every: 4, keep: 2 },
    ...changes,
  })
}
