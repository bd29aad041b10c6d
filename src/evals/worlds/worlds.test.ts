import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../tools/contract.js'
import { generateScenarios } from '../../worlds/index.js'
import { formatWorldFigures, playWorlds, transcriptOf, worldFigures } from './index.js'

const scenarios = generateScenarios(21, 36)

describe('worlds', () => {
  it('passes every scenario by the reference solutions, with few needless asks, several in flight', async () => {
    const seen: number[] = []
    const episodes = await playWorlds(scenarios, {
      policy: 'reference',
      inFlight: 4,
      onEpisode: (_one, done) => seen.push(done),
    })
    expect(episodes.map(({ scenario }) => scenario.id)).toEqual(scenarios.map(({ id }) => id))
    expect(seen).toEqual(scenarios.map((_, i) => i + 1))
    const figures = worldFigures(episodes)
    expect(figures.success).toMatchObject({ mean: 1, low: 1, high: 1, n: 36 })
    expect(Object.values(figures.byField).map(({ all }) => all.n)).toEqual(FIELDS.map(() => 4))
    expect(figures.askedBeyond / figures.requests).toBeLessThanOrEqual(0.05)
    expect(figures.asks).toHaveLength(figures.askedBeyond)
    const text = formatWorldFigures(figures, 'reference')
    expect(text).toContain('100.0% [100.0%, 100.0%] n=36')
    for (const field of FIELDS) expect(text).toContain(field)
    expect(JSON.parse(JSON.stringify(transcriptOf(episodes[0]!)))).toMatchObject({ passed: true, id: scenarios[0]?.id })
  }, 600_000)

  it('passes none by doing nothing', async () => {
    const figures = worldFigures(await playWorlds(scenarios, { policy: 'nothing' }))
    expect(figures.success.mean).toBe(0)
    expect(figures.unwanted).toBe(0)
  }, 600_000)

  it('wants an engine for the policy of a model', async () => {
    await expect(playWorlds(scenarios, { policy: 'model' })).rejects.toThrow(RangeError)
  })
})
