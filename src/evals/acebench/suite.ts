import type { Engine } from '../../engine/contract.js'
import { PyError } from '../python/errors.js'
import { pyRepr } from '../python/repr.js'
import { ask } from '../runner/ask.js'
import type { EvalCase, Score, Suite } from '../runner/suite.js'
import { type AceBenchSummary, summarizeAceBench } from './aggregate.js'
import { type AceBenchCase, AceBenchCases, AGENT_CATEGORIES, NORMAL_CATEGORIES, SPECIAL_CATEGORIES } from './cases.js'
import { type AgentOutcome, playSteps, playTurns } from './episodes.js'
import { textPrompt } from './prompts.js'
import { scoreAgent } from './score-agent.js'
import { scoreNormal, scoreSpecial } from './score-text.js'
import { Simulation } from './simulation.js'

interface AceBenchEvalCase extends EvalCase {
  readonly labels: { readonly category: string; readonly group: string; readonly complexity: string }
  readonly one: AceBenchCase
}

type AceBenchOutcome = string | AgentOutcome

/** Longest answer of a local model in the official run. */
const MOST_TOKENS = 1024

/**
 * ACEBench in English. Models are prompted in words in every category, as officially, and write calls in Python syntax.
 * @param options.user the model that plays the user of agent_multi_turn; without it the tested model plays both
 * @throws MissingDataError
 */
export function aceBenchSuite(options: {
  readonly datasets?: string | undefined
  readonly user?: Engine | undefined
}): Suite<AceBenchEvalCase, AceBenchOutcome> {
  const cases = new AceBenchCases(options.datasets)
  const player = options.user === undefined ? 'self' : options.user.model.name
  return {
    name: 'acebench',
    version: `1-user-${player}`,
    title: 'ACEBench (en)',
    notes: [
      `the user of agent_multi_turn is played by ${options.user === undefined ? 'the tested model itself' : player}; ` +
        'the official run has gpt-4o, so these figures are not to be compared with published ones',
    ],
    sampling: { temperature: 0, topP: 0.9 },
    cases: async () => {
      const categories = [...NORMAL_CATEGORIES, ...SPECIAL_CATEGORIES, ...AGENT_CATEGORIES]
      const all = await Promise.all(categories.map((category) => cases.all(category)))
      return all.flatMap((category) => [...category.values()].map(evalCase))
    },
    run: async ({ one }, context) => {
      if (one.category === 'agent_multi_step') return playSteps(one, context, MOST_TOKENS)
      if (one.category === 'agent_multi_turn')
        return playTurns(one, context, { user: options.user ?? context.engine, maxTokens: MOST_TOKENS })
      return (await ask(context, textPrompt(one), { maxTokens: MOST_TOKENS })).content
    },
    score: ({ one }, outcome) => {
      try {
        return typeof outcome === 'string' ? scoreText(one, outcome) : scoreEpisode(one, outcome)
      } catch (error) {
        // The official run would end here; one answer must not end ours.
        if (error instanceof PyError) return { value: 0, reason: `the official checker fails: ${error.message}` }
        throw error
      }
    },
    aggregate: (scored) => {
      const summary = summarizeAceBench(
        scored.map(({ id, trial, labels, score }) => ({
          category: labels.category ?? '',
          id,
          trial,
          valid: score.value === 1,
          ...(score.metrics?.process === undefined ? {} : { process: score.metrics.process }),
        })),
      )
      return aggregates(summary)
    },
  }
}

function evalCase(one: AceBenchCase): AceBenchEvalCase {
  const { category, id } = one
  const group = category.slice(0, category.indexOf('_'))
  const isSimple = category.includes('_atom_') || category.endsWith('single_function')
  return { id, labels: { category, group, complexity: isSimple ? 'simple' : 'complex' }, one }
}

function scoreText(one: AceBenchCase, text: string): Score {
  const score = (one.category.startsWith('special') ? scoreSpecial : scoreNormal)(text, one.textCase)
  const decoded = score.decoded ? { details: { decoded: pyRepr(score.decoded) } } : {}
  return { value: Number(score.valid), ...(score.errorType ? { reason: score.errorType } : {}), ...decoded }
}

function scoreEpisode(one: AceBenchCase, { process }: AgentOutcome): Score {
  const simulation = new Simulation(one.setup)
  for (const message of process) {
    if (one.category === 'agent_multi_step') simulation.step(message)
    else simulation.turn(message)
  }
  const score = scoreAgent(simulation.finalState(), process, one.agentAnswer)
  return {
    value: Number(score.valid),
    metrics: { process: score.processShare },
    ...(score.errorType ? { reason: score.errorType } : {}),
  }
}

function aggregates(summary: AceBenchSummary): { name: string; value: number; note?: string }[] {
  const { missing } = summary
  const note = missing.length > 0 ? { note: `without ${missing.join(', ')}, which count as 0` } : {}
  const parts = ['atom', 'singleTurn', 'multiTurn', 'normal', 'special', 'agent'] as const
  return [
    { name: 'summary', value: summary.overall, ...note },
    ...parts.map((name) => ({ name: name.replace('Turn', ' turn'), value: summary[name] })),
    ...Object.entries(summary.process).map(([category, value]) => ({ name: `${category} process`, value })),
  ]
}
