import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ChatTemplate, nanoTemplateSource } from '../../chat/index.js'
import { corporaFolder } from '../../evals/datasets-place.js'
import type { TrainingText } from '../../model/bpe-trainer.js'
import { trainBpe, writeTokenizer } from '../../model/bpe-trainer.js'
import { readTokenizerJson } from '../../model/index.js'
import { renderConversation } from '../sft/render.js'
import { readCorpora } from './human.js'
import { NANO_CONTROLS, nanoLiterals } from './literals.js'
import { NanoDataOptions, NanoSource } from './source.js'

/** Weight of a word written both with and without a leading blank, beside the rendered texts. */
const PAIRED_WORD_WEIGHT = 0.35

/** Texts to learn merges from: rendered training texts, and each word of requests at a line's start as well. */
export function* tokenizerTexts(source: NanoSource, epochs: number, seed: number): Generator<TrainingText> {
  const template = new ChatTemplate(nanoTemplateSource)
  const words = new Map<string, number>()
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const conversation of source.epoch(1_000_000 + epoch, seed)) {
      for (const { text } of renderConversation(template, conversation)) yield { text }
      for (const message of conversation.exchanges?.flat() ?? []) {
        if (message.role !== 'user') continue
        for (const word of message.content.split(/\s+/)) words.set(word, (words.get(word) ?? 0) + 1)
      }
    }
  }
  // A value stands after a newline, its source after a blank: where both spellings are tokens, copying is one step.
  for (const [word, count] of words) {
    yield { text: word, weight: count * PAIRED_WORD_WEIGHT }
    yield { text: ` ${word}`, weight: count * PAIRED_WORD_WEIGHT }
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      size: { type: 'string', default: '4096' },
      corpora: { type: 'string', default: corporaFolder() },
    },
  })
  if (!values.out) throw new Error('Give a folder: --out DIR')
  const source = new NanoSource(readCorpora(values.corpora), NanoDataOptions.parse({}))
  const seed = Number(values.seed)
  const spec = trainBpe(tokenizerTexts(source, 1, seed), {
    vocabularySize: Number(values.size),
    controlTokens: NANO_CONTROLS,
    userTokens: nanoLiterals(),
  })
  await writeTokenizer(values.out, spec, {
    endOfTurn: '<|im_end|>',
    padding: '<|endoftext|>',
    chatTemplate: nanoTemplateSource,
    contextLength: 4096,
  })
  const tokenizer = await readTokenizerJson(join(values.out, 'tokenizer.json'))
  const template = new ChatTemplate(nanoTemplateSource)
  let tokens = 0
  let texts = 0
  let exchanges = 0
  let head = 0
  for (const conversation of source.epoch(2_000_000, seed)) {
    for (const { text, starts } of renderConversation(template, conversation)) {
      tokens += tokenizer.encode(text).length
      head += tokenizer.encode(text.slice(0, starts[0] ?? 0)).length
      texts++
    }
    exchanges += conversation.exchanges?.length ?? 0
  }
  process.stdout.write(
    `${values.out}: ${tokenizer.size} tokens; a text has ${(tokens / texts).toFixed(0)}, its system turn ${(head / texts).toFixed(0)}, an exchange ${((tokens - head) / exchanges).toFixed(1)}\n`,
  )
}

if (process.argv[1]?.endsWith('train-tokenizer.ts')) await main()
