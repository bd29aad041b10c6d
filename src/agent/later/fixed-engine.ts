import type { JsonObject } from '../../chat/types.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo } from '../../engine/contract.js'
import { NO_MODEL } from '../unattended.js'

/**
 * An engine that asks for one call and then has nothing to say: so that a fixed action goes through the same checks,
 * policy, journal and recovery as a call of a model.
 */
export class FixedEngine implements Engine {
  readonly model: ModelInfo = { name: NO_MODEL.automation, contextLength: 32_768, dialect: 'hermes' }

  constructor(private readonly call: { readonly name: string; readonly arguments: JsonObject }) {}

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    const asked = request.messages?.some((message) => message.role === 'assistant' && message.toolCalls.length > 0)
    if (!asked)
      yield {
        type: 'calls',
        calls: [{ id: 'fixed', name: this.call.name, arguments: JSON.stringify(this.call.arguments) }],
      }
    yield {
      type: 'end',
      stop: 'end',
      usage: { promptTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, promptMs: 0, outputMs: 0 },
    }
  }

  /** There is nothing to score. */
  async score(): Promise<Float32Array> {
    return new Float32Array(0)
  }

  async close(): Promise<void> {}
}
