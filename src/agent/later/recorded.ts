import type { Journal } from '../journal.js'
import { JournalError } from '../journal.js'
import { NO_MODEL } from '../unattended.js'

/**
 * Puts something that the service did into the journal, once: `run` names it. False when it stands there already.
 * @throws JournalError when it cannot be written
 */
export function recordHappening(journal: Journal, run: string, what: string, text: string): boolean {
  if (journal.entries(run).length > 0) return false
  try {
    journal.append(
      run,
      { type: 'run.start', thread: run, request: what, model: NO_MODEL.service, tools: [], pid: process.pid },
      { type: 'run.end', status: 'done', stop: 'answer', text },
    )
    return true
  } catch (error) {
    if (error instanceof JournalError && error.code === 'already-written') return false
    throw error
  }
}
