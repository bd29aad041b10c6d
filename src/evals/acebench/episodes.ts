import type { JsonObject, Message } from '../../chat/types.js'
import type { Engine } from '../../engine/contract.js'
import { PyError } from '../python/errors.js'
import { pyStr } from '../python/repr.js'
import type { PyValue } from '../python/values.js'
import { ask } from '../runner/ask.js'
import type { CaseContext } from '../runner/suite.js'
import { GREETING } from './agent-prompt-texts.js'
import type { AceBenchCase } from './cases.js'
import { stepPrompt, turnPrompt, userPrompt } from './prompts.js'
import { readSteps } from './read-steps.js'
import { Simulation } from './simulation.js'

/** What became of an agent case: enough to run its simulators again. */
export interface AgentOutcome extends JsonObject {
  /** The messages that went to the execution role, in order. */
  readonly process: string[]
  /** The whole conversation, for the reader of a transcript. */
  readonly dialogue: { sender: string; message: string }[]
}

/** Messages after which an episode ends. */
const MOST_MESSAGES = 40
const END = 'finish conversation'

function isEnd(index: number, message: PyValue): boolean {
  if (index <= 1) return false
  return typeof message === 'string' ? message.includes(END) : Array.isArray(message) && message.includes(END)
}

/**
 * Takes a model through a case of agent_multi_step: every message of the model goes to the execution role. The history
 * that it reads holds the request and the results, not its own messages, as officially.
 */
export async function playSteps(one: AceBenchCase, context: CaseContext, maxTokens: number): Promise<AgentOutcome> {
  const simulation = new Simulation(one.setup)
  const question = one.text('question')
  const outcome: AgentOutcome = { process: [], dialogue: [{ sender: 'user', message: question }] }
  let history = `user:${question}\n`
  let pending: string | undefined
  for (let index = 0; index < MOST_MESSAGES; index += 1) {
    let message: PyValue
    if (pending === undefined) {
      pending = (await ask(context, stepPrompt(one, history), { maxTokens })).content
      message = pending
      outcome.dialogue.push({ sender: 'agent', message: pending })
    } else {
      message = simulation.step(pending)
      outcome.process.push(pending)
      pending = undefined
      history += `execution result:${pyStr(message)}\n`
      outcome.dialogue.push({ sender: 'execution', message: pyStr(message) })
    }
    if (isEnd(index, message)) break
  }
  return outcome
}

/**
 * Takes a model through a case of agent_multi_turn with another model as the user. The official user's own messages have
 * the role `system`; here `assistant`, which every chat template accepts.
 */
export async function playTurns(
  one: AceBenchCase,
  context: CaseContext,
  options: { readonly user: Engine; readonly maxTokens: number },
): Promise<AgentOutcome> {
  const { maxTokens } = options
  const simulation = new Simulation(one.setup)
  const asUser: Message[] = [
    { role: 'system', content: userPrompt(one) },
    { role: 'user', content: GREETING },
  ]
  const speak = async (): Promise<string> => {
    const { content } = await ask({ ...context, engine: options.user }, asUser, { maxTokens })
    asUser.push({ role: 'assistant', content, toolCalls: [] })
    return content
  }
  let message: PyValue = await speak()
  const outcome: AgentOutcome = { process: [], dialogue: [{ sender: 'user', message }] }
  let history = ''
  let [sender, recipient] = ['user', 'agent']
  for (let index = 0; index < MOST_MESSAGES; index += 1) {
    const text = pyStr(message)
    history += `${sender}:${text}\n`
    if (recipient === 'user') {
      asUser.push({ role: 'user', content: text.replace(/^(?:user|agent):/, '') })
      message = await speak()
      ;[sender, recipient] = ['user', 'agent']
    } else if (recipient === 'agent') {
      message = (await ask(context, turnPrompt(one, history), { maxTokens })).content
      ;[sender, recipient] = ['agent', isCall(message) ? 'execution' : 'user']
    } else {
      outcome.process.push(text)
      message = simulation.turn(text)
      ;[sender, recipient] = ['execution', 'agent']
    }
    outcome.dialogue.push({ sender, message: pyStr(message) })
    if (isEnd(index, message)) break
  }
  return outcome
}

/** Whether the agent's message goes to the execution role: brackets on one line, and readable as calls. */
function isCall(message: string): boolean {
  if (!/\[.*\]/.test(message)) return false
  try {
    readSteps(message, 'refuse')
    return true
  } catch (error) {
    if (error instanceof PyError) return false
    throw error
  }
}
