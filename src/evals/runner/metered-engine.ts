import type { JsonValue } from '../../chat/types.js'
import type { Engine, EngineEvent, GenerateRequest, ModelInfo, ScoreRequest } from '../../engine/contract.js'
import type { CaseUsage, TranscriptStep } from './run-record.js'

/** Passes everything on to an engine and keeps what was asked, said and spent. Closing it leaves the engine open. */
export class MeteredEngine implements Engine {
  readonly transcript: TranscriptStep[] = []
  #usage: CaseUsage = {
    requests: 0,
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    engineMs: 0,
  }

  readonly tokenize?: NonNullable<Engine['tokenize']>

  constructor(private readonly inner: Engine) {
    if (inner.tokenize) this.tokenize = inner.tokenize.bind(inner)
  }

  get model(): ModelInfo {
    return this.inner.model
  }

  get usage(): CaseUsage {
    return this.#usage
  }

  async *generate(request: GenerateRequest): AsyncGenerator<EngineEvent, void, void> {
    const started = performance.now()
    let text = ''
    let reasoning = ''
    let stop: TranscriptStep['stop'] = 'failed'
    let outputTokens = 0
    let calls: TranscriptStep['calls']
    try {
      for await (const event of this.inner.generate(request)) {
        if (event.type === 'token') text += event.text
        else if (event.type === 'reasoning') reasoning += event.text
        else if (event.type === 'calls')
          calls = event.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))
        else {
          const { usage } = event
          stop = event.stop
          outputTokens = usage.outputTokens
          const spent = this.#usage
          this.#usage = {
            ...spent,
            promptTokens: spent.promptTokens + usage.promptTokens,
            cachedTokens: spent.cachedTokens + usage.cachedTokens,
            outputTokens: spent.outputTokens + usage.outputTokens,
            reasoningTokens: spent.reasoningTokens + usage.reasoningTokens,
          }
        }
        yield event
      }
    } finally {
      const { requests, engineMs } = this.#usage
      this.#usage = { ...this.#usage, requests: requests + 1, engineMs: engineMs + performance.now() - started }
      this.transcript.push({
        input: inputOf(request),
        ...(request.tools ? { tools: request.tools.map(({ name }) => name) } : {}),
        ...(reasoning === '' ? {} : { reasoning }),
        text,
        ...(calls ? { calls } : {}),
        stop,
        outputTokens,
      })
    }
  }

  score(request: ScoreRequest): Promise<Float32Array> {
    return this.inner.score(request)
  }

  async close(): Promise<void> {}
}

function inputOf({ messages, prompt }: GenerateRequest): JsonValue {
  if (messages) return JSON.parse(JSON.stringify(messages)) as JsonValue
  return typeof prompt === 'string' ? prompt : `${prompt?.length ?? 0} tokens`
}
