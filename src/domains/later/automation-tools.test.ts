import { describe, expect, it } from 'vitest'
import { desk } from '../testing/desk.js'
import { AutomationDues, allAutomations } from './automation.js'

describe('automations', () => {
  it('are set up, listed, removed, and come back by undo', async () => {
    const d = desk()
    const made = await d.call('automation_create', { do: 'tell me the weather', when: 'every weekday at 7' })
    expect(made.content).toMatch(/^Automation a1 is set up: tell me the weather, on .* every weekday\./)
    expect((await d.call('automation_list')).content).toContain('- a1: tell me the weather')
    const removed = await d.call('automation_remove', { automation: 'the weather one' })
    expect(removed.content).toMatch(/^Automation a1 .* is removed\./)
    expect(allAutomations(d.domains.stores.records)).toEqual([])
    expect((await d.undo('automation_remove', removed)).ok).toBe(true)
    expect(allAutomations(d.domains.stores.records)).toHaveLength(1)
    expect((await d.undo('automation_create', made)).ok).toBe(true)
    expect((await d.call('automation_list')).content).toBe('No automation is set up.')
  })

  it('happen once for one key', async () => {
    const d = desk()
    const args = { do: 'x', when: 'tomorrow at 7' }
    await d.call('automation_create', args, { key: 'same' })
    await d.call('automation_create', args, { key: 'same' })
    expect(allAutomations(d.domains.stores.records)).toHaveLength(1)
  })

  it('fall due by the wall clock, each time under a key of its own, never before they were made', async () => {
    const d = desk()
    await d.call('automation_create', { do: 'x', when: 'every day at 2:30 am' })
    const dues = new AutomationDues(d.domains.stores.records)
    const at = (from: string, to: string) =>
      dues.between(Date.parse(from), Date.parse(to), 'Europe/Budapest').map((due) => new Date(due.at).toISOString())
    expect(at('2026-11-01T00:00:00Z', '2026-12-03T00:00:00Z')).toEqual([
      '2026-12-01T01:30:00.000Z',
      '2026-12-02T01:30:00.000Z',
    ])
    expect(at('2027-03-27T00:00:00Z', '2027-03-29T12:00:00Z')).toEqual([
      '2027-03-27T01:30:00.000Z',
      // 02:30 does not exist on that night; it is 03:30 summer time.
      '2027-03-28T01:30:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ])
  })

  it.each([
    [{ do: 'x' }, /^When should that happen/],
    [{ do: 'x', when: 'tomorrow' }, /^At what time/],
    [{ do: 'x', when: 'blorp' }, /^I did not understand the time/],
    [{ do: 'x', when: 'at 9', from: 'a@b.example' }, /one trigger/],
    [{ do: 'x', device: 'television' }, /^Which state/],
    [{ do: 'x', device: 'flux capacitor', state: 'on' }, /flux capacitor/],
    [{ do: 'x', from: 'nobody known' }, /^I know no mail address of nobody known/],
    [{ do: 'x', when: 'at 9', tool: 'light_swich' }, /^There is no tool/],
    [{ do: 'x', when: 'at 9', tool: 'automation_remove' }, /cannot change automations/],
    [{ do: 'x', when: 'at 9', tool: 'light_switch', arguments: '{"state":' }, /not JSON/],
    [{ do: 'x', when: 'at 9', tool: 'light_switch', arguments: '{"state":"dim"}' }, /state/],
    [{ do: 'x', when: 'at 9', tool: 'light_switch' }, /Should the light go on or off/],
  ])('%o asks or says what is wrong, and stores nothing', async (args, message) => {
    const d = desk()
    const result = await d.call('automation_create', args)
    expect(result.ok).toBe(false)
    expect(result.content).toMatch(message)
    expect(allAutomations(d.domains.stores.records)).toEqual([])
  })

  it('know contacts by name', async () => {
    const d = desk()
    await d.call('contact_add', { name: 'Anna Kovács', email: 'Anna@Example.org' })
    const made = await d.call('automation_create', { do: 'x', from: 'Anna' })
    expect(made.content).toMatch(/when mail from Anna arrives/)
    expect(allAutomations(d.domains.stores.records)[0]?.data.trigger).toMatchObject({ addresses: ['anna@example.org'] })
  })
})
