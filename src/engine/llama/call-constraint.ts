import type { LlamaGrammarEvaluationState, Token } from 'node-llama-cpp'

/** A grammar at work on one generation. */
export interface CallConstraint {
  /** The state that binds the next token; undefined while generation is free. */
  state(): LlamaGrammarEvaluationState | undefined
  /** Takes the token that was just sampled and returns the tokens that must follow it. */
  follow(token: Token, text: string, thinking: boolean): Token[]
  /** True when nothing may follow any more. */
  readonly finished: boolean
}
