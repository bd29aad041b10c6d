import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../chat/types.js'
import { CalendarStore } from '../../domains/calendar/calendar-store.js'
import { House } from '../../domains/devices/house.js'
import { Plans } from '../../domains/devices/run-plans.js'
import { createDomains } from '../../domains/domains.js'
import { CalendarDues } from '../../domains/later/index.js'
import { Maildir } from '../../domains/messaging/maildir.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import { ToolRegistry } from '../../tools/registry.js'
import { Agent } from '../agent.js'
import { Journal } from '../journal.js'
import { undo, undoable } from '../undo.js'
import { type LaterEvent, LaterEvents } from './events.js'
import { plannedTools } from './planned.js'
import { LaterService } from './service.js'

const ZONE = 'Europe/Budapest'
const SECOND = 1000

/** One owner's data folder, and the service over it, which can be killed and started again. */
class Household {
  now = new Date('2026-11-30T21:00:00Z')
  readonly home = mkdtempSync(join(tmpdir(), 'botpsy-later-'))
  readonly domains = createDomains({ home: this.home })
  readonly journal = new Journal(join(this.home, 'journal.sqlite'), () => this.now.getTime())
  readonly registry = new ToolRegistry(this.domains)
  readonly events: LaterEvent[] = []
  service: LaterService
  script: string[] = []
  n = 0

  constructor() {
    this.service = this.start()
    onTestFinished(() => {
      this.domains.close()
      this.journal.close()
      rmSync(this.home, { recursive: true, force: true })
    })
  }

  start(): LaterService {
    const { records, calendar, mail } = this.domains.stores
    const events = new LaterEvents()
    events.subscribe((event) => this.events.push(event))
    const fixed = {
      registry: this.registry,
      journal: this.journal,
      now: () => this.now,
      timeZone: ZONE,
    }
    const maildir = new Maildir(mail, records)
    this.service = new LaterService({
      records,
      calendar: new CalendarDues(new CalendarStore(calendar), () => String(this.n)),
      plans: new Plans(records, plannedTools(this.domains, fixed)),
      fixed,
      openAgent: async () => {
        const engine = new ScriptedEngine({ turns: this.script, model: { name: 'small' } })
        return { agent: new Agent({ ...fixed, engine }), close: () => engine.close() }
      },
      localDevices: () => new House(records).all(),
      mail: () => maildir.list(['inbox']),
      events,
      now: () => this.now,
      zone: () => ZONE,
    })
    return this.service
  }

  async call(name: string, args: JsonObject, request = ''): Promise<string> {
    const tool = this.registry.get(name)
    const result = await tool?.run(args, {
      now: () => this.now,
      timeZone: ZONE,
      request,
      idempotencyKey: `call-${++this.n}`,
    })
    expect(result?.ok, result?.content).toBe(true)
    return result?.content ?? ''
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.now = new Date(this.now.getTime() + SECOND)
      await this.service.tick()
    }
    await this.service.settled()
  }

  of<T extends LaterEvent['type']>(type: T): Extract<LaterEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<LaterEvent, { type: T }> => event.type === type)
  }

  light(id: string): boolean | undefined {
    return new House(this.domains.stores.records).all().find((device) => device.id === id)?.on
  }
}

describe('alarms, timers and reminders', () => {
  it('ring once at their time, are in the journal, and stop when the owner says so', async () => {
    const house = new Household()
    await house.service.tick()
    await house.call('timer_set', { duration: '30 seconds', label: 'tea' })
    await house.pass(29)
    expect(house.of('ring')).toEqual([])
    await house.pass(3)
    expect(house.of('ring').map(({ ring, keepsRinging }) => [ring.kind, ring.title, keepsRinging])).toEqual([
      ['timer', 'tea', true],
    ])
    expect(house.journal.runs(1)[0]?.body).toMatchObject({ request: 'Timer: tea', model: 'service' })
    expect(await house.call('timer_cancel', {})).toBe('The timer is off.')
    await house.pass(2)
    expect(house.of('ring.end')).toMatchObject([{ how: 'stopped', kind: 'timer' }])
    house.start()
    await house.pass(3)
    expect(house.of('ring')).toHaveLength(1)
    expect(house.of('missed')).toEqual([])
  })

  it('ring again after a snooze, and fall silent by themselves', async () => {
    const house = new Household()
    await house.service.tick()
    await house.call('alarm_set', { when: 'in 1 minute', label: 'gym' })
    await house.pass(61)
    expect(await house.call('alarm_snooze', { duration: '5 minutes' })).toMatch(/rings again/)
    await house.pass(2)
    expect(house.of('ring.end')).toMatchObject([{ how: 'stopped' }])
    await house.pass(300)
    expect(house.of('ring').map(({ ring }) => ring.title)).toEqual(['gym', 'gym'])
    await house.pass(602)
    expect(house.of('ring.end').map(({ how }) => how)).toEqual(['stopped', 'timed-out'])
  })

  it('that fell due while nothing ran are told at the next start, once, and not rung', async () => {
    const house = new Household()
    await house.service.tick()
    await house.call('alarm_set', { when: 'in 2 minutes' })
    house.now = new Date(house.now.getTime() + 3_600_000)
    house.start()
    await house.pass(2)
    house.start()
    await house.pass(2)
    expect(house.of('ring')).toEqual([])
    expect(house.of('missed').map(({ list }) => list.map(({ title, why }) => [title, why]))).toEqual([
      [['Alarm', 'not-running']],
    ])
    expect(house.journal.runs(1)[0]?.body).toMatchObject({ request: 'Fell due while BotPsy did not run' })
  })
})

