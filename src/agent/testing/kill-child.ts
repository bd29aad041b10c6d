/**
 * A process that does one request of many writes with a scripted model, and goes on with it when started again; the kill
 * tests end it at random points. The writes go to the real stores in turn: lines of a file, items of a list, events of
 * the calendar. Prints a dot for every event of the run, and `DONE` when it ended.
 *
 * Arguments: folder, number of writes.
 */
import { join } from 'node:path'
import type { AssistantMessage, ToolCall } from '../../chat/types.js'
import { createDomains } from '../../domains/domains.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import { ToolRegistry } from '../../tools/registry.js'
import { Agent } from '../agent.js'
import { Journal } from '../journal.js'

const [folder, count] = process.argv.slice(2)
if (!folder || !count) throw new Error('usage: kill-child FOLDER COUNT')
const writes = Number(count)

const write = (n: number): ToolCall => {
  if (n % 3 === 0) return { id: '', name: 'file_append', arguments: { path: 'log.txt', text: `note ${n}\n` } }
  if (n % 3 === 1) return { id: '', name: 'list_add', arguments: { list: 'kill', item: `note ${n}` } }
  return { id: '', name: 'calendar_create', arguments: { title: `note ${n}`, when: 'tomorrow at nine' } }
}

/** The model's next turn follows from the conversation alone, as a real model's would: two notes at a time. */
const engine = new ScriptedEngine({
  turns: (request) => {
    const done = (request.messages ?? []).filter((message) => message.role === 'tool').length
    if (done >= writes) return 'All is noted.'
    const next = [done + 1, done + 2].filter((n) => n <= writes)
    const turn: AssistantMessage = {
      role: 'assistant',
      content: '',
      toolCalls: next.map(write),
    }
    return turn
  },
})
const domains = createDomains({ home: folder })
const journal = new Journal(join(folder, 'journal.sqlite'))
const agent = new Agent({
  engine,
  journal,
  registry: new ToolRegistry(domains),
  limits: { steps: writes + 10 },
  answers: 'free',
})
const onEvent = (): boolean => process.stdout.write('.')
const resumed = await agent.resumeAll({ onEvent })
if (journal.runs(1).length === 0) await agent.run('note everything', { onEvent })
else if (resumed.length === 0 && journal.openRuns().length > 0) process.stdout.write('BUSY\n')
journal.close()
domains.close()
process.stdout.write('DONE\n')
