import { expect, it } from 'vitest'
import { killRuns, seeded } from './testing/kill-runs.js'

it('repeats nothing and loses nothing in any store over 50 kill -9 at random points of whole lives', async () => {
  const report = await killRuns(50, seeded(Date.now()))
  expect(report.kills).toBe(50)
  // Kills that all fell outside the effects would prove nothing.
  expect(report.at.calls ?? 0).toBeGreaterThan(10)
  expect({ repeated: report.repeated, lost: report.lost }).toEqual({ repeated: [], lost: [] })
}, 600_000)
