/**
 * A process that does one request of many writes with a scripted model, goes on with it when started again, and then
 * takes some of it back, lets an automation run, exports, imports and migrates; the kill tests end it at random points of
 * all that. It loads its code, prints `READY`, waits for a line of JSON ({@link Task}), and prints a dot for every event
 * and `DONE` when all is done.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { JsonObject } from '../../chat/types.js'
import { CalendarStore } from '../../domains/calendar/calendar-store.js'
import type { Connection } from '../../domains/connections/contract.js'
import { createDomains } from '../../domains/domains.js'
import { CalendarDues } from '../../domains/later/index.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import type { Tool } from '../../tools/contract.js'
import { ToolRegistry } from '../../tools/registry.js'
import { Agent } from '../agent.js'
import { exportHome } from '../archive/export-home.js'
import { importHome } from '../archive/import-home.js'
import { JOURNAL_MIGRATIONS, Journal } from '../journal.js'
import { LaterEvents } from '../later/events.js'
import { LaterService } from '../later/service.js'
import { Thread } from '../thread.js'
import { undo } from '../undo.js'
import { LOCAL_PLAN, OUTSIDE, serverPlan, TAKEN_BACK } from './kill-plan.js'

const taskSchema = z.object({
  folder: z.string(),
  /** Rounds of calls to servers, with the connections; without them the local plan is done. */
  rounds: z.number().optional(),
  connections: z
    .record(z.string(), z.object({ settings: z.record(z.string(), z.json()), password: z.string() }))
    .optional(),
})

/** What a life of the process is told to work on. */
export type Task = z.infer<typeof taskSchema>

const START = new Date('2026-12-01T09:00:00Z')
const dot = (): boolean => process.stdout.write('.')

