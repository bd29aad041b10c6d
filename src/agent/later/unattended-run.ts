import type { JsonObject } from '../../chat/types.js'
import { type Agent, Agent as AgentClass, type AgentOptions } from '../agent.js'
import { NOBODY } from '../approval.js'
import type { RunStatus } from '../journal-entry.js'
import { Thread } from '../thread.js'
import { FixedEngine } from './fixed-engine.js'

/** What an agent without a model is made of. */
export type UnattendedOptions = Omit<AgentOptions, 'engine' | 'approver'>

/** How a run without the owner ended. `never`: it was interrupted before it began, and `mayBegin` was false. */
export interface UnattendedEnd {
  readonly status: RunStatus | 'never'
  readonly text: string
}

/**
 * Does one fixed call, judged by the owner's policy at this moment; what would ask is denied. The thread's name decides
 * which run it is: a run that a crash interrupted is brought to its end, one that ended is not run again.
 *
 * @param request what the journal shows as the request
 * @param mayBegin false when it is too late to begin it
 */
export async function runFixed(
  options: UnattendedOptions,
  thread: string,
  request: string,
  call: { readonly name: string; readonly arguments: JsonObject },
  mayBegin = true,
): Promise<UnattendedEnd> {
  const engine = new FixedEngine(call)
  const agent = new AgentClass({ ...options, engine, approver: NOBODY, answers: 'checked', constrain: false })
  return runOnce(agent, thread, request, mayBegin)
}

/** The same for a request to a model. The agent's approver must be one that answers `nobody`. */
export async function runOnce(agent: Agent, thread: string, request: string, mayBegin = true): Promise<UnattendedEnd> {
  const { journal } = agent.options
  const run = journal.runsOf(thread)[0]
  if (run === undefined) {
    if (!mayBegin) return { status: 'never', text: 'Not done: it was too late.' }
    return agent.run(noQuestion(request), { thread: new Thread(thread), stored: true })
  }
  const ended = (): UnattendedEnd | undefined => {
    const end = journal.entries(run).find(({ body }) => body.type === 'run.end')?.body
    return end?.type === 'run.end' ? { status: end.status, text: end.text } : undefined
  }
  return (
    ended() ?? (await agent.resume(run)) ?? ended() ?? { status: 'failed', text: 'Another process goes on with it.' }
  )
}

/** A rule that is worded as a question is an order all the same. */
const noQuestion = (request: string): string => request.replace(/[?\s]+$/, '')
