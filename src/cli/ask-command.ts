import { NOBODY } from '../agent/approval.js'
import { type AgentEvent, eventToJson } from '../agent/events.js'
import { Thread } from '../agent/thread.js'
import { isUnattended } from '../agent/unattended.js'
import { type Composition, compose } from './compose.js'
import { exitCodeOf } from './exit-codes.js'
import type { RunFlags } from './options.js'
import { terminalApprover } from './terminal-approver.js'
import { showsColour, TerminalView } from './terminal-view.js'

/** Does one request and returns the exit code. Interrupted runs of earlier processes are brought to their end first. */
export async function ask(request: string, flags: RunFlags, open?: Parameters<typeof compose>[2]): Promise<number> {
  const approver = flags.json ? NOBODY : terminalApprover(process.stdin, process.stdout)
  const composition = await compose(flags, approver, open)
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const onEvent = eventPrinter(composition, flags)
    await composition.agent.resumeAll({ onEvent, signal: controller.signal })
    const last = flags.continue ? composition.journal.runs(50).find(({ body }) => !isUnattended(body))?.body : undefined
    const thread = last?.type === 'run.start' ? { thread: Thread.load(composition.journal, last.thread) } : {}
    const end = await composition.agent.run(request, { ...thread, onEvent, signal: controller.signal })
    return exitCodeOf(end.status)
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
    await composition.close()
  }
}

/** What prints the events of runs, as text or JSON lines. */
export function eventPrinter(composition: Composition, flags: RunFlags): (event: AgentEvent) => void {
  if (flags.json) return (event) => process.stdout.write(`${eventToJson(event)}\n`)
  const view = new TerminalView({
    write: (text) => process.stdout.write(text),
    colour: showsColour(process.stdout),
    stream: !composition.opened.tiny,
    quiet: flags.quiet === true,
    reasoning: flags.think !== undefined && flags.think !== false,
  })
  return (event) => view.show(event)
}
