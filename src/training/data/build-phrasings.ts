import { renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { corporaFolder } from '../../evals/datasets-place.js'
import { expectedCall } from '../../evals/requests/mapping.js'
import { Draw } from './draw.js'
import { textOf } from './grammar.js'
import type { HumanLine } from './human.js'
import { readCorpora, slotValues } from './human.js'
import { drawRequest, poolsWith, REQUESTS } from './requests.js'

/** At most so many Snips lines of an intent: they are many and alike. */
const SNIPS_LINES = 150
/** Synthetic phrasings of each grammar. */
const SYNTHETIC = 24

/**
 * Writes src/domains/phrasings.json, the ways people ask for each tool that the shortlist reads:
 * `npx tsx src/training/data/build-phrasings.ts --out src/domains/phrasings.json`. Held-out lines stay out, so that
 * measuring on them is fair.
 */
function main(): void {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      corpora: { type: 'string', default: corporaFolder() },
    },
  })
  if (!values.out) throw new Error('Give a file: --out FILE')
  const phrasings = collectPhrasings(readCorpora(values.corpora).train)
  const lines = Object.entries(phrasings).map(([tool, texts]) => ` ${JSON.stringify(tool)}: ${JSON.stringify(texts)}`)
  writeFileSync(`${values.out}.part`, `{\n${lines.join(',\n')}\n}\n`)
  renameSync(`${values.out}.part`, values.out)
}

/** Phrasings by tool, sorted and without repetition. */
export function collectPhrasings(lines: readonly HumanLine[]): { [tool: string]: string[] } {
  const found = new Map<string, Set<string>>()
  const add = (tool: string, text: string): void => {
    const texts = found.get(tool) ?? new Set()
    texts.add(
      text
        .toLowerCase()
        .replace(/[.?!]+$/, '')
        .trim(),
    )
    found.set(tool, texts)
  }
  const snips = new Map<string, number>()
  for (const line of lines) {
    const expectation = expectedCall(line)
    if (!('tool' in expectation)) continue
    if (line.corpus === 'snips') {
      const count = (snips.get(line.intent) ?? 0) + 1
      snips.set(line.intent, count)
      if (count > SNIPS_LINES) continue
    }
    add(expectation.tool, line.text)
  }
  const draw = new Draw(23)
  const pools = poolsWith(slotValues(lines))
  for (const grammar of REQUESTS) {
    for (let i = 0; i < SYNTHETIC; i++) add(grammar.tool, textOf(drawRequest(grammar, pools, draw).pieces))
  }
  return Object.fromEntries(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([tool, texts]) => [tool, [...texts].filter(Boolean).sort()]),
  )
}

if (process.argv[1]?.endsWith('build-phrasings.ts')) main()