async function live(task: Task): Promise<void> {
  const { folder, connections: servers } = task
  const local = servers === undefined
  const plan = local ? LOCAL_PLAN : serverPlan(task.rounds ?? 1)
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const connections = {
    find: (kind: Connection['kind']): Connection | undefined => {
      const found = servers?.[kind]
      return found && { kind, settings: found.settings as JsonObject, secret: async () => found.password }
    },
  }
  // A local life has a clock that stands still, so that two runs leave the same; servers have their own time.
  let time = START
  const now = (): Date => (local ? time : new Date())
  const domains = createDomains({ home, ...(local ? {} : { connections }) })
  const journal = new Journal(join(home, 'journal.sqlite'), () => now().getTime())
  const page: Tool = {
    name: 'page_read',
    field: 'web search',
    description: 'Read a web page.',
    parameters: z.object({}),
    effect: () => 'read',
    untrusted: true,
    run: async () => ({ ok: true, content: OUTSIDE }),
  }
  const registry = new ToolRegistry<Tool>([...domains, page])
  const runOf = (): string | undefined => journal.runsOf('kill')[0]
  /** The model's next turn follows from what is done, as a real model's follows from the conversation. */
  const engine = new ScriptedEngine({
    turns: () => {
      const entries = journal.entries(runOf() ?? '')
      const done = entries.filter(({ body }) => body.type === 'outcome' || body.type === 'refused').length
      if (done >= plan.length) return 'All is done.'
      // What outside text has a part in stands alone in its turn.
      const size = plan.slice(done, done + 2).some(({ name }) => name === 'page_read') ? 1 : 2
      const next = plan.slice(done, done + size)
      const toolCalls = next.map(({ name, args }) => ({ id: '', name, arguments: args }))
      return { role: 'assistant' as const, content: '', toolCalls }
    },
  })
  const settings = { registry, journal, now, timeZone: 'UTC' }
  const agent = new Agent({
    ...settings,
    engine,
    shown: 200,
    limits: { steps: 500, repairs: 200 },
    answers: 'free',
    rules: plan
      .filter(({ name }) => registry.get(name)?.effect({}) === 'irreversible' || !local)
      .map(({ name }) => ({ tool: name, decision: 'allow' as const })),
    approver: { approve: async () => 'allow', settle: async () => 'leave' },
  })
  const onEvent = dot
  const run = runOf()
  if (run === undefined)
    await agent.run('do everything, and remember that the spare key is in the shed', {
      thread: new Thread('kill'),
      onEvent,
    })
  else await agent.resume(run, { onEvent })
  const ended = journal.entries(runOf() ?? '').some(({ body }) => body.type === 'run.end')
  if (!ended) throw new Error('The run did not end.')
  if (local) {
    const undone = new Set(
      journal.ofType('undo.outcome', 1000).flatMap(({ body }) => (body.type === 'undo.outcome' ? [body.target] : [])),
    )
    for (const { seq, body } of journal.entries(runOf() ?? '')) {
      if (body.type !== 'outcome' || !body.ok || !TAKEN_BACK.includes(body.name) || undone.has(seq)) continue
      dot()
      await undo(journal, registry, { now, timeZone: 'UTC' }, seq)
      dot()
    }
    await serve()
  }
  journal.close()
  domains.close()
  if (local) await archive(folder, home)

  /** An automation falls due; the service finds it, runs it and writes it into its ledger. */
  async function serve(): Promise<void> {
    const { records, calendar } = domains.stores
    const context = { now, timeZone: 'UTC', request: '', idempotencyKey: 'the automation' }
    await registry
      .get('automation_create')
      ?.run({ do: 'add milk to the shopping list', when: 'today at 9:10' }, context)
    dot()
    const events = new LaterEvents()
    events.subscribe(dot)
    const service = new LaterService({
      records,
      calendar: new CalendarDues(new CalendarStore(calendar), () => 'now'),
      fixed: settings,
      openAgent: async () => {
        const scripted = new ScriptedEngine({
          turns: ({ messages }) =>
            messages?.some(({ role }) => role === 'tool')
              ? 'It is on the list.'
              : {
                  role: 'assistant',
                  content: '',
                  toolCalls: [{ id: '', name: 'list_add', arguments: { list: 'shopping', item: 'milk' } }],
                },
        })
        return { agent: new Agent({ ...settings, engine: scripted }), close: () => scripted.close() }
      },
      events,
      now,
      zone: () => 'UTC',
    })
    for (const minutes of [9, 10, 10.05, 10.1, 11]) {
      time = new Date(START.getTime() + minutes * 60_000)
      await service.tick()
      await service.settled()
      dot()
    }
    time = START
  }
}

/** Export, import into another folder, and a journal of an older format: each until it was done once. */
async function archive(folder: string, home: string): Promise<void> {
  const at = (name: string): string => join(folder, name)
  if (!existsSync(at('moved'))) {
    dot()
    await exportHome(home, at('home.tar'), { force: true, filesRoot: join(home, 'files') })
    dot()
    await importHome(at('other'), at('home.tar'), existsSync(at('other')) ? 'replace' : 'fresh', START)
    dot()
    writeFileSync(at('moved'), '')
  }
  if (!existsSync(at('old.sqlite'))) {
    for (const tail of ['', '-wal', '-shm']) rmSync(`${at('older.sqlite')}${tail}`, { force: true })
    const old = new Journal(at('older.sqlite'))
    const body = { type: 'feedback', content: 'an entry of an older journal' } as const
    old.append('old', ...Array.from({ length: 300 }, () => body))
    old.close()
    renameSync(at('older.sqlite'), at('old.sqlite'))
  }
  dot()
  const step = {
    to: 2,
    run: (db: { exec(sql: string): unknown }) => void db.exec('CREATE TABLE later AS SELECT * FROM entries'),
  }
  new Journal(at('old.sqlite'), Date.now, [...JOURNAL_MIGRATIONS, step]).close()
  dot()
}

process.stdout.write('READY\n')
createInterface({ input: process.stdin }).once('line', (line) => {
  live(taskSchema.parse(JSON.parse(line))).then(
    () => process.stdout.write('DONE\n', () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
    },
  )
})
