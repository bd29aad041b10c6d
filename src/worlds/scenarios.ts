import { FIELDS } from '../tools/contract.js'
import { Draw } from './draw.js'
import { generateHousehold } from './generate.js'
import type { Scenario } from './scenario.js'
import { makeScenario, type Template } from './template.js'
import { TEMPLATES } from './templates/index.js'

/** Tries to draw slots that were not drawn before, for each scenario. */
const TRIES = 60

/** Not as many distinct scenarios as were asked for. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  readonly code = 'too-few'
  constructor(
    /** How many there are. */
    readonly where: number,
    message: string,
  ) {
    super(message)
  }
}

/** Simple and complex ones in turns, as far as both reach. */
function alternating(templates: readonly Template[]): readonly Template[] {
  const simple = templates.filter(({ traits }) => traits.length === 0)
  const complex = templates.filter(({ traits }) => traits.length > 0)
  return Array.from({ length: Math.max(simple.length, complex.length) }, (_, i) => [simple[i], complex[i]])
    .flat()
    .filter((template) => template !== undefined)
}

/**
 * `n` distinct scenarios from a seed: the fields take turns, and within each field its templates, simple and complex. The first m of n
 * scenarios are the m scenarios of the same seed.
 * @throws {ScenarioError} when the templates' slots do not give that many
 */
export function generateScenarios(
  seed: number | string,
  n: number,
  templates: readonly Template[] = TEMPLATES,
): Scenario[] {
  const fields = FIELDS.map((field) => alternating(templates.filter((template) => template.field === field))).filter(
    (list) => list.length > 0,
  )
  const seen = new Set<string>()
  const scenarios: Scenario[] = []
  const used = fields.map(() => 0)
  for (let round = 0; scenarios.length < n; round++) {
    const before = scenarios.length
    for (const [f, list] of fields.entries()) {
      if (scenarios.length >= n) break
      const scenario = next(list, f, round)
      if (scenario) {
        seen.add(scenario.id)
        scenarios.push(scenario)
      }
    }
    if (scenarios.length === before)
      throw new ScenarioError(before, `Only ${before} distinct scenarios come of these templates; ask for fewer.`)
  }
  return scenarios

  function next(list: readonly Template[], f: number, round: number): Scenario | undefined {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const at = used[f] ?? 0
      used[f] = at + 1
      const template = list[at % list.length]
      if (!template) return undefined
      const name = `${seed}/${template.id}/${round}/${attempt}`
      const scenario = makeScenario(template, generateHousehold(name), new Draw(`${name}/slots`))
      if (!seen.has(scenario.id)) return scenario
    }
    return undefined
  }
}
