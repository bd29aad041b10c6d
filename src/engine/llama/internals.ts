import type { Llama, LlamaGrammarEvaluationState, Token } from 'node-llama-cpp'
import { EngineError } from '../errors.js'

interface Bindings {
  readonly _bindings: {
    readonly AddonSampler: {
      acceptGrammarEvaluationStateToken(state: unknown, token: Token): void
      canBeNextTokenForGrammarEvaluationState(state: unknown, token: Token): boolean
    }
  }
}

/**
 * Tells a grammar state that a token was appended without sampling. node-llama-cpp keeps this call to itself (it uses it
 * for drafted tokens); the version is pinned, and its absence is an error here rather than a silent wrong mask.
 *
 * Returns false where the grammar does not allow the token; the state is then unchanged.
 */
export function acceptToken(llama: Llama, state: LlamaGrammarEvaluationState, token: Token): boolean {
  const sampler = (llama as unknown as Partial<Bindings>)._bindings?.AddonSampler
  const native = (state as unknown as { readonly _state?: unknown })._state
  if (sampler === undefined || native === undefined)
    throw new EngineError('internal', 'This node-llama-cpp does not offer the grammar calls of 3.21.1; install 3.21.1.')
  if (!sampler.canBeNextTokenForGrammarEvaluationState(native, token)) return false
  sampler.acceptGrammarEvaluationStateToken(native, token)
  return true
}
