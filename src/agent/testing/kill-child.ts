/**
 * A process that does one request of many writes with a scripted model, and goes on with it when started again; the kill
 * tests end it at random points. Prints `READY` once and `DONE` when the run ended.
 *
 * Arguments: folder, number of writes.
 */
import { join } from 'node:path'
import type { AssistantMessage } from '../../chat/types.js'
import { ScriptedEngine } from '../../engine/scripted.js'
import { ToolRegistry } from '../../tools/registry.js'
import { Agent } from '../agent.js'
import { Journal } from '../journal.js'
import { notesTools } from './notes-tools.js'

const [folder, count] = process.argv.slice(2)
if (!folder || !count) throw new Error('usage: kill-child FOLDER COUNT')
const writes = Number(count)

/** The model's next turn follows from the conversation alone, as a real model's would: two notes at a time. */
const engine = new ScriptedEngine({
  turns: (request) => {
    const done = (request.messages ?? []).filter((message) => message.role === 'tool').length
    if (done >= writes) return 'All is noted.'
    const next = [done + 1, done + 2].filter((n) => n <= writes)
    const turn: AssistantMessage = {
      role: 'assistant',
      content: '',
      toolCalls: next.map((n) => ({ id: '', name: 'note_add', arguments: { text: `note ${n}` } })),
    }
    return turn
  },
})
const journal = new Journal(join(folder, 'journal.sqlite'))
const agent = new Agent({
  engine,
  journal,
  registry: new ToolRegistry(notesTools(join(folder, 'notes.txt'))),
  limits: { steps: writes + 10 },
  answers: 'free',
})
process.stdout.write('READY\n')
const resumed = await agent.resumeAll()
if (journal.runs(1).length === 0) await agent.run('note everything')
else if (resumed.length === 0 && journal.openRuns().length > 0) process.stdout.write('BUSY\n')
journal.close()
process.stdout.write('DONE\n')
