import { expect, it } from 'vitest'
import { killRuns } from './testing/kill-runs.js'

it('repeats nothing and loses nothing over 50 kill -9 at random points of runs with writes', async () => {
  const report = await killRuns(50, 20, Math.random)
  expect(report.kills).toBeGreaterThanOrEqual(50)
  // Kills that all fell before the first or after the last write would prove nothing.
  expect(report.at.filter((effects) => effects > 0 && effects < 20).length).toBeGreaterThan(10)
  expect({ repeated: report.repeated, lost: report.lost }).toEqual({ repeated: 0, lost: 0 })
}, 600_000)
