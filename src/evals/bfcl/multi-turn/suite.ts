import type { Message, ToolCall, ToolSpec } from '../../../chat/types.js'
import { PyError } from '../../python/errors.js'
import { parsePythonJson } from '../../python/json.js'
import { pyRepr } from '../../python/repr.js'
import { PyDict } from '../../python/values.js'
import { ask } from '../../runner/ask.js'
import { exactCalls } from '../../runner/exact-calls.js'
import type { CaseContext, EvalCase, Suite } from '../../runner/suite.js'
import { documentAsTool } from '../function-docs.js'
import { checkMultiTurn, openExecutor } from './check.js'
import { type NewProcess, readConstants } from './constants.js'
import type { Executor } from './execute.js'
import { MULTI_TURN_CATEGORIES, type MultiTurnEntry, readScenarios } from './scenarios.js'
import { type Conversation, conversationOf, readDocuments } from './tools.js'

/** Steps of a turn after which the official run gives up on the whole case. */
const MOST_STEPS = 20

interface MultiTurnCase extends EvalCase {
  readonly scenario: MultiTurnEntry
  readonly conversation: Conversation
}

/** Call strings: turns of steps. A run that was given up has fewer turns than the case. */
type MultiTurnOutcome = string[][][]

/**
 * BFCL v4, multi-turn categories with native tool calling: the model calls functions of simulated services, sees their
 * results, and a turn ends when it makes no call (or one that cannot be read).
 * @throws MissingDataError when the cases are read
 */
export function bfclMultiTurnSuite(datasets?: string): Suite<MultiTurnCase, MultiTurnOutcome> {
  let constants: Promise<NewProcess> | undefined
  const ready = (): Promise<NewProcess> => {
    constants ??= readConstants(datasets)
    return constants
  }
  return {
    name: 'bfcl_v4_multi_turn',
    version: '1',
    title: 'BFCL v4, multi-turn',
    notes: ['native tool calling only: a model whose template knows no tools makes no calls here'],
    cases: async () => {
      const documents = await readDocuments(datasets)
      const all = await Promise.all(
        MULTI_TURN_CATEGORIES.map(async (category) =>
          (await readScenarios(category, datasets)).map((scenario) => ({
            id: scenario.id,
            labels: { category },
            scenario,
            conversation: conversationOf(scenario, documents),
          })),
        ),
      )
      return all.flat()
    },
    run: async (one, context) => play(one, context, await ready()),
    score: async (one, outcome) => {
      const { valid, error, turn } = checkMultiTurn(one.scenario, outcome, await ready())
      if (error === null) return { value: Number(valid) }
      return { value: 0, reason: turn === undefined ? error : `${error} in turn ${turn}` }
    },
    aggregate: (scored) => {
      const means = MULTI_TURN_CATEGORIES.map((category) => {
        const own = scored.filter(({ labels }) => labels.category === category)
        return own.reduce((sum, { score }) => sum + score.value, 0) / own.length
      })
      if (means.some(Number.isNaN)) return []
      const value = means.reduce((sum, mean) => sum + mean, 0) / means.length
      return [{ name: 'multi-turn', value, note: 'mean of categories, as the leaderboard' }]
    },
  }
}

async function play(
  { scenario, conversation }: MultiTurnCase,
  context: CaseContext,
  newProcess: NewProcess,
): Promise<MultiTurnOutcome> {
  const { executor } = openExecutor(scenario, context.engine.model.name, newProcess())
  const outcome: MultiTurnOutcome = []
  const messages: Message[] = []
  let tools = conversation.documents.map(documentAsTool)
  for (const { messages: said, added } of conversation.turns) {
    if (added.length > 0) tools = [...tools, ...added.map(documentAsTool)]
    messages.push(...said)
    const steps: string[][] = []
    outcome.push(steps)
    while (await step(context, messages, tools, executor, steps, scenario.id)) {
      if (steps.length > MOST_STEPS) return outcome
    }
  }
  return outcome
}

/** One answer of the model; says whether it called something, whose results then stand among the messages. */
async function step(
  context: CaseContext,
  messages: Message[],
  tools: readonly ToolSpec[],
  executor: Executor,
  steps: string[][],
  id: string,
): Promise<boolean> {
  const turn = await ask(context, [...messages], { tools, cacheKey: `${id}-${context.trial}` })
  const broken = turn.malformed.some(({ recovered }) => !recovered)
  const toolCalls = turn.calls.map((call, at): ToolCall => ({ ...call, id: `call_${messages.length}_${at}` }))
  messages.push({
    role: 'assistant',
    content: turn.content,
    toolCalls,
    ...(turn.reasoning === '' ? {} : { reasoning: turn.reasoning }),
  })
  if (toolCalls.length === 0 || broken) return false
  const calls = callStrings(exactCalls(context.engine.model, tools, turn))
  if (calls === undefined) return false
  steps.push(calls)
  for (const [at, content] of executor.execute(calls).entries()) {
    const call = toolCalls[at]
    if (call) messages.push({ role: 'tool', callId: call.id, name: call.name, content })
  }
  return true
}

/** Calls as `name(parameter=value,…)` with the values in Python's notation; undefined: arguments are no JSON objects. */
function callStrings(calls: readonly { readonly name: string; readonly json: string }[]): string[] | undefined {
  try {
    return calls.map(({ name, json }) => {
      const values = parsePythonJson(json)
      if (!(values instanceof PyDict)) throw new PyError('AttributeError', 'arguments are not an object')
      const pairs = [...values.entries()].map(([key, value]) => `${String(key)}=${pyRepr(value)}`)
      return `${name}(${pairs.join(',')})`
    })
  } catch (error) {
    if (error instanceof PyError) return undefined
    throw error
  }
}
