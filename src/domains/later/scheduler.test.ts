import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Records } from '../store/index.js'
import type { Due, DueSource } from './due.js'
import { FIRST_LOOK_MS, RING_GRACE_MS, START_GRACE_MS } from './judge.js'
import { Ledger } from './ledger.js'
import { Scheduler } from './scheduler.js'

const ZONE = 'Europe/Budapest'
const START = Date.parse('2026-11-30T12:00:00Z')
const SECOND = 1000
const HOUR = 3_600_000

/** A world with a wall clock that may do anything, and a service that may be killed at any moment. */
class World {
  wall = START
  zone = ZONE
  readonly records = new Records(':memory:')
  readonly entries = new Map<string, { readonly at: (zone: string) => number; readonly floating: boolean }>()
  readonly rung: { readonly key: string; readonly at: number; readonly now: number }[] = []
  /** Keys that the owner was told as missed, by the times of telling. */
  readonly told: { readonly key: string; readonly now: number }[] = []
  scheduler: Scheduler | undefined

  readonly source: DueSource = {
    between: (from, to, zone) =>
      [...this.entries].flatMap(([key, entry]): Due[] => {
        const at = entry.at(zone)
        return at < from || at > to
          ? []
          : [{ key, at, kind: 'alarm', title: key, ref: key, ...(entry.floating ? { floating: true } : {}) }]
      }),
  }

  start(): void {
    const ledger = new Ledger(this.records)
    ledger.collectCutOff()
    this.scheduler = new Scheduler(ledger, [this.source])
  }

  /** One look, with the process killed before, in the middle or never. */
  async look(kill?: 'after-commit'): Promise<void> {
    const { scheduler } = this
    if (scheduler === undefined) return
    const found = await scheduler.look(this.wall, this.zone)
    if (kill) {
      this.scheduler = undefined
      return
    }
    for (const due of found.rung) {
      this.rung.push({ key: due.key, at: due.at, now: this.wall })
      scheduler.ledger.rings(due.key)
      scheduler.ledger.stop(due.key)
    }
    const untold = scheduler.ledger.untold()
    for (const { key } of untold) this.told.push({ key, now: this.wall })
    scheduler.ledger.told(untold)
  }

