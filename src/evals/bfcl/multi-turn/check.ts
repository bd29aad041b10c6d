import type { PyDict } from '../../python/values.js'
import type { NewProcess } from './constants.js'
import { Executor } from './execute.js'
import { createInstances } from './instances.js'
import type { Simulator } from './simulators/simulator.js'

/** What of a multi-turn case the checker needs. */
export interface MultiTurnScenario {
  readonly id: string
  readonly classes: readonly string[]
  /** Class name to initial state. */
  readonly config: PyDict
  /** Call strings by turn. */
  readonly truth: readonly (readonly string[])[]
}

/** A model's calls: turns of steps of call strings. */
export type CalledTurns = readonly (readonly (readonly string[])[])[]

/** Verdict on a model's calls, with the official codes. */
export interface MultiTurnVerdict {
  readonly valid: boolean
  readonly error: string | null
  /** 0-based turn at which the check failed. */
  readonly turn?: number
  /** Attributes of the first instance whose state differs. */
  readonly differing?: readonly string[]
}

/** Says whether the category adds the long-context data. */
export function isLongContext(id: string): boolean {
  const category = id.slice(0, Math.max(0, id.lastIndexOf('_')))
  return category.includes('long_context') || category.includes('composite')
}

/** Instances of a case with their executor. @param label part of the instances' names */
export function openExecutor(
  scenario: MultiTurnScenario,
  label: string,
  process: ReturnType<NewProcess>,
): { readonly executor: Executor; readonly instances: ReadonlyMap<string, Simulator> } {
  const instances = createInstances(scenario.classes, scenario.config, isLongContext(scenario.id), process)
  return { instances, executor: new Executor(instances, `${label}_eval_${scenario.id}`) }
}

/**
 * Executes a model's calls and the accepted ones side by side and compares after every turn, as the official
 * `multi_turn_checker`: a turn that should have calls must not be empty, public attributes must be equal, and every
 * accepted result of the turn must be among the model's results so far.
 * @throws BfclDataError for a class that is not known
 */
export function checkMultiTurn(
  scenario: MultiTurnScenario,
  turns: CalledTurns,
  newProcess: NewProcess,
): MultiTurnVerdict {
  if (turns.length !== scenario.truth.length) return { valid: false, error: 'multi_turn:force_terminated' }
  const process = newProcess()
  const model = openExecutor(scenario, 'model', process)
  const truth = openExecutor(scenario, 'model_ground_truth', process)
  const results: string[] = []
  for (const [turn, accepted] of scenario.truth.entries()) {
    const steps = turns[turn]!
    for (const calls of steps) results.push(...model.executor.execute(calls))
    const wanted = truth.executor.execute(accepted)
    if (accepted.length === 0) continue
    if (isEmptyTurn(steps)) return { valid: false, error: 'multi_turn:empty_turn_model_response', turn }
    for (const [name, instance] of truth.instances) {
      const differing = instance.differing(model.instances.get(name)!)
      if (differing.length > 0) return { valid: false, error: 'multi_turn:instance_state_mismatch', turn, differing }
    }
    if (!containsAll(results, wanted)) return { valid: false, error: 'multi_turn:execution_response_mismatch', turn }
  }
  return { valid: true, error: null }
}

/** Executes all turns of a model alone: the string of every call, nested like the turns. */
export function executeTurns(scenario: MultiTurnScenario, turns: CalledTurns, newProcess: NewProcess): string[][][] {
  const { executor } = openExecutor(scenario, 'model', newProcess())
  return turns.map((steps) => steps.map((calls) => executor.execute(calls)))
}

/** No step, or a single one without calls. */
export function isEmptyTurn(steps: readonly (readonly unknown[])[]): boolean {
  return steps.length === 0 || (steps.length === 1 && steps[0]!.length === 0)
}

/** Whether the whole of a list is in another one, whatever the order, each occurrence counted. */
function containsAll(all: readonly string[], wanted: readonly string[]): boolean {
  const left = new Map<string, number>()
  for (const one of all) left.set(one, (left.get(one) ?? 0) + 1)
  return wanted.every((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0
  })
}
