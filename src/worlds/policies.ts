import type { JsonObject, JsonValue, Message } from '../chat/types.js'
import type { GenerateRequest } from '../engine/contract.js'
import { ScriptedEngine, type ScriptedTurn } from '../engine/scripted.js'
import type { Scenario, Step } from './scenario.js'

const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? ''

function lastResult(messages: readonly Message[]): string {
  const results = messages.filter((message) => message.role === 'tool')
  return firstLine(results.at(-1)?.content ?? '')
}

const words = (content: string): ScriptedTurn => ({ role: 'assistant', content, toolCalls: [] })

function turnOf(step: Step, request: GenerateRequest, index: number): ScriptedTurn {
  if ('say' in step) return words(step.say)
  if ('report' in step) return words(lastResult(request.messages ?? []))
  return {
    role: 'assistant',
    content: '',
    toolCalls: step.calls.map(({ name, args }, i) => ({ id: `s${index}-${i}`, name, arguments: args })),
  }
}

/** An engine that plays steps one after the other; when there are none left it says so and does nothing. */
export function stepsEngine(steps: readonly Step[]): ScriptedEngine {
  return new ScriptedEngine({
    turns: (request, index) => {
      const step = steps[index]
      return step === undefined ? words('That is all.') : turnOf(step, request, index)
    },
  })
}

/** The reference solution: reaches the state through the same loop, checks and tools as any model. */
export function referenceEngine(scenario: Scenario): ScriptedEngine {
  return stepsEngine(scenario.solution)
}

/** Does nothing, politely. */
export function nothingEngine(): ScriptedEngine {
  return new ScriptedEngine({ turns: () => words('All right.') })
}

const swap = (value: JsonValue, decoys: Scenario['decoys']): JsonValue => {
  if (typeof value === 'string') {
    // The longest first: a whole text goes before a word of it.
    const [hit] = decoys.filter(([from]) => value.includes(from)).sort(([a], [b]) => b.length - a.length)
    return hit ? value.replaceAll(hit[0], hit[1]) : value
  }
  if (Array.isArray(value)) return value.map((one) => swap(one, decoys))
  if (typeof value === 'object' && value !== null) return swapAll(value, decoys)
  return value
}

const swapAll = (args: JsonObject, decoys: Scenario['decoys']): JsonObject =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, swap(value, decoys)]))

/** The reference solution on another item: the same tools, the wrong target, and words about it. */
export function wrongTargetEngine(scenario: Scenario): ScriptedEngine {
  return stepsEngine(
    scenario.solution.map((step): Step => {
      if ('say' in step) return { say: String(swap(step.say, scenario.decoys)) }
      if ('report' in step) return step
      return { calls: step.calls.map(({ name, args }) => ({ name, args: swapAll(args, scenario.decoys) })) }
    }),
  )
}

/** Says everything that is to be told, and does nothing for it. */
export function recitingEngine(scenario: Scenario): ScriptedEngine {
  const text = scenario.tells.map(({ anyOf }) => anyOf[0] ?? '').join('. ')
  return new ScriptedEngine({ turns: () => words(text === '' ? 'Done.' : text) })
}
