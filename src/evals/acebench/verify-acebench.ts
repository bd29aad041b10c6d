import { compareVerdict } from '../bfcl/compare-verdict.js'
import { pyRepr } from '../python/repr.js'
import type { PyValue } from '../python/values.js'
import { VerdictFileError, type VerdictLine } from '../verdict-file.js'
import type { LineVerifier, VerifierContext } from '../verify.js'
import { type AceBenchCase, AceBenchCases } from './cases.js'
import { scoreAgent } from './score-agent.js'
import { scoreNormal, scoreSpecial } from './score-text.js'
import { Simulation } from './simulation.js'

/**
 * Verifier of acebench: verdict and code of every line, decoded calls of normal_*, and of agent_* the observations, the
 * final states and the process accuracy. A line without observations gives its final states itself.
 */
export function openAceBenchVerifier(context: VerifierContext): LineVerifier {
  const cases = new AceBenchCases(context.datasets)
  return async (line) => {
    const category = line.string('category')
    const one = await cases.find(category, line.string('id'))
    if (category.startsWith('agent')) return verifyAgent(line, one)
    const score = (category.startsWith('special') ? scoreSpecial : scoreNormal)(line.string('raw'), one.textCase)
    return (
      compareVerdict(line, {
        verdict: score.valid,
        error_type: score.errorType,
        decode_error: line.plain.decode_error === undefined ? undefined : score.decodeError,
      }) ?? (score.decoded ? compareDecoded(line, score.decoded) : undefined)
    )
  }
}

function compareDecoded(line: VerdictLine, ours: PyValue): string | undefined {
  const exact = line.plain.decoded_repr
  if (exact === undefined && line.plain.decoded === undefined) return undefined
  const recorded = typeof exact === 'string' ? exact : pyRepr(line.exact.get('decoded') ?? null)
  return pyRepr(ours) === recorded ? undefined : `decoded is ${pyRepr(ours)}, recorded ${recorded}`
}

function verifyAgent(line: VerdictLine, one: AceBenchCase): string | undefined {
  const process = line.exact.get('process')
  if (!Array.isArray(process) || !process.every((step) => typeof step === 'string'))
    throw new VerdictFileError(line.file, line.number, 'process must be a list of strings')
  let finalState = line.exact.get('final_state') ?? []
  const recorded = line.exact.get('observations') ?? null
  if (recorded !== null) {
    const simulation = new Simulation(one.setup)
    const isSteps = one.category.includes('multi_step')
    const observations = process.map((step) => (isSteps ? simulation.step(step) : simulation.turn(step)))
    const state = simulation.finalState()
    const difference =
      firstDifference('observations', observations, recorded) ?? firstDifference('final_state', state, finalState)
    if (difference !== undefined) return difference
    finalState = state
  }
  const score = scoreAgent(finalState, process, one.agentAnswer)
  const difference = compareVerdict(line, { verdict: score.valid, error_type: score.errorType })
  if (difference !== undefined) return difference
  const accuracy = line.plain.process_accuracy
  return accuracy === undefined || accuracy === score.processAccuracy
    ? undefined
    : `process_accuracy is ${score.processAccuracy}, recorded ${String(accuracy)}`
}

function firstDifference(what: string, ours: readonly PyValue[], recorded: PyValue): string | undefined {
  if (!Array.isArray(recorded) || recorded.length !== ours.length) return `${what}: ours are ${ours.length}`
  for (const [place, value] of ours.entries()) {
    const [mine, theirs] = [pyRepr(value), pyRepr(recorded[place]!)]
    if (mine !== theirs) return `${what}[${place}] is ${mine}, recorded ${theirs}`
  }
  return undefined
}
