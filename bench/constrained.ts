/**
 * Constrained calls of random tools by a model at temperature 2: every call must be read back whole and valid.
 *
 *     npx tsx bench/constrained.ts [FILE.gguf] [--schemas N] [--seed N] [--tokens N] [--verbose]
 *
 * Default: the embedded model, 2,000 sets of tools, at most 1,000 tokens a call. A string may be of any length, and the
 * model writes noise: calls that the limit of tokens cut are counted apart, as the host counts them (a cut call is never
 * run).
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { LlamaEngine } from '../src/engine/llama/engine.js'
import { packageRoot } from '../src/engine/package-root.js'
import { constrainedCall, randomTools } from '../src/testing/random-tools.js'

const args = process.argv.slice(2)
const option = (name: string, fallback: number): number =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback
const gguf =
  args.find((argument) => argument.endsWith('.gguf')) ??
  join(packageRoot(), 'models', 'botpsy-nano', 'botpsy-nano.Q8_0.gguf')
const seed = option('--seed', 1)
const sets = fc.sample(randomTools, { numRuns: option('--schemas', 2000), seed })
const engine = await LlamaEngine.load({ gguf, threads: 1, gpu: 'off' })
const counts = { whole: 0, cut: 0, wrong: 0 }
let tokens = 0
const began = performance.now()
for (const [index, tools] of sets.entries()) {
  const call = await constrainedCall(engine, tools, seed * 100_000 + index, option('--tokens', 1000))
  counts[call.verdict]++
  tokens += call.tokens
  if (call.verdict === 'wrong' || args.includes('--verbose'))
    console.log(`${index} ${call.verdict} ${call.problem}\n${JSON.stringify(call.text)}`)
  if ((index + 1) % 200 === 0) console.log(`${index + 1}: ${JSON.stringify(counts)}`)
}
await engine.close()
const schemas = new Set(sets.flat().map(({ parameters }) => JSON.stringify(parameters.shape))).size
console.log(
  `${sets.length} sets of tools (${sets.flat().length} tools, ${schemas} different shapes): ${counts.whole} calls whole and valid, ` +
    `${counts.cut} cut by the limit of tokens, ${counts.wrong} wrong; ${tokens} tokens in ${((performance.now() - began) / 1000).toFixed(0)} s`,
)
process.exitCode = counts.wrong === 0 ? 0 : 1