  /** Seconds pass while the service looks every second. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.wall += SECOND
      await this.look()
    }
  }
}

const offsetOf = (zone: string): number => (zone === 'Asia/Tokyo' ? 9 : zone === 'America/New_York' ? -5 : 1) * HOUR

type Step =
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'add'; readonly inSeconds: number; readonly floating: boolean }
  | { readonly do: 'remove'; readonly nth: number }
  | { readonly do: 'sleep'; readonly seconds: number }
  | { readonly do: 'clock'; readonly seconds: number }
  | { readonly do: 'kill'; readonly afterCommit: boolean; readonly seconds: number }
  | { readonly do: 'zone'; readonly zone: string }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        inSeconds: fc.integer({ min: 1, max: 400 }),
        floating: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), nth: fc.nat(20) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('sleep' as const), seconds: fc.integer({ min: 1, max: 90_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('clock' as const), seconds: fc.integer({ min: -90_000, max: 90_000 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('kill' as const),
        afterCommit: fc.boolean(),
        seconds: fc.integer({ min: 0, max: 1000 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('zone' as const),
        zone: fc.constantFrom(ZONE, 'Asia/Tokyo', 'America/New_York'),
      }),
    },
  ),
  { maxLength: 40 },
)

describe('the scheduler', () => {
  it('rings each thing at most once, and rings it or tells it, whatever clock, zone and process do', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const world = new World()
        world.start()
        await world.look()
        const removed = new Set<string>()
        let latest = START
        for (const step of plan) {
          if (step.do === 'pass') await world.pass(step.seconds)
          if (step.do === 'add') {
            const at = world.wall + step.inSeconds * SECOND
            const wall = at + offsetOf(world.zone)
            const key = `k${world.entries.size}`
            world.entries.set(key, {
              floating: step.floating,
              at: step.floating ? (zone) => wall - offsetOf(zone) : () => at,
            })
            latest = Math.max(latest, at + 24 * HOUR)
          }
          if (step.do === 'remove') {
            const key = [...world.entries.keys()][step.nth]
            if (key !== undefined && !removed.has(key)) {
              removed.add(key)
              world.entries.set(key, { floating: false, at: () => Number.POSITIVE_INFINITY })
            }
          }
          if (step.do === 'sleep' || step.do === 'clock') {
            world.wall += step.seconds * SECOND
            await world.look()
          }
          if (step.do === 'zone') {
            world.zone = step.zone
            await world.look()
          }
          if (step.do === 'kill') {
            world.wall += SECOND
            if (step.afterCommit) await world.look('after-commit')
            world.wall += step.seconds * SECOND
            world.start()
            await world.look()
          }
        }
        world.wall = Math.max(world.wall, latest) + HOUR
        await world.look()

        const keys = world.rung.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
        for (const { at, now } of world.rung) {
          expect(now).toBeGreaterThanOrEqual(at)
          expect(now - at).toBeLessThanOrEqual(RING_GRACE_MS)
        }
        for (const key of world.entries.keys()) {
          if (removed.has(key)) continue
          expect(keys.includes(key) || world.told.some((told) => told.key === key)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('rings on the second when it runs without a break', async () => {
    const world = new World()
    world.entries.set('tea', { at: () => START + 90 * SECOND, floating: false })
    world.start()
    await world.look()
    await world.pass(200)
    expect(world.rung).toEqual([{ key: 'tea', at: START + 90 * SECOND, now: START + 90 * SECOND }])
    expect(world.told).toEqual([])
  })

  it('rings something that another process set a moment too late', async () => {
    const world = new World()
    world.start()
    await world.pass(10)
    world.entries.set('late', { at: () => world.wall - 1500, floating: false })
    await world.look()
    expect(world.rung.map(({ key }) => key)).toEqual(['late'])
  })

  it.each([
    ['while nothing ran', START_GRACE_MS + SECOND, true],
    ['while it was started again', START_GRACE_MS - SECOND, false],
  ])('what fell due %s', async (_, downtime, missed) => {
    const world = new World()
    world.start()
    await world.look()
    world.scheduler = undefined
    world.entries.set('alarm', { at: () => START + 1, floating: false })
    world.wall += downtime
    world.start()
    await world.look()
    expect(world.rung).toHaveLength(missed ? 0 : 1)
    expect(world.told).toHaveLength(missed ? 1 : 0)
    await world.pass(5)
    world.start()
    await world.look()
    expect(world.rung.length + world.told.length).toBe(1)
  })

  it('rings in its time what was missed only because the clock stood wrong for a while', async () => {
    const world = new World()
    world.entries.set('alarm', { at: () => START + HOUR, floating: false })
    world.start()
    await world.look()
    world.wall += 24 * HOUR
    await world.look()
    expect(world.told).toHaveLength(1)
    world.wall = START + 60 * SECOND
    await world.look()
    world.wall = START + HOUR - SECOND
    await world.look()
    await world.pass(3)
    expect(world.rung.map(({ now }) => now)).toEqual([START + HOUR])
  })

  it('looks back a day at the very first start and no further', async () => {
    const world = new World()
    world.entries.set('old', { at: () => START - FIRST_LOOK_MS - 1, floating: false })
    world.entries.set('new', { at: () => START - FIRST_LOOK_MS + 1, floating: false })
    world.start()
    await world.look()
    expect(world.told.map(({ key }) => key)).toEqual(['new'])
  })

  it('tells what a crash cut off or may have hidden, once', () => {
    const records = new Records(':memory:')
    onTestFinished(() => records.close())
    const due = (key: string): Due => ({ key, at: START, kind: 'alarm', title: key, ref: key })
    const before = new Ledger(records)
    before.commit([due('shown'), due('unsure')], [], { at: START, zone: ZONE }, false)
    before.rings('shown')
    const after = new Ledger(records)
    after.collectCutOff()
    expect(after.untold().map(({ key, why }) => [key, why])).toEqual([
      ['shown', 'cut-off'],
      ['unsure', 'maybe-unseen'],
    ])
    expect(after.ringing()).toEqual([])
    after.told(after.untold())
    expect(after.untold()).toEqual([])
    expect(after.commit([due('shown'), due('unsure')], [], { at: START, zone: ZONE }, false).rung).toEqual([])
  })
})
