import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corporaFolder } from '../../evals/datasets-place.js'
import { mappingShare } from '../../evals/requests/mapping.js'
import type { Conversation } from '../sft/conversation.js'
import { deriveSeed } from '../sft/seed.js'
import { readCorpora } from './human.js'
import { NanoDataOptions, NanoSource } from './source.js'
import { estimateTokens } from './token-estimate.js'

/**
 * Writes the data of the embedded model: `npx tsx src/training/data/build.ts --out DIR --seed S [--epochs N]`, and prints
 * counts per tool, sizes and the share of slots that the mapping carries.
 */
function main(): void {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      epochs: { type: 'string', default: '1' },
      corpora: { type: 'string', default: corporaFolder() },
    },
  })
  if (!values.out) throw new Error('Give a folder: --out DIR')
  const seed = Number(values.seed)
  mkdirSync(values.out, { recursive: true })
  const corpora = readCorpora(values.corpora)
  for (const corpus of ['hwu64', 'slurp', 'snips'] as const) {
    const share = mappingShare([...corpora.train, ...corpora.validation].filter((line) => line.corpus === corpus))
    print(`${corpus}: ${share.carried}/${share.slots} slots carried (${(share.share * 100).toFixed(2)}%)`)
  }
  const train = new NanoSource(corpora, NanoDataOptions.parse({}))
  const validation = new NanoSource(corpora, NanoDataOptions.parse({ split: 'validation' }))
  for (let epoch = 0; epoch < Number(values.epochs); epoch++) {
    const name = Number(values.epochs) === 1 ? 'train.jsonl' : `train-${epoch}.jsonl`
    write(join(values.out, name), [...train.epoch(epoch, deriveSeed(seed, 'generator', 0, epoch))])
  }
  write(join(values.out, 'validation.jsonl'), [...validation.epoch(0, seed)])
}

function write(path: string, conversations: readonly Conversation[]): void {
  writeFileSync(`${path}.part`, conversations.map((conversation) => `${JSON.stringify(conversation)}\n`).join(''))
  renameSync(`${path}.part`, path)
  const counts = new Map<string, number>()
  let exchanges = 0
  let words = 0
  let characters = 0
  for (const { exchanges: list = [] } of conversations) {
    for (const exchange of list) {
      exchanges++
      characters += JSON.stringify(exchange).length
      const calls = exchange.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []))
      if (calls.length === 0) words++
      for (const call of calls) counts.set(call.name, (counts.get(call.name) ?? 0) + 1)
    }
  }
  const top = [...counts].sort((a, b) => b[1] - a[1])
  print(
    `${path}: ${conversations.length} texts, ${exchanges} exchanges (${(exchanges / conversations.length).toFixed(1)} a text), ${words} in words`,
  )
  print(
    `about ${Math.round(estimateTokens('x'.repeat(Math.round(characters / exchanges))))} tokens of JSON an exchange; ${readFileSync(path).length} bytes`,
  )
  print(
    top
      .slice(0, 95)
      .map(([tool, n]) => `${tool}:${n}`)
      .join(' '),
  )
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

main()
