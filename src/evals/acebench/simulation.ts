import type { Expression } from '../python/ast.js'
import { bindKeywords } from '../python/bind-arguments.js'
import { deepCopy } from '../python/deep-copy.js'
import { PyError } from '../python/errors.js'
import { evaluate } from '../python/evaluate.js'
import { parsePythonJson } from '../python/json.js'
import { jsonRoundTrip } from '../python/json-round-trip.js'
import { parsePythonExpression } from '../python/parser.js'
import { pyStr } from '../python/repr.js'
import { PyDict, type PyValue } from '../python/values.js'
import { type OtherElements, readSteps } from './read-steps.js'
import { FoodPlatform } from './simulators/food.js'
import { Messages } from './simulators/messages.js'
import { Reminders } from './simulators/reminders.js'
import { Device, type Simulator, type SimulatorMethod } from './simulators/simulator.js'
import { Travel } from './simulators/travel.js'

const CLASSES: ReadonlyMap<string, (state: PyDict) => Simulator> = new Map<string, (state: PyDict) => Simulator>([
  ['BaseApi', () => new Device()],
  ['MessageApi', (state) => new Messages(state)],
  ['ReminderApi', (state) => new Reminders(state)],
  ['FoodPlatform', (state) => new FoodPlatform(state)],
  ['Travel', (state) => new Travel(state)],
])

/** What the execution role answers to a message that is no call. */
const NO_QUESTIONS = 'Please do not ask me any questions, use the known conditions to solve the problem'
/** What a model gets to read for a call that failed in agent_multi_turn; the braces are the official text. */
const FAILED_TURN = 'Error during execution: {str(e)}'
/** The first name before a bracket; `\b` and `\w` as Python's `re` has them. */
const FIRST_CALL = /(?<![\p{L}\p{N}_])([a-zA-Z_][\p{L}\p{N}_]*)\s*(?=\()/u

/** What a simulation starts from. */
export interface SimulationSetup {
  /** `{Class: attributes}` right after construction. */
  readonly initialState: PyDict
  /** `{Class: settings}` of the case. */
  readonly config: PyDict
  readonly classes: readonly string[]
}

/**
 * The classes of one agent case and what their execution role answers. Calls are read, written again as Python source,
 * and evaluated; a method that several classes have runs in each of them, and the last result counts.
 *
 * Source: EXECUTION_STEP, EXECUTION and execute_agent_func_call of ACEBench.
 */
export class Simulation {
  readonly #instances = new Map<string, Simulator>()
  readonly #methods = new Map<string, SimulatorMethod[]>()
  #isRecorded = false

  /** @throws PyError KeyError for an unknown class */
  constructor({ initialState, config, classes }: SimulationSetup) {
    for (const name of classes) {
      const instance = this.#instances.get(name) ?? construct(name, initialState, config)
      this.#instances.set(name, instance)
      for (const [method, run] of instance.methods) {
        const runs = this.#methods.get(method) ?? []
        this.#methods.set(method, [...runs, run])
      }
    }
  }

  /** The answer to a message of agent_multi_step: one value a call, or a text when it holds no calls. */
  step(message: string): PyValue {
    const calls = this.#read(message, 'refuse')
    if (calls === undefined) return NO_QUESTIONS
    this.#isRecorded = true
    return observed(this.#execute(calls, (error) => `Error during execution: ${error.message}`))
  }

  /**
   * The answer to a message of agent_multi_turn that went to the execution role. The first call that fails ends the
   * message, and a fixed text is given as a list of its characters.
   * @throws PyError where the official role raises
   */
  turn(message: string): PyValue {
    const calls = readSteps(message, 'skip')
    try {
      const results = this.#execute(calls, (error) => {
        throw error
      })
      this.#isRecorded = true
      return observed(results)
    } catch (error) {
      if (!(error instanceof PyError)) throw error
      return [...FAILED_TURN]
    }
  }

  /** `[{Class: attributes}]` in order of the classes, as JSON reads it back; empty as long as nothing was executed. */
  finalState(): PyValue[] {
    if (!this.#isRecorded) return []
    return [...this.#instances.values()].map((one) => new PyDict().set(one.className, jsonRoundTrip(one.saved())))
  }

  #read(message: string, others: OtherElements): string[] | undefined {
    try {
      return readSteps(message, others)
    } catch (error) {
      if (error instanceof PyError) return undefined
      throw error
    }
  }

  #execute(calls: readonly string[], onError: (error: PyError) => PyValue): PyValue[] {
    let last: PyValue | undefined
    return calls.map((call) => {
      try {
        const match = FIRST_CALL.exec(call)
        for (const method of (match && this.#methods.get(match[1]!)) ?? []) last = invoke(call, match![1]!, method)
        // An unknown name runs nothing: the variable still holds the result of the call before, if there was one.
        if (last !== undefined) return last
        const variable = "'func_call_result' where it is not associated with a value"
        throw new PyError('NameError', `cannot access local variable ${variable}`)
      } catch (error) {
        if (error instanceof PyError) return onError(error)
        throw error
      }
    })
  }
}

function construct(name: string, initialState: PyDict, config: PyDict): Simulator {
  const make = CLASSES.get(name)
  if (!make) throw new PyError('KeyError', `'${name}'`)
  const state = initialState.get(name)
  const instance = make(state instanceof PyDict ? deepCopy(state) : new PyDict())
  // The device's settings are loaded second, into every class.
  for (const part of [name, 'BaseApi']) {
    const settings = config.get(part)
    instance.load(settings instanceof PyDict ? deepCopy(settings) : new PyDict())
  }
  return instance
}

/** Evaluates the source of a call whose first called name is this method. */
function invoke(source: string, name: string, method: SimulatorMethod): PyValue {
  const call = parsed(source)
  if (call.kind !== 'Call') return evaluate(call)
  if (call.callee.kind !== 'Name' || call.callee.id !== name) return evaluate(call.callee)
  const keywords = new PyDict()
  for (const keyword of call.keywords) keywords.set(keyword.name, argument(keyword.value))
  return method.run(bindKeywords(method.qualifiedName, method.parameters, keywords))
}

function parsed(source: string): Expression {
  try {
    return parsePythonExpression(source)
  } catch (error) {
    if (!(error instanceof PyError)) throw error
    const reason = /[(,] ?None=/.test(source) ? 'cannot assign to None' : error.message
    throw new PyError(error.type, `${reason} (<string>, line 1)`)
  }
}

/** A nested call can be of a builtin; `dict` is the one that makes sense with keywords. */
function argument(node: Expression): PyValue {
  const isDict = node.kind === 'Call' && node.callee.kind === 'Name' && node.callee.id === 'dict'
  if (!isDict || node.args.length > 0) return evaluate(node)
  return PyDict.of(node.keywords.map(({ name, value }) => [name, argument(value)] as const))
}

/** Results are written after all calls of a message ran, so they show what later calls changed; then read as JSON. */
function observed(results: readonly PyValue[]): PyValue[] {
  return results.map((result) => {
    if (result instanceof PyDict) {
      try {
        return jsonRoundTrip(result)
      } catch (error) {
        if (!(error instanceof PyError)) throw error
      }
    }
    const text = pyStr(result)
    try {
      return parsePythonJson(text)
    } catch (error) {
      if (error instanceof PyError) return text
      throw error
    }
  })
}
