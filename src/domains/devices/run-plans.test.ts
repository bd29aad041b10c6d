import { describe, expect, it, onTestFinished } from 'vitest'
import type { Tool } from '../../tools/contract.js'
import { Records } from '../store/index.js'
import { desk, emptyFolder } from '../testing/desk.js'
import { devicesTools } from './index.js'
import { nextTime, Plans } from './run-plans.js'

describe('plans', () => {
  it('run once at their time, and can be taken back before', async () => {
    const d = desk()
    const made = await d.call('light_switch', { state: 'on', room: 'kitchen', when: 'in one hour' })
    await d.undo('light_switch', made)
    expect(d.domains.plans.all()).toEqual([])
    await d.call('light_switch', { state: 'on', room: 'kitchen', when: 'in one hour' })
    expect(d.domains.plans.next()?.toISOString()).toBe('2026-11-30T22:00:00.000Z')
    d.now = new Date('2026-11-30T22:00:05Z')
    const [due] = d.domains.plans.due(d.now)
    expect(due).toMatchObject({ tool: 'light_switch', lateMs: 5000 })
    const id = due?.id ?? ''
    expect((await d.domains.plans.run(id, d.context())).content).toMatch(/^The kitchen ceiling light is now on/)
    expect((await d.domains.plans.run(id, d.context())).content).toMatch(/is over/)
    expect((await d.call('device_state', { device: 'kitchen light' })).content).toMatch(/is on/)
  })

  it('that repeat go on at the same wall clock when the clocks change', () => {
    const plan = { at: '2026-10-24T05:00:00.000Z', zone: 'Europe/Budapest', rule: 'FREQ=DAILY' }
    expect(nextTime(plan, new Date('2026-10-24T05:00:01Z'))?.toISOString()).toBe('2026-10-25T06:00:00.000Z')
    expect(nextTime(plan, new Date('2026-10-27T12:00:00Z'))?.toISOString()).toBe('2026-10-28T06:00:00.000Z')
    expect(nextTime({ ...plan, rule: 'FREQ=DAILY;COUNT=1' }, new Date('2026-10-24T05:00:01Z'))).toBeUndefined()
  })

  it('that repeat wait for their next time after a run and after a miss', async () => {
    const d = desk()
    await d.call('coffee_make', { when: 'every day at seven am' })
    d.now = new Date('2026-12-01T06:00:00Z')
    expect((await d.domains.plans.run('p1', d.context())).ok).toBe(true)
    expect(d.domains.plans.next()?.toISOString()).toBe('2026-12-02T06:00:00.000Z')
    d.now = new Date('2026-12-04T12:00:00Z')
    d.domains.plans.miss('p1', d.now)
    expect(d.domains.plans.next()?.toISOString()).toBe('2026-12-05T06:00:00.000Z')
    expect(d.domains.plans.due(d.now)).toEqual([])
  })

  it('that a crash cut off are settled, not repeated', async () => {
    const now = new Date('2026-12-01T07:00:00Z')
    const context = { now: () => now }
    const records = new Records(':memory:')
    onTestFinished(() => records.close())
    const plan = {
      tool: 'light_switch',
      at: '2026-12-01T06:00:00.000Z',
      zone: 'UTC',
      state: 'running',
      since: '2026-12-01T06:00:00.000Z',
    }
    const tools = devicesTools(records)
    const ran: string[] = []
    const watched: readonly Tool[] = tools.map((tool) => ({
      ...tool,
      run: async (args, c) => {
        ran.push(c.idempotencyKey)
        return tool.run(args, c)
      },
    }))
    const plans = new Plans(records, watched)
    // Its effect happened before the crash.
    records.put('plans', 'p1', { ...plan, args: { state: 'on', room: 'kitchen' } })
    await tools
      .find((t) => t.name === 'light_switch')
      ?.run(
        { state: 'on', room: 'kitchen' },
        { now: context.now, timeZone: 'UTC', request: '', idempotencyKey: 'plan:p1:2026-12-01T06:00:00.000Z' },
      )
    expect(plans.due(now).map((p) => p.id)).toEqual(['p1'])
    expect((await plans.run('p1', context)).ok).toBe(true)
    expect(ran).toEqual([])
    // Its effect certainly did not happen.
    records.put('plans', 'p2', { ...plan, args: { state: 'on', room: 'office' } })
    expect((await plans.run('p2', context)).ok).toBe(true)
    expect(ran).toEqual(['plan:p2:2026-12-01T06:00:00.000Z'])
    // Nobody knows.
    const unsure = new Plans(
      records,
      watched.map((tool) => ({ ...tool, reconcile: () => Promise.resolve(undefined) })),
    )
    records.put('plans', 'p3', { ...plan, args: { state: 'on', room: 'garage' } })
    expect((await unsure.run('p3', context)).content).toMatch(/not known whether plan p3/)
    expect(ran).toHaveLength(1)
    expect(unsure.due(now)).toEqual([])
  })

  it('are run by one of two programs on one data folder', async () => {
    const home = emptyFolder()
    const both = [desk(home), desk(home)]
    await both[0]?.call('light_switch', { state: 'on', room: 'kitchen', when: 'in one hour' })
    const now = new Date('2026-11-30T22:00:00Z')
    const results = await Promise.all(both.map((d) => d.domains.plans.run('p1', { now: () => now })))
    expect(results.filter((r) => r.ok)).toHaveLength(1)
  })

  it('never open a door', async () => {
    const d = desk()
    d.domains.stores.records.put('plans', 'p9', {
      tool: 'lock_set',
      args: { state: 'unlock', door: 'front door' },
      at: '2026-11-30T20:00:00.000Z',
      zone: 'UTC',
      state: 'waiting',
    })
    expect((await d.domains.plans.run('p9', d.context())).ok).toBe(false)
    expect((await d.call('device_state', { device: 'front door' })).content).toMatch(/is locked/)
  })
})
