/**
 * Recall of the shortlist on human requests, with all tools registered: how often the tool that the mapping expects is
 * among the k best, and the time of one ranking.
 *
 *     BOTPSY_DATASETS=… npx tsx bench/shortlist.ts [FILE.jsonl …] [--misses]
 *
 * Without files: the held-out training lines of each corpus (they are in no phrasing), then the test files, one by
 * one and pooled.
 */
import { join } from 'node:path'
import { allContracts } from '../src/domains/contracts.js'
import { toolPhrasings } from '../src/domains/phrasings.js'
import { expectedCall } from '../src/evals/requests/mapping.js'
import type { RequestLine } from '../src/evals/requests/mapping-spans.js'
import { readRequestLines } from '../src/evals/requests/read-lines.js'
import { ToolRegistry } from '../src/tools/registry.js'
import { toolIndex } from '../src/tools/shortlist.js'
import { readCorpora } from '../src/training/data/human.js'

const corpora = join(process.env.BOTPSY_DATASETS ?? '', 'corpora')
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const registry = new ToolRegistry(allContracts).addPhrasings(toolPhrasings())
const began = performance.now()
const index = toolIndex(registry)
console.log(`${registry.size} tools, index made in ${(performance.now() - began).toFixed(0)} ms`)

function measure(name: string, lines: readonly RequestLine[]): void {
  const hits = { 1: 0, 3: 0, 5: 0, 8: 0 }
  const misses = new Map<string, number>()
  let asked = 0
  let time = 0
  for (const line of lines) {
    const expected = expectedCall(line)
    if (!('tool' in expected)) continue
    asked++
    const start = performance.now()
    const place = index.rank(line.text).findIndex(({ name }) => name === expected.tool)
    time += performance.now() - start
    for (const k of [1, 3, 5, 8] as const) if (place < k) hits[k]++
    if (place >= 8) {
      misses.set(expected.tool, (misses.get(expected.tool) ?? 0) + 1)
      if (process.argv.includes('--misses')) console.log(`  ${expected.tool} (${place + 1}): ${line.text}`)
    }
  }
  const share = (k: keyof typeof hits): string => `@${k} ${((100 * hits[k]) / asked).toFixed(2)}%`
  console.log(
    `${name}: ${asked} requests, ${share(1)}, ${share(3)}, ${share(5)}, ${share(8)}, ${((1000 * time) / asked).toFixed(0)} µs each`,
  )
}

if (files.length === 0) {
  const { validation } = readCorpora(corpora)
  for (const corpus of ['hwu64', 'slurp', 'snips']) {
    measure(
      `${corpus} held-out`,
      validation.filter((line) => line.corpus === corpus),
    )
  }
}
const pooled: RequestLine[] = []
const tests = files.length > 0 ? files : ['hwu64', 'slurp', 'snips'].map((name) => join(corpora, name, 'test.jsonl'))
for (const file of tests) {
  const lines = await readRequestLines(file)
  measure(file.split('/').slice(-2).join('/'), lines)
  pooled.push(...lines)
}
if (tests.length > 1) measure('all of these together', pooled)
