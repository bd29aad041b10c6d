import { pyEquals } from '../python/equals.js'
import { PyError } from '../python/errors.js'
import { iterate } from '../python/operations.js'
import { pyRound } from '../python/round.js'
import { pyStrip } from '../python/strip.js'
import { PyDict, type PyValue, pyTypeName } from '../python/values.js'

/** What a run of an agent is worth. */
export interface AgentScore {
  /** Whether the final states are those of the answer. */
  readonly valid: boolean
  readonly errorType: string | null
  /** Share of the milestones that the calls pass in order, 0 to 1, three decimals; 1 when valid. */
  readonly processAccuracy: number
  /** The same as the official total adds it up: rounded only where there are alternative lists of milestones. */
  readonly processShare: number
}

/** The answer of an agent_* case. */
export interface AgentAnswer {
  /** One `{Class: attributes}` or a list of them. */
  readonly groundTruth: PyValue
  /** Calls in order, or alternative lists of calls. */
  readonly milestones: PyValue
}

/**
 * Scores a run by its final states and its calls.
 *
 * Source: agent_eval and agent_eval_process of ACEBench.
 * @param finalState `{Class: attributes}` of every class, as JSON reads it back
 * @param process the messages in which the model called something
 * @throws PyError where the official checker raises
 */
export function scoreAgent(finalState: PyValue, process: readonly string[], answer: AgentAnswer): AgentScore {
  const errorType = stateError(iterate(finalState), answer.groundTruth)
  const valid = errorType === null
  const processShare = valid ? 1 : milestoneShare(process, answer.milestones)
  return { valid, errorType, processAccuracy: pyRound(processShare, 3), processShare }
}

/** A class of the answer whose name no class of the run has is passed over, as officially. */
function stateError(states: readonly PyValue[], groundTruth: PyValue): string | null {
  const expected = Array.isArray(groundTruth) ? groundTruth : [groundTruth]
  if (expected.length !== states.length) return 'wrong number of class'
  let fits = true
  for (const one of expected) {
    const names = new Set(dict(one).keys())
    const match = states.find((state) => {
      const keys = dict(state).keys()
      return keys.length === names.size && keys.every((key) => names.has(key))
    })
    if (match !== undefined && dict(match).size > 0) fits = sameAttributes(dict(match), dict(one)) && fits
  }
  return fits ? null : 'class attributes wrong'
}

/** Attributes are compared whole, but of a dict only the keys that the answer has. Source: agent_checker of ACEBench. */
function sameAttributes(state: PyDict, answer: PyDict): boolean {
  const [given, expected] = [dict(state.values()[0]!), dict(answer.values()[0]!)]
  let same = true
  for (const [attribute, value] of given.entries()) {
    const wanted = expected.get(attribute)
    if (wanted === undefined) same = false
    else if (!(wanted instanceof PyDict)) same = pyEquals(wanted, value) && same
    else for (const [key, item] of wanted.entries()) same = hasItem(value, key, item) && same
  }
  return same
}

function hasItem(value: PyValue, key: PyValue, wanted: PyValue): boolean {
  if (value instanceof PyDict) {
    const found = value.get(key)
    return found !== undefined && pyEquals(wanted, found)
  }
  if (typeof value === 'string' && typeof key === 'string' && !value.includes(key)) return false
  if (Array.isArray(value) && !value.some((item) => pyEquals(item, key))) return false
  throw new PyError('TypeError', `'${pyTypeName(value)}' has no item ${String(key)}`)
}

function dict(value: PyValue): PyDict {
  if (value instanceof PyDict) return value
  throw new PyError('AttributeError', `'${pyTypeName(value)}' object has no attribute 'keys'`)
}

/**
 * Share of the milestones found in order, the best of the alternatives; a milestone that is not found uses up the rest of
 * the process. Source: agent_eval_process of ACEBench.
 * @throws PyError IndexError when there are no milestones
 */
export function milestoneShare(process: readonly string[], milestones: PyValue): number {
  const stones = iterate(milestones)
  if (stones.length === 0) throw new PyError('IndexError', 'list index out of range')
  if (!Array.isArray(stones[0])) return passed(process, stones)
  return Math.max(...stones.map((calls) => pyRound(passed(process, iterate(calls)), 3)))
}

function passed(process: readonly string[], milestones: readonly PyValue[]): number {
  if (milestones.length === 0) return 1
  const steps = process.map((step) => pyStrip(step))
  let [at, found] = [0, 0]
  for (const stone of milestones) {
    if (typeof stone !== 'string') throw new PyError('AttributeError', 'a milestone must be a str')
    const place = steps.indexOf(pyStrip(stone), at)
    if (place === -1) break
    at = place + 1
    found += 1
  }
  return found / milestones.length
}
