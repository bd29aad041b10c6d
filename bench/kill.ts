/**
 * Ends runs with writes by kill -9 at random points, starts them again, and counts effects repeated or lost.
 *
 *     npx tsx bench/kill.ts [KILLS=200] [WRITES=20]
 */
import { killRuns } from '../src/agent/testing/kill-runs.js'

const [kills = '200', writes = '20'] = process.argv.slice(2)
const report = await killRuns(Number(kills), Number(writes), Math.random)
const inside = report.at.filter((effects) => effects > 0 && effects < Number(writes)).length
console.log(
  `kill -9: ${report.kills} (${inside} of them in the middle of the writes) over ${report.runs} runs of ${writes} writes: ` +
    `${report.repeated} repeated, ${report.lost} lost, ${report.reconciled} found again by their key`,
)
console.log(JSON.stringify({ kills: report.kills, repeated: report.repeated, lost: report.lost }))
process.exitCode = report.repeated + report.lost > 0 ? 1 : 0