describe('automations', () => {
  it('do a fixed action at their time, in the journal, and undo takes it back', async () => {
    const house = new Household()
    await house.service.tick()
    const args = { do: 'hall light on', when: 'every day at 22:01', tool: 'light_switch' }
    await house.call('automation_create', { ...args, arguments: '{"state":"on","room":"hallway"}' })
    await house.pass(70)
    expect(house.light('hall-light')).toBe(true)
    expect(house.of('action').map(({ outcome }) => [outcome.id, outcome.status, outcome.cause])).toEqual([
      ['a1', 'done', 'its time came'],
    ])
    expect(undoable(house.journal, house.registry).map(({ name }) => name)).toEqual(['light_switch'])
    const context = { now: () => house.now, timeZone: ZONE }
    expect((await undo(house.journal, house.registry, context)).ok).toBe(true)
    expect(house.light('hall-light')).toBe(false)
    house.now = new Date(house.now.getTime() + 86_400_000 - 20 * SECOND)
    await house.pass(30)
    expect(house.of('action')).toHaveLength(2)
  })

  it('act when a device gets into a state, each time anew, but not on what happened while nothing ran', async () => {
    const house = new Household()
    await house.call('automation_create', {
      ...{ do: 'desk lamp on', device: 'television', state: 'on', tool: 'light_switch' },
      arguments: '{"state":"on","device":"desk lamp"}',
    })
    await house.pass(2)
    await house.call('plug_switch', { state: 'on', device: 'television' })
    await house.pass(2)
    expect(house.light('desk-lamp')).toBe(true)
    await house.call('plug_switch', { state: 'off', device: 'television' })
    await house.pass(2)
    await house.call('plug_switch', { state: 'on', device: 'television' })
    await house.pass(2)
    expect(house.of('action')).toHaveLength(2)
    await house.call('plug_switch', { state: 'off', device: 'television' })
    await house.pass(2)
    await house.call('plug_switch', { state: 'on', device: 'television' })
    house.start()
    await house.pass(2)
    expect(house.of('action')).toHaveLength(2)
    expect(house.of('missed')).toHaveLength(1)
  })

  it('give a request to the agent when mail from somebody comes, once a message', async () => {
    const house = new Household()
    await house.call('automation_create', { do: 'put call anna on my to do list', from: 'anna@example.org' })
    await house.pass(1)
    house.script = [
      '<tool_call>\n<function=list_add>\n<parameter=item>\ncall anna\n</parameter>\n<parameter=list>\nto do\n</parameter>\n</function>\n</tool_call>',
      'Done.',
    ]
    const { mail, records } = house.domains.stores
    const letter = (from: string) =>
      `From: ${from}\r\nTo: me@example.org\r\nSubject: hi\r\nDate: ${house.now.toUTCString()}\r\nMessage-ID: <${from}>\r\n\r\nhello\r\n`
    new Maildir(mail, records).deliver('inbox', letter('bob@example.org'), 'k1', house.now)
    await house.pass(2)
    expect(house.of('action')).toEqual([])
    new Maildir(mail, records).deliver('inbox', letter('anna@example.org'), 'k2', house.now)
    await house.pass(3)
    expect(house.of('action').map(({ outcome }) => outcome.status)).toEqual(['done'])
    expect(await house.call('list_show', {})).toMatch(/call anna/)
    house.start()
    await house.pass(3)
    expect(house.of('action')).toHaveLength(1)
  })

  it('are denied what would need an approval, and say so', async () => {
    const house = new Household()
    await house.service.tick()
    const args = { do: 'open up', when: 'in 1 minute', tool: 'lock_set' }
    await house.call('automation_create', { ...args, arguments: '{"state":"unlock","door":"front door"}' })
    await house.pass(65)
    expect(house.of('action').map(({ outcome }) => outcome.status)).toEqual(['unapproved'])
    expect(house.of('action')[0]?.outcome.text).toMatch(/approval/)
    const doors = new House(house.domains.stores.records).all()
    expect(doors.find((device) => device.id === 'front-door')?.locked).toBe(true)
  })

  it('cannot be made from outside text', async () => {
    const house = new Household()
    const result = await house.registry.get('automation_create')?.run(
      { do: 'forward my mail', when: 'every day at 9' },
      {
        ...{ now: () => house.now, timeZone: ZONE, request: '', idempotencyKey: 'x' },
        taintedBy: 'mail from eve@example.org',
      },
    )
    expect(result).toMatchObject({ ok: false })
  })
})

describe('planned commands', () => {
  it('run once at their time and are in the journal; late ones are told and not run', async () => {
    const house = new Household()
    await house.service.tick()
    await house.call('light_switch', { state: 'on', room: 'kitchen', when: 'in 1 minute' })
    await house.call('light_switch', { state: 'on', room: 'bedroom', when: 'in 2 hours' })
    await house.pass(63)
    expect(house.light('kitchen-light')).toBe(true)
    expect(house.of('action').map(({ outcome }) => outcome.status)).toEqual(['done'])
    expect(undoable(house.journal, house.registry).map(({ name }) => name)).toEqual(['light_switch'])
    house.now = new Date(house.now.getTime() + 86_400_000)
    house.start()
    await house.pass(2)
    expect(house.light('bedroom-light')).toBe(false)
    expect(house.of('missed')).toHaveLength(1)
  })
})
