/**
 * Ends runs over every local store by kill -9 at random points, starts them again, and compares the stores with those of a
 * run that was left alone. Can be split: runs with other seeds are other kills, and their numbers add up.
 *
 *     npx tsx bench/kill.ts [--kills 1000] [--seed 1] [--minutes M]
 */
import { parseArgs } from 'node:util'
import { killRuns, seeded } from '../src/agent/testing/kill-runs.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
})
const until = values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000
const report = await killRuns(Number(values.kills), seeded(Number(values.seed)), until === undefined ? {} : { until })
const { kills, runs, repeated, lost, reconciled, inEffect, at } = report
console.log(
  `kill -9: ${kills} over ${runs} runs, ${inEffect} of them between an intent and its record: ` +
    `${repeated.length} repeated, ${lost.length} lost, ${reconciled} found again by their key`,
)
for (const [part, count] of Object.entries(at)) console.log(`  ${part}: ${count}`)
for (const line of repeated.slice(0, 20)) console.log(`  too much: ${line}`)
for (const line of lost.slice(0, 20)) console.log(`  missing: ${line}`)
console.log(JSON.stringify({ kills, seed: Number(values.seed), repeated: repeated.length, lost: lost.length }))
process.exitCode = repeated.length + lost.length > 0 ? 1 : 0
