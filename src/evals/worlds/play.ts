import type { Engine } from '../../engine/contract.js'
import {
  type Episode,
  type EpisodeOptions,
  ModelOwner,
  nothingEngine,
  playEpisode,
  referenceEngine,
  type Scenario,
} from '../../worlds/index.js'

/** Who acts: the reference solutions, nobody, or a model. */
export const WORLD_POLICIES = ['reference', 'nothing', 'model'] as const
/** One of {@link WORLD_POLICIES}. */
export type WorldPolicy = (typeof WORLD_POLICIES)[number]

/** How scenarios are played. */
export interface WorldPlayOptions extends Omit<EpisodeOptions, 'engine' | 'owner'> {
  readonly policy: WorldPolicy
  /** For the policy `model`. */
  readonly engine?: Engine
  /** Words the owner's answers; by default they are said as the scenario's script has them. */
  readonly ownerEngine?: Engine
  /** Episodes in flight; 1 by default. */
  readonly inFlight?: number
  readonly onEpisode?: (episode: Episode, done: number) => void
}

/**
 * Plays all scenarios, in order of the list whatever finishes first.
 * @throws {RangeError} for the policy `model` without an engine
 */
export async function playWorlds(scenarios: readonly Scenario[], options: WorldPlayOptions): Promise<Episode[]> {
  const { policy, engine, ownerEngine, inFlight = 1, onEpisode, ...settings } = options
  if (policy === 'model' && !engine) throw new RangeError('the policy "model" needs an engine')
  const episodes: Episode[] = []
  let taken = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let at = taken++; at < scenarios.length; at = taken++) {
      settings.signal?.throwIfAborted()
      const scenario = scenarios[at] as Scenario
      const acting =
        policy === 'reference' ? referenceEngine(scenario) : policy === 'nothing' ? nothingEngine() : engine
      const episode = await playEpisode(scenario, {
        ...settings,
        engine: acting as Engine,
        ...(ownerEngine ? { owner: new ModelOwner(scenario, ownerEngine) } : {}),
      })
      episodes[at] = episode
      onEpisode?.(episode, ++done)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, inFlight) }, work))
  return episodes
}
